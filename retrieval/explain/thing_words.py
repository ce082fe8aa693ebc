"""Words that name a thing of the field (an organism, a body part, a disease) and are no concept.

Most words outside the vocabulary say nothing about what is asked for ("elderly", "colleague",
slips of spelling). The words here are stems of MeSH headings and of WordNet's animals, plants,
body parts, substances and illnesses that mostly name such a thing; a word with an ending of
medical terms counts as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.catalog import FUNCTION_WORDS, Mention, Word, english_stem, fold, words_of
from retrieval.explain.request_parts import Part
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


@dataclass(frozen=True, slots=True)
class ThingWords:
    """The stems of words that name a thing."""

    stems: frozenset[str] = frozenset()

    def parts(self, text: str, mentions: Sequence[Mention], stated: StatedFacts) -> Iterator[Part]:
        """The things that an English text names in words that no concept covers."""
        words = words_of(text)
        others = [w for w in words if not any(m.start <= w.start < m.end for m in mentions)]
        things = [word for word in others if self._is_thing(word.text.lower())]
        if things and is_english(words, stated, self.stems):
            for word in things:
                value = word.text.lower()
                yield Part(kind="object", value=value, concept="", stems=(english_stem(value),))

    def _is_thing(self, word: str) -> bool:
        if not word.isascii() or len(word) < SHORTEST:
            return False
        return english_stem(word) in self.stems or bool(_ENDING.search(word))
