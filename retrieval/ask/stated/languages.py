"""Whether a name is that of the language in which a tool is written, or of a way to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.ask.marked_text import Marked

AFTER, LISTED = 4, 30
"""Most characters from a name, and from a list of names, to *written* after it; the second one also
from *written* to a name."""
PARTING = ("tools", "interface", "predicate", "but")
"""Kinds of cues that end a list of languages."""


def is_written_in(marked: Marked, at: int, end: int) -> bool:
    """Whether the words around a name say that a tool is written in it.

    A tool that uses Java is written in it; one that is used from Java has it as interface.
    """
    if marked.after("interface", end, 2) or marked.before("from", at, 1):
        return False
    if marked.before("language", at, LISTED) or marked.before("uses", at, 2):
        return True
    return bool(marked.after("language", end, AFTER)) or _is_listed(marked, end)


def _is_listed(marked: Marked, end: int) -> bool:
    """Whether only further languages stand before *written*: "in Java oder C++ geschrieben"."""
    cue = marked.after("language", end, LISTED)
    if cue is None or any(marked.between(kind, end, cue.start) for kind in PARTING):
        return False
    others = [span for span in marked.spans if end <= span[0].start < cue.start]
    return bool(others) and all(
        any(marked.base.kind(link.node) == "language" for link in span) for span in others
    )
