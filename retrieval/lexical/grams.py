"""BM25 weights laid out by term, so that a query adds up a few short arrays; over pieces of words.

Pieces let compounds, inflections and misspellings still meet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import places, rarity_needed, trust_of, values_of
from retrieval.core import State, Tool, read_by

READER = "keyword index"
"""Name of the reader in the record of calls."""

SIZE = 4
"""Characters of a piece; a word's edges count as one each."""

PIECES_A_WORD = 4
"""Pieces that a word of usual length gives; they come together and are one find."""

K1, B = 1.2, 0.6
"""For pieces: the length of a text counts less than for words (b .75)."""

MAX_TEXT = 600
"""Characters of a query that are cut into pieces."""

Rows = NDArray[np.int32]
Floats = NDArray[np.float32]


class Impacts:
    """Lucene's BM25 (Robertson, Zaragoza 2009; Kamphuis et al., ECIR 2020), each weight ready.

    Documents are lists of terms; a row is a document's place in the order given.
    """

    def __init__(self, documents: Sequence[Sequence[str]], k1: float, b: float) -> None:
        self.size = len(documents)
        counts = [Counter(terms) for terms in documents]
        self.vocabulary = {t: n for n, t in enumerate(dict.fromkeys(t for c in counts for t in c))}
        of_terms = (self.vocabulary[t] for c in counts for t in c)
        numbers = np.fromiter(of_terms, dtype=np.int64)
        times = np.array([n for c in counts for n in c.values()], dtype=np.float64)
        rows = np.repeat(np.arange(self.size, dtype=np.int32), [len(c) for c in counts])
        order = np.argsort(numbers, kind="stable")
        # df: document frequency of each term.
        df = np.bincount(numbers, minlength=len(self.vocabulary))
        lengths = np.array([c.total() for c in counts], dtype=np.float64)
        norm = k1 * (1 - b + b * lengths / max(float(lengths.mean()) if self.size else 0.0, 1e-9))
        rarity = np.log(1 + (self.size - df + 0.5) / (df + 0.5)).astype(np.float32)
        self._rarity, self._rarest = rarity, float(np.log(1 + (self.size + 0.5) / 0.5))
        weights = rarity[numbers] * (times / (times + norm[rows]))
        self._rows: Rows = rows[order]
        self._weights: Floats = weights[order].astype(np.float32)
        self._starts = [0, *np.cumsum(df).tolist()]

    def rows(self, term: str) -> Rows:
        """The documents that have a term, ascending."""
        return self._rows[self._span(term)]

    def scores(self, terms: Iterable[str]) -> Floats:
        """The score of every document as (documents,) float32, 0 where no term occurs.

        A term that comes twice counts twice.
        """
        every = np.zeros(self.size, dtype=np.float32)
        spans = [slice(0, 0), *map(self._span, terms)]
        # One pass over the rows of all terms, in their order: a quarter of the time of one each.
        rows = np.concatenate([self._rows[span] for span in spans])
        np.add.at(every, rows, np.concatenate([self._weights[span] for span in spans]))
        return every

    def needed(self, terms: Iterable[str], terms_a_word: float = 1.0) -> float:
        """The score of a document that is surely meant by these terms (``rarity_needed``)."""
        numbers = (self.vocabulary.get(term) for term in terms)
        rarities = (self._rarest if n is None else float(self._rarity[n]) for n in numbers)
        return rarity_needed(rarities, self._rarest, terms_a_word)

    def _span(self, term: str) -> slice:
        number = self.vocabulary.get(term)
        return slice(0, 0) if number is None else slice(*self._starts[number : number + 2])


def pieces(text: str) -> list[str]:
    """Overlapping pieces of every word, edges marked by a space: `` ski``, ``skin``, ``kin ``.

    A word of one or two letters is one piece with both its edges; signs give none.
    """
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

    def scores(self, text: str, ids: Sequence[str]) -> NDArray[np.float64]:
        """The scores of these records in their order, (ids,) float64; 0 for an unknown id.

        Of a longer text only the first MAX_TEXT characters count.
        """
        every = self._impacts.scores(pieces(text[:MAX_TEXT]))
        return values_of(every, self._row, ids)

    def needed(self, text: str) -> float:
        """The score of a record that is surely meant by a text."""
        return self._impacts.needed(pieces(text[:MAX_TEXT]), PIECES_A_WORD)


@dataclass(frozen=True)
class GramSignal:
    """How well the pieces of a text match those of each candidate."""

    index: GramIndex
    text: Callable[[State], str]
    name: str = field(default="pieces")

    def values(self, state: State) -> NDArray[np.float64]:
        """One BM25 score of pieces per candidate, (candidates,) float64; 0 for an unknown record.

        Only the first MAX_TEXT characters of the text count.
        """
        text = read_by(state, READER, self.text(state))
        return self.index.scores(text, [c.tool.id for c in state.candidates])

    def trust(self, state: State, values: NDArray[np.float64]) -> float:
        """How much of the text's pieces the best candidate has."""
        return trust_of(float(values.max(initial=0.0)), self.index.needed(self.text(state)))
