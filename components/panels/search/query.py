"""The query box, its buttons, the chips below, the examples, and the live line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import gradio as gr

from components.demos import demos
from components.panels.boxes import go_row, html_box, question_box
from components.render.search.first_box import MOST_CHARACTERS, QUESTION, SUGGESTIONS
from components.render.search.form import examples, skip_link


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPanel:
    """What is typed, and what starts and stops a search."""

    text: gr.Textbox
    find: gr.Button
    stop: gr.Button
    chips: gr.HTML
    status: gr.HTML
    notices: gr.HTML


def layout(idle: str) -> QueryPanel:
    """One text box, Find and Stop; chips, the live line and notices are placed later.

    ``idle`` is the live line before the first search, as HTML.
    """
    text = question_box(QUESTION, SUGGESTIONS, "query", MOST_CHARACTERS)
    find, stop = go_row("Find tools", "find")
    html_box(skip_link(), "skip")
    return QueryPanel(
        text=text,
        find=find,
        stop=stop,
        chips=html_box("", "chips", render=False),
        notices=html_box("", "notices", render=False),
        status=html_box(idle, "status", render=False),
    )


def samples() -> None:
    """The example searches, a button each."""
    html_box(examples([demo.label for demo in demos()]), "examples")


def place(component: gr.HTML | gr.Textbox) -> None:
    """Put a component where the page is being laid out."""
    cast("Callable[[], object]", component.render)()
