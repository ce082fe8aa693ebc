"""BM25 over pieces of words, so that compounds, inflections and misspellings still meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import places, values_of
from retrieval.core import State, Tool
from retrieval.lexical.impacts import Impacts

SIZE = 4
"""Characters of a piece; a word's edges count as one each."""

K1, B = 1.2, 0.6

MAX_TEXT = 600
"""Characters of a query that are cut into pieces."""

Floats = NDArray[np.float64]


def pieces(text: str) -> list[str]:
    """Overlapping pieces of every word, edges marked by a space: `` ski``, ``skin``, ``kin ``."""
    grams: list[str] = []
    for word in re.findall(r"[^\W_]+", text.casefold()):
        padded = f" {word} "
        grams += [padded[i : i + SIZE] for i in range(max(1, len(padded) - SIZE + 1))]
    return grams


class GramIndex:
    """BM25 of pieces over names and descriptions."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._row = places([tool.id for tool in tools])
        self._impacts = Impacts([pieces(f"{t.name} {t.description}") for t in tools], K1, B)

    def scores(self, text: str, ids: Sequence[str]) -> Floats:
        """The score of the records named, 0 for an id that is not held."""
        every = self._impacts.scores(pieces(text[:MAX_TEXT]))
        return values_of(every, self._row, ids)


@dataclass(frozen=True)
class GramSignal:
    """How well the pieces of a text match those of each candidate."""

    index: GramIndex
    text: Callable[[State], str]
    name: str = field(default="pieces")

    def values(self, state: State) -> Floats:
        """One score a candidate."""
        return self.index.scores(self.text(state), [c.tool.id for c in state.candidates])
