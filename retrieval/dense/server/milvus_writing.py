"""Writing a collection to Milvus: aside, counted, then current by one change of its alias.

The alias is named by what the vectors were made of; the rows lie in a collection
``<alias>_<seconds>_<six digits>``. A half-written one has no alias, so it is never read.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from math import isqrt
from time import monotonic, sleep, time

from retrieval.core import StageUnavailable, Vectors
from retrieval.dense.server.milvus_link import Link

BATCH = 2_000
"""Rows of one insert: 8 MB at 1,024 numbers each, well below what one message may hold."""

MOST_OTHERS = 8
"""Collections of other catalogs that stay: those of four, each with its two text templates."""

POLL = 0.2
_COLLECTION = re.compile(r"(scanscout_[0-9a-f]{32})_([0-9a-f]{8,})_[0-9a-f]{6}")


def write_collection(link: Link, alias: str, vectors: Vectors, probes: int) -> None:
    """Store every row, count them, and let the alias name them from now on.

    ``probes`` 0 scans all rows of a search, more reads so many of the cells. Raises
    StageUnavailable where the count is another than was sent.
    """
    client, aside = link.client, f"{alias}_{int(time()):08x}_{secrets.token_hex(3)}"
    create(link, aside, vectors.shape[1])
    for start in range(0, len(vectors), BATCH):
        batch = vectors[start : start + BATCH]
        client.insert(aside, [{"id": start + n, "vector": row} for n, row in enumerate(batch)])
    client.flush(aside)
    index = client.prepare_index_params()
    if probes:
        cells = {"nlist": cells_of(len(vectors))}
        index.add_index("vector", index_type="IVF_FLAT", metric_type="IP", params=cells)
    else:
        index.add_index("vector", index_type="FLAT", metric_type="IP")
    client.create_index(aside, index)
    client.load_collection(aside)
    _await_rows(link, aside, len(vectors))
    point(link, alias, aside)
    remove_old(link, alias)


def cells_of(rows: int) -> int:
    """Cells of an index, as many as InvertedStore makes of so many rows: its probes fit both."""
    return max(1, 2 * isqrt(rows))


def create(link: Link, name: str, dim: int) -> None:
    """A collection of (id, vector); a server of 2.3 answers by the key ``id`` and no other name."""
    client, kinds = link.client, link.pymilvus.DataType
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", kinds.INT64, is_primary=True)
    schema.add_field("vector", kinds.FLOAT_VECTOR, dim=dim)
    client.create_collection(name, schema=schema, consistency_level="Bounded")


def _await_rows(link: Link, name: str, rows: int) -> None:
    """Until readers that do not wait for the newest writes see all rows."""
    end = monotonic() + link.address.seconds
    while link.count(name, "Bounded") != rows:
        if monotonic() > end or link.count(name) != rows:
            raise StageUnavailable(
                f"{link.address.name} holds other vectors than it was sent; run the sync again"
            )
        sleep(POLL)


def point(link: Link, alias: str, collection: str) -> None:
    """Let an alias name a collection, whether or not it named another before."""
    client = link.client
    if not client.has_collection(alias):
        try:
            client.create_alias(collection, alias)
        except link.pymilvus.MilvusException:
            client.alter_alias(collection, alias)  # another process made it meanwhile
    else:
        client.alter_alias(collection, alias)


def remove_old(link: Link, alias: str) -> None:
    """Remove collections that nobody asks: earlier ones of this alias, others beyond MOST_OTHERS.

    One younger than ``fill_seconds`` stays: another process may be writing it.
    """
    client = link.client
    live = client.describe_alias(alias)["collection_name"]
    others: set[str] = set()
    for name, owner in sorted(_old(link), key=lambda one: one[0].rsplit("_", 2)[1], reverse=True):
        if name == live:
            continue
        # Of another catalog the newest stays, for an app that answers from it.
        if owner != alias and owner not in others and len(others) < MOST_OTHERS:
            others.add(owner)
            continue
        for one in client.list_aliases(name).get("aliases", []):
            client.drop_alias(one)
        client.drop_collection(name)


def _old(link: Link) -> Iterator[tuple[str, str]]:
    latest = time() - link.address.fill_seconds
    for name in link.client.list_collections():
        match = _COLLECTION.fullmatch(name)
        if match and int(match[2], 16) < latest:
            yield name, match[1]
