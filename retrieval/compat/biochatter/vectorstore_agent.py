"""``VectorDatabaseAgentMilvus``: documents in Milvus, or in FAISS where Milvus is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.compat.biochatter.llm_connect import Factory, model_of
from retrieval.compat.langchain.document import Document
from retrieval.core import BadInput, Encoder, StageUnavailable, Vectors
from retrieval.databases import interpreted
from retrieval.dense import PURPOSE, MilvusAddress
from retrieval.documents import (
    EMBEDDINGS,
    METADATA,
    DocumentStore,
    FolderShelf,
    MemoryShelf,
    MilvusShelf,
    Passage,
    Shelf,
    artificial_answer,
)
from retrieval.net import OutsideCalls

HOST, PORT = "127.0.0.1", "19530"
LITE = "milvus_lite"
START = "start one with: docker compose up -d standalone"
NOT_CONNECTED = "the vector store is not open; call connect() first"


class VectorDatabaseAgentMilvus:
    """Two collections: passages, and the metadata of their documents.

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
        conversation_factory: Factory | None = None,
    ) -> None:
        self.connection_args = dict(connection_args or {"host": HOST, "port": PORT})
        self.embedding_collection_name = embedding_collection_name
        self.metadata_collection_name = metadata_collection_name
        self.backend, self.reason = "", ""
        self._encoder = encoder_of(embedding_func)
        self._conversation_factory = conversation_factory
        self._store: DocumentStore | None = None

    def connect(self) -> None:
        """Open the collections, in Milvus or, with its reason, in FAISS.

        Raises StageUnavailable for a milvus-lite file that another process has open.
        """
        self._store = DocumentStore(self._shelf(), self._encoder)

    def _shelf(self) -> Shelf:
        arguments = self.connection_args
        if arguments.get("folder") is not None:
            self.backend = "faiss"
            return FolderShelf(Path(arguments["folder"]))
        host = str(arguments.get("host", HOST))
        base = host if "://" in host else f"http://{host}"
        uri = (
            str(arguments["uri"]) if "uri" in arguments else f"{base}:{arguments.get('port', PORT)}"
        )
        address = MilvusAddress(uri=uri, token=str(arguments.get("token") or ""))
        names = (self.embedding_collection_name, self.metadata_collection_name)
        try:
            shelf = MilvusShelf(address, OutsideCalls(frozenset({PURPOSE})), *names)
        except StageUnavailable as exc:
            # With milvus-lite installed a file that cannot be opened is one in use.
            if address.is_file and find_spec(LITE) is not None:
                raise
            start = "" if address.is_file else f"; {START}"
            self.backend, self.reason = "faiss", f"{exc}{start}"
            return FolderShelf(Path(f"{uri}.faiss")) if address.is_file else MemoryShelf()
        self.backend = "milvus"
        return shelf

    def store_embeddings(self, documents: Sequence[Document]) -> str:
        """Embed the pieces of one document and store them; returns the document's id.

        The metadata of the first piece describe the document. Raises BadInput before connect().
        """
        metadata = documents[0].metadata if documents else {}
        passages = [
            Passage(text=one.page_content, page=int(one.metadata.get("page", 0) or 0))
            for one in documents
        ]
        facts = {name: str(value) for name, value in metadata.items() if value is not None}
        return self._open().add(passages, facts)

    def similarity_search(
        self, query: str, k: int = 3, doc_ids: Sequence[str] | None = None
    ) -> list[Document]:
        """The k pieces nearest to a text, best first, of all documents or of those named.

        Metadata: ``id`` and ``name`` of the document, ``score`` (cosine), ``page``, ``source``.
        """
        documents = []
        for hit in self._open().search(query, k, doc_ids):
            metadata = {"id": hit.document.id, "name": hit.document.name, "score": hit.score}
            # Page 0 stands for a text without pages.
            page = {"page": hit.passage.page} if hit.passage.page else {}
            metadata = {**metadata, **page, "source": hit.document.source}
            documents.append(Document(hit.passage.text, metadata))
        return documents

    def artificial_answer(self, question: str) -> str:
        """An answer that a model makes up, to search with; the question where it makes up none."""
        return artificial_answer(model_of(self._conversation_factory), question)[0]

    def summarise(self, question: str, documents: Sequence[Document]) -> str:
        """The pieces in a few sentences (optional). Raises StageUnavailable without an answer."""
        context = "\n".join(one.page_content for one in documents)
        model = model_of(self._conversation_factory)
        return interpreted(model, question, context, title="the documents")

    def get_all_documents(self, doc_ids: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """The metadata of each document; a missing field has the value ``unknown``."""
        rows = (asdict(one) for one in self._open().documents(doc_ids))
        return [{k: v for k, v in one.items() if k != "scope"} for one in rows]

    def remove_document(self, doc_id: str, doc_ids: Sequence[str] | None = None) -> bool:
        """Delete a document; False when it is not there or not among ``doc_ids``."""
        return self._open().remove(doc_id, doc_ids)

    def get_description(self) -> str:
        """The titles of the documents as one sentence."""
        documents = self._open().documents()
        titles = ", ".join(one.title if one.title != "unknown" else one.name for one in documents)
        return f"A vector store of documents: {titles or 'none yet'}."

    def _open(self) -> DocumentStore:
        if self._store is None:
            raise BadInput(NOT_CONNECTED)
        return self._store


def encoder_of(embedding_func: Any) -> Encoder:  # noqa: ANN401 - see the class
    """An Encoder as it is, or LangChain's embeddings as one."""
    if hasattr(embedding_func, "encode") and hasattr(embedding_func, "dim"):
        encoder: Encoder = embedding_func
        return encoder
    if not hasattr(embedding_func, "embed_documents"):
        raise BadInput("embedding_func: give an Encoder, or an object with embed_documents")
    return Embeddings(embedding_func)


class Embeddings:
    """LangChain's embeddings behind the Encoder port, normalised to length 1."""

    def __init__(self, embedding_func: Any) -> None:  # noqa: ANN401 - untyped by nature
        self._embed = embedding_func
        self.id = type(embedding_func).__name__

    @property
    def dim(self) -> int:
        """Width of a row; embeds one text to measure it."""
        return int(self.encode(["a"]).shape[1])

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """Shape (texts, dim), float32, rows of length 1 in the order of the texts.

        A zero vector stays zero. ``batch_size`` is ignored; the embeddings choose their own.
        """
        rows = np.asarray(self._embed.embed_documents(list(texts)), dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        # The floor avoids a division by zero.
        normed: Vectors = rows / np.maximum(lengths, 1e-12)
        return normed

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """These embeddings have no rows of word pieces."""
        raise StageUnavailable("these embeddings give no token vectors; use another encoder")
