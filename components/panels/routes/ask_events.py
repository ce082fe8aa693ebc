"""Events of the route that answers questions; the graph behind it opens with the first of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import gradio as gr

from components.boundary import attempted, guarded
from components.events import EVENT_DEFAULTS
from components.panels.boxes import stopped
from components.panels.js_bridge import download, sent
from components.panels.routes import ask_databases, ask_documents, ask_steps
from components.panels.routes.ask import LANGUAGES, AskPanel
from components.render.graphs.graph import graph_value
from components.render.questions import ask as render
from components.render.search.status import line
from components.render.words import milliseconds
from retrieval import Graph, QuestionDesk, QuestionEngine, Response, response_json, starting_queries

ASKING: dict[str, Any] = {
    **EVENT_DEFAULTS,
    "trigger_mode": "always_last",
    "concurrency_limit": 4,
    "concurrency_id": "ask",
}
"""Of every event that takes time: what is asked meanwhile is answered next."""
Updates = Iterator[dict[Any, Any]]
MOST_ASKED = 500
"""Characters of a form that stand as its question."""
READY = "Getting ready: reading the catalog's graph …"


ROLES = {
    "seed": "named in the question",
    "added": "found in the graph",
    "dropped": "left out",
    "link": "what links them",
}
ROWS = {**ROLES, "seed": "in the rows", "added": "in the rows"}
"""Parts that nodes play behind an answer, and behind the rows of a query."""


def events(panel: AskPanel, desk: QuestionDesk) -> None:
    """Ask, an example, another answerer, a form, Stop, run a query, export, documents."""
    Wiring(panel, desk).wire()
    ask_documents.events(panel.documents, panel.bridge, desk)
    ask_databases.events(panel.databases, desk)


class Wiring:
    """The events of one page's panel."""

    def __init__(self, panel: AskPanel, desk: QuestionDesk) -> None:
        self.panel, self.desk = panel, desk
        one = panel
        self._out = [
            *(one.text, one.stop, one.status, one.answer, one.area, one.context, one.graph),
            *(one.trace, one.language, one.query, one.rows, one.last),
            *(*one.steps.boxes.values(), one.steps.note),
        ]

    def wire(self) -> None:
        """Wire the events; every one that produces an answer can be stopped."""
        one = self.panel
        papers = one.documents
        inputs = [one.last, one.text, papers.visitor, papers.use, papers.made_up]
        runs = [
            gr.on([one.go.click, one.text.submit], self.ask, inputs, self._out, **ASKING),
            one.bridge.example(self.example, inputs[2:], self._out, **ASKING),
            one.bridge.answerer(self.answerer, inputs, self._out, **ASKING),
        ]
        runs += [
            form.send.click(self.sender(form), [*form.fields.values()], self._out, **ASKING)
            for form in one.databases
        ]
        query_inputs = [one.query, one.language]
        query_outputs = [one.rows, one.graph, one.status]
        runs.append(one.run.click(self.query, query_inputs, query_outputs, **ASKING))
        runs += self._steps().wire(one.rows, one.graph, ASKING)
        stop_outputs = [one.status, one.stop]
        one.stop.click(stopped, None, stop_outputs, cancels=runs, queue=False, **EVENT_DEFAULTS)
        one.language.input(
            lambda language, last: starting_queries(last).get(str(language), ""),
            [one.language, one.last],
            one.query,
            queue=False,
            **EVENT_DEFAULTS,
        )
        one.export.click(_exported, one.last, one.bridge, **EVENT_DEFAULTS)

    def _steps(self) -> ask_steps.StepEvents:
        one = self.panel

        def ran(text: str, language: str) -> Updates:
            for rows, graph, status in self.query(text, language):
                yield {one.rows: rows, one.graph: graph, one.status: status}

        return ask_steps.StepEvents(
            one.steps, self.desk, one.text, one.query, one.language, one.status, ran
        )

    def ask(self, last: Response | None, text: str, *papers: Any) -> Updates:  # noqa: ANN401
        """The answer as it grows; whatever goes wrong ends in words on the page."""
        yield from self._guarded(str(text or ""), papers, last=last)

    def example(self, visitor: str, use: bool, made_up: bool, event: gr.EventData) -> Updates:
        """The question of a button, which the box shows then."""
        yield {self.panel.text: sent(event)}
        yield from self._guarded(sent(event), (visitor, use, made_up))

    def answerer(
        self,
        last: Response | None,
        text: str,
        visitor: str,
        use: bool,
        made_up: bool,
        event: gr.EventData,
    ) -> Updates:
        """The question on the page, answered by the source that the visitor chose."""
        question = last.question if last else str(text or "")
        yield {self.panel.text: question}
        yield from self._guarded(question, (visitor, use, made_up), sent(event))

    def sender(self, form: ask_databases.FormPanel) -> Callable[..., Updates]:
        """What sends a filled form to its database, and shows the answer."""

        def send(*field_values: Any) -> Updates:  # noqa: ANN401 - component values
            values = form.values(field_values)

            def opened() -> QuestionEngine:
                return self.desk.databases.with_form(self.desk.question_engine(), form.name, values)

            question = form.words(values)[:MOST_ASKED]
            yield {self.panel.text: question}
            updates = self._views(question, opened, form.name)
            yield from guarded("a form", updates, self._ended)

        return send

    def _guarded(
        self,
        text: str,
        papers: Sequence[Any],
        answerer: str | None = None,
        last: Response | None = None,
    ) -> Updates:
        visitor, use, made_up = papers

        def opened() -> QuestionEngine:
            return self.desk.question_engine(visitor if use else "", made_up=bool(made_up))

        views = self._views(text, opened, answerer, last)
        yield from guarded("a question", views, self._ended)

    def _views(
        self,
        text: str,
        opened: Callable[[], QuestionEngine],
        answerer: str | None,
        last: Response | None = None,
    ) -> Updates:
        """The views of a question, which may refer to the ``last`` one, answered or refused."""
        one = self.panel
        before, recent = (last.question, last.recent) if last else ("", ())
        status = line("Looking for evidence …" if self.desk.ready else READY, "running")
        # Not the box: it may hold the next question by now.
        yield {one.stop: gr.Button(interactive=True), one.status: status}
        how: dict[str, Any] = {"answerer": answerer, "before": before, "recent": recent}
        for response in opened().stream(text, **how):
            yield self._response_updates(response)

    def _response_updates(self, response: Response) -> dict[Any, Any]:
        """The response so far; when it is complete its evidence, graph and query as well."""
        one = self.panel
        took = milliseconds(response.result.elapsed_ms)
        if not response.done:
            status = line("Looking for evidence …", "running")
        elif response.refused:
            status = line(f"No answer, after {took}. The reason stands below.", "refused")
        else:
            status = line(f"Answered in {took}.", "done")
        out = {
            one.status: status,
            one.answer: render.answer_panel(response),
            one.trace: render.trace(response),
            one.area: gr.Column(visible=True),
        }
        return out | self._final(response) if response.done else out

    def _final(self, response: Response) -> dict[Any, Any]:
        one, finals = self.panel, list(render.tools_of(response))
        ran = response.query.language if response.query else ""
        language = ran if ran in LANGUAGES else LANGUAGES[0]
        return {
            one.stop: gr.Button(interactive=False),
            one.context: render.context_table(response),
            one.graph: _drawing(response.graph, finals, ROLES),
            one.rows: "",
            one.last: response,
            one.language: language,
            one.query: starting_queries(response)[language],
            one.steps.note: "",
            **one.steps.filled(response.steps),
        }

    def _ended(self, reason: str | None) -> dict[Any, Any]:
        one, trouble = self.panel, render.question_trouble(reason)
        message = "The question failed." if reason is None else "The question was not asked."
        # A refused question leaves no answer to export or to query.
        idle = gr.Button(interactive=False)
        hidden = gr.Column(visible="hidden")
        out = {one.status: line(message, "failed"), one.answer: trouble, one.stop: idle}
        return out | {one.area: hidden, one.trace: "", one.last: None}

    def query(self, text: str, language: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query and the part of the graph they name.

        Where the rows name no node, the graph on the page stays.
        """
        yield gr.skip(), gr.skip(), line("Running the query …", "running")

        def ran() -> tuple[Any, ...]:
            rows, graph = self.desk.question_engine().run_query(str(text or ""), str(language))
            drawing = _drawing(graph, (), ROWS) if graph.nodes else gr.skip()
            return render.rows_table(rows), drawing, line("The query ran.", "done")

        def failed(reason: str | None) -> tuple[Any, ...]:
            message = "The query failed." if reason is None else "The query did not run."
            return render.query_trouble(reason), gr.skip(), line(message, "failed")

        yield attempted("a query", ran, failed)


def _drawing(graph: Graph, finals: Sequence[str], roles: Mapping[str, str]) -> dict[str, Any]:
    """The graph with the tools of the answer to the left; without an answer all tools, unmarked."""
    first = finals or [node.id for node in graph.nodes if node.kind == "tool"]
    value = graph_value(graph, first, roles)
    if not finals:
        for node in value["nodes"]:
            node["look"] = node["role"] if node["look"] == "final" else node["look"]
    return value


def _exported(response: Response | None) -> Any:  # noqa: ANN401 - a Gradio value
    if response is None:
        return gr.skip()
    text = json.dumps(response_json(response), ensure_ascii=False, indent=2)
    return download("answer.json", "application/json", text)
