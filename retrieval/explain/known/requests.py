"""How near a text is to requests that people judged: served by a record, or by none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.core import Encoder, Vectors

if TYPE_CHECKING:
    import faiss

FEW = 4
"""Nearest requests whose mean counts beside the nearest one. The mean of eight told as much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """Cosines of a text with judged requests: the nearest, and the mean of the FEW nearest.

    ``need`` is the nearest need that no record serves, in short.
    """

    unserved: float
    unserved_few: float
    served: float
    served_few: float
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
        loaded: Iterable[str],
    ) -> None:
        """``unserved`` and ``served`` are indexes of inner products over rows of norm 1."""
        if (unserved.ntotal, served.ntotal) != (len(judged.needs), len(judged.served_by)):
            raise ValueError("the vectors are not those of the judged requests")
        self._encoder, self._judged, self._unserved = encoder, judged, unserved
        here = frozenset(loaded)
        away = [n for n, ids in enumerate(judged.served_by) if here.isdisjoint(ids)]
        self._served = _without(served, away) if away else served

    @cached_property
    def _read(self) -> frozenset[str]:
        return frozenset(i for ids in self._judged.served_by for i in ids)

    def covers(self, ids: Iterable[str]) -> bool:
        """Whether all these records were read when the needs were judged.

        Of another record nobody knows which of the needs it serves.
        """
        return self._read.issuperset(ids)

    def nearness(self, text: str) -> Nearness | None:
        """How near a text is to the requests; None where too few are left.

        Raises StageUnavailable while the encoder loads.
        """
        if min(self._unserved.ntotal, self._served.ntotal) < FEW:
            return None
        vector = self._encoder.encode([text])
        gaps, rows = _nearest(self._unserved, vector)
        served, _ = _nearest(self._served, vector)
        return Nearness(
            unserved=gaps[0],
            unserved_few=_mean(gaps),
            served=served[0],
            served_few=_mean(served),
            need=self._judged.needs[rows[0]],
        )


def _without(index: faiss.Index, rows: Sequence[int]) -> faiss.Index:
    import faiss

    rest = faiss.clone_index(index)
    rest.remove_ids(faiss.IDSelectorBatch(np.array(rows, dtype=np.int64)))
    return rest


def _nearest(index: faiss.Index, vector: Vectors) -> tuple[list[float], list[int]]:
    cosines, rows = index.search(vector, FEW)
    return cosines[0].tolist(), rows[0].tolist()


def _mean(cosines: Sequence[float]) -> float:
    return sum(cosines) / len(cosines)
