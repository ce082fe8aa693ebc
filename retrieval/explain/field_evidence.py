"""Whether a text names something of the field, so that it is never refused as another field's.

The encoder reads English: a German request is nearer to everyday German than to any record, and
its cosines are no evidence against it. A concept of the field is evidence for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from retrieval.catalog import english_stem, fold, kind_of
from retrieval.explain.request_parts import Mentions

WAYS = "method"
"""Kind of concepts that tell how software is used, in every field."""

GENERAL_WORDS, FIELD_WORDS = "|", "!"
"""Marks before the words of a concept that other fields use, and before those that none uses."""

Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralConcept:
    """A concept that texts of other fields name as well: by ``words`` alone where there are any.

    ``own`` are the stems of its words that are of the field nevertheless: counting is done
    everywhere, colony counting on a petri dish.
    """

    words: frozenset[str] = frozenset()
    own: frozenset[Stems] = frozenset()

    def names(self, words: str) -> bool:
        """Whether these words of the concept may be another field's."""
        if _stems(words) in self.own:
            return False
        return not self.words or fold(words) in self.words


@dataclass(frozen=True, slots=True)
class FieldEvidence:
    """Finds concepts that no other field names.

    ``general`` are concepts that texts of other fields name as well ("classification", "hand"),
    by id: with the words that do so where its other words are of the field alone (a parcel is no
    parcellation), or with those that do not where its other words are general.
    """

    finder: Mentions
    general: Mapping[str, GeneralConcept]

    def names_field(self, text: str) -> bool:
        """Whether a text names a concept that is of the field alone, wanted or not."""
        return any(
            kind_of(m.concept) != WAYS and not self._is_general(m.concept, text[m.start : m.end])
            for m in self.finder.mentions(text)
        )

    def _is_general(self, concept: str, words: str) -> bool:
        general = self.general.get(concept)
        return general is not None and general.names(words)


def read_general(path: Path) -> Mapping[str, GeneralConcept]:
    """The general concepts of a file: an id a line, then a mark and words where not all are."""
    return dict(map(_general_concept, filter(None, path.read_text("utf-8").splitlines())))


def _general_concept(row: str) -> tuple[str, GeneralConcept]:
    rest, _, own = row.partition(FIELD_WORDS)
    concept, _, words = rest.partition(GENERAL_WORDS)
    return concept.strip(), GeneralConcept(
        words=frozenset(map(fold, _listed(words))), own=frozenset(map(_stems, _listed(own)))
    )


def _listed(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]


def _stems(words: str) -> Stems:
    """The stems of some words, which a plural and a hyphen share."""
    return tuple(map(english_stem, words.replace("-", " ").split()))
