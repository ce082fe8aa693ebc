"""Which saved index fits the running settings: the user's own, then the shipped one."""

from __future__ import annotations

import errno
import logging
from dataclasses import dataclass
from pathlib import Path

from retrieval.catalog import Catalog
from retrieval.core import Encoder, StageUnavailable
from retrieval.dense import IndexFolder, Screen, Stored
from retrieval.query import TermIndex
from retrieval.settings import Settings

logger = logging.getLogger("retriever.vector_index")

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""No room on the disk, or none left of the user's share of it."""

HYBRID, PLAZA = "biocortex", "plaza"
"""Names of the text templates, each with an index of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedIndex:
    """A saved index that fits, or the nearest one that does not (its vectors can be reused)."""

    fitting: Stored | None
    nearest: Stored | None
    reason: str = ""


def folder_of(root: Path, template: str) -> IndexFolder:
    """Where the index of a template lives below an index folder."""
    return IndexFolder(root, part_of(template))


def part_of(template: str) -> str:
    """The folder of a template's index below an index folder; empty for the folder itself."""
    return "" if template == HYBRID else template


def find_index(settings: Settings, catalog: Catalog, encoder: Encoder, template: str) -> SavedIndex:
    """The first saved index made from this catalog, model and template."""
    nearest: Stored | None = None
    reason = ""
    for root in (settings.index_dir, settings.shipped_index):
        folder = folder_of(root, template)
        try:
            stored = folder.load()
        except StageUnavailable as exc:
            if folder.begun:
                logger.warning("%s", exc)
                reason = reason or str(exc).partition(";")[0]
            continue
        wrong = _mismatch(stored, catalog, encoder, template)
        if not wrong:
            logger.info("index of %d tools loaded", len(stored.meta.ids))
            return SavedIndex(fitting=stored, nearest=stored)
        reason = reason or wrong
        nearest = nearest or stored
    return SavedIndex(fitting=None, nearest=nearest, reason=reason)


def _mismatch(stored: Stored, catalog: Catalog, encoder: Encoder, template: str) -> str:
    """Why an index does not fit, or nothing."""
    meta = stored.meta
    if meta.model != encoder.id:
        return f"the index was made with {meta.model}"
    if encoder.dim and meta.dim != encoder.dim:
        return f"the index is {meta.dim} wide, the encoder {encoder.dim}"
    if meta.template != template:
        return f"the index was made with the text template {meta.template}"
    if meta.catalog_sha256 != catalog.sha256:
        return "the index was made from another catalog"
    return ""


def unwritten(what: str, error: OSError, setting: str) -> str:
    """``what`` could not be saved, why, and what to do; names no path, as a page shows it."""
    reason = "the disk is full" if error.errno in FULL else (error.strerror or "unknown error")
    return f"{what} could not be saved: {reason}; make room, or set {setting}, and start again"


def term_index(stored: Stored | None) -> TermIndex | None:
    """The terms of an index with their vectors, screened where there are many; None without."""
    if stored is None or not stored.terms:
        return None
    screen = Screen.of(stored.term_vectors)
    return TermIndex(stored.terms, stored.term_vectors, screen.nearest if screen else None)
