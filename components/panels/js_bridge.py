"""Events from buttons inside rendered HTML to Python, and back for links and files."""

from __future__ import annotations

from time import perf_counter_ns
from typing import Any

import gradio as gr

from components.server.assets import script


def layout() -> gr.HTML:
    """An empty component; its script turns clicks on ``[data-act]`` into events of that name.

    A value that Python writes to it reaches the page's own script as the browser event
    ``scanscout:bus``: a link for the address bar, or a file to save.
    """
    return gr.HTML(
        {},
        html_template="<span hidden></span>",
        js_on_load=script("bus.js"),
        apply_default_css=False,
        elem_id="bus",
    )


def message(**fields: object) -> dict[str, Any]:
    """A value for the page's script, new each time: an equal one is no event in the browser."""
    return {**fields, "at": str(perf_counter_ns())}


def download(name: str, media: str, text: str) -> dict[str, Any]:
    """A file for the page's script to save."""
    return message(file={"name": name, "type": media, "text": text})


def sent(event: gr.EventData) -> str:
    """The id that an event carries, cut at 2,000 characters; empty where there is none."""
    data: Any = event._data
    return str(data.get("id", ""))[:2_000] if isinstance(data, dict) else ""


def kind(event: gr.EventData) -> str:
    """The kind that an event carries, cut at 40 characters; empty where there is none."""
    data: Any = event._data
    return str(data.get("kind", ""))[:40] if isinstance(data, dict) else ""
