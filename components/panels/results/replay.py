"""A saved search again: the file is read once and deleted, the answer is words and two ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gradio as gr

from components.boundary import attempted
from components.event_defaults import QUIET
from components.render.results.replay import replay_panel
from components.render.search.notices import trouble
from components.server.files.stored_files import stored_then_deleted
from retrieval import Engine, replay_bytes

MOST_BYTES = 8_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPanel:
    """The upload button, and where the answer appears."""

    file: gr.UploadButton
    output: gr.HTML


def button() -> gr.UploadButton:
    """One of the export row."""
    return gr.UploadButton(
        "Replay a saved search",
        file_types=[".json"],
        file_count="single",
        size="sm",
        elem_id="replay",
        min_width=150,
    )


def answer_place() -> gr.HTML:
    """Below the export row; empty until a file is replayed."""
    return gr.HTML("", js_on_load=None, apply_default_css=False, elem_id="replayed")


def events(panel: ReplayPanel, engine: Engine) -> None:
    """An upload is replayed; the search on the page stays as it is."""
    panel.file.upload(_replayer(engine), panel.file, panel.output, concurrency_limit=2, **QUIET)


def _replayer(engine: Engine) -> Callable[[str | None], str]:
    def replay(path: str | None) -> str:
        if not path:
            return ""

        def replayed() -> str:
            # One byte more than is taken, so that the library sees that a file is too large.
            with stored_then_deleted([path]) as stored, stored[0].open("rb") as file:
                content = file.read(MOST_BYTES + 1)
            return replay_panel(replay_bytes(engine, content), engine.catalog)

        return attempted("a replay", replayed, trouble)

    return replay
