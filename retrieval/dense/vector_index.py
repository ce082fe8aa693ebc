"""The plain face of an index: load a folder, search it by text, save it (S1-18)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from retrieval.core import BadInput, Encoder, Vectors
from retrieval.dense.folder import IndexFolder, Stored


class VectorIndex:
    """Exact search over one saved index; the files are ``index.faiss`` and ``meta.json``."""

    def __init__(self, encoder: Encoder, stored: Stored | None = None) -> None:
        self._encoder, self._stored = encoder, stored

    def load(self, folder: Path) -> None:
        """Read the live state; raises BadInput when model or width are not the encoder's.

        Raises StageUnavailable where there is no index or a damaged one. The index loaded before
        stays in use after an error.
        """
        stored = IndexFolder(Path(folder)).load()
        had, want = (stored.meta.model, stored.meta.dim), (self._encoder.id, self._encoder.dim)
        if had != want:
            raise BadInput(
                f"index: made with {had[0]} ({had[1]} wide), but the encoder is {want[0]} "
                f"({want[1]} wide); run sync to make it again"
            )
        self._stored = stored

    def save(self, folder: Path) -> None:
        """Write the index as a new state and make it live."""
        IndexFolder(Path(folder)).save(self._have())

    @property
    def dim(self) -> int:
        """Width of a vector."""
        return self._have().meta.dim

    @property
    def ids(self) -> tuple[str, ...]:
        """Tool ids; ``indices`` of a search point into it."""
        return self._have().meta.ids

    def search(self, query: str | Sequence[str], k: int = 20) -> tuple[Vectors, np.ndarray]:
        """Scores and indices, best first: shape (k,) for a text, (n, k) for several.

        Scores are inner products in float32, indices int64 places in ``ids``; ties are in FAISS's
        order. ``k`` is lowered to the number of rows. Raises BadInput where nothing is loaded.
        """
        texts = [query] if isinstance(query, str) else list(query)
        stored = self._have()
        k = min(k, len(stored.meta.ids))
        scores, rows = stored.store.index.search(self._encoder.encode(texts), k)
        return (scores[0], rows[0]) if isinstance(query, str) else (scores, rows)

    def _have(self) -> Stored:
        if self._stored is None:
            raise BadInput("index: nothing is loaded; call load(folder) first")
        return self._stored
