"""Verbs that no list has, found by their place between *tools* and the name of a value.

Their meaning is not known: what follows them says which constraint they set.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.ask.cues import asking_words, ordinary
from retrieval.ask.linker import SPACELESS, words_at

if TYPE_CHECKING:
    from retrieval.ask.marked_text import Marked, Span

OPENERS = frozenset({"tools", "joins", "or", "either", "but", "negative", "predicate", "yesno"})
"""Kinds of cues after which a verb may stand."""
VERBAL = frozenset({"accepts", "produces", "converts", "requires", "uses", "supports", *OPENERS})
"""Kinds of cues that end the search for the name of a verb, but for a negation."""
VALUES = frozenset(
    {"format", "license", "interface", "platform", "language", "dimension", "operation", "modality",
     "anatomy"}
)  # fmt: skip
"""Kinds of names that a verb of any meaning may take; whether a GPU is wanted it would decide."""
HOSTED = frozenset({"format", "platform"})
"""Kinds that a name is taken as after such a verb though a tool has the name too: nd2, napari."""
COMMAS = frozenset(",，、;；")
REFLEXIVES = frozenset({"se", "s", "sich", "y"})
MOST_WORDS, MOST_CHARACTERS = 3, 4
"""Most words of one verb; of Chinese and Japanese, whose characters are words."""
OUTWARD = ("ex", "es", "aus", "out", "出", "产")
"""Beginnings of verbs that bring something out: *export*, *escupir*, *ausgeben*, *output*."""

Word = tuple[str, int, int]
"""A word with its place in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A verb that no list has: its words and place, and the kinds of cues that it stands for."""

    text: str
    start: int
    end: int
    kinds: tuple[str, ...]


def unlisted_verbs(marked: Marked) -> tuple[Verb, ...]:
    """Unread words where a verb stands: after a cue of OPENERS, before a name of VALUES.

    A word with a capital is none unless it begins the text: "Can Horos run on Windows?" asks
    about a program that the catalog does not have. A number is none.
    """
    words, unread = words_at(marked.text), set(marked.unread_words())
    most = MOST_CHARACTERS if marked.language in SPACELESS else MOST_WORDS
    verbs: list[Verb] = []
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and words[end] in unread:
            end += 1
        named = any(word[0][0].isupper() for word in words[max(1, at) : end])
        counted = any(word[0][0].isdecimal() for word in words[at:end])
        verbal = 0 < end - at <= most and not (named or counted)
        name = _name_after(marked, words, end, unread) if verbal else None
        if name is not None and _opens(marked, words, at):
            verbs.append(_verb(marked, (words[at][1], words[end - 1][2]), name, verbs))
        at = max(end, at + 1)
    return tuple(verbs)


def _opens(marked: Marked, words: Sequence[Word], at: int) -> bool:
    """Whether a verb may stand at a word: after *tools*, *and*, *that* or a comma."""
    small = REFLEXIVES | asking_words(marked.language)
    if marked.language in SPACELESS:
        # There auxiliaries stand between without a blank, and are no words of a question.
        small |= ordinary(marked.language)
    while at:
        (word, start, end), place = words[at - 1], words[at][1]
        if not COMMAS.isdisjoint(marked.text[end:place]):
            return True
        if any(c.kind in OPENERS and c.start <= start and end <= c.end for c in marked.cues):
            return True
        if word.casefold() not in small:
            return False
        at -= 1
    return False


def _name_after(
    marked: Marked, words: Sequence[Word], at: int, unread: Container[Word]
) -> Span | None:
    """The value that a verb before a word takes; only small words may stand between."""
    for n in range(at, len(words)):
        start, before = words[n][1], words[n - 1][2]
        if words[n] in unread or not COMMAS.isdisjoint(marked.text[before:start]):
            return None
        span = next((s for s in marked.spans if s[0].start <= start < s[0].end), None)
        if span is not None:
            is_value = marked.kind_of(span) in VALUES or not _kinds(marked, span).isdisjoint(HOSTED)
            return span if is_value else None
        if {c.kind for c in marked.cues if c.start <= start < c.end} & VERBAL - {"negative"}:
            return None
    return None


def _kinds(marked: Marked, span: Span) -> set[str]:
    return {marked.base.kind(link.node) for link in span}


def _verb(marked: Marked, place: tuple[int, int], name: Span, before: Sequence[Verb]) -> Verb:
    """A verb by what follows it: a format is read or written, a tool that is a host runs others."""
    kinds = _kinds(marked, name)
    cues = ["predicate"]
    if marked.kind_of(name) == "format" or ("format" in kinds and "platform" not in kinds):
        cues.append(_side(marked, place[0], before))
    elif kinds >= {"tool", "platform"}:
        cues.append("platform")
    elif "language" in kinds and marked.before("to", name[0].start, 1):
        cues.append("language")
    start, end = place
    return Verb(text=marked.text[start:end], start=start, end=end, kinds=tuple(cues))


def _side(marked: Marked, start: int, before: Sequence[Verb]) -> str:
    """The side of a verb of unknown meaning before a format.

    It writes where its beginning says so, or where every other verb reads: nobody takes two verbs
    for one thing. Else it reads.
    """
    sides = {c.kind for c in marked.cues} & {"accepts", "produces"}
    sides |= {kind for verb in before for kind in verb.kinds} & {"accepts", "produces"}
    outward = marked.text[start:].casefold().startswith(OUTWARD)
    return "produces" if sides == {"accepts"} or (outward and not sides) else "accepts"
