"""Remarks that allow another value of a wish as well: "or MIT", "Python is fine too"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from retrieval.dialogue.rules import WORD, vocabulary
from retrieval.query import EITHER, Mention, grammar, words_of

INDIFFERENT = frozenset({"not", "optional", "matter", "egal", "irrelevant", "needed"})
"""Words by which something may as well be missing: "GPU optional" allows no other card."""


def alternative_in(text: str) -> str:
    """What a remark allows beside what is wished: "R" of "or R" and of "R is fine too".

    Empty for other remarks.
    """
    words, places = words_of(text), [match.span() for match in WORD.finditer(text)]
    if len(words) != len(places) or len(words) < 2:
        return ""
    if words[0] in vocabulary().alternatives:
        return text[places[1][0] :]
    for at in range(1, len(words)):
        size = grammar().cue("neutral after", words, at)
        rest = vocabulary().joints.issuperset(words[at + size :])
        if size and rest and INDIFFERENT.isdisjoint(words[at:]):
            return text[: places[at - 1][1]]
    return ""


def widened(
    text: str, other: str, read: Callable[[str], Sequence[Mention]]
) -> tuple[str, str, list[str]]:
    """The text with more values of its wishes, the part of ``other`` that is none, those wishes.

    Of "MIT, without a GPU" the first part may be another value.
    """
    parts, wishes = other.split(",") if other else [], list[str]()
    while parts and (both := _with_value(text, parts[0].strip(), read)):
        text, wish = both
        wishes.append(wish)
        parts = parts[1:]
    return text, ",".join(parts), wishes[-1:]


def _with_value(
    text: str, other: str, read: Callable[[str], Sequence[Mention]]
) -> tuple[str, str] | None:
    """The text with one more value of a wish, and that wish in words; None where none takes it.

    The wish that takes it is the one that is read with both values once "or" joins them.
    """
    mentions = read(text)
    for words, old in product(_endings(other), mentions):
        joined = f"{text[: old.end]} or {words}{text[old.end :]}"
        others = read(joined)
        new = next((m for m in others if m.wish.value.startswith(old.wish.value + EITHER)), None)
        if new is not None and new.start == old.start and len(others) == len(mentions):
            return joined, new.wish.text
    return None


def _endings(text: str) -> list[str]:
    """A text, and what is left behind each of its first light words: "in MATLAB", "MATLAB"."""
    places = [match.span() for match in WORD.finditer(text)]
    light = grammar().joining | vocabulary().empty
    heavy = next((n for n, (a, b) in enumerate(places) if text[a:b].casefold() not in light), 0)
    return [text[start:] for start, _ in places[: heavy + 1]]
