"""The port through which an engine gets its snapshots, and the source of one that stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from retrieval.core import Query
from retrieval.engine.snapshot import Outline, Snapshot
from retrieval.llm import Outgoing


class SnapshotSource(Protocol):
    """Builds, loads and replaces snapshots; safe between threads."""

    @property
    def outline(self) -> Outline | Snapshot:
        """What a page needs of the current snapshot; nothing is built for it."""
        ...

    @property
    def ready(self) -> bool:
        """Whether loading is over, however it ended."""
        ...

    @property
    def load_ms(self) -> float:
        """Milliseconds that loading took; 0 before its end."""
        ...

    def current(self) -> Snapshot:
        """The snapshot for a query that begins now; begins to load where nobody did."""
        ...

    def load(self) -> None:
        """Begin to load in the background; nothing when that was begun."""
        ...

    def wait(self, seconds: float | None) -> bool:
        """Load, and return when that is over or the time is; whether it is over."""
        ...

    def preview(
        self, query: Query, mode: str, images: Sequence[bytes], sizes: Mapping[str, int]
    ) -> Outgoing | None:
        """The first request that a query would send to the language model; nothing is sent."""
        ...


class FixedSnapshot:
    """One snapshot, ready from the start, until its owner sets another."""

    ready, load_ms = True, 0.0

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    @property
    def outline(self) -> Snapshot:
        """The snapshot."""
        return self.snapshot

    def current(self) -> Snapshot:
        """The snapshot."""
        return self.snapshot

    def load(self) -> None:
        """Nothing is left to load."""

    def wait(self, seconds: float | None) -> bool:
        """Ready at once."""
        return True

    def preview(
        self, query: Query, mode: str, images: Sequence[bytes], sizes: Mapping[str, int]
    ) -> Outgoing | None:
        """None: what a snapshot would send is known where its language model is opened."""
        return None
