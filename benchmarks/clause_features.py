"""The features of clauses that ``benchmarks.train_wishes`` learns from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, hstack

from retrieval.query.clauses.model import BUCKETS, EDGE, bucket, pieces
from retrieval.query.clauses.windows import WORD

Floats = npt.NDArray[np.float32]

COMMON = 1e-3
"""Share of all words at which a word counts half (Arora et al. 2017, smooth inverse frequency)."""


class Features:
    """The features of clauses, from the words of those that it was made with."""

    def __init__(self, clauses: Iterable[str], vocabulary: Sequence[str], vectors: Floats) -> None:
        counts = Counter(word for clause in clauses for word in words_of(clause))
        total = counts.total()
        self.rows = {word: row for row, word in enumerate(vocabulary)}
        self.rarity = np.array(
            [COMMON / (COMMON + counts[word] / total) for word in vocabulary], dtype=np.float32
        )
        self.vectors = vectors

    def matrix(self, clauses: Sequence[str]) -> csr_matrix:
        """One row a clause: hashed features, and behind them the vector of its meaning."""
        return hstack([self._hashed(clauses), csr_matrix(self._meanings(clauses))]).tocsr()

    def _hashed(self, clauses: Sequence[str]) -> csr_matrix:
        rows, columns, values = [], [], []
        for row, clause in enumerate(clauses):
            words = words_of(clause)
            pairs = zip([EDGE, *words], [*words, EDGE], strict=True)
            named = [bucket("w", w) for w in words] + [bucket("b", f"{a} {b}") for a, b in pairs]
            spelt = [bucket("c", piece) for word in words for piece in pieces(word)]
            for group in (named, spelt):
                rows += [row] * len(group)
                columns += group
                values += [1 / np.sqrt(len(group))] * len(group)
        return csr_matrix((values, (rows, columns)), shape=(len(clauses), BUCKETS))

    def _meanings(self, clauses: Sequence[str]) -> Floats:
        out = np.zeros((len(clauses), self.vectors.shape[1]), dtype=np.float32)
        for row, clause in enumerate(clauses):
            words = words_of(clause)
            weights = [self.rarity[self.rows[w]] if w in self.rows else 1.0 for w in words]
            for word, weight in zip(words, weights, strict=True):
                if word in self.rows:
                    out[row] += weight * self.vectors[self.rows[word]]
            out[row] /= np.sqrt(np.square(weights).sum())
        return out


def words_of(clause: str) -> list[str]:
    """The words of a clause, in small letters."""
    return [word.lower() for word in WORD.findall(clause)]
