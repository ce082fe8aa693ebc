"""Questions about a list: where did a tool go, and what if a stage were left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from components.data import Shown
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.panels.js_bridge import sent
from components.panels.tool_names import offer_names, tool_box
from components.render.results.detail import latest_candidate
from components.render.results.why import LEVERS, fate_panel, what_if_panel
from components.render.search.notices import refused_input
from retrieval import BadInput, Engine

NOTHING = "<p class='sub' role='status'>Search first; then ask about the list.</p>"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyPanel:
    """The question, the levers, and where the answer appears."""

    tool: gr.Dropdown
    ask: gr.Button
    levers: dict[str, gr.Button]
    output: gr.HTML


def layout(engine: Engine) -> WhyPanel:
    """An accordion that starts closed."""
    head = "Where did a tool go? What if …?"
    with gr.Accordion(head, open=False, elem_id="why") as drawer:
        with gr.Row():
            tool = tool_box(
                value=None, label="A tool you expected", elem_id="whytool", min_width=260
            )
            ask = gr.Button("Where did it go?", elem_id="whyask", min_width=150)
        with gr.Row():
            levers = {
                name: gr.Button(
                    f"Without {words}", size="sm", elem_id=f"whatif-{name}", min_width=240
                )
                for name, words in LEVERS.items()
            }
        output = html_box("", "whytold")
    offer_names(drawer, tool, engine)
    return WhyPanel(tool=tool, ask=ask, levers=levers, output=output)


def events(panel: WhyPanel, page_state: gr.State, bridge: Any, engine: Engine) -> None:  # noqa: ANN401
    """A question reads the answer on the page; a lever runs that search once more."""

    def where(tool: str | None, on_page: Shown) -> str:
        return _fate(engine, str(tool or "")[:200], on_page)

    def suggested(on_page: Shown, event: gr.EventData) -> str:
        return _fate(engine, sent(event), on_page)

    panel.ask.click(where, [panel.tool, page_state], panel.output, **EVENT_DEFAULTS)
    bridge.where(suggested, page_state, panel.output, **EVENT_DEFAULTS)
    for name, button in panel.levers.items():
        button.click(
            _lever(engine, name), page_state, panel.output, concurrency_limit=2, **EVENT_DEFAULTS
        )


def _fate(engine: Engine, tool: str, on_page: Shown) -> str:
    if on_page.answer is None:
        return NOTHING
    if not tool.strip():
        return "<p class='sub' role='status'>Name the tool you expected.</p>"
    explained = engine.explain(on_page.answer, tool)
    judged = latest_candidate(explained.tool, on_page.answer) if explained.tool else None
    return fate_panel(explained, judged.fit or () if judged else ())


def _lever(engine: Engine, name: str) -> Callable[[Shown], str]:
    def pulled(shown: Shown) -> str:
        if shown.answer is None:
            return NOTHING
        try:
            return what_if_panel(engine.what_if(shown.answer, name))
        except BadInput as exc:
            return refused_input(str(exc))

    return pulled
