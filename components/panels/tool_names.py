"""A box that offers the names of all tools, once the drawer that it lies in is opened.

Two such boxes were half of the configuration that a page begins with, and most visits open neither.
"""

from __future__ import annotations

from typing import Any

import gradio as gr

from components.events import EVENT_DEFAULTS, Update
from retrieval import Engine


def tool_box(**how: Any) -> gr.Dropdown:  # noqa: ANN401 - what gr.Dropdown takes
    """A box without choices yet; what is typed is checked by whoever reads it."""
    return gr.Dropdown([], allow_custom_value=True, **how)


def offer_names(drawer: gr.Accordion, box: gr.Dropdown, engine: Engine) -> None:
    """Give the box its choices, name and id of every tool by name, when the drawer is opened."""

    def names() -> Update:
        return Update(choices=sorted((tool.name, tool.id) for tool in engine.catalog.values()))

    drawer.expand(names, None, box, postprocess=False, **EVENT_DEFAULTS)
