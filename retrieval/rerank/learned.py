"""A ranker learned from judged queries: a weighted sum of signals (listwise, Cao et al. 2007)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from retrieval.core import (
    Candidate,
    LazyTuple,
    StageResult,
    StageUnavailable,
    State,
    Why,
    Whys,
    rounded,
)

Floats = NDArray[np.float64]

EXPLAINED = 50
"""Number of best candidates that carry the share of every signal."""


LITTLE = 0.25
"""Trust below which a signal is named in the note: its best record has half of what was asked."""


class Signal(Protocol):
    """Anything that gives each candidate a number, higher is better.

    One that knows how much it can tell about a request has a method ``trust`` besides: from a
    state and the signal's own ``values`` to 0 (tells nothing here) to 1.
    """

    @property
    def name(self) -> str:
        """What a share is called."""
        ...

    def values(self, state: State) -> Floats:
        """One number per candidate, in their order; raises StageUnavailable without its model."""
        ...


@dataclass(frozen=True)
class StageScore:
    """The latest score that a stage of this name gave."""

    name: str

    def values(self, state: State) -> Floats:
        """The scores, 0 where a candidate has none; raises StageUnavailable where none has."""
        end, paths = f"/{self.name}", set[str]().union(*[c.scores for c in state.candidates])
        own = {path for path in paths if path == self.name or path.endswith(end)}
        if not own:
            raise StageUnavailable(f"{self.name} scored nothing, so the order stays as it is")
        # The scores of a candidate stand in the order of the stages: the latest counts.
        scores = [[v for path, v in c.scores.items() if path in own] for c in state.candidates]
        return np.array([values[-1] if values else 0.0 for values in scores])


@dataclass(frozen=True)
class IncomingScore:
    """The score of the incoming candidates."""

    name: str = field(default="before")

    def values(self, state: State) -> Floats:
        """The incoming scores."""
        return np.array([c.score for c in state.candidates])


@cache
def read_weights(path: Path) -> Mapping[str, float]:
    """Weights by signal, as the training command wrote them; they add up to 1."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors = load_file(path)
    except (OSError, SafetensorError) as exc:
        raise StageUnavailable(f"the weights of the ranker ({path.name}) cannot be read") from exc
    return MappingProxyType({n: float(value[0]) for n, value in sorted(tensors.items())})


@dataclass(frozen=True)
class LearnedRank:
    """Ranks the candidates by the weighted sum of their signals; finds and loses none.

    Every signal is scaled over the candidates to 0 to 1, or to its trust where it has one:
    the best of many records that hold one word of ten is no find. A share is a signal's part of
    the score; the shares of a candidate add up to its score. The signals that come
    ``later`` see as score the weighted mean of the others.
    """

    signals: Sequence[Signal]
    weights: Mapping[str, float]
    absent: str = ""
    name: str = "rank"
    later: Sequence[Signal] = ()

    def run(self, state: State) -> StageResult:
        """The same candidates in learned order."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        if self.absent or not state.candidates:
            raise StageUnavailable(self.absent or "no candidate to rank")
        names, path = [signal.name for signal in self.all_signals], state.path
        units = self.units(state)
        shares = units * np.array([self.weights.get(name, 0.0) for name in names])[:, None]
        order = sorted(
            zip(rounded(shares.sum(axis=0)).tolist(), state.candidates, shares.T, strict=True),
            key=lambda row: (-row[0], row[1].tool.id),
        )
        ranked = [
            Candidate(
                tool=c.tool,
                score=total,
                scores={**c.scores, path: total},
                why=LazyTuple(partial(_with_shares, path, c.why, names, own.tolist()))
                if place < EXPLAINED
                else c.why,
                fit=c.fit,
            )
            for place, (total, c, own) in enumerate(order)
        ]
        return StageResult(
            name=self.name,
            state=replace(state, candidates=tuple(ranked)),
            note=_little_told(names, units),
            metrics={"top_changed": float(order[0][1] is not state.candidates[0])},
        )

    def units(self, state: State) -> Floats:
        """Matrix of shape (signals, candidates), values 0 to 1; rows as ``all_signals``."""
        first = _units(self.signals, state)
        if not self.later:
            return first
        weights = [self.weights.get(signal.name, 0.0) for signal in self.signals]
        means = np.average(first, axis=0, weights=weights if any(weights) else None)
        pairs = zip(state.candidates, rounded(means).tolist(), strict=True)
        scored = tuple([Candidate(tool=c.tool, score=mean) for c, mean in pairs])
        return np.concatenate([first, _units(self.later, replace(state, candidates=scored))])

    @property
    def all_signals(self) -> tuple[Signal, ...]:
        """Every signal, in the order of the rows."""
        return (*self.signals, *self.later)


def _little_told(names: Sequence[str], units: Floats) -> str:
    """The signals that tell less than LITTLE here, each with its trust."""
    most = zip(names, units.max(axis=1).tolist(), strict=True)
    little = [f"{name} {trust:.2f}" for name, trust in most if 0 < trust < LITTLE]
    return f"little told by {', '.join(little)}" if little else ""


def _units(signals: Sequence[Signal], state: State) -> Floats:
    """The signals scaled over the candidates to 0 to their trust; all 0 where they are equal."""
    values = np.stack([signal.values(state) for signal in signals])
    low = values.min(axis=1, keepdims=True)
    span = values.max(axis=1, keepdims=True) - low
    # Not isinstance, which compares the members of a protocol one by one: 20 us for each signal.
    trust_of = [getattr(signal, "trust", None) for signal in signals]
    trusts = [of(state, row) if of else 1.0 for of, row in zip(trust_of, values, strict=True)]
    units: Floats = (values - low) / np.where(span > 1e-9, span, np.inf)
    units *= np.array(trusts)[:, None]
    return units


def _with_shares(
    path: str, before: Whys, names: Sequence[str], shares: Sequence[float]
) -> tuple[Why, ...]:
    share_whys = (
        Why(kind="share", stage=path, text=name, value=round(share, 6))
        for name, share in zip(names, shares, strict=True)
        if share
    )
    return (*before, *share_whys)
