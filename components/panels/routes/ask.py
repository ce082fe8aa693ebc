"""The route that answers questions: the box, the answer, its evidence, its graph, its query."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from components.panels import js_bridge, tool_pane
from components.panels.boxes import go_row, graph_place, html_box, question_box
from components.panels.routes import ask_databases, ask_documents, ask_steps
from components.render.questions.ask import example_questions
from components.render.search.status import line
from retrieval import QuestionDesk

HEAD = """<div class="brand"><span class="mark" aria-hidden="true"></span><div><h1>Ask</h1>
<p>Answers from the catalog's graph. Every sentence names the facts it rests on.</p></div></div>"""
FIRST = "Ask something and press Ask. What the records do not state is refused."
GRAPH = """The links behind the answer, or among the rows of a query. The same data stand in a
table; drag a node to move it."""
LEGEND = (
    ("final", "tool of the answer"),
    ("seed", "tool in the question"),
    ("added", "other tool"),
    ("concept", "what links them"),
)
QUERY = """<div class="head"><h2>Query</h2><p class="sub">Over the graph: the query that
was run, one that fetches what the answer rests on, or one to start from. Change it and run it: it
only reads, and whatever would write, call or load is refused.</p></div>"""
LANGUAGES = ("Cypher", "SPARQL")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPanel:
    """What is typed and shown; ``last`` is the answer on the page."""

    bridge: gr.HTML
    pane: tool_pane.ToolPane
    text: gr.Textbox
    go: gr.Button
    stop: gr.Button
    status: gr.HTML
    answer: gr.HTML
    area: gr.Column
    context: gr.HTML
    graph: gr.HTML
    trace: gr.HTML
    language: gr.Radio
    query: gr.Textbox
    run: gr.Button
    rows: gr.HTML
    export: gr.Button
    last: gr.State
    documents: ask_documents.DocumentsPanel
    databases: list[ask_databases.FormPanel]
    steps: ask_steps.StepsPanel


def layout(desk: QuestionDesk) -> AskPanel:
    """The question above; then the answer, its evidence, the graph, the steps, the query."""
    bridge, last = js_bridge.layout(), gr.State(None)
    html_box(HEAD, "browse")
    label, example = "What do you want to know?", "Which tools turn DICOM into NIfTI?"
    text = question_box(label, example, "question", 2_000)
    go, stop = go_row("Ask", "askgo")
    html_box(example_questions(), "examples")
    documents = ask_documents.layout(desk)
    databases = ask_databases.layout(desk)
    status = html_box(line(FIRST, "idle"), "status")
    answer = html_box("", "said")
    with gr.Column(elem_id="askarea", visible="hidden") as area:
        with gr.Row(elem_id="export"):
            export = gr.Button("Answer as JSON", size="sm", elem_id="askjson", min_width=130)
        context = html_box("", "context")
        trace = html_box("", "steps")
        graph = graph_place(GRAPH, LEGEND)
        steps = ask_steps.layout(desk)
        html_box(QUERY, "queryhead")
        language = gr.Radio(
            LANGUAGES, value=LANGUAGES[0], label="Language", elem_id="querylanguage"
        )
        query = gr.Textbox(
            "", label="Query", lines=4, max_lines=14, elem_id="querytext", max_length=8_000
        )
        run = gr.Button("Run the query", elem_id="queryrun", min_width=130)
        rows = html_box("", "rows")
    pane = tool_pane.layout()
    return AskPanel(
        bridge=bridge,
        pane=pane,
        text=text,
        go=go,
        stop=stop,
        status=status,
        answer=answer,
        area=area,
        context=context,
        graph=graph,
        trace=trace,
        language=language,
        query=query,
        run=run,
        rows=rows,
        export=export,
        last=last,
        documents=documents,
        databases=databases,
        steps=steps,
    )
