"""Where documents are kept: a folder, or memory, searched by FAISS through the VectorStore port."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from retrieval.core.errors import StageUnavailable
from retrieval.core.ports import Vectors, VectorStore
from retrieval.core.types import Selection
from retrieval.dense.documents import DocumentFacts, Passage
from retrieval.dense.stores import FaissStore

Hit = tuple[str, float, Passage]
"""A passage's id, its cosine, and itself."""


def passage_id(document: str, number: int) -> str:
    """The id of a passage; it sorts by document, then by place."""
    return f"{document}/{number:06d}"


def document_of(passage: str) -> str:
    """The document of a passage's id."""
    return passage.partition("/")[0]


def number_of(passage: str) -> int:
    """The place of a passage in its document, from 0."""
    return int(passage.rpartition("/")[2])


class Shelf(Protocol):
    """Keeps documents with their passages and vectors; what is removed is gone for good."""

    @property
    def documents(self) -> Sequence[DocumentFacts]:
        """Every document, by id."""
        ...

    def add(self, facts: DocumentFacts, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Keep a document; it is there as a whole or not at all."""
        ...

    def remove(self, document: str) -> None:
        """Forget a document."""
        ...

    def search(self, vector: Vectors, k: int, documents: frozenset[str]) -> list[Hit]:
        """The k nearest passages of these documents, best first, ties by id."""
        ...

    def tidy(self) -> None:
        """Remove what an ended process left of documents that do not count."""
        ...


@dataclass(frozen=True)
class _Kept:
    facts: DocumentFacts
    passages: tuple[Passage, ...]
    vectors: Vectors


ENDINGS = frozenset({".json", ".npy", ".part"})


class FolderShelf:
    """One file a document (its passages) and one for its vectors; without a folder, in memory."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._kept: dict[str, _Kept] = {}
        for path in sorted(folder.glob("*.json")) if folder else ():
            self._load(path)
        self._store = self._built()

    @property
    def documents(self) -> tuple[DocumentFacts, ...]:
        """Every document, by id."""
        with self._lock:
            return tuple(self._kept[i].facts for i in sorted(self._kept))

    def add(self, facts: DocumentFacts, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Keep a document: vectors first, then the file that makes it count."""
        with self._lock:
            self._same_width(vectors)
            kept = _Kept(facts, tuple(passages), np.asarray(vectors, dtype=np.float32))
            if self._folder:
                _write(self._folder, kept)
            self._kept[facts.id] = kept
            self._store = self._built()

    def remove(self, document: str) -> None:
        """Forget a document and its files."""
        with self._lock:
            if self._folder and document in self._kept:
                for ending in (".json", ".npy"):
                    (self._folder / f"{document}{ending}").unlink(missing_ok=True)
            self._kept.pop(document, None)
            self._store = self._built()

    def tidy(self) -> None:
        """Remove vectors without a document, and half-written files."""
        if self._folder is None or not self._folder.is_dir():
            return
        for path in sorted(self._folder.iterdir()):
            if path.suffix in ENDINGS and path.stem not in self._kept:
                path.unlink(missing_ok=True)

    def search(self, vector: Vectors, k: int, documents: frozenset[str]) -> list[Hit]:
        """The k nearest passages of these documents."""
        with self._lock:
            store, kept = self._store, dict(self._kept)
        keep = frozenset(i for i in store.ids if document_of(i) in documents)
        found = store.search(vector, k, Selection(keep=keep))
        return [(i, score, kept[document_of(i)].passages[number_of(i)]) for i, score in found]

    def _built(self) -> VectorStore:
        held = [self._kept[i] for i in sorted(self._kept)]
        ids = [passage_id(one.facts.id, n) for one in held for n in range(len(one.passages))]
        rows = [one.vectors for one in held if len(one.vectors)]
        return FaissStore(ids, np.concatenate(rows) if rows else np.zeros((0, 1), np.float32))

    def _same_width(self, vectors: Vectors) -> None:
        width = next((one.vectors.shape[1] for one in self._kept.values()), vectors.shape[1])
        if vectors.shape[1] != width:
            raise StageUnavailable(
                "the documents were read under another encoder; remove them and add them again"
            )

    def _load(self, path: Path) -> None:
        with suppress(OSError, ValueError, KeyError, TypeError):
            told = json.loads(path.read_text("utf-8"))
            passages = tuple(Passage(**one) for one in told["passages"])
            vectors = np.load(path.with_suffix(".npy"), allow_pickle=False)
            if len(vectors) == len(passages):
                facts = DocumentFacts(**told["facts"])
                self._kept[facts.id] = _Kept(facts, passages, vectors)


def _write(folder: Path, kept: _Kept) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    aside = folder / f".{kept.facts.id}.part"
    with aside.open("wb") as handle:
        np.save(handle, kept.vectors)
    aside.replace(folder / f"{kept.facts.id}.npy")
    told = {"facts": asdict(kept.facts), "passages": [asdict(p) for p in kept.passages]}
    with aside.open("w", encoding="utf-8") as text:
        json.dump(told, text, ensure_ascii=False)
        text.flush()
        os.fsync(text.fileno())
    aside.replace(folder / f"{kept.facts.id}.json")
