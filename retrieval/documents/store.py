"""The documents of one visitor: stored, listed, searched and removed in a scope of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from secrets import token_hex
from time import time_ns
from typing import Any

from pydantic import BaseModel, Field

from retrieval.core import NO_LIMIT, BadInput, Deadline, Encoder, StageUnavailable
from retrieval.documents.passages import EVERYBODY, TEXT_FIELDS, DocumentFacts, Passage, PassageHit
from retrieval.documents.shelf import Shelf, document_of
from retrieval.llm import Budget, LanguageModel, ask, prompt_file

BATCH = 32
MOST_PASSAGES = 20_000
MOST_DOCUMENTS = 200
MOST_LETTERS = 16_000


@dataclass(frozen=True)
class DocumentStore:
    """The documents of one scope on a shelf that many share.

    ``scope`` is a visitor's own secret name; what another scope stored is neither listed, found
    nor removed, and looks like what is not there. ``new_id`` gives ids that sort in
    the order in which they were given.
    """

    shelf: Shelf
    encoder: Encoder
    scope: str = EVERYBODY
    new_id: Callable[[], str] = lambda: f"{time_ns():016x}{token_hex(8)}"

    def of(self, scope: str) -> DocumentStore:
        """The same shelf for another visitor."""
        return replace(self, scope=scope)

    def add(self, passages: Sequence[Passage], facts: Mapping[str, str]) -> str:
        """Store a document and return its id.

        Passages without text are left out. Raises BadInput for a document without text, for too
        many or too long passages, and for a scope that is full.
        """
        filled = [p for p in passages if p.text.strip()]
        if not filled:
            raise BadInput("document: it holds no text; give one that does")
        if len(filled) > MOST_PASSAGES:
            raise BadInput(f"document: more than {MOST_PASSAGES:,} passages; give a part of it")
        if any(len(p.text) > MOST_LETTERS for p in filled):
            raise BadInput(f"document: a passage is longer than {MOST_LETTERS:,}; split it first")
        if len(self.documents()) >= MOST_DOCUMENTS:
            raise BadInput(f"document: {MOST_DOCUMENTS} are kept already; remove one first")
        fields: dict[str, Any] = {k: v for k, v in facts.items() if k in TEXT_FIELDS and v}
        document = replace(DocumentFacts(id=self.new_id(), scope=self.scope), **fields)
        vectors = self.encoder.encode([p.text for p in filled], batch_size=BATCH)
        self.shelf.add(document, filled, vectors)
        return document.id

    def documents(self, among: Iterable[str] | None = None) -> tuple[DocumentFacts, ...]:
        """The documents of this scope in the order added, all or those of the ids given."""
        ids = None if among is None else frozenset(among)
        return tuple(
            one
            for one in self.shelf.documents
            if one.scope == self.scope and (ids is None or one.id in ids)
        )

    def search(
        self, text: str, k: int = 3, among: Iterable[str] | None = None
    ) -> tuple[PassageHit, ...]:
        """The k passages nearest to a text by cosine, best first, ties by document and place.

        ``among``: ids of documents to search in; those of another scope are ignored.
        """
        documents = {one.id: one for one in self.documents(among)}
        if not documents or k < 1 or not text.strip():
            return ()
        vector = self.encoder.encode([text])[0]
        hits = self.shelf.search(vector, k, frozenset(documents))
        return tuple(
            PassageHit(
                id=hit_id,
                passage=passage,
                document=documents[document_of(hit_id)],
                score=score,
            )
            for hit_id, score, passage in hits
        )

    def remove(self, document: str, among: Iterable[str] | None = None) -> bool:
        """Forget a document of this scope; False for one that is not in it."""
        if not any(one.id == document for one in self.documents(among)):
            return False
        self.shelf.remove(document)
        return True

    def clear(self) -> int:
        """Remove all documents of this scope and return how many there were."""
        documents = self.documents()
        for one in documents:
            self.shelf.remove(one.id)
        return len(documents)


class ArtificialAnswer(BaseModel):
    """A passage as it might stand in a document that answers a question."""

    passage: str = Field(min_length=1)


def artificial_answer(
    model: LanguageModel,
    question: str,
    budget: Budget | None = None,
    deadline: Deadline = NO_LIMIT,
) -> tuple[str, str]:
    """A made-up answer to search with, or the question itself and why it is used.

    Hypothetical document embeddings (Gao, Ma, Lin, Callan, ACL 2023).
    """
    try:
        prompt = prompt_file("documents_hyde", "documents").format(question=question)
        reply = ask(model, prompt, ArtificialAnswer, budget=budget, deadline=deadline)
    except StageUnavailable as exc:
        return question, f"searched with the question itself: {exc}"
    if reply.value is None:
        return question, f"searched with the question itself: {reply.reason}"
    return reply.value.passage, ""
