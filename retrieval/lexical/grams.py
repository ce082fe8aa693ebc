"""BM25 over pieces of words, so that compounds, inflections and misspellings still meet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.core.types import State, Tool

SIZE = 4
"""Characters of a piece; a word's edges count as one each."""

K1, B = 1.2, 0.6

MAX_TEXT = 600
"""Characters of a query that are cut into pieces."""

Floats = NDArray[np.float64]


def pieces(text: str) -> list[str]:
    """Overlapping pieces of every word, edges marked by a space: `` ski``, ``skin``, ``kin ``."""
    found: list[str] = []
    for word in re.findall(r"[^\W_]+", text.casefold()):
        padded = f" {word} "
        found += [padded[i : i + SIZE] for i in range(max(1, len(padded) - SIZE + 1))]
    return found


class GramIndex:
    """Postings of pieces over names and descriptions, with ready BM25 weights."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._row = {tool.id: row for row, tool in enumerate(tools)}
        counts = [Counter(pieces(f"{t.name} {t.description}")) for t in tools]
        lengths = np.array([c.total() for c in counts], dtype=np.float64)
        norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()) if len(tools) else 1.0, 1.0))
        rows: dict[str, list[int]] = {}
        times: dict[str, list[int]] = {}
        for row, count in enumerate(counts):
            for piece, n in count.items():
                rows.setdefault(piece, []).append(row)
                times.setdefault(piece, []).append(n)
        self._postings = {
            piece: _weighed(np.array(held), np.array(times[piece]), norm)
            for piece, held in rows.items()
        }

    def scores(self, text: str, ids: Sequence[str]) -> Floats:
        """The score of the records named, 0 for an id that is not held."""
        every = np.zeros(len(self._row))
        for piece, times in Counter(pieces(text[:MAX_TEXT])).items():
            if piece in self._postings:
                rows, weights = self._postings[piece]
                every[rows] += times * weights
        return np.array([every[self._row[i]] if i in self._row else 0.0 for i in ids])


def _weighed(
    rows: NDArray[np.int64], times: NDArray[np.int64], norm: Floats
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    total = len(norm)
    rarity = np.log(1 + (total - len(rows) + 0.5) / (len(rows) + 0.5))
    weights = rarity * times / (times + norm[rows])
    return rows.astype(np.int32), weights.astype(np.float32)


@dataclass(frozen=True)
class GramSignal:
    """How well the pieces of a text match those of each candidate."""

    index: GramIndex
    text: Callable[[State], str]
    name: str = field(default="pieces")

    def values(self, state: State) -> Floats:
        """One score a candidate."""
        return self.index.scores(self.text(state), [c.tool.id for c in state.candidates])
