"""How many connections are open, and for how long a client may leave a request unfinished.

A connection costs a descriptor; without limits about a thousand requests that are never finished
take them all, and the page answers nobody until they close. When a limit is reached the connection
that has waited longest for its client's next byte makes room for the new one, so a visitor who
shares the address of such a client still gets through.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from typing import Protocol

from components.server.address import Network, is_trusted_address

logger = logging.getLogger(__name__)

TOTAL_CONNECTIONS = 2000
"""Four full addresses; a connection takes about 30 kB, so all of them 60 MB."""

ADDRESS_CONNECTIONS = 600
"""50 visitors behind one address with ten connections each (a browser opens six to a host, and a
visitor may have two tabs), and a fifth more."""

SWEEP_S = 1.0
"""Seconds between two looks for what is overdue: short against every limit of time here."""


class Connection(Protocol):
    """What the limits need of one connection."""

    peer: str

    @property
    def awaits_client(self) -> bool:
        """Whether nothing is under way but what the client has still to send."""

    def overdue(self, now: float) -> bool:
        """Whether the client took too long, at this time of the event loop.

        ``now`` is in seconds of the event loop's clock.
        """

    def refuse(self, status: int, words: str) -> None:
        """Answer with this, where a request has begun and its answer has not, and close."""


class Connections:
    """All open connections of one page; used in the thread of its event loop alone."""

    def __init__(
        self,
        total: int = TOTAL_CONNECTIONS,
        per_address: int = ADDRESS_CONNECTIONS,
        trusted: Sequence[Network] = (),
    ) -> None:
        self._total, self._per_address, self._trusted = total, per_address, trusted
        # Ordered by the time of the last byte, so that a search for the stalest ends early.
        self._open: OrderedDict[Connection, None] = OrderedDict()
        self._by_address: dict[str, OrderedDict[Connection, None]] = defaultdict(OrderedDict)
        self._sweep: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, new: Connection) -> None:
        """Count a new connection; where that is one too many, close another or this one.

        A trusted proxy's connections belong to many visitors, so only the total limits them. The
        one that is closed is the one that waited longest for its client.
        """
        self._open[new] = None
        self._by_address[new.peer][new] = None
        self._start_sweeping()
        # A proxy's connections are many visitors'; those are limited one by one where requests are.
        same = self._by_address[new.peer]
        if len(same) > self._per_address and not is_trusted_address(new.peer, self._trusted):
            self._make_room(same, new)
        elif len(self._open) > self._total:
            self._make_room(self._open, new)

    def received(self, one: Connection) -> None:
        """A byte came: of all, this connection now has waited the least."""
        if one in self._open:
            self._open.move_to_end(one)
            self._by_address[one.peer].move_to_end(one)

    def leave(self, one: Connection) -> None:
        """Forget a connection that is closed."""
        self._open.pop(one, None)
        same = self._by_address.get(one.peer)
        if same is not None:
            same.pop(one, None)
            if not same:
                del self._by_address[one.peer]

    def _make_room(self, among: Iterable[Connection], new: Connection) -> None:
        stalest = next((one for one in among if one is not new and one.awaits_client), new)
        logger.warning("too many connections are open: one that sent nothing is closed")
        # It counts no longer, also while its descriptor waits for the loop's next turn.
        self.leave(stalest)
        stalest.refuse(503, "Too many connections are open; try again in a minute")

    def _start_sweeping(self) -> None:
        if self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(SWEEP_S, self._close_overdue)

    def _close_overdue(self) -> None:
        self._sweep = None
        now = asyncio.get_running_loop().time()
        for one in [one for one in self._open if one.overdue(now)]:
            one.refuse(408, "The request was not finished in time")
        if self._open:
            self._start_sweeping()
