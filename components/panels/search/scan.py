"""The drop zone for files and folders: read at once, delete at once, show what was read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.data import Data, Shown, form_of
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.panels.js_bridge import message, sent
from components.panels.search.controls import comparison
from components.render.search.form import chips
from components.render.search.notices import unreadable
from components.render.search.scan import scan_panel
from components.render.search.series import series_page
from components.render.search.stale import while_reading
from components.render.search.status import line
from components.render.words import FATE_OF_FILES, count
from components.run import OF_A_SCAN
from components.server.files.stored_files import stored_then_deleted
from components.server.visitors.halting import Halts, seen, so_far
from retrieval import Engine, Progress, RetrievalError, Upload, stream_scans

if TYPE_CHECKING:
    from components.parts import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanPanel:
    """Inputs for files, and the panel of what was read."""

    files: gr.File
    folder: gr.UploadButton
    panel: gr.HTML


def layout(max_mb: int) -> ScanPanel:
    """Drop zone, folder button, hint; the panel is placed below the bar."""
    files = gr.File(
        label="Your scan (optional)", file_count="multiple", height=132, elem_id="files"
    )
    with gr.Row(elem_id="uploadrow"):
        folder = gr.UploadButton(
            "Choose a folder", file_count="directory", size="sm", elem_id="folder", min_width=120
        )
        html_box(
            f"<p class='sub hint'>{FATE_OF_FILES} Up to {max_mb} MB a file; "
            "one slice or a zipped series is enough.</p>"
        )
    panel = html_box("", "scan", render=False)
    return ScanPanel(files=files, folder=folder, panel=panel)


def with_upload(data: Data, upload: Upload) -> Data:
    """The data with these files in place of those before."""
    return replace(data, upload=upload, muted=frozenset(), images=False)


def picked(data: Data, number: str) -> Data:
    """The data with one series chosen by its position in the upload; empty is all of them again.

    Muted tokens are cleared: they belonged to the series shown before. A position that no series
    has changes nothing.
    """
    upload = data.upload
    if upload is None or (number and number not in map(str, upload.series)):
        return data
    series_number = int(number) if number else None
    return replace(data, upload=upload.pick(series_number), muted=frozenset())


UNREAD = "The file could not be read."


def events(parts: Parts, engine: Engine) -> None:
    """Both upload widgets lead to one reader, which Stop ends; one of its series can be chosen."""
    options = {**EVENT_DEFAULTS, "show_progress": "minimal", "show_progress_on": [parts.scan.panel]}
    halts = Halts()
    for widget in (parts.scan.files, parts.scan.folder):
        upload_event = widget.upload(
            _reader(parts, engine, halts, widget),
            [widget, parts.shown, *parts.form],
            [widget, parts.query.stop, parts.stale, *_outputs(parts)],
            concurrency_limit=2,
            concurrency_id="files",
            **options,
        )
        # With the list of then: one may have been made while the files were read.
        upload_event.then(**comparison(parts))

    def pick(event: gr.EventData, *values: Any) -> dict[Any, Any]:  # noqa: ANN401
        *form, data = values
        return _scan_updates(parts, engine, picked(data, sent(event)), form)

    def turn(data: Data, event: gr.EventData) -> Any:  # noqa: ANN401 - a value of the bridge
        number = sent(event)[:9]
        if data.upload is None or not number.isdecimal():
            return gr.skip()
        return message(series=series_page(data.upload, int(number)))

    parts.bridge.turn(turn, parts.data, parts.bridge, queue=False, **EVENT_DEFAULTS)
    # Without the queue, so that Stop is not behind the reading that it ends.
    parts.query.stop.click(halts.ask, None, None, queue=False, **EVENT_DEFAULTS)
    series_event = parts.bridge.series(pick, parts.form, _outputs(parts), **EVENT_DEFAULTS)
    series_event.then(**comparison(parts))


def _outputs(parts: Parts) -> list[Any]:
    one = parts.query
    of_the_scan = parts.pieces(OF_A_SCAN)
    return [parts.data, parts.scan.panel, one.chips, one.status, one.notices, *of_the_scan]


def _reader(
    parts: Parts,
    engine: Engine,
    halts: Halts,
    widget: Any,  # noqa: ANN401
) -> Callable[..., Iterator[dict[Any, Any]]]:
    one = parts.query

    def read(
        paths: list[str] | None,
        shown: Shown,
        request: gr.Request,
        *values: Any,  # noqa: ANN401
    ) -> Iterator[dict[Any, Any]]:
        *form, data = values
        message = f"Reading {count(len(paths or ()), 'file')} …"
        ended = {widget: None, one.stop: gr.Button(interactive=False)}
        after = replace(data, undo="")
        try:
            with stored_then_deleted(paths or ()) as stored, halts.running(request) as halt:
                begun = {one.stop: gr.Button(interactive=True), parts.stale: while_reading(shown)}
                yield {one.status: line(message, "running"), **begun}
                for part in seen(stream_scans(stored, halt=halt)):
                    if isinstance(part, Progress):
                        yield {one.status: line(so_far(part), "running")}
                    else:
                        after = with_upload(after, part)
        except (RetrievalError, OSError) as exc:
            notice = unreadable(str(exc) if isinstance(exc, RetrievalError) else "")
            yield {**ended, one.notices: notice, one.status: line(UNREAD, "idle")}
        else:
            yield {**ended, **_scan_updates(parts, engine, after, form)}

    return read


def _scan_updates(parts: Parts, engine: Engine, data: Data, form: list[Any]) -> dict[Any, Any]:
    """Updates once the reading ended, with one sentence or two on how it ended."""
    part = data.upload.partial if data.upload else None
    outcome = part.text if part else "Scan read." if data.scans else UNREAD
    outcome += " Press Find tools." if data.scans else ""
    return {
        parts.data: data,
        parts.scan.panel: scan_panel(data),
        parts.query.chips: chips(data, form_of(form), catalog=engine.catalog),
        parts.query.status: line(outcome, "idle"),
        parts.query.notices: "",
        **dict.fromkeys(parts.pieces(OF_A_SCAN), ""),
    }
