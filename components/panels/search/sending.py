"""Events of the language model's panel: preview what would be sent, allow images or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gradio as gr

from components.data import Data, form_of
from components.event_defaults import QUIET
from components.parts import Parts
from components.render.search.model import outgoing_panel
from components.render.search.notices import refused_input
from components.slices import slices_of
from retrieval import BadInput, Engine, Query, parse_query


def events(parts: Parts, engine: Engine) -> None:
    """Looking runs the search up to the call and sends nothing; the box is this upload's."""

    def decide(wanted: bool, data: Data) -> Data:
        return replace(data, images=bool(wanted))

    panel = parts.results.model
    outputs = [panel.output, panel.images]
    panel.look.click(_looker(engine), parts.form, outputs, concurrency_limit=2, **QUIET)
    panel.images.input(decide, [panel.images, parts.data], parts.data, **QUIET)


def _looker(engine: Engine) -> Callable[..., tuple[str, Any]]:
    def look(*values: Any) -> tuple[str, Any]:  # noqa: ANN401 - component values
        *form_values, data = values
        form, images = form_of(form_values), slices_of(data)
        try:
            query = _query(form, data)
            sent = engine.preview(query, form.mode, images if data.images else ())
            able = sent is not None and bool(images)
            more = engine.preview(query, form.mode, images) if able and not data.images else None
        except BadInput as exc:
            return refused_input(str(exc)), gr.Checkbox(interactive=False)
        return outgoing_panel(sent, more), gr.Checkbox(interactive=able)

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
        liked=taste["liked"],
        disliked=taste["disliked"],
    )
