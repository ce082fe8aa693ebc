"""Nodes by the meaning of their names, for words that no name is spelled like."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np

from retrieval.core.errors import StageUnavailable
from retrieval.core.ports import Encoder, Vectors
from retrieval.graph.facts import Item

logger = logging.getLogger(__name__)

NEAR = 0.6
"""Least cosine of a link by meaning."""
NO_ENCODER = "no sentence encoder to link by meaning"
MAKING = "the meanings of the names are being made"
SPELLED_ONLY = frozenset({"tool", "date", "license", "gene", "gpu", "license_class", "dimension"})
"""Kinds whose names say nothing of what they stand for."""


class MeaningIndex:
    """The names of nodes as rows of an encoder, made once and kept in ``folder`` if one is given.

    While another thread makes the rows, or the encoder is not there, nothing is near anything and
    ``missing`` says why.
    """

    def __init__(self, encoder: Encoder, items: Iterable[Item], folder: Path | None = None) -> None:
        self._encoder, self._folder = encoder, folder
        self._items = sorted(items, key=lambda item: item.id)
        self._making = threading.Lock()
        self._rows: Vectors | None = None
        self._problem = ""

    @property
    def missing(self) -> str:
        """Why nothing was linked by meaning; empty while all is well."""
        return "" if self._rows is not None else self._problem

    def make(self) -> bool:
        """Make the rows unless they are there; False while another thread does, or none can."""
        if self._rows is not None:
            return True
        if not self._making.acquire(blocking=False):
            self._problem = MAKING
            return False
        try:
            self._rows = self._read() if self._rows is None else self._rows
            if self._rows is None:
                self._rows = self._encoder.encode([item.label for item in self._items])
                self._write(self._rows)
        except StageUnavailable as exc:
            self._problem = str(exc)
        finally:
            self._making.release()
        return self._rows is not None

    def near(self, text: str, topk: int = 3, floor: float = NEAR) -> list[tuple[str, float]]:
        """Nodes whose names mean about this, with the cosine, best first, ties by id."""
        return self.nearest([text], topk, floor)[0]

    def nearest(
        self, texts: list[str], topk: int = 3, floor: float = NEAR
    ) -> list[list[tuple[str, float]]]:
        """What is near each text; nothing where the encoder cannot be had."""
        if not texts or not self._items or topk < 1 or not self.make() or self._rows is None:
            return [[] for _ in texts]
        try:
            asked = self._encoder.encode(texts)
        except StageUnavailable as exc:
            self._problem = str(exc)
            return [[] for _ in texts]
        return [self._best(self._rows @ row, topk, floor) for row in asked]

    def _best(self, cosines: Vectors, topk: int, floor: float) -> list[tuple[str, float]]:
        """Only what can be among the first is put in order: a sort of all would cost more."""
        least = floor - 1e-6
        if topk < len(cosines):
            least = max(least, float(np.partition(cosines, -topk)[-topk]) - 1e-6)
        near = np.flatnonzero(cosines >= least)
        found = [(self._items[n].id, round(float(cosines[n]), 6)) for n in near.tolist()]
        kept = [hit for hit in found if hit[1] >= floor]
        return sorted(kept, key=lambda hit: (-hit[1], hit[0]))[:topk]

    def _file(self, folder: Path) -> Path:
        told = "\n".join((self._encoder.id, *(item.label for item in self._items)))
        return folder / f"{hashlib.sha256(told.encode()).hexdigest()[:16]}.npy"

    def _read(self) -> Vectors | None:
        """The rows kept for exactly these names and this encoder, if they are sound."""
        if self._folder is None:
            return None
        try:
            rows: Vectors = np.load(self._file(self._folder), allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        fits = rows.ndim == 2 and len(rows) == len(self._items) and rows.dtype == np.float32
        whole = fits and np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-3)
        return rows if whole and self._encoder.dim in (0, rows.shape[1]) else None

    def _write(self, rows: Vectors) -> None:
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, suffix=".new", delete=False) as file:
                np.save(file, rows, allow_pickle=False)
            Path(file.name).replace(self._file(self._folder))
        except OSError as exc:
            logger.warning("the meanings of names could not be kept (%s)", exc.strerror)
