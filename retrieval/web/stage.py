"""Web search as stages: one service with its list, and the offer in a list of tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
    Deadline,
    Page,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    Why,
    bounded,
)
from retrieval.web.backend import WebBackend
from retrieval.web.cache import PageCache, age_words
from retrieval.web.identity import keys
from retrieval.web.wording import choose

SHOWN = 300
"""Characters of a page's text in a list."""

EARLIER = 0.93
"""The connection ends at this part of the time, so that its own reason is the one shown."""


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
    keyed_pages = sorted(first.items(), key=lambda item: pages.index(item[1]))
    return tuple(
        as_candidate(page, key).scored(stage, 1 / rank)
        for rank, (key, page) in enumerate(keyed_pages, start=1)
    )


def as_candidate(page: Page, key: str) -> Candidate:
    """One page as a row under a key."""
    tool = Tool(id=key, name=page.title, description=page.text[:SHOWN], url=page.url)
    return Candidate(tool=tool, score=0.0)


RECORD = "web_literature_search"
"""Id of the catalog record that stands for this layer."""


@dataclass(frozen=True)
class WebOffer:
    """Picks web search by the words of a query, from the same catalog as every other tool.

    Picked means offered: nothing is sent here. A catalog without the record is left as it is.
    While the web is ``off`` a query that asks for it skips the stage, with how to switch it on.
    """

    tools: Mapping[str, Tool]
    name: str = "web"
    off: str = ""

    def run(self, state: State) -> StageResult:
        """The candidates with the record in front of them, or without it.

        No other tool leaves the list for it, unless the query sets how many are listed. The note
        says which words asked for it.
        Raises StageUnavailable where words ask for the web and it is off.
        """
        tool, choice = self.tools.get(RECORD), choose(state.query.text)
        others = tuple(c for c in state.candidates if c.tool.id != RECORD)
        if tool is None or choice is None or not state.selection.admits(RECORD):
            after = replace(state, candidates=others)
            return StageResult(name=self.name, state=after, listed=False)
        if self.off:
            raise StageUnavailable(f"asks for: {choice.because}; {self.off}")
        why = Why(kind="web", stage=state.path, text=f"You asked for “{choice.because}”")
        # The same score as the best of the others: the record is offered, not judged.
        top = max((c.score for c in others), default=1.0)
        first = Candidate(tool=tool, score=top).scored(state.path, top, why)
        after = replace(state, candidates=(first, *others)[: state.query.top_k])
        return StageResult(name=self.name, state=after, note=f"asks for: {choice.because}")
