"""One service as a stage, so that lists, notes and timings show as they do for tools."""

from __future__ import annotations

from dataclasses import dataclass, replace

from retrieval.core import Candidate, Deadline, Page, StageResult, State, Tool, bounded
from retrieval.web.backend import WebBackend
from retrieval.web.cache import PageCache, age_words
from retrieval.web.identity import keys

SHOWN = 300
"""Characters of a page's text in a list."""

EARLIER = 0.93
"""The connection ends at this part of the time, so that its own reason is the one told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendStage:
    """Asks one service for State.query.text; fills ``pages`` and, for the lists, ``candidates``.

    It takes at most ``seconds``, and at most ``share`` of the time that is left.
    """

    backend: WebBackend
    cache: PageCache
    seconds: float = 3.0
    share: float = 0.5
    limit: int = 10

    @property
    def name(self) -> str:
        """The service's name."""
        return self.backend.name

    def run(self, state: State) -> StageResult:
        """The pages from the cache or the service, and the same as candidates.

        Raises StageUnavailable with a reason when the service gives none in time. The metric
        ``age_s`` is there for pages from the cache alone.
        """
        text = state.query.text
        key = (self.name, self.backend.base, text, self.limit)
        cached = self.cache.get(*key)
        if cached is not None:
            return self._result(
                state, cached.pages, f"kept from {age_words(cached.age_s)}", cached.age_s
            )
        seconds = min(self.seconds, state.deadline.left * self.share)
        deadline = Deadline.after(seconds * EARLIER)
        pages = bounded(
            lambda: self.backend.search(text, self.limit, deadline), seconds, "the service"
        )
        self.cache.put(pages, *key)
        return self._result(state, pages, "")

    def _result(
        self, state: State, pages: tuple[Page, ...], note: str, age_s: float | None = None
    ) -> StageResult:
        return StageResult(
            name=self.name,
            state=replace(state, pages=pages, candidates=as_candidates(pages, state.path)),
            note="; ".join(part for part in (self.backend.service.through, note) if part),
            metrics={} if age_s is None else {"age_s": round(age_s)},
        )


def as_candidates(pages: tuple[Page, ...], stage: str) -> tuple[Candidate, ...]:
    """Pages as candidates in their order; the same work twice counts once.

    The score is 1 / rank, so that lists of services without scores can be shown and fused.
    """
    first = {keys(page)[0]: page for page in reversed(pages)}
    listed = sorted(first.items(), key=lambda item: pages.index(item[1]))
    return tuple(
        as_candidate(page, key).scored(stage, 1 / rank)
        for rank, (key, page) in enumerate(listed, start=1)
    )


def as_candidate(page: Page, key: str) -> Candidate:
    """One page as a row under a key."""
    tool = Tool(id=key, name=page.title, description=page.text[:SHOWN], url=page.url)
    return Candidate(tool=tool, score=0.0)
