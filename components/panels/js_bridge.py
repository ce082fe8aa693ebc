"""Events from buttons inside rendered HTML to Python, and back for links and files."""

from __future__ import annotations

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


def sent(event: gr.EventData) -> str:
    """The id that an event carries, cut at 2,000 characters; empty where there is none."""
    data: Any = event._data
    return str(data.get("id", ""))[:2_000] if isinstance(data, dict) else ""


def kind(event: gr.EventData) -> str:
    """The kind that an event carries, cut at 40 characters; empty where there is none."""
    data: Any = event._data
    return str(data.get("kind", ""))[:40] if isinstance(data, dict) else ""
