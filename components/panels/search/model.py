"""The language model on the page: a preview of what it would be sent; images only with consent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.data import Data, form_of
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.render.search.model import outgoing_panel
from components.render.search.notices import refused_input
from components.run import sought
from components.slices import slices_of
from retrieval import BadInput, Engine, Query, parse_query

if TYPE_CHECKING:
    from components.parts import Parts


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
        output = html_box("", "modeltold")
    return ModelPanel(look=look, images=images, output=output)


def events(parts: Parts, engine: Engine) -> None:
    """Looking runs the search up to the call and sends nothing; the box is this upload's."""

    def decide(wanted: bool, data: Data) -> Data:
        return replace(data, images=bool(wanted))

    panel = parts.model
    outputs = [panel.output, panel.images]
    panel.look.click(_looker(engine), parts.form, outputs, concurrency_limit=2, **EVENT_DEFAULTS)
    panel.images.input(decide, [panel.images, parts.data], parts.data, **EVENT_DEFAULTS)


def _looker(engine: Engine) -> Callable[..., tuple[str, Any]]:
    def look(*values: Any) -> tuple[str, Any]:  # noqa: ANN401 - component values
        *form_values, data = values
        form, images = form_of(form_values), slices_of(data)
        try:
            query = _query(form, data)
            sizes = sought(form, data)["sizes"]
            preview = partial(engine.preview, query, form.mode, sizes=sizes)
            outgoing = preview(images if data.images else ())
            able = outgoing is not None and bool(images)
            more = preview(images) if able and not data.images else None
        except BadInput as exc:
            return refused_input(str(exc)), gr.Checkbox(interactive=False)
        return outgoing_panel(outgoing, more), gr.Checkbox(interactive=able)

    return look


def _query(form: Any, data: Data) -> Query:  # noqa: ANN401 - a Form
    taste = data.taste.weighed
    return parse_query(
        form.text,
        scans=data.scans,
        tokens=data.tokens,
        muted_tokens=data.silenced,
        excluded=form.excluded,
        rerank=form.rerank,
        refine=form.refine,
        filters=form.filters,
        off=form.off,
        top_k=sought(form, data)["top_k"],
        liked=taste["liked"],
        disliked=taste["disliked"],
    )
