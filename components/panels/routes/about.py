"""The third route: how it works, whose data it uses, what happens to files."""

from __future__ import annotations

import gradio as gr

from components.server.assets import ROOT
from retrieval import Engine

FILE = ROOT / "pages" / "about.md"


def layout(engine: Engine) -> None:
    """The page of assets/pages with the catalog's size filled in."""
    text = FILE.read_text(encoding="utf-8").replace("{tools}", f"{len(engine.catalog):,}")
    gr.Markdown(text, elem_id="about")
