"""``VectorDatabaseAgentMilvus``: documents in Milvus where it is, by FAISS where it is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.compat.langchain.document import Document
from retrieval.core import BadInput, Encoder, StageUnavailable, Vectors
from retrieval.dense import PURPOSE, MilvusAddress
from retrieval.documents import (
    EMBEDDINGS,
    METADATA,
    DocumentStore,
    FolderShelf,
    MemoryShelf,
    MilvusShelf,
    Passage,
    PassageHit,
    Shelf,
)
from retrieval.net import OutsideCalls

HOST, PORT = "127.0.0.1", "19530"
LITE = "milvus_lite"
NOT_CONNECTED = "the vector store is not open; call connect() first"


class VectorDatabaseAgentMilvus:
    """Two collections, of passages and of what is known of their documents.

    ``connection_args``: ``host`` and ``port`` of a server, or a ``uri`` (a file that ends in
    ``.db`` is milvus-lite), or a ``folder`` for FAISS. Where Milvus is not there, FAISS answers;
    ``backend`` and ``reason`` say so. A file that another process has open is an error.
    """

    def __init__(
        self,
        embedding_func: Any,  # noqa: ANN401 - LangChain's embeddings or an Encoder
        connection_args: Mapping[str, Any] | None = None,
        embedding_collection_name: str = EMBEDDINGS,
        metadata_collection_name: str = METADATA,
    ) -> None:
        self.connection_args = dict(connection_args or {"host": HOST, "port": PORT})
        self.embedding_collection_name = embedding_collection_name
        self.metadata_collection_name = metadata_collection_name
        self.backend, self.reason = "", ""
        self._encoder = encoder_of(embedding_func)
        self._store: DocumentStore | None = None

    def connect(self) -> None:
        """Open the collections, in Milvus or, with its reason, in FAISS."""
        self._store = DocumentStore(self._shelf(), self._encoder)

    def _shelf(self) -> Shelf:
        folder = self.connection_args.get("folder")
        if folder is not None:
            self.backend = "faiss"
            return FolderShelf(Path(folder))
        names = (self.embedding_collection_name, self.metadata_collection_name)
        address, guard = _address(self.connection_args), OutsideCalls(frozenset({PURPOSE}))
        try:
            shelf = MilvusShelf(address, guard, *names)
        except StageUnavailable as exc:
            if address.is_file and find_spec(LITE) is not None:
                raise
            self.backend, self.reason = "faiss", str(exc)
            return FolderShelf(Path(f"{address.uri}.faiss")) if address.is_file else MemoryShelf()
        self.backend = "milvus"
        return shelf

    def store_embeddings(self, documents: Sequence[Document]) -> str:
        """Embed the pieces of one document and keep them; the document's id."""
        told = documents[0].metadata if documents else {}
        passages = [
            Passage(text=one.page_content, page=int(one.metadata.get("page", 0) or 0))
            for one in documents
        ]
        facts = {name: str(value) for name, value in told.items() if value is not None}
        return self._open().add(passages, facts)

    def similarity_search(
        self, query: str, k: int = 3, doc_ids: Sequence[str] | None = None
    ) -> list[Document]:
        """The k pieces nearest to a text, of all documents or of those named."""
        return [_document(found) for found in self._open().search(query, k, doc_ids)]

    def get_all_documents(self, doc_ids: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """What is known of each document; unknown fields say ``unknown``."""
        held = (asdict(one) for one in self._open().documents(doc_ids))
        return [{k: v for k, v in one.items() if k != "scope"} for one in held]

    def remove_document(self, doc_id: str, doc_ids: Sequence[str] | None = None) -> bool:
        """Forget a document; False for one that is not there or not among those named."""
        return self._open().remove(doc_id, doc_ids)

    def get_description(self) -> str:
        """What is in the store, by the titles of its documents."""
        held = self._open().documents()
        titles = ", ".join(one.title if one.title != "unknown" else one.name for one in held)
        return f"A vector store of documents: {titles or 'none yet'}."

    def _open(self) -> DocumentStore:
        if self._store is None:
            raise BadInput(NOT_CONNECTED)
        return self._store


def _document(found: PassageHit) -> Document:
    told = {"id": found.document.id, "name": found.document.name, "score": found.score}
    page = {"page": found.passage.page} if found.passage.page else {}
    return Document(found.passage.text, {**told, **page, "source": found.document.source})


def _address(told: Mapping[str, Any]) -> MilvusAddress:
    token = str(told.get("token") or "")
    if "uri" in told:
        return MilvusAddress(uri=str(told["uri"]), token=token)
    host = str(told.get("host", HOST))
    base = host if "://" in host else f"http://{host}"
    return MilvusAddress(uri=f"{base}:{told.get('port', PORT)}", token=token)


def encoder_of(embedding_func: Any) -> Encoder:  # noqa: ANN401 - see the class
    """An Encoder as it is, or LangChain's embeddings as one."""
    if hasattr(embedding_func, "encode") and hasattr(embedding_func, "dim"):
        encoder: Encoder = embedding_func
        return encoder
    if not hasattr(embedding_func, "embed_documents"):
        raise BadInput("embedding_func: give an Encoder, or an object with embed_documents")
    return Embeddings(embedding_func)


class Embeddings:
    """LangChain's embeddings behind the Encoder port; rows are normalised here."""

    def __init__(self, embedding_func: Any) -> None:  # noqa: ANN401 - untyped by nature
        self._embed = embedding_func
        self.id = type(embedding_func).__name__

    @property
    def dim(self) -> int:
        """Width of a row."""
        return int(self.encode(["a"]).shape[1])

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """One row of length 1 a text."""
        rows = np.asarray(self._embed.embed_documents(list(texts)), dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        normed: Vectors = rows / np.maximum(lengths, 1e-12)
        return normed

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """These embeddings have no rows of word pieces."""
        raise StageUnavailable("these embeddings give no token vectors; use another encoder")
