"""Whether a request says all that a judged need says, so that the need may be named in its place.

A need is nearest by its vector, and may ask for more than the request: "renal stone volume on
non-contrast CT" for "kidney segmentation on non-contrast CT". To name it would deny what nobody
asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from retrieval.catalog import FUNCTION_WORDS, Mention, Word, english_stem, fold, words_of

_GRAMMAR = FUNCTION_WORDS["en"]
"""Needs are written in English; words of grammar ("of", "from") ask for nothing."""

SHORTEST = 3
"""Letters of a word in lower case that asks for something: "on", "by", "vs" do not."""


def says_all_of(
    text: str,
    need: str,
    mentions_of: Callable[[str], Sequence[Mention]],
    wider: Callable[[str], frozenset[str]],
) -> bool:
    """Whether a text has every word of a need, or names the concept that the word stands in.

    A narrower concept says the wider one too: who names the hippocampus names the brain.
    """
    concepts = {m.concept for m in mentions_of(text) if not m.negated}
    named = concepts.union(*map(wider, concepts))
    stems = {english_stem(fold(word.text)) for word in words_of(text)}
    covered = [m for m in mentions_of(need) if m.concept in named]
    return all(
        english_stem(fold(word.text)) in stems
        or any(m.start <= word.start < m.end for m in covered)
        for word in _content_words(need)
    )


def _content_words(need: str) -> Iterator[Word]:
    for word in words_of(need):
        is_small = len(word.text) < SHORTEST and word.text.islower()
        if not is_small and fold(word.text) not in _GRAMMAR:
            yield word
