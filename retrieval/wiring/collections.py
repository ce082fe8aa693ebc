"""Named collections beside the catalog: other catalogs, and folders of documents."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import threading
from pathlib import Path

from retrieval.catalog import Catalog, Record, load_catalog
from retrieval.core import BadInput
from retrieval.settings import Settings
from retrieval.wiring.opening import sizes_of
from retrieval.wiring.parts import Parts, Sizes
from retrieval.wiring.preparation import Preparation

logger = logging.getLogger(__name__)

CATALOG = "catalog"
"""The name of the catalog of the settings itself."""

DOCUMENT = (".txt", ".md")
MAX_DOCUMENTS, MAX_BYTES, MAX_TEXT = 10_000, 1_000_000, 4_000


class Collections:
    """Parts by name, built on first use and cached; safe between threads.

    A name is ``catalog``, the name of a catalog file (``NAME.jsonl``) or of a folder of text
    documents below ``folder``.
    """

    def __init__(self, settings: Settings, folder: Path | None = None) -> None:
        self._settings = settings
        self._folder = folder or settings.index_dir.parent / "collections"
        self._ready: dict[str, Parts] = {}
        self._lock = threading.Lock()
        self.sizes: Sizes = sizes_of(settings)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, the catalog first, the others in order of spelling."""
        return (CATALOG, *sorted(self._places()))

    def _places(self) -> dict[str, Path]:
        if not self._folder.is_dir():
            return {}
        paths = (p for p in self._folder.iterdir() if p.is_dir() or p.suffix == ".jsonl")
        return {p.stem if p.is_file() else p.name: p for p in paths}

    def parts(self, name: str) -> Parts:
        """The parts of a collection, every stage ready (slow the first time).

        Raises BadInput when there is none of this name, or it holds nothing.
        """
        with self._lock:
            if name not in self._ready:
                self._ready[name] = self._open(name)
            return self._ready[name]

    def _open(self, name: str) -> Parts:
        settings, catalog = self._settings, self._catalog(name)
        if not catalog.records:
            raise BadInput(f"group_id: the collection {name[:40]!r} holds nothing to search")
        if name != CATALOG:
            apart = settings.index_dir / "collections" / name
            settings = settings.model_copy(update={"index_dir": apart})
        preparation = Preparation(settings, self.sizes)
        preparation.begin(catalog)
        preparation.complete()
        return preparation.parts

    def _catalog(self, name: str) -> Catalog:
        if name == CATALOG:
            return load_catalog(self._settings.catalog)
        place = self._places().get(name)
        if place is None:
            raise BadInput(
                f"group_id: no collection {name[:40]!r}; choose one of: {', '.join(self.names)}"
            )
        return load_catalog(place) if place.is_file() else documents_of(place)


def documents_of(folder: Path) -> Catalog:
    """The text files of a folder as records: the name is the file's, the text its description.

    An id is the letters of the name; a short hash of the path is added to one that is empty or of
    an earlier file. Links are not followed; what cannot be read, is over MAX_BYTES or has no text
    is left out, and the log says how many.
    """
    records: dict[str, Record] = {}
    files = [p for p in sorted(folder.rglob("*")) if p.suffix.lower() in DOCUMENT]
    for path in files[:MAX_DOCUMENTS]:
        place = path.relative_to(folder)
        if text := _text_of(path):
            name = _printable(str(place.with_suffix("")))
            id_ = re.sub(r"[^A-Za-z0-9_.+-]+", "-", name).strip("-._+")[:80]
            if not id_ or id_ in records:
                id_ = f"{id_ or 'document'}-{hashlib.sha256(os.fsencode(place)).hexdigest()[:10]}"
            records[id_] = Record(id=id_, name=name[:200] or id_, description=text)
    if len(records) < len(files):
        left_out = len(files) - len(records)
        logger.warning("%d documents of a collection were left out", left_out)
    return Catalog(records=tuple(records[i] for i in sorted(records)))


def _text_of(path: Path) -> str:
    """The beginning of a file's text; empty where it is left out."""
    try:
        # A link could lead out of the folder.
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
            return ""
        return _printable(path.read_text("utf-8-sig", errors="replace"))[:MAX_TEXT]
    except OSError:
        return ""


def _printable(text: str) -> str:
    """The text on one line, without control characters and bytes that are no text."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f\ud800-\udfff]", " ", text).split())
