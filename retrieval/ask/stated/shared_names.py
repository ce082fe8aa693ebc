"""Verbs without a format of their own: ``read but do not write DICOM``, ``do not write it``.

Such a verb sets a constraint of its own at its place, so that a negation denies one verb alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from retrieval.ask.grouping import Item, Limit, Operator

if TYPE_CHECKING:
    from retrieval.ask.cues import Cue
    from retrieval.ask.marked_text import Marked, Span

APART = 24
"""Most characters between two verbs that share a format: ``read it, but do not also write``."""

AFTER = {"en": ("it", "them"), "de": ("es", "sie", "dieses", "diese")}
AHEAD = {
    "fr": ("l", "le", "la", "les"),
    "es": ("lo", "la", "los", "las"),
    "pt": ("o", "a", "os", "as"),
}
"""Pronouns that stand for a format right after its verb, and right before it."""

CLAUSE_END = re.compile(r"[,;:.?!，、。；：？！]")


def opposed(marked: Marked, one: Cue, other: Cue) -> bool:
    """Whether *but* or a negation parts two verbs that have no name between."""
    if any(one.end <= span[0].start < other.start for span in marked.spans):
        return False
    parts = any(marked.between(kind, one.end, other.start) for kind in ("but", "negative"))
    return parts and other.start - one.end <= APART


def shared_names(marked: Marked) -> Iterator[Item]:
    """The constraints of verbs that share the format of another verb, where these verbs stand."""
    if marked.has("converts"):
        return
    formats = [span for span, kind in marked.meanings if kind == "format"]
    verbs = [cue for cue in marked.cues if cue.kind in ("accepts", "produces")]
    stops = [*(cue.start for cue in verbs[2:]), len(marked.text)]
    for (one, other), stop in zip(pairwise(verbs), stops, strict=False):
        if one.kind == other.kind:
            continue
        behind = [x for x in formats if other.end <= x[0].start < stop]
        ahead = [x for x in formats if x[0].end <= other.start]
        if behind and opposed(marked, one, other):
            yield _item(marked, one, behind)
        elif ahead and _refers_back(marked, one, other, ahead[-1]):
            # A plural stands for all names behind the first verb, else for the last one.
            several = [x for x in ahead if x[0].start >= one.end]
            yield _item(marked, other, several or ahead[-1:])


def _item(marked: Marked, verb: Cue, spans: Sequence[Span]) -> Item:
    limits = (
        Limit(options=tuple((verb.kind, node) for node in marked.nodes(span, "format")))
        for span in spans
    )
    first, last = spans[0][0], spans[-1][0]
    either = marked.between("or", first.end, last.start)
    split: Operator = "or" if either else "and"
    return Item(start=verb.start, end=verb.end, limits=tuple(limits), split=split)


def _refers_back(marked: Marked, one: Cue, other: Cue, name: Span) -> bool:
    """Whether a verb takes the name of the verb before it: by a pronoun, or denied and final."""
    start = max(one.end, name[0].end)
    between = marked.text[start : other.start]
    if len(between) > APART or any(start <= x[0].start < other.start for x in marked.spans):
        return False
    rest = CLAUSE_END.split(marked.text[other.end :], maxsplit=1)[0]
    ends = [c.start for c in marked.cues if c.start >= other.end and c.kind in ("joins", "or")]
    end = min([other.end + len(rest), *ends])
    if any(other.end <= x[0].start < end for x in marked.spans):
        return False  # "Read DICOM and write it as NIfTI" names what is written.
    later, earlier = rest.casefold().split(), re.findall(r"\w+", between.casefold())
    if later and later[0] in AFTER.get(marked.language, ()):
        return True
    if earlier and earlier[-1] in AHEAD.get(marked.language, ()):
        return True
    return not later and marked.between("negative", start, other.start)
