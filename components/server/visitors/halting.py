"""Which readings of which visitor are under way, so that a Stop button reaches them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import TypeVar

import gradio as gr

from retrieval import Halt, Progress

T = TypeVar("T")
MOMENT_S = 0.3
"""How often a count of files is painted anew."""


class Halts:
    """The halts of one page's visitors; a visitor is one open page, and reaches no other's."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: dict[str, list[Halt]] = defaultdict(list)

    @contextmanager
    def running(self, request: gr.Request) -> Iterator[Halt]:
        """A halt that the visitor's Stop reaches for as long as the block runs.

        Several readings of one visitor can be under way; Stop ends them all.
        """
        halt, visitor = Halt(), str(request.session_hash)
        with self._lock:
            self._running[visitor].append(halt)
        try:
            yield halt
        finally:
            with self._lock:
                self._running[visitor].remove(halt)
                if not self._running[visitor]:
                    del self._running[visitor]

    def ask(self, request: gr.Request) -> None:
        """End what this visitor has under way; what was done until then is kept."""
        with self._lock:
            halts = list(self._running.get(str(request.session_hash), ()))
        # Outside the lock: a halt may wake a reading that wants to leave the list.
        for halt in halts:
            halt.ask()


def seen(parts: Iterator[Progress | T]) -> Iterator[Progress | T]:
    """The parts without the counts that follow another too closely to be painted.

    A count is passed on at most every ``MOMENT_S`` seconds; other parts always are.
    """
    painted = float("-inf")
    for part in parts:
        if not isinstance(part, Progress):
            yield part
        elif monotonic() - painted > MOMENT_S:
            yield part
            painted = monotonic()


def so_far(part: Progress) -> str:
    """``Reading file 12 of 37 …``"""
    return f"Reading file {min(part.read + 1, part.of)} of {part.of} …"
