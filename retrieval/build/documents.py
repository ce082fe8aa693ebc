"""Documents from settings: what keeps them, files read into it, who answers from them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from retrieval.agents.ask_choose import Answerer
from retrieval.core.budget import Budget
from retrieval.core.errors import StageUnavailable
from retrieval.core.guard import OutsideCalls
from retrieval.core.ports import Encoder, LanguageModel
from retrieval.dense.documents import EVERYBODY, OVERLAP, SIZE, split_pages
from retrieval.dense.documents_milvus import EMBEDDINGS, METADATA, MilvusShelf
from retrieval.dense.documents_reader import ReadingLimits, read_document
from retrieval.dense.documents_shelf import FolderShelf, Shelf
from retrieval.dense.documents_stage import DocumentAnswers
from retrieval.dense.documents_store import DocumentStore
from retrieval.dense.milvus import PURPOSE, MilvusAddress
from retrieval.settings import Settings

DOCUMENTS = "documents"
LITE = "milvus_lite"
CUES = frozenset(
    {"manual", "document", "documents", "paper", "pdf", "uploaded", "handbook", "upload"}
)
"""Words of a question that speak for the visitor's documents."""


@dataclass(frozen=True)
class OpenedDocuments:
    """A store, what keeps it in words, and why that is not what was asked for (or nothing)."""

    store: DocumentStore
    kept_in: str
    notice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """A document that was taken: its id and notes fit to be shown."""

    id: str
    passages: int
    notes: tuple[str, ...] = ()


def document_purposes(settings: Settings) -> frozenset[str]:
    """What documents may be sent out for: a Milvus server, when one is named."""
    return frozenset([PURPOSE]) if _server(settings) else frozenset()


def _server(settings: Settings) -> bool:
    return settings.milvus_uri.startswith(("http://", "https://"))


def open_documents(settings: Settings, encoder: Encoder) -> OpenedDocuments:
    """A Milvus server where one is named, else a milvus-lite file, else FAISS in a folder.

    What visitors of an earlier run left on this machine is removed: nobody can ask for it again.
    """
    folder, key = settings.index_dir / DOCUMENTS, _key(encoder)
    shelf, kept_in, notice = _shelf(settings, folder, key)
    if not _server(settings):
        for one in shelf.documents:
            if one.scope != EVERYBODY:
                shelf.remove(one.id)
        shelf.tidy()
    return OpenedDocuments(DocumentStore(shelf, encoder), kept_in, notice)


def _shelf(settings: Settings, folder: Path, key: str) -> tuple[Shelf, str, str]:
    guard = OutsideCalls(document_purposes(settings))
    local = folder / key
    if not _server(settings) and find_spec(LITE) is None:
        return FolderShelf(local), "a folder searched by FAISS", ""
    address = _address(settings, folder / f"{key}.db")
    try:
        milvus = MilvusShelf(address, guard, f"{EMBEDDINGS}_{key}", f"{METADATA}_{key}")
    except StageUnavailable as exc:
        return FolderShelf(local), "a folder searched by FAISS", str(exc)
    return milvus, address.name, ""


def _address(settings: Settings, file: Path) -> MilvusAddress:
    token = settings.milvus_token.get_secret_value()
    if _server(settings):
        return MilvusAddress(uri=settings.milvus_uri, token=token)
    return MilvusAddress(uri=str(file))


def _key(encoder: Encoder) -> str:
    told = f"{encoder.id}\n{encoder.dim}"
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def add_document(
    store: DocumentStore,
    path: Path,
    *,
    name: str = "",
    size: int = SIZE,
    overlap: int = OVERLAP,
    limits: ReadingLimits | None = None,
) -> Added:
    """Read a PDF or text file and keep it under ``name``. Raises BadInput with the remedy."""
    read = read_document(path, limits)
    passages = split_pages(read.pages, size, overlap)
    told = {**read.facts, "name": name or path.name, "source": name or path.name}
    return Added(id=store.add(passages, told), passages=len(passages), notes=read.notes)


def document_answerer(
    store: DocumentStore,
    model: LanguageModel | None = None,
    *,
    made_up: bool = False,
) -> Callable[[Budget | None], Answerer]:
    """One visitor's documents as one of those who can answer."""

    def suits(question: str) -> tuple[float, str]:
        if not store.documents():
            return 0.0, "there is no document of yours"
        said = CUES.intersection(re.findall(r"\w+", question.casefold()))
        if said:
            return 0.95, f"the question speaks of a {min(said)}"
        best = store.search(question, 1)
        near = round(max(0.0, best[0].score), 2) if best else 0.0
        return near, f"the nearest passage of your documents has a similarity of {near}"

    def made(budget: Budget | None) -> Answerer:
        stage = DocumentAnswers(store, made_up=made_up, model=model, budget=budget)
        told = "manuals, papers and notes that the visitor uploaded"
        told = told if store.documents() else f"{told} (none so far)"
        return Answerer(name=DOCUMENTS, description=told, stage=stage, suits=suits)

    return made
