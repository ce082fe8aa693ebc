"""Events of "Similar": neighbours of a tool under what a substitute must state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.panels.js_bridge import sent
from components.render.results.browse import similar_panel
from components.render.search.notices import refused_input
from retrieval import BadInput, Engine, Wanted

WISHES = (("Open licence", "open"), ("Runs without a GPU", "cpu"), ("Released since 2024", "fresh"))
SINCE, SHOWN = "2024", 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPanel:
    """What a substitute must state, the tool in question, and the place of the list."""

    area: gr.Column
    wishes: gr.CheckboxGroup
    tool: gr.State
    output: gr.HTML


def layout() -> SimilarPanel:
    """Hidden until a tool is asked about."""
    with gr.Column(visible=False, elem_id="similar") as area:
        wishes = gr.CheckboxGroup(
            list(WISHES), value=[], label="A substitute must be", elem_id="wishes"
        )
        output = html_box("", "similarlist")
    return SimilarPanel(area=area, wishes=wishes, tool=gr.State(""), output=output)


def wanted_of(wishes: object) -> Wanted:
    """The wishes as the library takes them."""
    wish_names = set(wishes) if isinstance(wishes, list) else set()
    since = SINCE if "fresh" in wish_names else None
    return Wanted(open_license="open" in wish_names, cpu="cpu" in wish_names, since=since)


def events(
    panel: SimilarPanel,
    bridge: Any,  # noqa: ANN401
    engine: Engine,
    *,
    choosing: bool = True,
) -> None:
    """The event of the bridge names the tool; a wish lists anew.

    ``choosing`` is false where nothing is gathered to be compared.
    """

    def named(wishes: Any, event: gr.EventData) -> tuple[Any, str, str]:  # noqa: ANN401
        id = sent(event)
        return gr.Column(visible=True), id, listed(engine, id, wishes, choosing=choosing)

    def wished(id: str, wishes: Any) -> str:  # noqa: ANN401
        return listed(engine, id, wishes, choosing=choosing) if id else ""

    bridge.similar(named, panel.wishes, [panel.area, panel.tool, panel.output], **EVENT_DEFAULTS)
    panel.wishes.change(wished, [panel.tool, panel.wishes], panel.output, **EVENT_DEFAULTS)


def listed(engine: Engine, id: str, wishes: object, *, choosing: bool = True) -> str:
    """The list as HTML, or why there is none."""
    try:
        neighbours = engine.similar(id, wanted_of(wishes), SHOWN)
        return similar_panel(neighbours, choosing=choosing)
    except BadInput as exc:
        return refused_input(str(exc))
