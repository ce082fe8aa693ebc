"""A path of the graph as a sentence: ``RS-FISH needs Fiji, which needs ImageJ``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Step = tuple[str, str, str]
"""An edge in the direction of the walk: from, kind, to."""

VERBS = {
    "requires_tool": ("needs", "is needed by"),
    "co_used_with": ("is used with", "is used with"),
    "compatible_with": ("works with", "works with"),
    "same_domain": ("resembles", "resembles"),
    "part_of": ("is part of", "includes"),
    "performs": ("offers", "is offered by"),
    "applies_to": ("covers", "is covered by"),
    "images": ("covers", "is covered by"),
    "accepts": ("reads", "is read by"),
    "produces": ("writes", "is written by"),
    "member_of": ("belongs to", "includes"),
    "associated_with": ("is linked to", "is linked to"),
    "is_a": ("is a kind of", "includes"),
}
"""Verbs of each kind of edge: along its direction, and against it."""


def path_words(
    path: Sequence[Step], label: Callable[[str], str], along: Callable[[Step], bool]
) -> str:
    """The steps as a sentence from the seed; ``along`` tests whether a step follows its edge."""
    text = label(path[0][0]) if path else ""
    before: tuple[str, bool] | None = None
    for n, step in enumerate(path):
        kind, forward = step[1], along(step)
        verb = VERBS[kind][0 if forward else 1]
        if before == (kind, not forward):
            verb = verb.replace("is ", "is also ", 1)
        text += f"{', which' if n else ''} {verb} {label(step[2])}"
        before = (kind, forward)
    return text
