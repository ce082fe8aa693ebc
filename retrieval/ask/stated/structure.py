"""Words that change what a question asks, and that no rule has taken into its answer.

Such words are no names, so that they are not unknown; an answer without them would be one to
another question. They are refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from retrieval.ask.linker import SPACELESS, words_at
from retrieval.ask.stated.scope import FIELDS

if TYPE_CHECKING:
    from retrieval.ask.cues import Cue
    from retrieval.ask.grouping import Limit
    from retrieval.ask.marked_text import Marked

Trouble = Literal[
    "",
    "unread",
    "not read",
    "no tool",
    "no denial",
    "no upkeep",
    "nothing asked",
    "nothing before",
    "nothing named",
    "nothing stated",
    "nothing matches",
    "no replacement",
    "no place",
    "no tool between",
    "too many",
]
"""Why a question has no answer."""

Fault = tuple[Trouble, tuple[str, ...]]
"""Why words of a question leave it without an answer, and these words."""

STEM = 4
"""Letters at the beginning that two forms of one word share: *cells* and *cell*, *images*."""
CODED = frozenset({"tool", "suite", "format", "license"})
"""Kinds of names that are spelled in many ways: *Philips PAR/REC* is the format PAR-REC."""
DATES = frozenset({"last_released", "last_changed"})


UNREAD_KINDS = frozenset({"amount", "apart_from", "than"})
"""Kinds of cues that no rule takes: "more tools for CT than for MRI" compares two counts."""


def shares(marked: Marked, form: str) -> tuple[Cue, ...]:
    """The words that ask for a part of all tools: "what share of tools", "do all tools".

    Where several constraints are set, the words do not say of which tools the part is one.
    """
    if form != "select":
        return ()
    opening = next((c.end for c in marked.cues if c.kind == "yesno" and c.start == 0), -2)
    every = (c for c in marked.cues if c.kind == "every" and 0 <= c.start - opening <= 1)
    return (*(c for c in marked.cues if c.kind == "share"), *every)


def unsettled(
    marked: Marked, form: str, limits: Sequence[Limit], relations: Sequence[str]
) -> tuple[Fault, ...]:
    """The words of a question that would have to change its answer and do not."""
    words = [
        *_asked_when(marked, relations),
        *_defined(marked),
        *(_words(marked, cue) for cue in marked.cues if cue.kind in UNREAD_KINDS),
        *(() if len(limits) == 1 else (_words(marked, cue) for cue in shares(marked, form))),
        *_twice_denied(marked),
        *_supported_plugins(marked),
        *_fields_alone(marked, form, limits),
        *_of_one_tool(marked, form, relations),
    ]
    faults: list[Fault] = [("not read", tuple(dict.fromkeys(words)))] if words else []
    if subject := _unnamed(marked, form):
        faults.append(("no tool", (subject,)))
    return tuple(faults)


def _of_one_tool(marked: Marked, form: str, relations: Sequence[str]) -> Iterator[str]:
    """Prices, pages and years, which are read of a named tool alone, and a year of its dates."""
    for cue in marked.cues:
        answered = form == "attribute" and (cue.kind != "year" or not DATES.isdisjoint(relations))
        if cue.kind in ("paid", "page", "year") and not answered:
            yield _words(marked, cue)


def _words(marked: Marked, cue: Cue) -> str:
    return marked.text[cue.start : cue.end]


def _asked_when(marked: Marked, relations: Sequence[str]) -> Iterator[str]:
    """*When* at the beginning of what is asked, where no date of a record answers it."""
    if not DATES.isdisjoint(relations):
        return
    for cue in (c for c in marked.cues if c.kind == "when"):
        # "When I have DICOM, which tools read it" asks for tools.
        if marked.after("tools", cue.end, len(marked.text)) and "," in marked.text[cue.end :]:
            continue
        ahead = marked.text[: cue.start].strip()
        if not ahead or ahead[-1] in "¿¡,;:.?!" or marked.language in SPACELESS:
            yield _words(marked, cue)


def _twice_denied(marked: Marked) -> Iterator[str]:
    """*Unless* after another negation, which states when something holds: "no X unless Y"."""
    for cue in (c for c in marked.cues if c.kind == "unless"):
        if any(c.kind == "negative" and c.end <= cue.start for c in marked.cues):
            yield _words(marked, cue)


def _supported_plugins(marked: Marked) -> Iterator[str]:
    """*Plugins* that a tool supports, which it hosts; no record states that of a tool."""
    for cue in (c for c in marked.cues if c.kind == "plugins"):
        if marked.before("supports", cue.start, 2):
            yield _words(marked, cue)


def _defined(marked: Marked) -> Iterator[str]:
    """Words that ask what a word means: ``what does SM mean``; a *mean* of numbers does not."""
    for cue in (c for c in marked.cues if c.kind == "define"):
        if marked.has("tools"):
            continue
        asks = any(c.kind in ("yesno", "task") and c.end <= cue.start for c in marked.cues)
        if asks or marked.language != "en":
            yield _words(marked, cue)


def _fields_alone(marked: Marked, form: str, limits: Sequence[Limit]) -> Iterator[str]:
    """Fields that a question of all tools names and no constraint holds: *per licence*."""
    if form != "select" or limits or not (marked.has("count") and marked.has("tools")):
        return
    yield from (_words(marked, cue) for cue in marked.cues if cue.kind in FIELDS)


def likened(marked: Marked) -> tuple[tuple[str, str], ...]:
    """Words that were read as a name which they do not resemble: *MCP*, large language model."""
    if marked.language != "en":
        return ()  # There every word is read as a name of another language.
    pairs = (
        (link.text, marked.base.label(link.node))
        for span, kind in marked.meanings
        for link in [x for x in span if marked.base.kind(x.node) == kind and x.how == "concept"][:1]
        if kind not in CODED and not _alike(link.text, marked.base.label(link.node))
    )
    return tuple(dict.fromkeys(pairs))


def _alike(text: str, label: str) -> bool:
    """Whether every word of a text begins as a word of the name does, or shortens the name."""
    names = [word.casefold() for word, _, _ in words_at(label)]
    words = [word.casefold() for word, _, _ in words_at(text)]
    short = "".join(words)
    if short == "".join(name[0] for name in names) or "".join(names).startswith(short):
        return True
    return all(
        any(word[:STEM] == name[: min(STEM, len(word))] for name in names)
        for word in (w.removesuffix("s") for w in words)
        if len(word) > 1
    )


def _unnamed(marked: Marked, form: str) -> str:
    """What a yes-no question is about where that is no tool of the catalog: *does SPM12 run*.

    Only a word right after the verb that opens the question counts, and one written as a name.
    """
    words = words_at(marked.text)
    if form != "select" or marked.language != "en" or len(words) < 2 or marked.has("tools"):
        return ""
    opens = any(c.kind == "yesno" and c.start == 0 for c in marked.cues)
    name = words[1][0]
    is_name = len(name) > 1 and any(letter.isupper() or letter.isdigit() for letter in name)
    return name if opens and is_name and not marked.has("something") else ""
