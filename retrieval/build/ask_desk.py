"""*ask* for many visitors of a page: one graph for all, the documents of each apart."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.build.ask import Asking
from retrieval.build.ask_command import open_asking
from retrieval.build.documents import (
    DOCUMENTS,
    Added,
    OpenedDocuments,
    add_document,
    document_answerer,
    open_documents,
)
from retrieval.build.models import loading_encoder
from retrieval.core.errors import StageUnavailable
from retrieval.dense.documents import DocumentFacts
from retrieval.settings import Settings

if TYPE_CHECKING:
    from retrieval.agents.ask_choose import Answerer
    from retrieval.core.budget import Budget
    from retrieval.dense.documents_store import DocumentStore


def _documents(settings: Settings) -> OpenedDocuments:
    encoder = loading_encoder(settings)
    encoder.wait()
    if not encoder.ready:
        raise StageUnavailable(f"documents need the sentence encoder: {encoder.problem}")
    return open_documents(settings, encoder)


class AskDesk:
    """Opens the graph with the first question and the shelf with the first document.

    A visitor is a secret name; nobody who does not hold it sees what was added under it.
    """

    def __init__(
        self,
        settings: Settings,
        opening: Callable[[Settings], Asking] = open_asking,
        documents: Callable[[Settings], OpenedDocuments] = _documents,
    ) -> None:
        self._settings, self._opening, self._open = settings, opening, documents
        self._lock = threading.Lock()
        self._asking: Asking | None = None
        self._documents: OpenedDocuments | None = None

    @staticmethod
    def visitor() -> str:
        """A name for a visitor that nobody can guess."""
        return secrets.token_urlsafe(24)

    @property
    def ready(self) -> bool:
        """Whether the next question is answered at once."""
        return self._asking is not None

    def asking(self, visitor: str = "") -> Asking:
        """The front for a visitor. Raises BadInput where the catalog holds nothing."""
        with self._lock:
            if self._asking is None:
                self._asking = self._opening(self._settings)
            asking = self._asking
        if not self.documents(visitor):
            return asking
        return replace(asking, answerers=self._with(asking, self._store(visitor)))

    def _with(
        self, asking: Asking, store: DocumentStore
    ) -> Callable[[Budget | None], Mapping[str, Answerer]]:
        made = document_answerer(store, asking.model)
        return lambda budget: {**asking.answerers(budget), DOCUMENTS: made(budget)}

    def add(self, visitor: str, path: Path, name: str) -> Added:
        """Keep a file's passages for one visitor. BadInput or StageUnavailable with the remedy."""
        with self._lock:
            if self._documents is None:
                self._documents = self._open(self._settings)
        return add_document(self._store(visitor), path, name=name)

    def documents(self, visitor: str) -> tuple[DocumentFacts, ...]:
        """What a visitor added, in the order added."""
        held = visitor and self._documents is not None
        return self._store(visitor).documents() if held else ()

    def remove(self, visitor: str, document: str) -> bool:
        """Forget one of a visitor's documents; False for one that is not theirs."""
        return bool(self.documents(visitor)) and self._store(visitor).remove(document)

    def forget(self, visitor: str) -> None:
        """Forget all that a visitor added."""
        if self.documents(visitor):
            self._store(visitor).clear()

    def _store(self, visitor: str) -> DocumentStore:
        if self._documents is None or not visitor:
            raise StageUnavailable("there is no document of yours; add a PDF or text file first")
        return self._documents.store.of(visitor)
