"""``DocumentReader`` and ``DocumentEmbedder``: files to pieces, pieces to a vector store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from retrieval.compat.biochatter.vectorstore_agent import VectorDatabaseAgentMilvus
from retrieval.compat.langchain.document import Document
from retrieval.compat.langchain.text_splitter import RecursiveCharacterTextSplitter
from retrieval.documents import read_document

# The separators of BioChatter's own example, in its order.
SEPARATORS = (" ", ",", "\n")


class DocumentReader:
    """Reads PDF and text files, one Document a page."""

    def load_document(self, path: str | Path) -> list[Document]:
        """The pages of a file, each with the metadata of the file. Raises BadInput."""
        document = read_document(path)
        metadata = {**document.facts, "source": Path(path).name, "name": Path(path).name}
        return [Document(page.text, {**metadata, "page": page.page}) for page in document.pages]


class DocumentEmbedder:
    """Reads, splits and stores documents, and searches them."""

    def __init__(
        self,
        embedding_func: Any,  # noqa: ANN401 - LangChain's embeddings or an Encoder
        chunk_size: int = 1000,
        chunk_overlap: int = 0,
        separators: Sequence[str] = SEPARATORS,
        n_results: int = 3,
        connection_args: Mapping[str, Any] | None = None,
        used: bool = False,
        documentids_workspace: Sequence[str] | None = None,
    ) -> None:
        self.used, self.n_results = used, n_results
        self.documentids_workspace = documentids_workspace
        self.chunk_size, self.chunk_overlap = chunk_size, chunk_overlap
        self.separators = tuple(separators)
        self.database_host = VectorDatabaseAgentMilvus(embedding_func, connection_args)

    def connect(self) -> None:
        """Open the store."""
        self.database_host.connect()

    def load_document(self, path: str | Path) -> list[Document]:
        """The pages of a file."""
        return DocumentReader().load_document(path)

    def save_document(self, documents: Sequence[Document]) -> str:
        """Split and store a document; its id."""
        splitter = RecursiveCharacterTextSplitter(
            self.chunk_size, self.chunk_overlap, self.separators
        )
        self.used = True
        return self.database_host.store_embeddings(splitter.split_documents(documents))

    def similarity_search(self, query: str, k: int | None = None) -> list[Document]:
        """The pieces nearest to a text."""
        scope = self.documentids_workspace
        return self.database_host.similarity_search(query, k or self.n_results, scope)

    def get_all_documents(self) -> list[dict[str, Any]]:
        """The metadata of every document."""
        return self.database_host.get_all_documents(self.documentids_workspace)

    def remove_document(self, doc_id: str) -> bool:
        """Delete a document; False when it is not there or outside the workspace."""
        return self.database_host.remove_document(doc_id, self.documentids_workspace)
