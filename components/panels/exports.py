"""Events of the export row: files are made in memory and saved by the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from components.data import Shown
from components.parts import PRIVATE, Parts
from components.render.export import as_csv, as_json
from retrieval import Answer

MAKERS: dict[str, tuple[str, Callable[[Answer], str]]] = {
    "csv": ("text/csv;charset=utf-8", as_csv),
    "json": ("application/json", as_json),
}


def events(parts: Parts) -> None:
    """A click makes the file of the answer on the page."""
    for kind in MAKERS:
        parts.results.export[kind].click(_maker(kind), parts.shown, parts.bus, **PRIVATE)


def _maker(kind: str) -> Callable[[Shown], Any]:
    media, made = MAKERS[kind]

    def export(shown: Shown) -> Any:  # noqa: ANN401 - a Gradio value
        if shown.answer is None:
            return gr.skip()
        return {"file": {"name": f"scanscout.{kind}", "type": media, "text": made(shown.answer)}}

    return export
