"""A store on a server, and one on this machine that answers while the server does not."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeVar

from retrieval.core import EVERYTHING, Selection, StageUnavailable, Vectors
from retrieval.dense.port import VectorStore
from retrieval.dense.stores import Hits

T = TypeVar("T")

logger = logging.getLogger(__name__)

PAUSE_S = 5.0
"""Seconds between two looks at a server that failed: it needs about 20 s to start."""


class FailoverStore:
    """Asks the server; after a failure the spare answers until the server does again.

    Only the query that meets the failure waits for it: whether the server is back is looked up
    beside the queries. ``spare`` is called when it is first needed, and again after each failure.
    """

    def __init__(self, server: VectorStore, spare: Callable[[], VectorStore]) -> None:
        self._server, self._open_spare = server, spare
        self._spare: VectorStore | None = None
        self._lock = threading.Lock()
        self._next_look = 0.0
        self.problem = ""
        """Why the spare answers; empty while the server does."""

    @property
    def ids(self) -> Sequence[str]:
        """Ids in the order of the rows."""
        return self._server.ids

    def search(self, vector: Vectors, k: int, selection: Selection = EVERYTHING) -> Hits:
        """The k admitted ids of highest inner product, from the store that answers."""
        return self._first(lambda store: store.search(vector, k, selection))

    def scores(self, vector: Vectors, ids: Sequence[str]) -> list[float]:
        """Inner products of these ids, in their order, from the store that answers."""
        return self._first(lambda store: store.scores(vector, ids))

    def _first(self, ask: Callable[[VectorStore], T]) -> T:
        if not self.problem:
            try:
                return ask(self._server)
            except StageUnavailable as exc:
                logger.warning("%s; the index on this machine answers instead", exc)
                self.problem, self._next_look = str(exc), monotonic() + PAUSE_S
        elif monotonic() > self._next_look:
            self._look(ask)
        return ask(self._in_its_place())

    def _look(self, ask: Callable[[VectorStore], object]) -> None:
        """Ask the server beside the query; where it answers, later queries go to it again."""
        self._next_look = monotonic() + PAUSE_S

        def look() -> None:
            try:
                ask(self._server)
            except StageUnavailable as exc:
                self.problem, self._next_look = str(exc), monotonic() + PAUSE_S
                return
            logger.info("the server of the vectors answers again")
            self.problem, self._spare = "", None

        threading.Thread(target=look, name="vector server", daemon=True).start()

    def _in_its_place(self) -> VectorStore:
        """The spare; raises StageUnavailable with both reasons where there is none."""
        with self._lock:
            if self._spare is None:
                try:
                    self._spare = self._open_spare()
                except StageUnavailable as exc:
                    raise StageUnavailable(f"{self.problem}; and here {exc}") from exc
            return self._spare
