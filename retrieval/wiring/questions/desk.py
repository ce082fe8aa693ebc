"""Questions of many visitors of a page: one graph for all, the documents of each apart."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.core import Encoder, StageUnavailable
from retrieval.dense import Loading
from retrieval.documents import DocumentFacts
from retrieval.settings import Settings
from retrieval.storage import Expiry
from retrieval.wiring.documents import (
    DOCUMENTS,
    Added,
    add_document,
    document_answerer,
    remove_earlier_documents,
    visitor_documents,
)
from retrieval.wiring.language import language_model_told
from retrieval.wiring.models import loading_encoder
from retrieval.wiring.questions.databases import Databases
from retrieval.wiring.questions.question_engine import QuestionEngine, open_question_engine

if TYPE_CHECKING:
    from retrieval.documents import DocumentStore
    from retrieval.engine import Engine

DOCUMENT_SECONDS = 3600.0
"""From a visitor's last added document to the end of all of theirs: a sitting, not an archive."""


def _document_store(settings: Settings, encoder: Encoder | None = None) -> DocumentStore:
    """A store over the encoder that is given, else over one of its own (slow: it is loaded)."""
    encoder = encoder or loading_encoder(settings)
    if isinstance(encoder, Loading):
        encoder.wait()
        if not encoder.ready:
            raise StageUnavailable(f"documents need the sentence encoder: {encoder.problem}")
    return visitor_documents(encoder)


class QuestionDesk:
    """Opens the graph with the first question and the document store with the first document.

    With a search engine both are over its encoder, and the graph is that of its catalog at each
    question. A visitor is a secret name; nobody who does not hold it sees what was added under it.
    Documents are in memory only, for ``document_seconds`` after a visitor's last addition; what an
    earlier edition wrote to the index folder is removed here.
    """

    def __init__(
        self,
        settings: Settings,
        engine: Engine | None = None,
        *,
        opening: Callable[..., QuestionEngine] = open_question_engine,
        documents: Callable[[Settings, Encoder | None], DocumentStore] = _document_store,
        document_seconds: float = DOCUMENT_SECONDS,
    ) -> None:
        self._settings, self._engine = settings, engine
        self._open_engine, self._open_documents = opening, documents
        self._lock = threading.Lock()
        self._questions: QuestionEngine | None = None
        self._catalog = ""
        self._documents: DocumentStore | None = None
        self._expiry = Expiry(self.forget, document_seconds)
        remove_earlier_documents(settings)
        self.databases = Databases(settings)

    @staticmethod
    def visitor() -> str:
        """A name for a visitor that nobody can guess."""
        return secrets.token_urlsafe(24)

    @property
    def document_seconds(self) -> float:
        """How long a visitor's documents stay after the last one was added."""
        return self._expiry.seconds

    @property
    def made_up(self) -> bool:
        """Whether documents are searched by a made-up answer unless a visitor says otherwise."""
        return self._settings.documents_made_up

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured."""
        return bool(language_model_told(self._settings))

    @property
    def ready(self) -> bool:
        """Whether the next question is answered at once."""
        return self._questions is not None

    def question_engine(self, visitor: str = "", *, made_up: bool | None = None) -> QuestionEngine:
        """What answers a visitor's questions. Raises BadInput where the catalog holds nothing.

        It is opened anew when the search engine has another catalog. ``made_up``: documents are
        searched by an answer that the model makes up; None as set.
        """
        now = self._engine.current() if self._engine else None
        # Opened under the lock, so that two first questions at once build one graph.
        with self._lock:
            if self._questions is None or (now and now.catalog_sha256 != self._catalog):
                live = (list(now.tools.values()), now.encoder, now.source) if now else ()
                self._questions = self._open_engine(self._settings, *live)
                self._catalog = now.catalog_sha256 if now else ""
            shared = self._questions
        if not self.documents(visitor):
            return shared
        wanted = self.made_up if made_up is None else made_up
        factory = document_answerer(self._store(visitor), shared.model, made_up=wanted)
        return shared.with_answerer(DOCUMENTS, factory)

    def add(self, visitor: str, path: Path, name: str) -> Added:
        """Keep a file's passages for one visitor. BadInput or StageUnavailable with the remedy."""
        now = self._engine.current() if self._engine else None
        with self._lock:
            if self._documents is None:
                encoder = now.encoder if now else None
                self._documents = self._open_documents(self._settings, encoder)
        added = add_document(self._store(visitor), path, name=name)
        self._expiry.renew(visitor)
        return added

    def documents(self, visitor: str) -> tuple[DocumentFacts, ...]:
        """What a visitor added, in the order added."""
        has_store = visitor and self._documents is not None
        return self._store(visitor).documents() if has_store else ()

    def remove(self, visitor: str, document: str) -> bool:
        """Forget one of a visitor's documents; False for one that is not theirs."""
        return bool(self.documents(visitor)) and self._store(visitor).remove(document)

    def forget(self, visitor: str) -> None:
        """Forget all that a visitor added."""
        self._expiry.drop(visitor)
        if self.documents(visitor):
            self._store(visitor).clear()

    def _store(self, visitor: str) -> DocumentStore:
        if self._documents is None or not visitor:
            raise StageUnavailable("there is no document of yours; add a PDF or text file first")
        return self._documents.of(visitor)
