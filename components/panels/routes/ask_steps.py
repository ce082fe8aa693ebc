"""The query of the graph step by step: each step of the model shown, changed, and gone on from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr

from components.boundary import attempted, guarded
from components.panels.boxes import html_box
from components.render.questions import ask_steps as render
from components.render.search.status import line
from retrieval import QuestionDesk, StepTexts

MOST = 4_000
"""Characters of one step; the library refuses more."""
LANGUAGE = "Cypher"
"""The language in which the model writes."""
BOXES = {
    "entities": ("Kinds of node", "Names of the schema, with commas: Tool, Format"),
    "relationships": ("Relationships", "Names of the schema, with commas: ToolAcceptsFormat"),
    "properties": ("Properties", "A line for each owner: Tool: name, license"),
}
"""The steps that are chosen from the schema, with their labels and examples."""

Updates = Iterator[dict[Any, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsPanel:
    """``boxes`` and ``go_on`` by step; ``note`` says what a step gave; ``query`` is the page's."""

    boxes: Mapping[str, gr.Textbox]
    go_on: Mapping[str, gr.Button]
    anew: gr.Button
    explain: gr.Button
    request: gr.Textbox
    change: gr.Button
    note: gr.HTML

    def filled(self, texts: StepTexts) -> dict[Any, Any]:
        """The boxes with what the steps chose."""
        return {box: getattr(texts, name) for name, box in self.boxes.items()}


def layout(desk: QuestionDesk) -> StepsPanel:
    """Three boxes with a button each, then what can be done with the query below them."""
    able = desk.has_model
    boxes, go_on = {}, {}
    with gr.Accordion("The query, step by step", open=False, elem_id="stepsbox"):
        html_box(render.hint(able), "stepshint")
        anew = gr.Button("Go through the steps", elem_id="stepsanew", interactive=able)
        for name, (label, example) in BOXES.items():
            boxes[name] = gr.Textbox(
                label=label, placeholder=example, lines=1, max_lines=6, max_length=MOST,
                elem_id=f"steps-{name}",
            )  # fmt: skip
            go_on[name] = gr.Button(
                "Go on from here", size="sm", elem_id=f"stepson-{name}", interactive=able
            )
        with gr.Row():
            explain = gr.Button("Explain the query", elem_id="stepsexplain", interactive=able)
            request = gr.Textbox(
                label="Change the query", placeholder="Only 10 results, sorted by name",
                max_lines=2, max_length=500, elem_id="stepsrequest", interactive=able,
            )  # fmt: skip
            change = gr.Button("Change it", elem_id="stepschange", interactive=able)
        note = html_box("", "stepsnote")
    return StepsPanel(
        boxes=boxes,
        go_on=go_on,
        anew=anew,
        explain=explain,
        request=request,
        change=change,
        note=note,
    )


@dataclass(frozen=True)
class StepEvents:
    """The events of the steps; ``ran`` shows the rows of a query, as the button below them does."""

    panel: StepsPanel
    desk: QuestionDesk
    text: gr.Textbox
    query: gr.Textbox
    language: gr.Radio
    status: gr.HTML
    ran: Callable[[str, str], Updates]

    def wire(self, rows: gr.HTML, graph: gr.HTML, how: Mapping[str, Any]) -> list[Any]:
        """Wire the buttons; what can be stopped."""
        one = self.panel
        inputs = [self.text, *one.boxes.values(), self.query]
        note_outputs = [one.note, self.status, self.query]
        outputs = [*one.boxes.values(), *note_outputs, self.language, rows, graph]
        starts = {"": one.anew, **one.go_on}
        runs = [
            button.click(self._going_on(after), inputs, outputs, **how)
            for after, button in starts.items()
        ]
        runs.append(one.explain.click(self.explain, inputs, note_outputs, **how))
        changed = [*inputs, one.request]
        runs.append(one.change.click(self.change, changed, note_outputs, **how))
        return runs

    def _going_on(self, after: str) -> Callable[..., Updates]:
        def go_on(*values: str) -> Updates:
            yield from guarded("a step", self._steps(_texts(values), after), self._ended)

        return go_on

    def _steps(self, texts: StepTexts, after: str) -> Updates:
        yield {self.status: line("The language model chooses …", "running")}
        query = ""
        for step in self.desk.question_engine().steps.go_on(texts, after):
            note, query = render.note(step.note), step.query
            yield {**self.panel.filled(step), self.query: query, self.panel.note: note}
        if not query:
            yield {self.status: line("The steps ended without a query.", "refused")}
            return
        yield {self.language: LANGUAGE}
        yield from self.ran(query, LANGUAGE)

    def explain(self, *values: str) -> dict[Any, Any]:
        """The query in plain words."""

        def explained() -> dict[Any, Any]:
            text = self.desk.question_engine().steps.explain(_texts(values))
            status_line = line("The query is explained below.", "done")
            return {self.panel.note: render.explanation(text), self.status: status_line}

        return attempted("an explanation", explained, self._ended)

    def change(self, *values: str) -> dict[Any, Any]:
        """The query changed as the visitor wrote; it is not run before they say so."""
        *steps, request = values

        def changed() -> dict[Any, Any]:
            texts = self.desk.question_engine().steps.update(_texts(steps), request)
            status_line = line("The query was changed. Run it when it is as you want it.", "done")
            return {self.query: texts.query, self.panel.note: "", self.status: status_line}

        return attempted("a change", changed, self._ended)

    def _ended(self, reason: str | None) -> dict[Any, Any]:
        message = "The step failed." if reason is None else "The step was not done."
        trouble = render.step_trouble(reason)
        return {self.panel.note: trouble, self.status: line(message, "failed")}


def _texts(values: Any) -> StepTexts:  # noqa: ANN401 - the values of the boxes in their order
    question, entities, relationships, properties, query = (str(one or "") for one in values)
    return StepTexts(
        question=question,
        entities=entities,
        relationships=relationships,
        properties=properties,
        query=query,
    )
