"""Events of the export row: files are made in memory and saved by the browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr

from components.data import Data, Shown
from components.event_defaults import QUIET
from components.parts import Parts
from components.render.downloads.cite import as_bibtex, as_cff
from components.render.downloads.export import as_csv, as_json
from components.render.downloads.report import as_markdown
from components.run import tools_of
from retrieval import Answer, Engine, Page, Tool, WebAnswer, bibtex

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


def cited(answer: Answer, chosen: Sequence[Tool]) -> Sequence[Tool]:
    """The chosen tools, or the first of the answer when none is chosen.

    At most ``CITED`` tools where none is chosen, the best first.
    """
    return chosen or [c.tool for c in answer.candidates[:CITED]]


def events(parts: Parts, engine: Engine) -> None:
    """A click makes the file of the answer on the page."""
    for name in MAKERS:
        button = parts.results.export[name]
        inputs = [parts.shown, parts.data, parts.web.last]
        button.click(_maker(name, engine), inputs, parts.bus, **QUIET)


def _maker(name: str, engine: Engine) -> Callable[[Shown, Data, WebAnswer | None], Any]:
    file, media, write = MAKERS[name]

    def export(shown: Shown, data: Data, web: WebAnswer | None) -> Any:  # noqa: ANN401
        if shown.answer is None:
            return gr.skip()
        text = write(shown.answer, tools_of(data, engine), web.pages if web else ())
        return {"file": {"name": file, "type": media, "text": text}}

    return export
