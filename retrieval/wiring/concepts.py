"""The concept layer, read once."""

from __future__ import annotations

from functools import cache, lru_cache

from retrieval.catalog import Annotator, ConceptAnnotator, load_concepts
from retrieval.graph import Lexicon
from retrieval.query import Verbs, read_verbs
from retrieval.settings import ROOT

CONCEPTS = ROOT / "assets" / "concepts" / "concepts.jsonl"
VERBS = ROOT / "assets" / "concepts" / "verbs.json"


REMEMBERED = 64
"""Texts whose concepts are cached: most stages of a search need those of the same text."""


class CachedAnnotator:
    """An annotator with a cache of the last texts."""

    def __init__(self, annotator: Annotator) -> None:
        self._lookup = lru_cache(maxsize=REMEMBERED)(annotator.concepts)

    def concepts(self, text: str) -> tuple[str, ...]:
        """The ids of one text."""
        return self._lookup(text)


@cache
def english() -> ConceptAnnotator:
    """The annotator of English alone."""
    return _every().english()


@cache
def _every() -> ConceptAnnotator:
    return ConceptAnnotator(load_concepts(CONCEPTS))


@cache
def usual_verbs() -> Verbs:
    """The usual verb of each operation, read once."""
    return read_verbs(VERBS)


@cache
def lexicon() -> Lexicon:
    """The annotator with labels and wider concepts; the shipped files never change at run time."""
    concepts = load_concepts(CONCEPTS)
    return Lexicon(
        annotator=_every(),
        labels={c.id: c.label for c in concepts},
        parents={c.id: c.parents for c in concepts},
    )
