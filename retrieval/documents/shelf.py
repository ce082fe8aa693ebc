"""Stores of documents, in memory alone or in a folder too; numpy searches them exactly."""

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

from retrieval.core import BadInput, StageUnavailable, Vectors
from retrieval.dense import NumpyStore
from retrieval.documents.passages import DocumentFacts, Passage

Hit = tuple[str, float, Passage]
"""A passage's id, its cosine, and itself."""


def passage_id(document: str, number: int) -> str:
    """The id of a passage; it sorts by document, then by place."""
    return f"{document}/{number:06d}"


def document_of(passage: str) -> str:
    """The document of a passage's id."""
    return passage.partition("/")[0]


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
        """The k nearest passages of these documents, best first, ties by id.

        ``vector``: float32, (width,), of length 1, so that the inner product is the cosine.
        """
        ...

    def tidy(self) -> None:
        """Remove what an ended process left of documents that do not count."""
        ...


@dataclass(frozen=True, slots=True)
class _Entry:
    """A document with its passages and a store over their rows."""

    facts: DocumentFacts
    passages: tuple[Passage, ...]
    store: NumpyStore

    @classmethod
    def of(cls, facts: DocumentFacts, passages: Sequence[Passage], vectors: Vectors) -> _Entry:
        ids = [passage_id(facts.id, n) for n in range(len(passages))]
        return cls(facts, tuple(passages), NumpyStore(ids, vectors))

    def search(self, vector: Vectors, k: int) -> list[Hit]:
        # The number in an id is the place of the passage.
        hits = self.store.search(vector, k)
        return [(i, score, self.passages[int(i.rpartition("/")[2])]) for i, score in hits]


class MemoryShelf:
    """Documents in the memory of this process, which are gone when it ends.

    Only the rows of the documents that are searched are read. ``most``: passages of all documents
    together, above which one more is refused (None: no limit).
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] = {}

    @property
    def documents(self) -> tuple[DocumentFacts, ...]:
        """Every document, by id."""
        with self._lock:
            return tuple(self._entries[i].facts for i in sorted(self._entries))

    def add(self, facts: DocumentFacts, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Keep a document. Raises BadInput where there is no room for it."""
        with self._lock:
            used = sum(len(entry.passages) for entry in self._entries.values())
            if self._most is not None and used + len(passages) > self._most:
                raise BadInput(
                    f"document: the page's memory for documents is full ({self._most:,} passages "
                    "of all visitors); remove one, give a part of it, or come back in an hour"
                )
            self._check_width(vectors)
            self._entries[facts.id] = _Entry.of(facts, passages, vectors)

    def remove(self, document: str) -> None:
        """Forget a document."""
        with self._lock:
            self._entries.pop(document, None)

    def tidy(self) -> None:
        """An ended process left nothing here."""

    def search(self, vector: Vectors, k: int, documents: frozenset[str]) -> list[Hit]:
        """The k nearest passages of these documents."""
        with self._lock:
            entries = [self._entries[i] for i in documents if i in self._entries]
        hits = [hit for entry in entries for hit in entry.search(vector, k)]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]

    def _check_width(self, vectors: Vectors) -> None:
        width = next((one.store.vectors.shape[1] for one in self._entries.values()), None)
        if width not in (None, vectors.shape[1]):
            raise StageUnavailable(
                "the documents were read under another encoder; remove them and add them again"
            )


ENDINGS = frozenset({".json", ".npy", ".part"})


class FolderShelf(MemoryShelf):
    """A MemoryShelf with files: one for a document's passages and one for its vectors."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        for path in sorted(folder.glob("*.json")):
            with suppress(OSError, ValueError, KeyError, TypeError):
                data = json.loads(path.read_text("utf-8"))
                passages = [Passage(**one) for one in data["passages"]]
                vectors = np.load(path.with_suffix(".npy"), allow_pickle=False)
                if len(vectors) == len(passages):
                    facts = DocumentFacts(**data["facts"])
                    self._entries[facts.id] = _Entry.of(facts, passages, vectors)

    def add(self, facts: DocumentFacts, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Keep a document: vectors first, then the file that makes it count."""
        with self._lock:
            self._check_width(vectors)
            _write(self._folder, _Entry.of(facts, passages, vectors))
            super().add(facts, passages, vectors)

    def remove(self, document: str) -> None:
        """Forget a document and its files."""
        with self._lock:
            if document in self._entries:
                for ending in (".json", ".npy"):
                    (self._folder / f"{document}{ending}").unlink(missing_ok=True)
            super().remove(document)

    def tidy(self) -> None:
        """Remove vectors without a document, and half-written files."""
        if not self._folder.is_dir():
            return
        for path in sorted(self._folder.iterdir()):
            if path.suffix in ENDINGS and path.stem not in self._entries:
                path.unlink(missing_ok=True)


def _write(folder: Path, entry: _Entry) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    aside = folder / f".{entry.facts.id}.part"
    with aside.open("wb") as handle:
        np.save(handle, entry.store.vectors)
    aside.replace(folder / f"{entry.facts.id}.npy")
    data = {"facts": asdict(entry.facts), "passages": [asdict(p) for p in entry.passages]}
    with aside.open("w", encoding="utf-8") as text:
        json.dump(data, text, ensure_ascii=False)
        text.flush()
        # The JSON file makes the document count, so it must not be empty after a power cut.
        os.fsync(text.fileno())
    aside.replace(folder / f"{entry.facts.id}.json")
