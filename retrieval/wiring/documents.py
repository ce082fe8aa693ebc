"""Documents of a page's visitors: their store, reading files into it, and their answerer."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from retrieval.ask import Answerer
from retrieval.core import Encoder
from retrieval.documents import (
    DocumentAnswers,
    DocumentStore,
    MemoryShelf,
    Passage,
    read_document,
    split_text,
)
from retrieval.llm import Budget, LanguageModel
from retrieval.settings import Settings

DOCUMENTS = "documents"
MOST_PASSAGES = 100_000
"""Of all visitors together: some 300 MB at 1,000 letters and 384 numbers each."""

_EARLIER = re.compile(r"\.?[0-9a-f]{12}(\.db.*)?")
CUES = frozenset(
    {"manual", "document", "documents", "paper", "pdf", "uploaded", "handbook", "upload"}
)
"""Words of a question that speak for the visitor's documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """A document that was added: its id, its passages, and notes to show."""

    id: str
    passages: int
    notes: tuple[str, ...] = ()


def visitor_documents(encoder: Encoder) -> DocumentStore:
    """The store of visitors' documents: in memory, whatever store is configured."""
    return DocumentStore(MemoryShelf(most=MOST_PASSAGES), encoder)


def remove_earlier_documents(settings: Settings) -> None:
    """Remove documents that earlier versions wrote to the index folder.

    A store that the settings name is the user's own and stays, wherever it is.
    """
    folder = settings.index_dir / DOCUMENTS
    if not folder.is_dir():
        return
    own = Path(settings.milvus_uri).resolve() if settings.milvus_uri else None
    for path in folder.iterdir():
        if _EARLIER.fullmatch(path.name) and path.resolve() != own:
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    with suppress(OSError):
        folder.rmdir()


def add_document(store: DocumentStore, path: Path, *, name: str = "") -> Added:
    """Read a PDF or text file and keep it under ``name``. Raises BadInput with the remedy.

    No passage crosses a page.
    """
    read = read_document(path)
    passages = [
        Passage(text=piece, page=page.page)
        for page in read.pages
        for piece in split_text(page.text)
    ]
    facts = {**read.facts, "name": name or path.name, "source": name or path.name}
    return Added(id=store.add(passages, facts), passages=len(passages), notes=read.notes)


def document_answerer(
    store: DocumentStore,
    model: LanguageModel | None = None,
    *,
    made_up: bool = False,
) -> Callable[[Budget | None], Answerer]:
    """One visitor's documents as an answerer."""

    def suits(question: str) -> tuple[float, str]:
        if not store.documents():
            return 0.0, "there is no document of yours"
        cues = CUES.intersection(re.findall(r"\w+", question.casefold()))
        if cues:
            return 0.95, f"the question speaks of a {min(cues)}"
        best = store.search(question, 1)
        near = round(max(0.0, best[0].score), 2) if best else 0.0
        return near, f"the nearest passage of your documents has a similarity of {near}"

    def make(budget: Budget | None) -> Answerer:
        stage = DocumentAnswers(store, made_up=made_up, model=model, budget=budget)
        description = "manuals, papers and notes that the visitor uploaded"
        description = description if store.documents() else f"{description} (none so far)"
        return Answerer(name=DOCUMENTS, description=description, stage=stage, suits=suits)

    return make
