"""How many bytes of uploads one address and all together may send within a minute.

The bytes of a request count from their arrival until a minute after its end. So long may they lie
on the disk, which is why the limits bound the disk as well as the network.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

WINDOW_S = 60.0


class OverBudget(Exception):
    """More bytes than a minute may bring; ``wait_s`` is when to try again."""

    def __init__(self, wait_s: int, *, everybody: bool) -> None:
        super().__init__("too many bytes of uploads in a minute")
        self.wait_s = wait_s
        self.everybody = everybody


@dataclass(slots=True)
class Transfer:
    """The bytes of one request so far."""

    budget: UploadBudget
    address: str
    size: int = 0

    def add(self, size: int) -> None:
        """Count bytes that arrived. Raises OverBudget where they are too many."""
        self.size += size
        self.budget.count(self.address, size)


@dataclass(slots=True)
class UploadBudget:
    """Counts uploads; used by one event loop, so nothing is locked."""

    per_address: int
    overall: int
    clock: Callable[[], float] = time.monotonic
    _used: dict[str, int] = field(default_factory=dict)
    _total: int = 0
    _ended: deque[tuple[float, str, int]] = field(default_factory=deque)

    @contextmanager
    def transfer(self, address: str, announced: int) -> Iterator[Transfer]:
        """Count one request. Raises OverBudget where the announced bytes are too many already."""
        self._expire()
        self._check(address, announced)
        transfer = Transfer(self, address)
        try:
            yield transfer
        finally:
            self._ended.append((self.clock(), address, transfer.size))

    def count(self, address: str, size: int) -> None:
        """Add bytes of a request under way. Raises OverBudget where they are too many.

        They count before the check, so that a refused request has used its budget up.
        """
        self._expire()
        self._used[address] = self._used.get(address, 0) + size
        self._total += size
        self._check(address, 0)

    def _check(self, address: str, more: int) -> None:
        """Raise OverBudget where ``more`` bytes would exceed a limit."""
        everybody = self._total + more > self.overall
        if everybody or self._used.get(address, 0) + more > self.per_address:
            wait_s = int(WINDOW_S)
            if self._ended:
                # From then on the oldest request that ended no longer counts.
                wait_s = max(1, int(self._ended[0][0] + WINDOW_S - self.clock()) + 1)
            raise OverBudget(wait_s, everybody=everybody)

    def _expire(self) -> None:
        first = self.clock() - WINDOW_S
        while self._ended and self._ended[0][0] <= first:
            _, address, size = self._ended.popleft()
            self._total -= size
            self._used[address] = self._used.get(address, 0) - size
            if self._used[address] <= 0:
                del self._used[address]
