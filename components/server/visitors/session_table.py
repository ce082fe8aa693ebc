"""Which sessions are open, whose they are, and which one ends when there are too many.

A session is one open page, or one API client, under a hash that the client chose. It is bound to
the secrets of its first request; a client that presents none is bound to its address. Sessions end
by idleness. A new one may end another of its own address that is idle or holds nothing, and one of
another address only where the whole table is full; an active one is never ended for a new one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import RLock
from time import monotonic

from retrieval import Settings


class SessionError(Exception):
    """A request that its session refuses, with the words for its sender."""

    status = 403


class ForeignSession(SessionError):
    """The session is bound to somebody else's secret."""


class TooManySessions(SessionError):
    """Every place is used by an active visitor."""

    status = 429


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimits:
    """How many sessions there may be, and for how many seconds without a request.

    ``active_s``: a session with values that was used within this time is not ended for another.
    Ten minutes: reading an answer and following its links takes that long.
    """

    total: int
    per_address: int
    idle_s: float
    active_s: float = 600.0


@dataclass(slots=True, kw_only=True)
class Session:
    """One session. ``begun``: its page was loaded; ``has_values``: losing it loses something."""

    address: str
    secrets: frozenset[str]
    last_use: float
    begun: bool = False
    has_values: bool = False
    closed: bool = False


FOREIGN = "This session belongs to another browser. Reload the page to begin one of your own."
FULL = (
    "ScanScout is busy: all {total} places are taken by visitors at work. "
    "Your words are still here; try again in a few minutes."
)
ADDRESS_FULL = (
    "ScanScout is busy: {total} pages are open from your network address. "
    "Close those you do not need, or try again in {minutes} minutes."
)


class SessionTable:
    """The open sessions by hash, the longest unused first.

    ``is_busy`` tells whether a session has an event under way, ``discard`` removes its values.
    """

    def __init__(self, limits: SessionLimits, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self.is_busy: Callable[[str], bool] = lambda _: False
        self.discard: Callable[[str], None] = lambda _: None
        self._clock = clock
        self._lock = RLock()
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def __contains__(self, session_hash: object) -> bool:
        return session_hash in self._sessions

    def __len__(self) -> int:
        return len(self._sessions)

    def check(self, session_hash: str, address: str, secrets: frozenset[str]) -> Session | None:
        """The session of a hash, None for an unknown one. Raises ForeignSession."""
        with self._lock:
            session = self._sessions.get(session_hash)
            if session is None:
                return None
            is_bound = bool(session.secrets)
            if is_bound and not session.secrets & secrets:
                raise ForeignSession(FOREIGN)
            if not is_bound and session.address != address:
                raise ForeignSession(FOREIGN)
            return session

    def use(self, session_hash: str, address: str, secrets: frozenset[str]) -> Session:
        """The session of a hash, begun here where there is none; it counts as used now.

        Raises ForeignSession, or TooManySessions where a new one finds no place.
        """
        with self._lock:
            session = self.check(session_hash, address, secrets)
            if session is None:
                self.end_idle()
                self._make_room(address)
                session = Session(address=address, secrets=secrets, last_use=self._clock())
                self._sessions[session_hash] = session
            session.secrets = session.secrets or secrets
            session.last_use, session.closed = self._clock(), False
            self._sessions.move_to_end(session_hash)
            return session

    def end_idle(self) -> None:
        """End every session that was idle for longer than the limit.

        A session with an event under way stays, however long ago its last request was.
        """
        with self._lock:
            limit = self._clock() - self.limits.idle_s
            idle = [name for name, one in self._sessions.items() if one.last_use < limit]
            for name in idle:
                if not self.is_busy(name):
                    self._end(name)

    def _make_room(self, address: str) -> None:
        own = [name for name, one in self._sessions.items() if one.address == address]
        if len(own) >= self.limits.per_address:
            if self._end_one(own):
                return
            minutes = round(self.limits.active_s / 60)
            raise TooManySessions(ADDRESS_FULL.format(total=len(own), minutes=minutes))
        if len(self._sessions) < self.limits.total:
            return
        if not self._end_one(own) and not self._end_one(list(self._sessions)):
            raise TooManySessions(FULL.format(total=len(self._sessions)))

    def _end_one(self, names: list[str]) -> bool:
        """End one without values, else a closed one, else an idle one; whether there was any.

        ``names`` come in order of use, and so does what may end within each kind.
        """
        limit = self._clock() - self.limits.active_s
        by_kind: tuple[Callable[[Session], bool], ...] = (
            lambda one: not one.has_values,
            lambda one: one.closed,
            lambda one: one.last_use < limit,
        )
        for may_end in by_kind:
            for name in names:
                if may_end(self._sessions[name]) and not self.is_busy(name):
                    self._end(name)
                    return True
        return False

    def _end(self, session_hash: str) -> None:
        del self._sessions[session_hash]
        self.discard(session_hash)


def session_table(settings: Settings) -> SessionTable:
    """An empty table under the limits of the settings."""
    limits = SessionLimits(
        total=settings.sessions,
        per_address=min(settings.sessions_per_address, settings.sessions),
        idle_s=60.0 * settings.session_minutes,
    )
    return SessionTable(limits)
