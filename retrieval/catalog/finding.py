"""Verbs of finding in other languages, which name a detection beside the thing to be found.

Alone they are words of asking: "ein Programm finden". English ones are reworded by ``UsualVerbs``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from retrieval.catalog.negation import Span

DETECTION = "operation:object detection"

FIND: Mapping[str, frozenset[str]] = {
    "de": frozenset({"finden", "finde", "findet", "auffinden"}),
    "es": frozenset({"encontrar", "hallar", "localizar"}),
    "fr": frozenset({"trouver", "localiser"}),
    "pt": frozenset({"encontrar", "achar", "localizar"}),
    "it": frozenset({"trovare", "localizzare"}),
}

THINGS = frozenset({"anatomy", "disease", "data"})
"""Kinds of concepts that can be found in an image."""

REACH = 4
"""Words between a verb and its thing: "Tumoren in der Leber im CT finden"."""


def finding_verb(
    words: Sequence[str],
    joined: Sequence[bool],
    spans: Sequence[Span],
    languages: Sequence[str],
) -> int | None:
    """The word that asks to find a thing in its part of a sentence; None where none does.

    Where another operation is named, the verb says what the visitor does: "ein Programm zum
    Segmentieren von Tumoren finden".
    """
    verbs = frozenset().union(*(FIND.get(language, ()) for language in languages))
    if verbs.isdisjoint(words) or any(span.kind == "operation" for span in spans):
        return None
    for at, word in enumerate(words):
        near = word in verbs and any(
            span.kind in THINGS and _is_beside(joined, span, at) for span in spans
        )
        if near:
            return at
    return None


def _is_beside(joined: Sequence[bool], span: Span, at: int) -> bool:
    """Whether no punctuation and at most REACH words stand between a thing and a word."""
    first, last = (span.last, at) if span.last <= at else (at + 1, span.first)
    return last - first <= REACH and all(joined[first : last + 1])
