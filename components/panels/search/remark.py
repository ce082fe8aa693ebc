"""The box for a remark that refines the search on the page."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from components.render.search.jump import parts_of_an_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowPanel:
    """The box for a remark, and what was understood of it."""

    text: gr.Textbox
    output: gr.HTML


def layout() -> FollowPanel:
    """One line above the cards, beside it the way to the parts of the answer."""
    with gr.Row(elem_id="follow"):
        text = gr.Textbox(
            label="Refine this search",
            placeholder="only open licences · without GPU · in Python · not FSL · for mouse",
            max_length=1_000,
            elem_id="followtext",
            min_width=300,
        )
        with gr.Column(min_width=300):
            gr.HTML(parts_of_an_answer(), js_on_load=None, apply_default_css=False, elem_id="jump")
            output = gr.HTML("", js_on_load=None, apply_default_css=False, elem_id="understood")
    return FollowPanel(text=text, output=output)
