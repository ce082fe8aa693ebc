"""Suites and their programs: whether a name is a suite that has programs, or one of its programs.

*Belong to* has the suite after it, *contain* before it; what *which suite* or *which field* asks
for is no name of the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.ask.cues import Cue, begins_question
from retrieval.ask.linker import words_at

if TYPE_CHECKING:
    from retrieval.ask.marked_text import Marked

OWNERS = frozenset({"suite", "domain"})
"""Kinds of what a tool belongs to."""

NEARBY, WITHIN = 12, 5
"""Most characters between a name and *suite*, and between *tools* and *in*: "tools are in FSL"."""


def without_asked_suites(text: str, cues: Sequence[Cue], language: str) -> tuple[Cue, ...]:
    """The cues, of which *suite* names none where the question asks for one: "which suite does"."""
    target = next((c for c in cues if c.kind in OWNERS and _is_asked(text, c, language)), None)
    if target is None:
        return tuple(cues)
    own = {target: replace(target, kind=f"asked_{target.kind}")}
    own |= {c: replace(c, kind="predicate") for c in cues if c.kind == "suite" and c != target}
    return tuple(own.get(cue, cue) for cue in cues)


def _is_asked(text: str, cue: Cue, language: str) -> bool:
    """Whether the word right before a cue asks: *which suite*, *zu welcher Suite*."""
    before = [word.casefold() for word, _, _ in words_at(text[: cue.start])]
    return bool(before) and begins_question(before[-1:], language)


def names_suite(marked: Marked, at: int, end: int) -> bool:
    """Whether words beside a name say that it is a suite: ``tools of FSL``, ``FSL contains``."""
    cue = marked.before("within", at, 6)
    follows_tools = cue is not None and marked.before("tools", cue.start, WITHIN)
    beside = marked.near("suite", at, end, NEARBY) or marked.after("tools", end, 1)
    return bool(follows_tools or beside or _contains(marked, at, end))


def _contains(marked: Marked, at: int, end: int) -> bool:
    """Whether programs are what the name is said to contain, and not what they do or need."""
    verb_first = marked.language != "en" and marked.before("contains", at, 2)
    of_tools = verb_first and marked.before("tools", verb_first.start, WITHIN)
    if not (of_tools or marked.after("contains", end, 2)):
        return False
    others = [span for span in marked.spans if span[0].start != at]
    tools = [x for span in others for x in span if marked.base.kind(x.node) == "tool"]
    return bool(marked.has("tools") or tools or not others)
