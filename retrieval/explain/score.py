"""One score for the tools of a list: 0 to 1 in every mode, never rising down the list."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path

from retrieval.core import Candidate, Query, StageUnavailable

EVIDENCE_OF_SCORE = ("cosine", "concepts", "words")
"""Inputs of the logistic models, each 0 to 1 (a cosine may be below 0)."""

FAILED = 0.5
"""Factor for each fact or wish that a record fails: chosen, not measured; a failing tool stays
below its like that passes, and two failures below one."""

HALF_KNOWN = 0.5
"""Worth of a fact that a record does not state, where facts of a scan are all that was asked."""

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWeights:
    """Logistic models over EVIDENCE_OF_SCORE and ``bias``: with vectors, and by words alone."""

    encoder: str
    with_vectors: Weights
    words_only: Weights


def read_score_weights(path: Path) -> ScoreWeights:
    """The weights that ``python -m benchmarks.score`` wrote."""
    data = json.loads(path.read_text("utf-8"))
    return ScoreWeights(**{k: data[k] for k in ("encoder", "with_vectors", "words_only")})


@dataclass(frozen=True, kw_only=True)
class ScoreScale:
    """Puts every mode's list on one scale.

    The estimate of one tool is the share of judged places with such evidence at which the tool
    was right (Platt, 1999), times FAILED for each fact that it fails. Lists are ordered by more
    than this, so estimates that rise down a list are averaged with those before them: isotonic
    regression over the order shown (Ayer et al., 1955).

    ``cosines`` gives those of a text with records by id, None without vectors; ``shares`` the
    share of a text's words, weighed by rarity, that each record holds.
    """

    weights: ScoreWeights
    cosines: Callable[[str, Sequence[str]], Sequence[float] | None]
    shares: Callable[[str, Sequence[str]], Sequence[float]]

    def scores(
        self, query: Query, candidates: Sequence[Candidate], concepts: Mapping[str, frozenset[str]]
    ) -> tuple[float, ...]:
        """One score per candidate in their order, 0 to 1, to 6 decimals, never rising.

        ``concepts``: those that the text names, each with the candidates that have it.
        """
        if not query.text:
            return never_rising([_agreement(c) for c in candidates])
        evidence = self.evidence(query, [c.tool.id for c in candidates], concepts)
        return never_rising(
            [self._relevance(e) * _worth(c) for e, c in zip(evidence, candidates, strict=True)]
        )

    def relevance(
        self, query: Query, ids: Sequence[str], concepts: Mapping[str, frozenset[str]]
    ) -> float:
        """The best estimate among these records, 0 to 1, whatever facts and wishes they fail."""
        return max(map(self._relevance, self.evidence(query, ids, concepts)), default=0.0)

    def evidence(
        self, query: Query, ids: Sequence[str], concepts: Mapping[str, frozenset[str]]
    ) -> list[dict[str, float]]:
        """EVIDENCE_OF_SCORE of each record; without ``cosine`` where there are no vectors."""
        reading_text = " ".join(query.reading)
        texts = [text for text in (query.text, reading_text) if text]
        try:
            by_text = [self.cosines(text, ids) for text in texts]
        except StageUnavailable:
            by_text = [None]
        cosines = [max(of_texts) for of_texts in zip(*filter(None, by_text), strict=True)]
        words = [
            max(of_texts) for of_texts in zip(*(self.shares(t, ids) for t in texts), strict=True)
        ]
        rows = []
        for place, tool in enumerate(ids):
            shared = sum(tool in having for having in concepts.values())
            row = {"concepts": shared / len(concepts) if concepts else 0.0, "words": words[place]}
            rows.append(row | ({"cosine": cosines[place]} if cosines else {}))
        return rows

    def _relevance(self, evidence: Mapping[str, float]) -> float:
        model = self.weights.with_vectors if "cosine" in evidence else self.weights.words_only
        return 1 / (1 + exp(-model["bias"] - sum(model[k] * v for k, v in evidence.items())))


def never_rising(estimates: Sequence[float]) -> tuple[float, ...]:
    """The nearest values (least squares) that never rise, to 6 decimals: pooled violators."""
    pools: list[tuple[float, int]] = []
    for estimate in estimates:
        pools.append((estimate, 1))
        while len(pools) > 1 and pools[-2][0] < pools[-1][0]:
            (first, few), (second, more) = pools[-2:]
            pools[-2:] = [((first * few + second * more) / (few + more), few + more)]
    return tuple(round(value, 6) for value, size in pools for _ in range(size))


def _worth(candidate: Candidate) -> float:
    """FAILED for each fact of the scan and each wish that the record fails."""
    return FAILED ** sum(fact.verdict == "fail" for fact in candidate.fit or ())


def _agreement(candidate: Candidate) -> float:
    """Mean worth of the facts of the scan: 1 where stated and met, 0 where failed."""
    facts = candidate.fit or ()
    worth = {"fail": 0.0, "unknown": HALF_KNOWN}
    return sum(worth.get(f.verdict, 1.0) for f in facts) / len(facts) if facts else HALF_KNOWN
