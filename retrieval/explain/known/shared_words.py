"""Words that a text shares with judged requests: what vectors of whole texts do not tell apart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.lexical import tokenise


@dataclass(frozen=True, slots=True, eq=False)
class SharedWords:
    """Terms of requests, each once a request, weighted by how few of the requests have it.

    ``terms``: (terms,) UTF-8 bytes, ascending. ``weights``: (terms,) float32, log(1 + n / requests
    that have the term), n the number of requests. ``numbers``: rows of ``terms``, those of request
    r from ``starts[r]`` to ``starts[r + 1]``.
    """

    terms: NDArray[np.bytes_]
    weights: NDArray[np.float32]
    numbers: NDArray[np.uint16]
    starts: NDArray[np.uint32]

    @classmethod
    def of(cls, texts: Sequence[str]) -> SharedWords:
        """The words of requests, in their order. Raises ValueError for more than 65,536 terms."""
        rows = [sorted(set(tokenise(text))) for text in texts]
        counts = Counter(term for row in rows for term in row)
        terms = sorted(counts, key=str.encode)
        if len(terms) > np.iinfo(np.uint16).max + 1:
            raise ValueError(f"{len(terms)} terms are more than two bytes can number")
        number = {term: n for n, term in enumerate(terms)}
        return cls(
            np.array([term.encode() for term in terms]),
            np.array([math.log1p(len(texts) / counts[term]) for term in terms], np.float32),
            np.array([number[term] for row in rows for term in row], np.uint16),
            np.cumsum([0, *map(len, rows)], dtype=np.uint32),
        )

    @classmethod
    def read(cls, path: Path) -> SharedWords:
        """What ``write`` wrote."""
        with np.load(path) as arrays:
            return cls(*(arrays[name] for name in cls.__slots__))

    def write(self, path: Path) -> None:
        """The arrays by their names, packed."""
        arrays = {name: getattr(self, name) for name in self.__slots__}
        np.savez_compressed(path, allow_pickle=False, **arrays)

    def likeness(self, text: str, requests: Sequence[int]) -> list[float]:
        """For each request the cosine, 0 to 1, of the weighted sets of words, in their order.

        A word that no request has weighs as one that stands in a single request would.
        """
        words = sorted({term.encode() for term in tokenise(text)})
        # A word behind the last term would be placed past the end.
        at = np.searchsorted(self.terms[:-1], words)
        shared = [n for n, word in zip(at, words, strict=True) if self.terms[n] == word]
        squares = np.zeros(len(self.terms), np.float32)
        squares[shared] = self.weights[shared]
        own = float(squares.sum()) + (len(words) - len(shared)) * math.log1p(len(self.starts) - 1)
        return [self._cosine(request, squares, own) for request in requests]

    def _cosine(self, request: int, squares: NDArray[np.float32], own: float) -> float:
        # Weights are the squares of a term's share in a vector, so that they add up.
        numbers = self.numbers[self.starts[request] : self.starts[request + 1]]
        both = own * float(self.weights[numbers].sum())
        return float(squares[numbers].sum()) / math.sqrt(both) if both else 0.0
