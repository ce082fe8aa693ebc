"""Words behind a phrase that make something else of it: "free" before "from blur" is no price."""

from __future__ import annotations

from retrieval.query.grammar import Phrase, Words

FREE_OF = frozenset({("free", "from"), ("free", "of")})
"""Of blur, not of charge; "free of charge" is a phrase of its own."""

WHO = frozenset({"we", "i", "they", "he", "she"})
"""Behind a year: "since 2014 we scan all newborns" tells of no release."""

INSIDE = "inside"
"""Before a name: "it has to stay inside Fiji" tells of no network."""


def means_otherwise(words: Words, end: int, phrase: Phrase, *, named: bool) -> bool:
    """Whether the words from ``end`` on, right behind a phrase, say that it means another thing.

    ``named`` tells whether the name of a language, program or system begins at ``end``.
    """
    if words[end - 1 : end + 1] in FREE_OF:
        return True
    if phrase.kind == "since":
        return words[end : end + 1] != () and words[end] in WHO
    return named and phrase.kind == "offline" and words[end - 1] == INSIDE
