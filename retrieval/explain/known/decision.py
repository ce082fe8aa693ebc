"""Whether a request is a gap, by what records state of it and by requests that people judged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from retrieval.explain.known.requests import Nearness

SIDES = ("unserved", "served")
COSINES = ("vector", "vectors", "word", "words")
GAP_SIGNALS = (
    "cost",
    "over",
    "read",
    "relevance",
    *(f"{side}_{cosine}" for side in SIDES for cosine in COSINES),
)
"""Inputs of the logistic model: what the nearest record lacks (1 at most), whether that is a gap by
itself, whether its words are all read and some record states them, the estimate that the best
listed tool is right, and the cosines of each Side."""

WORDS_TO_READ = 2
"""Words that no concept covers, from which a request says more than its concepts. Of the 1,781
served tuning requests that lack nothing, 26 of 587 with none and 5 of 826 with two or more were
told a gap for a narrower need that is like them ("cell counting": goblet cells). Counted with a
longer list of words of grammar than is used here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for and against a gap beside the parts that records state.

    ``relevance``: the best estimate, 0 to 1, that a listed tool is right; ``first``: the id of the
    record that leads the list; ``english``: a text of another language as it was read.
    """

    near: Nearness
    relevance: float
    first: str = ""
    english: str = ""

    def signals(self, cost: float, threshold: float, unread: int) -> dict[str, float]:
        """The GAP_SIGNALS of a request whose nearest record lacks so much.

        ``unread``: how many of its words no concept covers.
        """
        near = {
            f"{side}_{cosine}": getattr(getattr(self.near, side), cosine)
            for side in SIDES
            for cosine in COSINES
        }
        over = float(cost >= threshold)
        read = 0.0 if cost else max(0.0, 1 - unread / WORDS_TO_READ)
        costs = {"cost": min(cost, 1.0), "over": over, "read": read}
        return {**costs, "relevance": self.relevance, **near}


@dataclass(frozen=True, slots=True, kw_only=True)
class GapModel:
    """A logistic model over GAP_SIGNALS for one encoder; above 0 a request is a gap."""

    encoder: str
    weights: Mapping[str, float]
    bias: float

    @classmethod
    def read(cls, path: Path) -> GapModel:
        """The weights that ``python -m benchmarks.known_requests`` wrote."""
        data = json.loads(path.read_text("utf-8"))
        return cls(encoder=data["encoder"], weights=data["weights"], bias=data["bias"])

    def score(self, signals: Mapping[str, float]) -> float:
        """Distance of the signals above the threshold, in log-odds."""
        return self.bias + sum(self.weights[name] * signals[name] for name in GAP_SIGNALS)
