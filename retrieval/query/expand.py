"""The stage that adds catalog terms near the query, found by embedding neighbours."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

import numpy as np

from retrieval.core import Encoder, StageResult, StageUnavailable, State, Term, Vectors

MOST_WORDS = 32
"""Words of a query that are looked at."""

KEPT = 4_096
"""Words whose near terms are kept."""

ASKED = 8
"""Vectors whose cosines are kept."""

UNUSED = " (suggestions: searching with them measured no gain here)"


@dataclass(frozen=True)
class TermIndex:
    """Catalog terms with their normalised vectors, row by row."""

    terms: Sequence[str]
    vectors: Vectors

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Where each term stands."""
        return {term: row for row, term in enumerate(self.terms)}

    def cosines(self, vector: Vectors) -> Vectors:
        """One cosine a term; those of the last vectors are kept, since several stages ask."""
        return self._cosines(vector.tobytes())

    @cached_property
    def _cosines(self) -> Callable[[bytes], Vectors]:
        return lru_cache(maxsize=ASKED)(partial(_products, self.vectors))

    @cached_property
    def _known(self) -> dict[tuple[str, float, int], list[Term]]:
        return {}

    def near_words(
        self, words: Sequence[str], threshold: float, limit: int, encode: Callable[..., Vectors]
    ) -> list[list[Term]]:
        """As ``near`` for each word; kept, since queries share their words.

        A word of the catalog has its vector already, the others are encoded together.
        """
        held = ((w, self._known.get((w, threshold, limit))) for w in words)
        told = {word: near for word, near in held if near is not None}
        fresh = [w for w in words if w not in told]
        strange = [w for w in fresh if w not in self.rows]
        vectors = dict(zip(strange, encode(strange), strict=True)) if strange else {}
        for word in fresh:
            vector = vectors[word] if word in vectors else self.vectors[self.rows[word]]
            told[word] = self.near(vector, threshold, limit)
        if len(self._known) + len(fresh) > KEPT:
            self._known.clear()
        self._known.update({(word, threshold, limit): told[word] for word in fresh})
        return [told[word] for word in words]

    def near(self, vector: Vectors, threshold: float, limit: int) -> list[Term]:
        """Terms with a cosine above the threshold, nearest first, ties by spelling."""
        cosines = self.cosines(vector)
        rows = np.flatnonzero(cosines > threshold)
        found = (
            Term(term=self.terms[r], similarity=round(float(cosines[r]), 6)) for r in rows.tolist()
        )
        return sorted(found, key=lambda t: (-t.similarity, t.term))[:limit]


def _products(vectors: Vectors, told: bytes) -> Vectors:
    products: Vectors = vectors @ np.frombuffer(told, dtype=np.float32)
    products.setflags(write=False)
    return products


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

    def _near(self, text: str, words: Sequence[str], index: TermIndex) -> list[list[Term]]:
        """Terms near the text and near each of its words."""
        limit = self.limit + MOST_WORDS + 1
        near = index.near(self.encoder.encode([text])[0], self.threshold, limit)
        distinct = tuple(dict.fromkeys(words))
        return [near, *index.near_words(distinct, self.threshold, limit, self.encoder.encode)]

    def _terms(self, text: str, index: TermIndex) -> tuple[Term, ...]:
        words = re.findall(r"\w[\w-]+", text.casefold())[:MOST_WORDS]
        had = {text.casefold(), *words}
        best: dict[str, Term] = {}
        for near in self._near(text, words, index):
            for term in near:
                known = best.get(term.term)
                if term.term not in had and (known is None or known.similarity < term.similarity):
                    best[term.term] = term
        return tuple(sorted(best.values(), key=lambda t: (-t.similarity, t.term))[: self.limit])
