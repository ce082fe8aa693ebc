"""Buttons that move the view to a part of the answer, past dozens of other buttons."""

from __future__ import annotations

from components.render.markup import attrs, esc

PARTS = {"cards": "Tools", "detail": "Tool detail", "board": "Stages", "graph": "Graph"}
"""Names of the parts, by the element that holds each."""


def parts_of_an_answer() -> str:
    """One button per part; the page's script moves view and focus there."""
    buttons = ""
    for place, name in PARTS.items():
        out = attrs(type="button", class_="btn btn-small", data_goto=place)
        buttons += f"<button{out}>{esc(name)}</button>"
    return f"<nav class='jump' aria-label='Parts of the answer'>Go to {buttons}</nav>"
