"""A visitor's documents: stored, listed, searched and removed, and never anybody else's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from secrets import token_hex
from time import time_ns
from typing import Any

from pydantic import BaseModel, Field

from retrieval.core import NO_LIMIT, BadInput, Deadline, Encoder, StageUnavailable
from retrieval.documents.passages import EVERYBODY, TEXT_FIELDS, DocumentFacts, Found, Passage
from retrieval.documents.shelf import Shelf, document_of
from retrieval.llm import Budget, LanguageModel, ask

BATCH = 32
MOST_PASSAGES = 20_000
MOST_DOCUMENTS = 200
MOST_LETTERS = 16_000


def _new_id() -> str:
    """An id of its own; ids stand in the order in which they were made."""
    return f"{time_ns():016x}{token_hex(8)}"


@dataclass(frozen=True)
class DocumentStore:
    """The documents of one scope on a shelf that many share.

    ``scope`` is a visitor's own secret name; what another scope stored is neither listed, found
    nor removed, and it cannot be told from what is not there.
    """

    shelf: Shelf
    encoder: Encoder
    scope: str = EVERYBODY
    new_id: Callable[[], str] = _new_id

    def of(self, scope: str) -> DocumentStore:
        """The same shelf for another visitor."""
        return replace(self, scope=scope)

    def add(self, passages: Sequence[Passage], facts: Mapping[str, str]) -> str:
        """Keep a document; its id is given back. Raises BadInput where it has no text."""
        told = [p for p in passages if p.text.strip()]
        if not told:
            raise BadInput("document: it holds no text; give one that does")
        if len(told) > MOST_PASSAGES:
            raise BadInput(f"document: more than {MOST_PASSAGES:,} passages; give a part of it")
        if any(len(p.text) > MOST_LETTERS for p in told):
            raise BadInput(f"document: a passage is longer than {MOST_LETTERS:,}; split it first")
        if len(self.documents()) >= MOST_DOCUMENTS:
            raise BadInput(f"document: {MOST_DOCUMENTS} are kept already; remove one first")
        known: dict[str, Any] = {k: v for k, v in facts.items() if k in TEXT_FIELDS and v}
        document = replace(DocumentFacts(id=self.new_id(), scope=self.scope), **known)
        vectors = self.encoder.encode([p.text for p in told], batch_size=BATCH)
        self.shelf.add(document, told, vectors)
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
    ) -> tuple[Found, ...]:
        """The k passages nearest to a text, best first, ties by document and place."""
        held = {one.id: one for one in self.documents(among)}
        if not held or k < 1 or not text.strip():
            return ()
        vector = self.encoder.encode([text])[0]
        hits = self.shelf.search(vector, k, frozenset(held))
        return tuple(
            Found(
                id=found,
                passage=passage,
                document=held[document_of(found)],
                score=score,
            )
            for found, score, passage in hits
        )

    def remove(self, document: str, among: Iterable[str] | None = None) -> bool:
        """Forget a document of this scope; False for one that is not in it."""
        if not any(one.id == document for one in self.documents(among)):
            return False
        self.shelf.remove(document)
        return True

    def clear(self) -> int:
        """Forget all documents of this scope; how many there were."""
        held = self.documents()
        for one in held:
            self.shelf.remove(one.id)
        return len(held)


class ArtificialAnswer(BaseModel):
    """A passage as it might stand in a document that answers a question."""

    passage: str = Field(min_length=1)


@cache
def _prompt() -> str:
    return files("retrieval.documents").joinpath("prompts/documents_hyde.txt").read_text("utf-8")


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
        prompt = _prompt().format(question=question)
        said = ask(model, prompt, ArtificialAnswer, budget=budget, deadline=deadline)
    except StageUnavailable as exc:
        return question, f"searched with the question itself: {exc}"
    if said.value is None:
        return question, f"searched with the question itself: {said.reason}"
    return said.value.passage, ""
