"""Events of the drop zone: read at once, delete at once, show what was read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gradio as gr

from components.data import Data, form_of
from components.panels import scan
from components.parts import PRIVATE, Parts
from components.render.chips import chips
from components.render.notices import unreadable
from components.render.scan import scan_panel
from components.render.status import line
from components.render.words import count
from components.uploading import stored_then_deleted
from retrieval import Engine, RetrievalError

UNREAD = "The file could not be read."


def events(parts: Parts, engine: Engine, running: list[Any]) -> None:
    """Both upload widgets lead to one reader, which Stop ends; the picker narrows what it read."""
    options = {**PRIVATE, "show_progress": "minimal", "show_progress_on": [parts.scan.panel]}
    for widget in (parts.scan.files, parts.scan.folder):
        reading = widget.upload(
            _reader(parts, engine, widget),
            [widget, *parts.form],
            [widget, parts.query.stop, *_outputs(parts)],
            concurrency_limit=2,
            concurrency_id="files",
            **options,
        )
        running.append(reading)
    parts.scan.series.input(
        _picker(parts), [parts.scan.series, *parts.form], _outputs(parts), **PRIVATE
    )


def _outputs(parts: Parts) -> list[Any]:
    one = parts.query
    return [parts.data, parts.scan.series, parts.scan.panel, one.chips, one.status, one.notices]


def _reader(parts: Parts, engine: Engine, widget: Any) -> Callable[..., Iterator[dict[Any, Any]]]:  # noqa: ANN401
    one = parts.query

    def read(paths: list[str] | None, *values: Any) -> Iterator[dict[Any, Any]]:  # noqa: ANN401
        *form, data = values
        said = f"Reading {count(len(paths or ()), 'file')} …"
        ended = {widget: None, one.stop: gr.Button(interactive=False)}
        try:
            with stored_then_deleted(paths or ()) as stored:
                yield {one.status: line(said, "running"), one.stop: gr.Button(interactive=True)}
                after = scan.read(engine, stored, replace(data, undo=""))
        except (RetrievalError, OSError) as exc:
            told = unreadable(str(exc) if isinstance(exc, RetrievalError) else "")
            yield {**ended, one.notices: told, one.status: line(UNREAD, "idle")}
        else:
            yield {**ended, **_shown(parts, after, form)}

    return read


def _picker(parts: Parts) -> Callable[..., dict[Any, Any]]:
    def pick(number: int | None, *values: Any) -> dict[Any, Any]:  # noqa: ANN401
        *form, data = values
        return _shown(parts, scan.picked(data, number), form)

    return pick


def _shown(parts: Parts, data: Data, form: list[Any]) -> dict[Any, Any]:
    said = "Scan read. Press Find tools." if data.scans else UNREAD
    return {
        parts.data: data,
        parts.scan.series: scan.picker(data),
        parts.scan.panel: scan_panel(data),
        parts.query.chips: chips(data, form_of(form)),
        parts.query.status: line(said, "idle"),
        parts.query.notices: "",
    }
