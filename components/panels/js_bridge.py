"""The one wire between buttons inside rendered HTML and Python, and back for links and files."""

from __future__ import annotations

from typing import Any

import gradio as gr

from components.server.assets import script


def layout() -> gr.HTML:
    """An empty component; its script turns clicks on [data-act] into events of that name."""
    return gr.HTML(
        {},
        html_template="<span hidden></span>",
        js_on_load=script("bus.js"),
        apply_default_css=False,
        elem_id="bus",
    )


def sent(event: gr.EventData) -> str:
    """The id that came with an event, bounded."""
    data: Any = event._data
    return str(data.get("id", ""))[:2_000] if isinstance(data, dict) else ""


def kind(event: gr.EventData) -> str:
    """The kind that came with an event."""
    data: Any = event._data
    return str(data.get("kind", ""))[:40] if isinstance(data, dict) else ""
