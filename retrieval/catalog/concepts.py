"""The concepts of the field: operations, modalities, anatomy, formats, diseases and data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from retrieval.catalog.jsonl import check_ids, read_lines

Kind = Literal["operation", "modality", "anatomy", "format", "domain", "data", "disease", "method"]
KINDS: tuple[str, ...] = get_args(Kind)
LANGUAGES = ("zh", "es", "fr", "de", "pt", "it", "ja")


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """A concept with its spellings; its id is ``kind:code`` as in the graph.

    Synonyms match whatever their case and inflection, abbreviations only as they are written.
    ``narrower`` are the synonyms that name a part or one kind of it: the meniscus of the knee.
    """

    id: str
    kind: str
    label: str
    synonyms: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    edam: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def english(self) -> tuple[str, ...]:
        """Label and synonyms."""
        return (self.label, *self.synonyms)


@cache
def load_concepts(path: Path) -> tuple[Concept, ...]:
    """The concepts of a JSONL file in its order. Raises BadInput with the line that is wrong."""
    concepts = read_lines(path, "concepts", _concept)
    check_ids("concepts", ((c.id, c.parents) for c in concepts))
    return concepts


@cache
def load_words(path: Path) -> tuple[Concept, ...]:
    """English words that are no concepts, with their words in other languages, as of kind ``word``.

    Lines {"en", "labels"}; the English word is not found in a text, only its words elsewhere.
    """
    return read_lines(path, "words", _word)


def _word(line: str) -> Concept:
    row = json.loads(line)
    labels = tuple((language, tuple(words)) for language, words in row["labels"].items())
    return Concept(id=f"word:{row['en']}", kind="word", label=row["en"], labels=labels)


def _concept(line: str) -> Concept:
    row = json.loads(line)
    labels = tuple((lang, tuple(row["labels"][lang])) for lang in row.get("labels", {}))
    many = ("synonyms", "narrower", "abbreviations", "parents", "edam", "ids")
    concept = Concept(
        id=row["id"],
        kind=row["kind"],
        label=row["label"],
        labels=labels,
        **{name: tuple(row.get(name, ())) for name in many},
    )
    if concept.kind not in KINDS or not concept.id.startswith(f"{concept.kind}:"):
        raise ValueError(f"{concept.id} is of no known kind; choose one of {KINDS}")
    return concept
