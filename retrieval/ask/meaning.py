"""Nodes by the meaning of their names, for words that resemble no name in spelling."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from retrieval.core import Encoder, StageUnavailable, Vectors
from retrieval.graph import Item
from retrieval.storage import CacheFolder, rebuilt

logger = logging.getLogger(__name__)

NEAR = 0.6
"""Least cosine similarity of a link by meaning."""
NO_ENCODER = "no sentence encoder to link by meaning"
MAKING = "the meanings of the names are being computed"
ROWS = "rows.npy"
NAMES = r"[0-9a-f]{16}(\.npy)?|tmp.*\.new"
"""Names of folders of rows, and of the single files of an earlier edition."""
OTHERS = 1
"""Cached folders of other catalogs that stay, so that two used in turn are encoded once each."""
SPELLED_ONLY = frozenset({"tool", "date", "license", "gene", "gpu", "license_class", "dimension"})
"""Kinds whose names carry no meaning for an encoder (codes, proper names)."""


class MeaningIndex:
    """Embeddings of the names of nodes, computed once and cached in ``folder`` where given.

    While another thread computes them, or without an encoder, every look-up is empty and
    ``missing`` states why.
    """

    def __init__(self, encoder: Encoder, items: Iterable[Item], folder: Path | None = None) -> None:
        self._encoder, self._folder = encoder, folder
        self._items = sorted(items, key=lambda item: item.id)
        self._making = threading.Lock()
        self._rows: Vectors | None = None
        self._problem, self._making_reason = "", MAKING

    @property
    def missing(self) -> str:
        """Why nothing was linked by meaning; empty where it works."""
        return "" if self._rows is not None else self._problem

    def make(self) -> bool:
        """Compute the rows if needed; False while another thread does so, or without an encoder.

        Reads and writes the cache folder where there is one.
        """
        if self._rows is not None:
            return True
        # One thread encodes; the others answer without meanings rather than wait for it.
        if not self._making.acquire(blocking=False):
            self._problem = self._making_reason
            return False
        try:
            self._rows = self._rows if self._rows is not None else self._read_or_make()
        except StageUnavailable as exc:
            self._problem = str(exc)
        finally:
            self._making.release()
        return self._rows is not None

    def near(self, text: str, topk: int = 3, floor: float = NEAR) -> list[tuple[str, float]]:
        """At most ``topk`` nodes with a cosine of at least ``floor``, best first, ties by id.

        Cosines are rounded to six digits. The first call computes the rows unless another thread
        does so already.
        """
        return self.nearest([text], topk, floor)[0]

    def nearest(
        self, texts: list[str], topk: int = 3, floor: float = NEAR
    ) -> list[list[tuple[str, float]]]:
        """As ``near`` for each text, encoded in one batch; empty lists without an encoder."""
        if not texts or not self._items or topk < 1 or not self.make() or self._rows is None:
            return [[] for _ in texts]
        try:
            rows = self._encoder.encode(texts)
        except StageUnavailable as exc:
            self._problem = str(exc)
            return [[] for _ in texts]
        return [self._best(self._rows @ row, topk, floor) for row in rows]

    def _best(self, cosines: Vectors, topk: int, floor: float) -> list[tuple[str, float]]:
        """The best rows by float32 cosine; partition before sorting costs less than a full sort."""
        # Cosines are rounded to six digits below, so the cut leaves that much room for ties.
        least = floor - 1e-6
        if topk < len(cosines):
            least = max(least, float(np.partition(cosines, -topk)[-topk]) - 1e-6)
        near = np.flatnonzero(cosines >= least)
        hits = [(self._items[n].id, round(float(cosines[n]), 6)) for n in near.tolist()]
        above = [hit for hit in hits if hit[1] >= floor]
        return sorted(above, key=lambda hit: (-hit[1], hit[0]))[:topk]

    def _read_or_make(self) -> Vectors:
        """The rows of these names by this encoder, read from the cache folder where it has them."""
        if self._folder is None:
            return self._encode()
        text = "\n".join((self._encoder.id, *(item.label for item in self._items)))
        folder = CacheFolder(self._folder, hashlib.sha256(text.encode()).hexdigest()[:16])

        def write(target: Path) -> None:
            np.save(target / ROWS, self._encode(), allow_pickle=False)

        def say(reason: str) -> None:
            self._making_reason = reason

        try:
            path = rebuilt(folder, "the meanings of names are", write, say)
            rows: Vectors = np.load(path / ROWS, allow_pickle=False)
        except OSError as exc:
            logger.warning("the meanings of names could not be stored (%s)", exc.strerror)
            return self._encode()
        folder.clean(NAMES, OTHERS)
        return rows

    def _encode(self) -> Vectors:
        return self._encoder.encode([item.label for item in self._items])
