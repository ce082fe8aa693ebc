"""Words that name a thing of the field (an organism, a body part, a disease) and are no concept.

Most words outside the vocabulary say nothing about what is asked for ("elderly", "colleague",
slips of spelling). The words here are stems of MeSH headings and of WordNet's animals, plants,
body parts, substances and illnesses that mostly name such a thing; a word with an ending of
medical terms counts as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from retrieval.catalog import FUNCTION_WORDS, Mention, Word, english_stem, fold, words_of
from retrieval.explain.request_parts import Part, is_occasion
from retrieval.explain.stated import StatedFacts

_ENDING = re.compile(
    r"(?:scopy|graphy|metry|osis|ectomy|ostomy|plasty|algia|opathy|ectasia|ectasis|megaly|plegia"
    r"|aemia|uria|trophy|penia|genesis|stenosis|cytes?|[a-z]{4}omas?|blastoma|[a-z]{5}itis)$"
)
"""Endings of names of findings, examinations and cells."""

SHORTEST = 3
"""Letters of a word: shorter ones are also abbreviations and words of other languages."""

_SHARED = frozenset({"in", "an", "no", "per", "i", "am", "die", "a"})
"""Words of English and of another language, which tell neither."""

_OTHERS = (
    frozenset().union(*(words for name, words in FUNCTION_WORDS.items() if name != "en"))
    - FUNCTION_WORDS["en"]
    - _SHARED
)


def is_english(words: Sequence[Word], stated: StatedFacts, things: frozenset[str]) -> bool:
    """Whether small words, or where they tell nothing the words that records have, are English.

    A single "in" is no German; 2 in 5 English requests have it.
    """
    if not all(word.text.isascii() for word in words):
        return False
    folded = [fold(word.text) for word in words]
    english = sum(word in FUNCTION_WORDS["en"] for word in folded)
    others = sum(word in _OTHERS for word in folded)
    if english != others:
        return english > others
    stems = map(english_stem, folded)
    return sum(stem in things or stated.has_stem(stem) for stem in stems) * 2 >= len(words)


_NO_THING = re.compile(r"(?:[a-z]{3}[io]tic|ologists?)$")
"""Endings of what is like a disease ("osteoporotic", where records have the noun) and of
professions ("urologist")."""


@dataclass(frozen=True, slots=True)
class ThingWords:
    """The stems of words that name a thing."""

    stems: frozenset[str] = frozenset()

    def parts(self, text: str, mentions: Sequence[Mention], stated: StatedFacts) -> Iterator[Part]:
        """The things that an English text names in words that no concept covers."""
        words = words_of(text)
        others = [w for w in words if not any(m.start <= w.start < m.end for m in mentions)]
        plants = frozenset(m.start for m in mentions if _is_plant(m.concept, stated))
        things = [w for w in others if self._is_thing(w.text.lower()) and is_noun(text, w, plants)]
        if things and is_english(words, stated, self.stems):
            yield from map(_part, things)

    def _is_thing(self, word: str) -> bool:
        if not word.isascii() or len(word) < SHORTEST:
            return False
        return english_stem(word) in self.stems or bool(_ENDING.search(word))


def is_noun(text: str, word: Word, plants: Set[int]) -> bool:
    """Whether a word of a text names a thing there that a tool must be made for.

    An operation that only comes before (after lobectomy) does not, nor what plant it is: a tool for
    leaves takes those of beans. ``plants`` is where parts of plants are named.
    """
    if _NO_THING.search(word.text.lower()) or is_occasion(text, word.start):
        return False
    return word.end + 1 not in plants


def _is_plant(concept: str, stated: StatedFacts) -> bool:
    return "anatomy:plant" in stated.wider(concept)


def _part(word: Word) -> Part:
    value = word.text.lower()
    return Part(
        kind="object",
        value=value,
        concept="",
        stems=(english_stem(value),),
        start=word.start,
        end=word.end,
    )
