"""How near a text is to requests that people judged: served by a record, or by none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.core import Encoder, Vectors
from retrieval.explain.known.shared_words import SharedWords

if TYPE_CHECKING:
    import faiss

FEW = 4
"""Nearest requests whose mean counts beside the nearest one. The mean of eight told as much."""

LISTED = 100
"""Served requests, the nearest, that speak for their records: from 20 to all 8,658 the order of
lists was as good."""

CACHED = 8
"""Vectors whose nearest served requests are cached: the ranker and the judge of gaps ask for the
same."""

COMPARED = 20
"""Requests of each side, the nearest by their vectors, whose words are compared with a text's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """How near a text is to served requests, or to needs that no record serves.

    Each is a cosine, of vectors or of sets of words: that of the nearest, and the mean of the FEW
    nearest.
    """

    vector: float
    vectors: float
    word: float
    words: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """How near a text is to judged requests; ``need``: the nearest need of no record, in short."""

    unserved: Side
    served: Side
    need: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRequests:
    """Needs that no record serves, in the order of their vectors, and ids that serve each request.

    A need has one row for each of its wordings.
    """

    needs: tuple[str, ...]
    served_by: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, path: Path) -> JudgedRequests:
        """Lines {"need", "text"} and {"text", "served"}; a need without a text is its own."""
        one: dict[str, str] = {}  # of equal texts one is kept: wordings share a need
        needs, served_by = [], []
        with path.open(encoding="utf-8") as lines:  # read one by one: rows take ten times more
            for row in map(json.loads, lines):
                if "need" in row:
                    needs.append(one.setdefault(row["need"], row["need"]))
                else:
                    served_by.append(tuple(one.setdefault(i, i) for i in row["served"]))
        return cls(needs=tuple(needs), served_by=tuple(served_by))


class KnownRequests:
    """Judged requests with their vectors; those whose records are not loaded are left out."""

    def __init__(
        self,
        encoder: Encoder,
        judged: JudgedRequests,
        unserved: faiss.Index,
        served: faiss.Index,
        words: SharedWords,
        loaded: Iterable[str],
    ) -> None:
        """``unserved`` and ``served`` are indexes of inner products over rows of norm 1.

        ``words`` are those of the needs and, behind them, of the served requests.
        """
        needs = len(judged.needs)
        rows = (unserved.ntotal, unserved.ntotal + served.ntotal)
        if rows != (needs, needs + len(judged.served_by)) or rows[1] != len(words.starts) - 1:
            raise ValueError("the vectors are not those of the judged requests")
        self._encoder, self._judged, self._words = encoder, judged, words
        self._unserved = unserved
        here = frozenset(loaded)
        is_away = np.array([here.isdisjoint(ids) for ids in judged.served_by], dtype=np.bool_)
        self._served = _without(served, np.flatnonzero(is_away)) if is_away.any() else served
        self._served_rows = needs + np.flatnonzero(~is_away)
        self._nearest_served = lru_cache(CACHED)(self._search_served)

    @cached_property
    def _judged_ids(self) -> frozenset[str]:
        return frozenset(i for ids in self._judged.served_by for i in ids)

    def covers(self, ids: Iterable[str]) -> bool:
        """Whether all these records were read when the needs were judged.

        Of another record nobody knows which of the needs it serves.
        """
        return self._judged_ids.issuperset(ids)

    def nearness(self, text: str) -> Nearness | None:
        """How near a text is to the requests; None where too few are left.

        Raises StageUnavailable while the encoder loads.
        """
        if min(self._unserved.ntotal, self._served.ntotal) < FEW:
            return None
        vector = self._encoder.encode([text])
        unserved, rows = _nearest(self._unserved, vector, COMPARED)
        served, of_served = self._nearest_served(vector.tobytes())
        return Nearness(
            unserved=side_of(unserved, self._words.likeness(text, rows)),
            served=side_of(served, self._words.likeness(text, of_served[:COMPARED])),
            need=self._judged.needs[rows[0]],
        )

    def served_like(self, text: str) -> tuple[dict[str, float], float]:
        """By record the cosine of the nearest request that it serves, and that of the last.

        The LISTED requests nearest to the text are looked at: a record that is missing serves none
        that is nearer than the last of them. Raises StageUnavailable while the encoder loads.
        """
        cosines, rows = self._nearest_served(self._encoder.encode([text]).tobytes())
        best: dict[str, float] = {}
        for cosine, row in zip(cosines, rows, strict=True):
            for tool_id in self._judged.served_by[row - len(self._judged.needs)]:
                best.setdefault(tool_id, cosine)
        return best, cosines[-1] if cosines else 0.0

    def _search_served(self, vector: bytes) -> tuple[list[float], list[int]]:
        """Cosines of the nearest served requests, falling, and their rows behind the needs."""
        if not self._served.ntotal:
            return [], []
        row = np.frombuffer(vector, dtype=np.float32)[None]
        cosines, places = _nearest(self._served, row, LISTED)
        return cosines, self._served_rows[places].tolist()


def side_of(cosines: Sequence[float], likeness: Sequence[float]) -> Side:
    """The nearness to one side, from the cosines of its nearest requests and of their words."""
    nearest, likest = (sorted(values, reverse=True)[:FEW] for values in (cosines, likeness))
    return Side(vector=nearest[0], vectors=fmean(nearest), word=likest[0], words=fmean(likest))


def _without(index: faiss.Index, rows: NDArray[np.int64]) -> faiss.Index:
    import faiss

    rest = faiss.clone_index(index)
    rest.remove_ids(faiss.IDSelectorBatch(rows))
    return rest


def _nearest(index: faiss.Index, vector: Vectors, count: int) -> tuple[list[float], list[int]]:
    cosines, rows = index.search(vector, min(count, index.ntotal))
    return cosines[0].tolist(), rows[0].tolist()
