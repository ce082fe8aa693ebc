"""``RecursiveCharacterTextSplitter`` by LangChain's name."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.compat.langchain.document import Document
from retrieval.documents import split_text

SEPARATORS = ("\n\n", "\n", " ")


class RecursiveCharacterTextSplitter:
    """Cuts texts at the first separator that helps, then at the next."""

    def __init__(
        self,
        chunk_size: int = 1000,
        chunk_overlap: int = 0,
        separators: Sequence[str] = SEPARATORS,
    ) -> None:
        self.chunk_size, self.chunk_overlap = chunk_size, chunk_overlap
        self.separators = tuple(separators)

    def split_text(self, text: str) -> list[str]:
        """Pieces of one text."""
        return split_text(text, self.chunk_size, self.chunk_overlap, self.separators)

    def split_documents(self, documents: Sequence[Document]) -> list[Document]:
        """Pieces of documents, each with the facts of its document."""
        return [
            Document(piece, dict(one.metadata))
            for one in documents
            for piece in self.split_text(one.page_content)
        ]
