"""Exact inner-product search in Milvus: a milvus-lite file, or a cluster by its address."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar
from urllib.parse import urlsplit

from retrieval.catalog import places
from retrieval.core import EVERYTHING, Selection, StageUnavailable, Vectors, bounded
from retrieval.net import OutsideCalls

T = TypeVar("T")
Hits = list[tuple[str, float]]

PURPOSE = "vector store"
WINDOW = 16_384
"""Milvus gives no more hits or rows than this to one call: a longer list is cut, a filter split."""
SPARE = 1_000
"""Up to so many ids that are not admitted are fetched and left out; more become a filter."""
BATCH = 2_000
"""Rows of one insert: 8 MB at 1,024 numbers each, well below what one message may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MilvusAddress:
    """A file that ends in ``.db`` (milvus-lite), or the address of a cluster and its token.

    ``seconds`` bounds a connection or a query, ``fill_seconds`` storing or loading a collection.
    """

    uri: str = field(repr=False)
    token: str = field(default="", repr=False)
    seconds: float = 8.0
    fill_seconds: float = 600.0

    @property
    def is_file(self) -> bool:
        """Whether nothing leaves this machine: Milvus's own rule, the ending alone."""
        return self.uri.endswith(".db")

    @property
    def name(self) -> str:
        """What an error message calls it; no folder, user or password."""
        if self.is_file:
            return f"the Milvus file {Path(self.uri).name}"
        return f"Milvus at {urlsplit(self.uri).hostname or 'an address without a host'}"

    @property
    def remedy(self) -> str:
        """What to look at when it does not answer."""
        if self.is_file:
            return "check that its folder can be written and that no other process has it open"
        return "check that it runs at this address and that the token is right"


def collection_name(catalog_sha256: str, model: str, template: str) -> str:
    """The collection of one catalog under one encoder and text template.

    ``scanscout_`` and the first 32 hexadecimal digits of a SHA-256 over the three.
    """
    key = "\n".join((catalog_sha256, model, template))
    return f"scanscout_{hashlib.sha256(key.encode()).hexdigest()[:32]}"


class Link:
    """One client: every call is bounded, and whatever goes wrong is said with its remedy."""

    def __init__(self, address: MilvusAddress, guard: OutsideCalls) -> None:
        if not address.is_file:
            guard.permit(PURPOSE, address.uri)
        self.address = address
        self.pymilvus = _imported(address)
        # gRPC would send even a loopback connection through the proxy of the environment.
        options = {"grpc_options": {"grpc.enable_http_proxy": 0}} if address.is_file else {}
        seconds = address.fill_seconds if address.is_file else address.seconds
        self.client = self.call(
            lambda: self.pymilvus.MilvusClient(
                uri=address.uri, token=address.token, timeout=address.seconds, **options
            ),
            seconds,
        )

    def call(self, work: Callable[[], T], seconds: float | None = None) -> T:
        """The value of some calls to Milvus, within so many seconds all together.

        The address's ``seconds`` apply where none are given. Raises StageUnavailable with the
        remedy where Milvus or gRPC reports an error.
        """
        where = self.address
        errors: tuple[type[Exception], ...] = (
            self.pymilvus.MilvusException,
            import_module("grpc").RpcError,
        )
        try:
            return bounded(work, seconds or where.seconds, f"{where.name} ({where.remedy})")
        except errors as exc:
            raise StageUnavailable(
                f"{where.name} refused or did not answer ({type(exc).__name__}); {where.remedy}"
            ) from exc

    def count(self, collection: str) -> int:
        """How many rows a collection has."""
        return int(self.client.query(collection, output_fields=["count(*)"])[0]["count(*)"])


def _imported(address: MilvusAddress) -> ModuleType:
    extra = "milvus-lite" if address.is_file else "milvus"
    environment = os.environ.copy()
    try:
        pymilvus = import_module("pymilvus")
        if address.is_file:
            import_module("milvus_lite")
    except ImportError as exc:
        raise StageUnavailable(
            f"the package {(exc.name or 'pymilvus').partition('.')[0]} is missing; "
            f"pip install 'scanscout[{extra}]'"
        ) from exc
    # pymilvus copies every line of a .env file into the environment; settings.py alone reads it.
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]
    return pymilvus


class MilvusStore:
    """A collection of (row, id, vector) under an exact index; ids are held here, vectors there."""

    def __init__(self, link: Link, collection: str) -> None:
        self._link, self._collection = link, collection
        self.ids: tuple[str, ...] = link.call(self._read_ids, link.address.fill_seconds)
        self._row = places(self.ids)

    @classmethod
    def open(cls, address: MilvusAddress, collection: str, guard: OutsideCalls) -> MilvusStore:
        """The store of a collection that ``fill`` made; StageUnavailable where there is none."""
        link = Link(address, guard)
        if not link.call(lambda: link.client.has_collection(collection)):
            raise StageUnavailable(f"{address.name} has no vectors of this catalog; run a sync")
        return cls(link, collection)

    @classmethod
    def fill(
        cls,
        address: MilvusAddress,
        collection: str,
        ids: Sequence[str],
        vectors: Vectors,
        guard: OutsideCalls,
    ) -> MilvusStore:
        """The store of a collection, made first unless it is there with these ids.

        Rows are written under another name that is changed last: a half-written one is never read.
        """
        if address.is_file:
            Path(address.uri).parent.mkdir(parents=True, exist_ok=True)
        link = Link(address, guard)
        if link.call(lambda: link.client.has_collection(collection)):
            store = cls(link, collection)
            if store.ids == tuple(ids):
                return store
        link.call(lambda: _write(link, collection, ids, vectors), address.fill_seconds)
        return cls(link, collection)

    def search(self, vector: Vectors, k: int, selection: Selection = EVERYTHING) -> Hits:
        """The k admitted ids of highest inner product, best first, ties by id.

        ``vector`` is (dim,). Empty for a k below 1 or an empty store; raises StageUnavailable where
        Milvus refuses or does not answer.
        """
        if k < 1 or not self.ids:
            return []
        return self._link.call(lambda: self._hits(vector, k, selection))

    def scores(self, vector: Vectors, ids: Sequence[str]) -> list[float]:
        """Inner products with the vector (dim,) of these ids, in their order; 0 for unknown ids.

        Raises StageUnavailable where Milvus refuses or does not answer.
        """
        rows = sorted({self._row[i] for i in ids if i in self._row})
        products = self._link.call(
            lambda: {
                tool_id: score
                for part in _chunks(rows)
                for tool_id, score in self._ask(vector, len(part), _among(part))
            }
        )
        return [products.get(tool_id, 0.0) for tool_id in ids]

    def _hits(self, vector: Vectors, k: int, selection: Selection) -> Hits:
        ids = self._row.keys()
        admitted = ids if selection.keep is None else ids & selection.keep
        barred = len(ids) - len(admitted) + len(admitted & selection.drop)
        if barred <= SPARE:
            return self._best(vector, k, len(ids), "", barred, selection)
        rows = sorted(self._row[tool_id] for tool_id in admitted - selection.drop)
        parts = (self._best(vector, k, len(p), _among(p)) for p in _chunks(rows))
        return _in_order(hit for part in parts for hit in part)[:k]

    def _best(
        self,
        vector: Vectors,
        k: int,
        total: int,
        among: str,
        barred: int = 0,
        selection: Selection = EVERYTHING,
    ) -> Hits:
        """The k best of so many rows; asks again for more while a tie may run past the last."""
        most = min(total, WINDOW)
        want = min(most, k + barred + 1)
        while True:
            hits = _in_order((i, round(s, 6)) for i, s in self._ask(vector, want, among))
            admitted = [hit for hit in hits if selection.admits(hit[0])][:k]
            if want == most or (len(admitted) == k and hits[-1][1] < admitted[-1][1]):
                return admitted
            want = min(most, 4 * want)

    def _ask(self, vector: Vectors, limit: int, among: str) -> Hits:
        answer = self._link.client.search(
            self._collection,
            [vector],
            anns_field="vector",
            filter=among,
            limit=limit,
            search_params={"metric_type": "IP"},
            timeout=self._link.address.seconds,
        )
        return [(self.ids[hit["row"]], float(hit["distance"])) for hit in answer[0]]

    def _read_ids(self) -> tuple[str, ...]:
        client, name = self._link.client, self._collection
        client.load_collection(name)
        ids: list[str] = []
        for start in range(0, self._link.count(name), WINDOW):
            among = f"row >= {start} and row < {start + WINDOW}"
            rows = client.query(name, filter=among, output_fields=["row", "id"], limit=WINDOW)
            ids += [row["id"] for row in sorted(rows, key=lambda row: row["row"])]
        return tuple(ids)


def _in_order(hits: Iterable[tuple[str, float]]) -> Hits:
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))


def _chunks(rows: Sequence[int]) -> Iterator[list[int]]:
    yield from (list(rows[start : start + WINDOW]) for start in range(0, len(rows), WINDOW))


def _among(rows: list[int]) -> str:
    return f"row in {rows}"


def _write(link: Link, collection: str, ids: Sequence[str], vectors: Vectors) -> None:
    """Store every row under a working name, count them, then take the place of the old."""
    client, aside = link.client, f"{collection}_filling"
    client.drop_collection(aside)
    _create(link, aside, max((len(i.encode()) for i in ids), default=1), vectors.shape[1])
    rows = [
        {"row": n, "id": i, "vector": v} for n, (i, v) in enumerate(zip(ids, vectors, strict=True))
    ]
    for start in range(0, len(rows), BATCH):
        client.insert(aside, rows[start : start + BATCH])
    client.flush(aside)
    if link.count(aside) != len(ids):
        raise StageUnavailable(
            f"{link.address.name} holds other vectors than it was sent: another process may be "
            "writing the same catalog; run the sync again"
        )
    client.drop_collection(collection)
    client.rename_collection(aside, collection)


def _create(link: Link, name: str, id_bytes: int, dim: int) -> None:
    client, kinds = link.client, link.pymilvus.DataType
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("row", kinds.INT64, is_primary=True)
    schema.add_field("id", kinds.VARCHAR, max_length=id_bytes)
    schema.add_field("vector", kinds.FLOAT_VECTOR, dim=dim)
    index = client.prepare_index_params()
    index.add_index("vector", index_type="FLAT", metric_type="IP")
    client.create_collection(name, schema=schema, index_params=index, consistency_level="Strong")
