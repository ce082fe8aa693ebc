"""The stage that adds catalog terms near the query, found by embedding neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from retrieval.core.errors import StageUnavailable
from retrieval.core.ports import Encoder, Vectors
from retrieval.core.stage import StageResult
from retrieval.core.types import State, Term

UNUSED = " (suggestions: searching with them measured no gain here)"


@dataclass(frozen=True)
class TermIndex:
    """Catalog terms with their normalised vectors, row by row."""

    terms: Sequence[str]
    vectors: Vectors

    def near(self, vector: Vectors, threshold: float, limit: int) -> list[Term]:
        """Terms with a cosine above the threshold, nearest first, ties by spelling."""
        cosines = self.vectors @ vector
        rows = np.flatnonzero(cosines > threshold)
        found = (
            Term(term=self.terms[r], similarity=round(float(cosines[r]), 6)) for r in rows.tolist()
        )
        return sorted(found, key=lambda t: (-t.similarity, t.term))[:limit]


@dataclass(frozen=True)
class Expand:
    """Adds up to ``limit`` terms whose cosine with the query, or a word of it, is high enough.

    Words the query holds already, and their case forms, are not added again (S1-11). Where
    the mode does not search with the terms (``searched`` is false) the note says so.
    """

    encoder: Encoder
    index: TermIndex | None
    threshold: float = 0.75
    limit: int = 10
    name: str = "expand"
    searched: bool = True

    def run(self, state: State) -> StageResult:
        """The state with ``query.expansion`` filled; the note names terms and similarities."""
        if "expand" in state.query.off:
            raise StageUnavailable("switched off for this search")
        if self.index is None:
            raise StageUnavailable("the catalog terms are still being embedded; search again soon")
        if not state.query.text:
            raise StageUnavailable("no text to expand")
        terms = self._terms(state.query.text, self.index)
        note = ", ".join(f"{t.term} {t.similarity:.2f}" for t in terms) or "no term is near enough"
        note += "" if self.searched else UNUSED if terms else ""
        state = replace(state, query=replace(state.query, expansion=terms))
        return StageResult(
            name=self.name,
            state=state,
            note=note,
            listed=False,
            metrics={"expansion_terms": len(terms)},
        )

    def _terms(self, text: str, index: TermIndex) -> tuple[Term, ...]:
        words = re.findall(r"\w[\w-]+", text.casefold())[:32]
        had = {text.casefold(), *words}
        best: dict[str, Term] = {}
        for vector in self.encoder.encode([text, *dict.fromkeys(words)]):
            for term in index.near(vector, self.threshold, self.limit + len(had)):
                known = best.get(term.term)
                if term.term not in had and (known is None or known.similarity < term.similarity):
                    best[term.term] = term
        return tuple(sorted(best.values(), key=lambda t: (-t.similarity, t.term))[: self.limit])
