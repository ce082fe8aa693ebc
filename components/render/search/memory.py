"""The remembered choices of a visitor as HTML; pure."""

from __future__ import annotations

from collections.abc import Mapping

from components.render.markup import badge, esc
from components.taste import Taste
from retrieval import Tool

OFF = "Nothing is remembered while this is off."
EMPTY = "Nothing yet. Tools that you choose or exclude from a card will be remembered."
KEPT = (
    "These tools weigh a little in your next hybrid search, as a stage of its own on the board. "
    "The list stays in this browser."
)


def memory_panel(taste: Taste, catalog: Mapping[str, Tool]) -> str:
    """One sentence, then the tools that are remembered."""
    has_tools = bool(taste.liked or taste.disliked)
    if not taste.on:
        more = " What was remembered before is kept, and not used, until you erase it."
        return f"<p class='sub' role='status'>{OFF}{more if has_tools else ''}</p>"
    if not has_tools:
        return f"<p class='sub' role='status'>{EMPTY}</p>"
    rows = [_row(id, "chosen", "good", catalog) for id in taste.liked]
    rows += [_row(id, "excluded", "bad", catalog) for id in taste.disliked]
    listed = f"<ul class='chips' aria-label='Remembered tools'>{''.join(rows)}</ul>"
    return f"<p class='sub' role='status'>{KEPT}</p>{listed}"


def _row(id: str, word: str, tone: str, catalog: Mapping[str, Tool]) -> str:
    name = catalog[id].name if id in catalog else id
    return f"<li>{esc(name)} {badge(word, tone)}</li>"
