"""Documents in Milvus: one collection of passages with their vectors, one of what is known of them.

A milvus-lite file or a cluster by its address; ``docker compose up -d standalone`` starts one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from retrieval.core import StageUnavailable, Vectors
from retrieval.dense import BATCH, WINDOW, Link, MilvusAddress
from retrieval.documents.passages import TEXT_FIELDS, DocumentFacts, Passage
from retrieval.documents.shelf import Hit, passage_id
from retrieval.net import OutsideCalls

EMBEDDINGS, METADATA = "DocumentEmbeddings1", "DocumentMetadata1"
MOST_TEXT = 65_535
"""Bytes of one text field in Milvus."""
MOST_FACT = 2_000
DIGITS = 6


class MilvusShelf:
    """A Shelf over two collections; the passages are there before the document counts."""

    def __init__(
        self,
        address: MilvusAddress,
        guard: OutsideCalls,
        embeddings: str = EMBEDDINGS,
        metadata: str = METADATA,
    ) -> None:
        if address.is_file:
            Path(address.uri).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._link = Link(address, guard)
        self._embeddings, self._metadata = embeddings, metadata
        self._ready: set[str] = set()

    def close(self) -> None:
        """Let the connection go."""
        self._link.client.close()

    @property
    def documents(self) -> tuple[DocumentFacts, ...]:
        """Every document, by id."""
        if not self._open(self._metadata):
            return ()
        fields = ["id", "isDeleted", "scope", *TEXT_FIELDS]
        rows = self._link.call(
            lambda: self._link.client.query(
                self._metadata,
                # Milvus wants a filter; this one holds for every id.
                filter='id >= ""',
                output_fields=fields,
                limit=WINDOW,
            )
        )
        documents = (DocumentFacts(**{name: row[name] for name in fields}) for row in rows)
        return tuple(
            sorted((one for one in documents if not one.isDeleted), key=lambda one: one.id)
        )

    def add(self, facts: DocumentFacts, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Store passages, then the document."""
        self._make(self._embeddings, vectors.shape[1])
        self._make(self._metadata, None)
        rows = [
            {
                "id": passage_id(facts.id, n),
                "document": facts.id,
                "page": passage.page,
                "text": _bounded(passage.text, MOST_TEXT),
                "vector": vector,
            }
            for n, (passage, vector) in enumerate(zip(passages, vectors, strict=True))
        ]
        fields = {
            name: _bounded(value, MOST_FACT) if isinstance(value, str) else value
            for name, value in asdict(facts).items()
        }
        # Milvus takes no row without a vector; nothing searches this one.
        fields["vector"] = [0.0, 0.0]
        client = self._link.client

        def write() -> None:
            for start in range(0, len(rows), BATCH):
                client.insert(self._embeddings, rows[start : start + BATCH])
            client.flush(self._embeddings)
            client.insert(self._metadata, [fields])
            client.flush(self._metadata)

        self._link.call(write, self._link.address.fill_seconds)

    def remove(self, document: str) -> None:
        """Forget the document, then its passages."""
        if not self._open(self._metadata):
            return
        name = json.dumps(document)
        self._delete(self._metadata, f"id == {name}")
        if self._open(self._embeddings):
            self._delete(self._embeddings, f"document == {name}")

    def tidy(self) -> None:
        """Remove passages whose document is not there."""
        if not self._open(self._embeddings):
            return
        ids = [one.id for one in self.documents]
        among = f"document not in {json.dumps(ids)}" if ids else 'id >= ""'
        self._delete(self._embeddings, among)

    def _delete(self, collection: str, filter: str) -> None:
        client = self._link.client
        self._link.call(lambda: client.delete(collection, filter=filter))
        self._link.call(lambda: client.flush(collection))

    def search(self, vector: Vectors, k: int, documents: frozenset[str]) -> list[Hit]:
        """The k nearest passages of these documents."""
        if k < 1 or not documents or not self._open(self._embeddings):
            return []
        answer = self._link.call(
            lambda: self._link.client.search(
                self._embeddings,
                [vector],
                anns_field="vector",
                filter=f"document in {json.dumps(sorted(documents))}",
                limit=min(k, WINDOW),
                output_fields=["page", "text"],
                # Vectors are of length 1: the inner product is the cosine.
                search_params={"metric_type": "IP"},
            )
        )
        hits = [
            (
                row["id"],
                round(float(row["distance"]), DIGITS),
                Passage(text=row["entity"]["text"], page=row["entity"]["page"]),
            )
            for row in answer[0]
        ]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]

    def _open(self, name: str) -> bool:
        """Whether a collection is there, ready to be asked."""
        if name in self._ready:
            return True
        client = self._link.client
        if not self._link.call(lambda: client.has_collection(name)):
            return False
        self._link.call(lambda: client.load_collection(name), self._link.address.fill_seconds)
        self._ready.add(name)
        return True

    def _make(self, name: str, width: int | None) -> None:
        """The collection, made where it is missing; its vectors must have this width."""
        if self._open(name):
            collection = self._link.call(lambda: self._link.client.describe_collection(name))
            field = next(one for one in collection["fields"] if one["name"] == "vector")
            if width not in (None, int(field["params"]["dim"])):
                raise StageUnavailable(
                    f"the collection {name} holds vectors of another encoder; use another name"
                )
            return
        self._link.call(lambda: self._create(name, width))
        self._open(name)

    def _create(self, name: str, width: int | None) -> None:
        client, kinds = self._link.client, self._link.pymilvus.DataType
        schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("id", kinds.VARCHAR, max_length=128, is_primary=True)
        if width is None:
            for field in ("scope", *TEXT_FIELDS):
                schema.add_field(field, kinds.VARCHAR, max_length=MOST_FACT)
            schema.add_field("isDeleted", kinds.BOOL)
        else:
            schema.add_field("document", kinds.VARCHAR, max_length=128)
            schema.add_field("page", kinds.INT64)
            schema.add_field("text", kinds.VARCHAR, max_length=MOST_TEXT)
        # Milvus takes no collection without a vector.
        schema.add_field("vector", kinds.FLOAT_VECTOR, dim=width or 2)
        index = client.prepare_index_params()
        index.add_index("vector", index_type="FLAT", metric_type="IP")
        client.create_collection(
            name, schema=schema, index_params=index, consistency_level="Strong"
        )


def _bounded(text: str, most: int) -> str:
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
