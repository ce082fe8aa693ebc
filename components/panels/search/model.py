"""The language model on the page: a preview of what it would be sent; images only with consent."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from retrieval import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPanel:
    """Look first, then decide about the images of this upload."""

    look: gr.Button
    images: gr.Checkbox
    output: gr.HTML


def layout(engine: Engine) -> ModelPanel:
    """An accordion, there only when a language model is set up."""
    with gr.Accordion(
        f"Language model: {engine.language_model}",
        open=False,
        elem_id="model",
        visible=bool(engine.language_model),
    ):
        look = gr.Button("Show what would be sent", elem_id="modellook", size="sm")
        images = gr.Checkbox(
            False,
            label="Send the middle slices of this scan as well",
            info="Off for every new upload. Press the button first: it shows what would leave.",
            # Only once the press of the button showed the images can they be allowed.
            interactive=False,
            elem_id="modelimages",
        )
        output = gr.HTML("", js_on_load=None, apply_default_css=False, elem_id="modeltold")
    return ModelPanel(look=look, images=images, output=output)
