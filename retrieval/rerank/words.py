"""Words of records in several fields, and signals made of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import places, rarity_needed, rows_of, trust_of
from retrieval.core import State, ranked

Floats = NDArray[np.float64]
Terms = Callable[[str], Sequence[str]]

K1, B = 1.2, 0.75
"""Saturation and length normalisation of BM25 at the usual values (Robertson, Zaragoza 2009)."""

FEEDBACK_RECORDS = 5
"""Number of best candidates whose words are the feedback."""

FEEDBACK_TERMS = 10
"""Number of feedback words."""

MOST_OFTEN = 2.0
"""Upper limit of the count of one word in a record."""


class WordTable:
    """Precomputed weights of words over records (BM25F; Robertson, Zaragoza and Taylor, CIKM 2004).

    Every field is a text by id; each has a mean length of its own, over the records that have it.
    """

    def __init__(
        self, ids: Sequence[str], fields: Sequence[Mapping[str, str]], terms: Terms
    ) -> None:
        self.terms = terms
        self._row = places(ids)
        self._counts = _counted(ids, fields, terms)
        rows: defaultdict[str, list[int]] = defaultdict(list)
        for row, tool_id in enumerate(ids):
            for term in self._counts[tool_id]:
                rows[term].append(row)
        self._rarity = {t: log(1 + len(ids) / (1 + len(at))) for t, at in rows.items()}
        self._postings: dict[str, tuple[NDArray[np.int32], NDArray[np.float32]]] = {}
        for term, at in rows.items():
            often = np.array([self._counts[ids[row]][term] for row in at])
            weights = (self._rarity[term] * often / (often + K1)).astype(np.float32)
            self._postings[term] = np.array(at, dtype=np.int32), weights

    def scores(self, word_weights: Mapping[str, float], ids: Sequence[str]) -> Floats:
        """Scores for weighted words, float64 in the order of ``ids``; 0 for an unknown id."""
        every = np.zeros(len(self._row) + 1)  # the last one stands for unknown ids
        postings = [
            (w, *self._postings[term]) for term, w in word_weights.items() if term in self._postings
        ]
        if postings:
            rows = np.concatenate([rows for _, rows, _ in postings])
            weights = np.concatenate([weight * weights for weight, _, weights in postings])
            np.add.at(every, rows, weights.astype(np.float64))
        scores: Floats = every[rows_of(self._row, ids)]
        return scores

    def needed(self, word_weights: Mapping[str, float]) -> float:
        """The score of a record that is surely meant by weighted words (``rarity_needed``)."""
        rarest = log(1 + len(self._row))
        rarities = (w * self._rarity.get(term, rarest) for term, w in word_weights.items())
        return rarity_needed(rarities, rarest)

    def feedback_terms(
        self, shares: Mapping[str, float], without: Collection[str]
    ) -> dict[str, float]:
        """The most distinctive words of weighted records, with weights, less ``without``."""
        totals: defaultdict[str, float] = defaultdict(float)
        for tool_id, share in shares.items():
            counts = self._counts.get(tool_id, {})
            length = sum(counts.values()) + 10.0
            for term, times in counts.items():
                totals[term] += share * min(times, MOST_OFTEN) / length
        rated = ((-round(v * self._rarity[t], 9), t) for t, v in totals.items() if t not in without)
        return {term: totals[term] for _, term in sorted(rated)[:FEEDBACK_TERMS]}


def _counted(
    ids: Sequence[str], fields: Sequence[Mapping[str, str]], terms: Terms
) -> dict[str, dict[str, float]]:
    """Per record how often it has each word, a field's count over the relative length of it."""
    counted: dict[str, dict[str, float]] = {tool_id: {} for tool_id in ids}
    for texts in fields:
        counts = {i: Counter(terms(texts[i])) for i in ids if texts.get(i)}
        mean = sum(c.total() for c in counts.values()) / max(len(counts), 1) or 1.0
        for tool_id, count in counts.items():
            norm = 1 - B + B * count.total() / mean
            for term, times in count.items():
                counted[tool_id][term] = counted[tool_id].get(term, 0.0) + times / norm
    return counted


@dataclass(frozen=True)
class KnownWords:
    """How well the words of a text match those of each candidate, in whichever field."""

    table: WordTable
    text: Callable[[State], str]
    name: str = field(default="known words")

    def values(self, state: State) -> Floats:
        """One score per candidate, in their order."""
        return self.table.scores(self._word_weights(state), [c.tool.id for c in state.candidates])

    def trust(self, state: State, values: Floats) -> float:
        """How much of the words, by rarity, the best candidate has."""
        return trust_of(
            float(values.max(initial=0.0)), self.table.needed(self._word_weights(state))
        )

    def _word_weights(self, state: State) -> Mapping[str, float]:
        return dict.fromkeys(self.table.terms(self.text(state)), 1.0)


@dataclass(frozen=True)
class FeedbackTerms:
    """Words of the best candidates without those of the query, as feedback (RM3, TREC 2004)."""

    table: WordTable
    name: str = field(default="words of the best")

    def values(self, state: State) -> Floats:
        """One score per candidate, in their order."""
        best = ranked(state.candidates)[:FEEDBACK_RECORDS]
        query_terms = frozenset(self.table.terms(state.query.english_text))
        terms = self.table.feedback_terms({c.tool.id: c.score for c in best}, query_terms)
        return self.table.scores(terms, [c.tool.id for c in state.candidates])
