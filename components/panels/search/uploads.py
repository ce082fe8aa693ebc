"""Events of the drop zone: read at once, delete at once, show what was read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gradio as gr

from components.data import Data, form_of
from components.event_defaults import QUIET
from components.panels.search import scan
from components.parts import Parts
from components.render.search.chips import chips
from components.render.search.notices import unreadable
from components.render.search.scan import scan_panel
from components.render.search.status import line
from components.render.words import count
from components.server.files.stored_files import stored_then_deleted
from components.server.visitors.halting import Halts, seen, so_far
from retrieval import Progress, RetrievalError, stream_scans

UNREAD = "The file could not be read."


def events(parts: Parts) -> None:
    """Both upload widgets lead to one reader, which Stop ends; the picker narrows what it read."""
    options = {**QUIET, "show_progress": "minimal", "show_progress_on": [parts.scan.panel]}
    halts = Halts()
    for widget in (parts.scan.files, parts.scan.folder):
        widget.upload(
            _reader(parts, halts, widget),
            [widget, *parts.form],
            [widget, parts.query.stop, *_outputs(parts)],
            concurrency_limit=2,
            concurrency_id="files",
            **options,
        )

    def pick(number: int | None, *values: Any) -> dict[Any, Any]:  # noqa: ANN401
        *form, data = values
        return _shown(parts, scan.picked(data, number), form)

    # Without the queue, so that Stop is not behind the reading that it ends.
    parts.query.stop.click(halts.ask, None, None, queue=False, **QUIET)
    series = parts.scan.series
    series.input(pick, [series, *parts.form], _outputs(parts), **QUIET)


def _outputs(parts: Parts) -> list[Any]:
    one = parts.query
    return [parts.data, parts.scan.series, parts.scan.panel, one.chips, one.status, one.notices]


def _reader(parts: Parts, halts: Halts, widget: Any) -> Callable[..., Iterator[dict[Any, Any]]]:  # noqa: ANN401
    one = parts.query

    def read(
        paths: list[str] | None,
        request: gr.Request,
        *values: Any,  # noqa: ANN401
    ) -> Iterator[dict[Any, Any]]:
        *form, data = values
        message = f"Reading {count(len(paths or ()), 'file')} …"
        ended = {widget: None, one.stop: gr.Button(interactive=False)}
        after = replace(data, undo="")
        try:
            with stored_then_deleted(paths or ()) as stored, halts.running(request) as halt:
                yield {one.status: line(message, "running"), one.stop: gr.Button(interactive=True)}
                for part in seen(stream_scans(stored, halt=halt)):
                    if isinstance(part, Progress):
                        yield {one.status: line(so_far(part), "running")}
                    else:
                        after = scan.with_upload(after, part)
        except (RetrievalError, OSError) as exc:
            notice = unreadable(str(exc) if isinstance(exc, RetrievalError) else "")
            yield {**ended, one.notices: notice, one.status: line(UNREAD, "idle")}
        else:
            yield {**ended, **_shown(parts, after, form)}

    return read


def _shown(parts: Parts, data: Data, form: list[Any]) -> dict[Any, Any]:
    """Updates once the reading ended, with one sentence or two on how it ended."""
    part = data.upload.partial if data.upload else None
    outcome = part.text if part else "Scan read." if data.scans else UNREAD
    outcome += " Press Find tools." if data.scans else ""
    return {
        parts.data: data,
        parts.scan.series: scan.picker(data),
        parts.scan.panel: scan_panel(data),
        parts.query.chips: chips(data, form_of(form)),
        parts.query.status: line(outcome, "idle"),
        parts.query.notices: "",
    }
