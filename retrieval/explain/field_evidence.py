"""Whether a text names something of the field, so that it is never refused as another field's.

The encoder reads English: a German request is nearer to everyday German than to any record, and
its cosines are no evidence against it. A concept of the field is evidence for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from retrieval.catalog import fold, kind_of
from retrieval.explain.request_parts import Mentions

WAYS = "method"
"""Kind of concepts that tell how software is used, in every field."""


@dataclass(frozen=True, slots=True)
class FieldEvidence:
    """Finds concepts that no other field names.

    ``general`` are concepts that texts of other fields name as well ("classification", "hand"),
    by id: with the words that do so where its other words are of the field alone (a parcel is no
    parcellation), with none where all of them do.
    """

    finder: Mentions
    general: Mapping[str, frozenset[str]]

    def names_field(self, text: str) -> bool:
        """Whether a text names a concept that is of the field alone, wanted or not."""
        return any(
            kind_of(m.concept) != WAYS and not self._is_general(m.concept, text[m.start : m.end])
            for m in self.finder.mentions(text)
        )

    def _is_general(self, concept: str, words: str) -> bool:
        general = self.general.get(concept)
        return general is not None and (not general or fold(words) in general)


def read_general(path: Path) -> Mapping[str, frozenset[str]]:
    """The general concepts of a file: an id a line, and after a bar the words that are general."""
    rows = (line.partition("|") for line in path.read_text("utf-8").splitlines() if line)
    return {
        concept.strip(): frozenset(fold(word.strip()) for word in words.split(",") if word.strip())
        for concept, _, words in rows
    }
