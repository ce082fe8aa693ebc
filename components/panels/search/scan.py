"""The drop zone for files and folders, and what was read from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from components.data import Data
from components.render.search.scan import series_label

LABEL = "Which series?"
MOST_CHOICES = 40
"""Series that one may pick from; a longer list is no help on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanPanel:
    """Inputs for files, the series picker, and the panel of what was read."""

    files: gr.File
    folder: gr.UploadButton
    series: gr.Radio
    panel: gr.HTML


def layout(max_mb: int) -> ScanPanel:
    """Drop zone, folder button, hint, picker, panel."""
    files = gr.File(
        label="Your scan (optional)", file_count="multiple", height=132, elem_id="files"
    )
    with gr.Row(elem_id="uploadrow"):
        folder = gr.UploadButton(
            "Choose a folder", file_count="directory", size="sm", elem_id="folder", min_width=120
        )
        gr.HTML(
            f"<p class='sub'>Headers are read, nothing is kept. Up to {max_mb} MB a file; "
            "one slice or a zipped series is enough.</p>",
            js_on_load=None,
            apply_default_css=False,
        )
    series = gr.Radio([], label=LABEL, visible=False, elem_id="series")
    panel = gr.HTML("", js_on_load=None, apply_default_css=False, elem_id="scan", render=False)
    return ScanPanel(files=files, folder=folder, series=series, panel=panel)


def with_upload(data: Data, upload: Any) -> Data:  # noqa: ANN401 - an Upload of the library
    """The data with these files in place of those before."""
    return replace(data, upload=upload, muted=frozenset(), images=False)


def picker(data: Data) -> Any:  # noqa: ANN401 - a Gradio update
    """The series picker, shown only when there is something to pick.

    Numbers in the labels count from 1; its values are positions in ``upload.scans``.
    """
    upload = data.upload
    if upload is None or len(upload.series) < 2:
        return gr.Radio(choices=[], visible=False)
    listed = upload.series[:MOST_CHOICES]
    choices = [(series_label(n + 1, upload.scans[n]), n) for n in listed]
    more = f" The first {len(listed)} of {len(upload.series):,} are listed."
    label = LABEL + (more if len(listed) < len(upload.series) else "")
    return gr.Radio(choices=choices, value=upload.picked, label=label, visible=True)


def picked(data: Data, number: int | None) -> Data:
    """The data with one series chosen.

    Muted tokens are cleared: they belonged to the series shown before.
    """
    # `pick` is the library's; the protocol of the page has no word for it.
    upload: Any = data.upload
    if upload is None or number is None:
        return data
    return replace(data, upload=upload.pick(int(number)), muted=frozenset())
