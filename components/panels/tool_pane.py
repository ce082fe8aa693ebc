"""One tool in full beside the catalog, and over the routes that answer with tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from components.data import Data
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.panels.js_bridge import kind, sent
from components.panels.results import similar
from components.render.results.detail import detail, nothing_chosen
from components.tool_detail import recipe_for, recipes
from retrieval import Answer, Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPane:
    """The record with its tabs, and what the tab of similar tools shows."""

    record: gr.HTML
    similar: similar.SimilarPanel


AnswerOf = Callable[[str, Any], Answer | None]
"""The answer that a tool was listed in, by the kind that its button carries."""


def layout(*, beside: bool = False) -> ToolPane:
    """The same place as beside an answer; over the page where no list leaves room for it."""
    column = gr.Column(
        scale=3, min_width=320, elem_id="right", elem_classes=[] if beside else ["over"]
    )
    with column:
        record = html_box(nothing_chosen(browsing=True), "detail")
        neighbours = similar.layout()
    return ToolPane(record=record, similar=neighbours)


def record_of(engine: Engine, id: str, answer: Answer | None = None) -> str:
    """The record of a tool that is looked at without a search of one's own."""
    tool = engine.catalog.get(id)
    if tool is None:
        return nothing_chosen(browsing=True, unknown_id=id)
    recipe = recipe_for(tool, Data(), recipes())
    return detail(tool, answer, recipe=recipe, tools=engine.catalog, browsing=True)


def events(
    pane: ToolPane,
    bridge: Any,  # noqa: ANN401
    engine: Engine,
    answer_of: AnswerOf = lambda _, __: None,
    inputs: Sequence[Any] = (),
) -> None:
    """A name anywhere on the route opens its record; ``answer_of`` gets the first of ``inputs``."""

    def choose(*values: Any, event: gr.EventData) -> str:  # noqa: ANN401
        return record_of(engine, sent(event), answer_of(kind(event), values[0] if values else None))

    def alone(event: gr.EventData) -> str:
        return choose(event=event)

    def within(value: Any, event: gr.EventData) -> str:  # noqa: ANN401 - a component's value
        return choose(value, event=event)

    input_components = list(inputs)
    bridge.select(
        within if input_components else alone,
        input_components or None,
        pane.record,
        **EVENT_DEFAULTS,
        queue=False,
    )
    similar.events(pane.similar, bridge, engine, choosing=False)
