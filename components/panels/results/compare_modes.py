"""Two modes, or one with and without some stages, side by side on the search on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.boundary import attempted
from components.data import SWITCHES, Data, Form, form_of
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.render.results.compare import compare_panel
from components.render.search.notices import trouble
from components.render.words import MODES, stage_label
from components.run import sought
from retrieval import Answer, Engine

if TYPE_CHECKING:
    from components.parts import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePanel:
    """What is compared, and where the answer appears."""

    left: gr.Dropdown
    right: gr.Dropdown
    off: gr.CheckboxGroup
    go: gr.Button
    output: gr.HTML


def layout(engine: Engine) -> ComparePanel:
    """An accordion that starts closed."""
    modes = [(MODES.get(name, name), name) for name in engine.modes]
    other = "keyword" if "keyword" in engine.modes else engine.modes[-1]
    with gr.Accordion("Compare two modes", open=False, elem_id="comparemodes"):
        with gr.Row():
            mode_a = gr.Dropdown(
                modes, value=engine.modes[0], label="A", elem_id="modea", min_width=220
            )
            mode_b = gr.Dropdown(modes, value=other, label="B", elem_id="modeb", min_width=220)
            go = gr.Button("Compare", elem_id="comparego", min_width=120)
        off = gr.CheckboxGroup(
            [("Scan facts" if name == "tokens" else stage_label(name), name) for name in SWITCHES],
            value=[],
            label="Left out in B",
            elem_id="compareoff",
        )
        output = html_box("", "compared")
    return ComparePanel(left=mode_a, right=mode_b, off=off, go=go, output=output)


def events(parts: Parts, engine: Engine) -> None:
    """Both searches run with the words, scan and filters on the page, which stays as it is."""
    panel = parts.results.compare
    inputs = [panel.left, panel.right, panel.off, *parts.form]
    panel.go.click(_comparer(engine), inputs, panel.output, concurrency_limit=2, **EVENT_DEFAULTS)


def _comparer(engine: Engine) -> Callable[..., str]:
    def compare(left: str, right: str, off: Sequence[str] | None, *values: Any) -> str:  # noqa: ANN401
        *form_values, data = values
        form = form_of(form_values)
        # In the order of the page, whatever order the boxes were ticked in.
        without = [name for name in SWITCHES if name in (off or ())]

        def compared() -> str:
            one = _run(engine, form, data, str(left))
            two = _run(engine, replace(form, off=form.off | set(without)), data, str(right))
            return compare_panel(one, two, without)

        return attempted("a comparison", compared, trouble)

    return compare


def _run(engine: Engine, form: Form, data: Data, mode: str) -> Answer:
    return engine.run(form.text, mode, **sought(form, data))
