"""Boxes, buttons and places for HTML that several panels share."""

from __future__ import annotations

from typing import Any

import gradio as gr

from components.render.graphs.graph import graph_box
from components.render.search.status import line
from components.server.assets import script


def html_box(value: str, name: str | None = None, **how: Any) -> gr.HTML:  # noqa: ANN401
    """A place for HTML, without a script or a style of its own; ``how`` goes to ``gr.HTML``."""
    return gr.HTML(value, js_on_load=None, apply_default_css=False, elem_id=name, **how)


def graph_place(*words: Any) -> gr.HTML:  # noqa: ANN401 - a caption and a legend
    """The drawing of a graph, empty at first; ``words`` go to ``graph_box``."""
    return gr.HTML(
        {"nodes": [], "edges": []},
        html_template=graph_box(*words),
        js_on_load=script("graph.js"),
        apply_default_css=False,
        elem_id="graph",
    )


def question_box(label: str, placeholder: str, name: str, most: int) -> gr.Textbox:
    """A text box that grows to three lines and accepts at most ``most`` characters."""
    return gr.Textbox(
        label=label,
        placeholder=placeholder,
        lines=1,
        max_lines=3,
        elem_id=name,
        max_length=most,
    )


def go_row(label: str, name: str) -> tuple[gr.Button, gr.Button]:
    """The button that starts, and Stop, which waits until something runs."""
    with gr.Row(elem_id="go"):
        go = gr.Button(label, variant="primary", elem_id=name, min_width=130)
        stop = gr.Button("Stop", variant="primary", elem_id="stop", interactive=False, min_width=80)
    return go, stop


def stopped() -> tuple[str, Any]:
    """The line after Stop, and the button, which has nothing left to stop."""
    message = line("Stopped. What was found so far stays below.", "stopped")
    return message, gr.Button(interactive=False)
