"""Inner-product search in Milvus: a milvus-lite file, or a server by its address.

Every row is scanned up to LARGE rows; above, the nearest cells are (inverted files, as in
``inverted.py``). What a filter keeps is found exactly at any size.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from retrieval.catalog import places
from retrieval.core import EVERYTHING, Selection, StageUnavailable, Vectors
from retrieval.dense.server.milvus_link import Link, MilvusAddress
from retrieval.dense.server.milvus_writing import cells_of, write_collection
from retrieval.net import OutsideCalls

Hits = list[tuple[str, float]]

WINDOW = 16_384
"""Milvus gives no more hits or rows than this to one call: a longer list is cut, a filter split."""
SPARE = 1_000
"""Up to so many ids that are not admitted are fetched and left out; more become a filter."""
PAST = 4
"""So many times the hits that a filter should need are fetched before it is sent as a filter."""
MOST_PAST = 8_192
"""The longest list that is fetched so. Of 1,000,000 rows a tenth took 164 ms by 2,040 hits; sent as
30,000 ids to 300,000 rows it had taken 3.5 s."""


def collection_name(catalog_sha256: str, model: str, template: str, ids: Sequence[str] = ()) -> str:
    """The alias of one catalog under one encoder and text template.

    ``scanscout_`` and the first 32 hexadecimal digits of a SHA-256 over the three and the ids in
    their order: rows are stored by their place in it.
    """
    key = "\n".join((catalog_sha256, model, template, *ids))
    return f"scanscout_{hashlib.sha256(key.encode()).hexdigest()[:32]}"


class MilvusStore:
    """A collection of (place, vector): the vectors are there, the ids are the caller's."""

    def __init__(self, link: Link, collection: str, ids: Sequence[str], probes: int = 0) -> None:
        self.ids = tuple(ids)
        self._link, self._collection = link, collection
        self._probes, self._cells = probes, cells_of(len(self.ids))
        self._row = places(self.ids)

    @classmethod
    def open(
        cls,
        address: MilvusAddress,
        collection: str,
        ids: Sequence[str],
        guard: OutsideCalls,
        probes: int = 0,
    ) -> MilvusStore:
        """The store of a collection that ``fill`` made; StageUnavailable where there is none."""
        link = Link(address, guard)
        if not link.call(lambda: _holds(link, collection, len(ids)), address.fill_seconds):
            raise StageUnavailable(f"{address.name} has no vectors of this catalog; run a sync")
        return cls(link, collection, ids, 0 if address.is_file else probes)

    @classmethod
    def fill(
        cls,
        address: MilvusAddress,
        collection: str,
        ids: Sequence[str],
        vectors: Vectors,
        guard: OutsideCalls,
        probes: int = 0,
    ) -> MilvusStore:
        """The store of a collection, made first unless it is there with as many rows.

        ``probes``: how many cells a search without a filter reads; 0 for an exact scan, which a
        file makes in any case. Rows are written under another name, and the alias that readers ask
        is changed last: a half-written collection is never read.
        """
        probes = 0 if address.is_file else probes
        if address.is_file:
            Path(address.uri).parent.mkdir(parents=True, exist_ok=True)
        link = Link(address, guard)

        def bring() -> None:
            if not _holds(link, collection, len(ids)):
                write_collection(link, collection, vectors, probes)

        link.call(bring, address.fill_seconds)
        return cls(link, collection, ids, probes)

    def search(self, vector: Vectors, k: int, selection: Selection = EVERYTHING) -> Hits:
        """The k admitted ids of highest inner product, best first, ties by id.

        ``vector`` is (dim,). Empty for a k below 1 or an empty store; raises StageUnavailable where
        Milvus refuses or does not answer.
        """
        if k < 1 or not self.ids:
            return []
        seconds = self._link.address.search_seconds
        return self._link.call(lambda: self._hits(vector, k, selection), seconds)

    def scores(self, vector: Vectors, ids: Sequence[str]) -> list[float]:
        """Inner products with the vector (dim,) of these ids, in their order; 0 for unknown ids.

        Raises StageUnavailable where Milvus refuses or does not answer.
        """
        rows = sorted({self._row[i] for i in ids if i in self._row})
        products = self._link.call(
            lambda: {
                tool_id: score
                for part in _chunks(rows)
                for tool_id, score in self._ask(vector, len(part), self._cells, _among(part))
            },
            self._link.address.search_seconds,
        )
        return [products.get(tool_id, 0.0) for tool_id in ids]

    def _hits(self, vector: Vectors, k: int, selection: Selection) -> Hits:
        total = len(self.ids)
        most = min(total, WINDOW)
        if selection == EVERYTHING:
            return self._best(vector, k, k + 1, most, self._probes)[0]
        ids = self._row.keys()
        admitted = ids if selection.keep is None else ids & selection.keep
        left = len(admitted) - len(admitted & selection.drop)
        if not left:
            return []
        barred = total - left
        few = barred <= SPARE
        want = k + barred + 1 if few else PAST * (k + 1) * total // left
        if few or want <= MOST_PAST:
            among = selection.admits
            hits, sure = self._best(
                vector, k, want, most if few else want, self._cells, admits=among
            )
            if few or sure:
                return hits
        rows = sorted(self._row[tool_id] for tool_id in admitted - selection.drop)
        parts = (
            self._best(vector, k, k + 1, len(p), self._cells, _among(p))[0] for p in _chunks(rows)
        )
        return _in_order(hit for part in parts for hit in part)[:k]

    def _best(
        self,
        vector: Vectors,
        k: int,
        want: int,
        most: int,
        cells: int,
        among: str = "",
        admits: Callable[[str], bool] = lambda tool_id: True,
    ) -> tuple[Hits, bool]:
        """The k best that are admitted, and whether no better or equal one can be missing.

        Asks for ``want`` hits, and for more up to ``most`` while a tie may run past the last.
        """
        while True:
            want = min(want, most)
            every = self._ask(vector, want, cells, among)
            hits = _in_order((i, round(s, 6)) for i, s in every)
            admitted = [hit for hit in hits if admits(hit[0])][:k]
            sure = len(admitted) == k and hits[-1][1] < admitted[-1][1]
            if sure or want == most or len(hits) < want:
                return admitted, sure
            want *= 4

    def _ask(self, vector: Vectors, limit: int, cells: int, among: str) -> Hits:
        how = {"metric_type": "IP", "params": {"nprobe": cells} if self._probes else {}}
        answer = self._link.client.search(
            self._collection,
            [vector],
            anns_field="vector",
            filter=among,
            limit=limit,
            search_params=how,
            # A collection is complete before its alias names it: nothing newer is waited for.
            consistency_level="Bounded",
            timeout=self._link.address.search_seconds,
        )
        return [(self.ids[hit["id"]], float(hit["distance"])) for hit in answer[0]]


def _holds(link: Link, collection: str, rows: int) -> bool:
    """Whether a collection is there, loaded, with so many rows."""
    if not link.client.has_collection(collection):
        return False
    link.client.load_collection(collection)
    return link.count(collection) == rows


def _in_order(hits: Iterable[tuple[str, float]]) -> Hits:
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))


def _chunks(rows: Sequence[int]) -> Iterator[list[int]]:
    yield from (list(rows[start : start + WINDOW]) for start in range(0, len(rows), WINDOW))


def _among(rows: list[int]) -> str:
    return f"id in {rows}"
