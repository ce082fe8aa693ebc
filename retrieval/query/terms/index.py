"""Catalog terms and their vectors: those near a text or a word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from retrieval.core import Term, Vectors

CACHED_WORDS = 4_096
"""Words whose near terms are cached."""

CACHED_VECTORS = 8
"""Vectors whose cosines are cached; several stages of one query ask for the same vector."""

RUN = 4
"""Neighbouring rows that BLAS multiplies together: with all of them a product has the very bits
that it has among those of all rows."""

Screen = Callable[[Vectors], tuple[NDArray[np.int64], float]]
"""From a vector to the rows that may be nearest and a bound that no other cosine exceeds."""


@dataclass(frozen=True, slots=True)
class _Near:
    """Rows, ascending, with their cosines; every other row has at most ``bound``."""

    rows: NDArray[np.int64]
    cosines: Vectors
    bound: float


@dataclass(frozen=True)
class TermIndex:
    """Catalog terms with their L2-normalised vectors: row i of ``vectors`` is that of term i.

    With a ``screen`` only the terms that may be near are multiplied, where they suffice.
    """

    terms: Sequence[str]
    vectors: Vectors
    screen: Screen | None = None

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Row of each term."""
        return {term: row for row, term in enumerate(self.terms)}

    def cosines(self, vector: Vectors) -> Vectors:
        """Cosines of a unit vector with all terms: float32, in row order, read-only, cached."""
        # The bytes are the key of the cache, as an array has no hash.
        return self._cosines(vector.tobytes())

    @cached_property
    def _cosines(self) -> Callable[[bytes], Vectors]:
        def products(vector: bytes) -> Vectors:
            cosines: Vectors = self.vectors @ np.frombuffer(vector, dtype=np.float32)
            cosines.setflags(write=False)
            return cosines

        return lru_cache(maxsize=CACHED_VECTORS)(products)

    @cached_property
    def _screened(self) -> Callable[[bytes], _Near | None]:
        """The terms that may be near a vector; None without a screen."""

        def near(key: bytes) -> _Near | None:
            if self.screen is None:
                return None
            vector = np.frombuffer(key, dtype=np.float32)
            rows, bound = self.screen(vector)
            starts = np.unique(rows // RUN) * RUN
            rows = (starts[:, None] + np.arange(RUN)).ravel()
            rows = rows[rows < len(self.terms)]
            return _Near(rows, self.vectors[rows] @ vector, bound)

        return lru_cache(maxsize=CACHED_VECTORS)(near)

    def highest(self, vector: Vectors, count: int) -> Vectors:
        """Cosines of a unit vector with some terms, float32: the ``count`` highest are in it."""
        near = self._screened(vector.tobytes())
        if near is not None and int((near.cosines >= near.bound).sum()) >= count:
            return near.cosines
        return self.cosines(vector)

    def _above(self, vector: Vectors, threshold: float) -> tuple[NDArray[np.int64], Vectors]:
        near = self._screened(vector.tobytes())
        if near is not None and near.bound <= threshold:
            above = near.cosines > threshold
            return near.rows[above], near.cosines[above]
        cosines = self.cosines(vector)
        rows = np.flatnonzero(cosines > threshold)
        return rows, cosines[rows]

    @cached_property
    def _near_words(self) -> dict[tuple[str, float, int], list[Term]]:
        return {}

    def near_words(
        self, words: Sequence[str], threshold: float, limit: int, encode: Callable[..., Vectors]
    ) -> list[list[Term]]:
        """``near`` for each word, in their order; cached, since queries share words.

        Words that are terms have a vector in the index; the others are encoded in one batch.
        """
        cached = ((w, self._near_words.get((w, threshold, limit))) for w in words)
        terms = {word: near for word, near in cached if near is not None}
        fresh = [w for w in words if w not in terms]
        unindexed = [w for w in fresh if w not in self.rows]
        vectors = dict(zip(unindexed, encode(unindexed), strict=True)) if unindexed else {}
        for word in fresh:
            vector = vectors[word] if word in vectors else self.vectors[self.rows[word]]
            terms[word] = self.near(vector, threshold, limit)
        if len(self._near_words) + len(fresh) > CACHED_WORDS:
            self._near_words.clear()
        self._near_words.update({(word, threshold, limit): terms[word] for word in fresh})
        return [terms[word] for word in words]

    def near(self, vector: Vectors, threshold: float, limit: int) -> list[Term]:
        """Terms with a cosine above the threshold, nearest first, ties by spelling."""
        rows, cosines = self._above(vector, threshold)
        terms = (
            Term(term=self.terms[row], similarity=round(cosine, 6))
            for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True)
        )
        return sorted(terms, key=lambda t: (-t.similarity, t.term))[:limit]
