"""An answer saved as files, and a saved answer replayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.boundary import attempted
from components.data import Data, Shown
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.panels.js_bridge import download
from components.render.downloads.export import as_bibtex, as_cff, as_csv, as_json
from components.render.downloads.report import as_markdown
from components.render.results.replay import replay_panel
from components.render.search.notices import trouble
from components.run import tools_of
from components.server.files.stored_files import stored_then_deleted
from retrieval import Answer, Engine, Page, Tool, WebAnswer, bibtex, replay_bytes

if TYPE_CHECKING:
    from components.parts import Parts


Maker = Callable[[Answer, Sequence[Tool], Sequence[Page]], str]

CITED = 3
"""Tools cited when none is chosen: the first ones."""

MAKERS: dict[str, tuple[str, str, Maker]] = {
    "csv": ("scanscout.csv", "text/csv;charset=utf-8", lambda a, _, __: as_csv(a)),
    "json": ("scanscout.json", "application/json", lambda a, _, __: as_json(a)),
    "report": ("scanscout.md", "text/markdown;charset=utf-8", as_markdown),
    "bibtex": (
        "scanscout.bib",
        "text/plain;charset=utf-8",
        lambda a, t, p: "\n".join(filter(None, (as_bibtex(cited(a, t)), bibtex(p)))),
    ),
    "citation": ("CITATION.cff", "text/yaml;charset=utf-8", lambda a, t, _: as_cff(cited(a, t))),
}
"""File name, media type and maker by the button's name; papers are those of the web panel."""


def cited(answer: Answer, chosen_tools: Sequence[Tool]) -> Sequence[Tool]:
    """The chosen tools, or the first of the answer when none is chosen.

    At most ``CITED`` tools where none is chosen, the best first.
    """
    return chosen_tools or [c.tool for c in answer.candidates[:CITED]]


def events(parts: Parts, engine: Engine) -> None:
    """A click makes the file of the answer on the page."""
    for name in MAKERS:
        button = parts.results.export[name]
        inputs = [parts.shown, parts.data, parts.web.last]
        button.click(_maker(name, engine), inputs, parts.bridge, **EVENT_DEFAULTS)


def _maker(name: str, engine: Engine) -> Callable[[Shown, Data, WebAnswer | None], Any]:
    file, media, write = MAKERS[name]

    def export(shown: Shown, data: Data, web: WebAnswer | None) -> Any:  # noqa: ANN401
        if shown.answer is None:
            return gr.skip()
        text = write(shown.answer, tools_of(data, engine), web.pages if web else ())
        return download(file, media, text)

    return export


MOST_BYTES = 8_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPanel:
    """The upload button, and where the answer appears."""

    file: gr.UploadButton
    output: gr.HTML


def replay_button() -> gr.UploadButton:
    """One of the export row."""
    return gr.UploadButton(
        "Replay a saved search",
        file_types=[".json"],
        file_count="single",
        size="sm",
        elem_id="replay",
        min_width=150,
    )


def replay_place() -> gr.HTML:
    """Below the export row; empty until a file is replayed."""
    return html_box("", "replayed")


def replay_events(panel: ReplayPanel, engine: Engine) -> None:
    """An upload is replayed; the search on the page stays as it is."""
    panel.file.upload(
        _replayer(engine), panel.file, panel.output, concurrency_limit=2, **EVENT_DEFAULTS
    )


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
