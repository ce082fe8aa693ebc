"""Web and literature search: the offer before it, the search itself, and its answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from msgspec import structs

from retrieval.core import (
    BadInput,
    Deadline,
    FirstOf,
    OutsideCallRefused,
    Page,
    Query,
    Stage,
    StageResult,
    State,
    Tool,
    finish,
    progress,
)
from retrieval.net import OutsideCalls
from retrieval.web.backend import PURPOSE
from retrieval.web.identity import doi_of
from retrieval.web.literature import Literature
from retrieval.web.stage import EARLIER, BackendStage
from retrieval.web.wording import choose, sendable, topic

LITERATURE, WEB = "literature", "web"
OFF = "web search is off: nothing is sent; set SCANSCOUT_WEB_SEARCH=true to switch it on"
LOOKS_UP = frozenset({"PubMed", "Semantic Scholar"})
"""Sources that know the DOIs of all publishers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a search would send, and where; shown before anything is sent.

    ``because``: the words of the question that ask for it; empty when only the person chose it.
    ``sends``: every text that may be sent; scientific sources get the topic of ``text``.
    ``hosts``: name and machine of every service that may be asked, in their order.
    """

    preset: str
    because: str
    text: str
    sends: tuple[str, ...]
    hosts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswer:
    """What was sent, the trace, and the pages in order."""

    preset: str
    sent: tuple[str, ...]
    hosts: tuple[tuple[str, str], ...]
    result: StageResult
    total_ms: float
    about: str = ""

    @property
    def pages(self) -> tuple[Page, ...]:
        """Best first; empty when nothing was found or no service answered."""
        return self.result.state.pages if self.result.ran else ()

    @property
    def used(self) -> tuple[str, ...]:
        """The services that gave something."""
        return tuple(_last(c) for c in self.result.children if c.ran)

    @property
    def failures(self) -> tuple[tuple[str, str], ...]:
        """The services that gave nothing, with the reason, in the order of asking."""
        return tuple((_last(c), c.note) for c in self.result.children if not c.ran)

    @property
    def reason(self) -> str | None:
        """Why there is no page, in words; None when there is one."""
        if self.pages:
            return None
        reasons = [f"{name}: {note}" for name, note in self.failures]
        return "; ".join([self.result.note or "nothing was found"] if self.result.ran else reasons)


def _last(part: StageResult) -> str:
    return part.name.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearch:
    """The services of this machine's settings, in the order in which they are tried."""

    services: Sequence[BackendStage]
    scientific: frozenset[str]
    guard: OutsideCalls
    clean: Callable[[str], str] = sendable
    seconds: float = 8.0
    limit: int = 20

    @property
    def on(self) -> bool:
        """Whether anything may be sent at all."""
        return PURPOSE in self.guard.allowed

    @property
    def presets(self) -> tuple[str, ...]:
        """What can be chosen: every service in turn, the scientific ones at once, or one alone."""
        return (WEB, LITERATURE, *(service.name for service in self.services))

    @property
    def _literature(self) -> tuple[BackendStage, ...]:
        """The scientific services, which run at once and so may take nearly all the time."""
        own = (s for s in self.services if s.name in self.scientific)
        # The rest is for fusing the lists before the time of the search ends.
        return tuple(replace(s, seconds=self.seconds, share=0.95) for s in own)

    def offer(self, text: str, preset: str = "") -> Offer | None:
        """What a search would send; None when the question does not ask for one."""
        line = sendable(self.clean(text))
        choice = choose(line)
        if not line or (choice is None and not preset):
            return None
        preset_name = preset or (choice.preset if choice else WEB)
        if preset_name not in self.presets:
            choices = ", ".join(self.presets)
            raise BadInput(f"preset: unknown {preset_name[:40]!r}; choose one of: {choices}")
        hosts = self._hosts(preset_name)
        names = {name for name, _ in hosts}
        sends = [line] if names - self.scientific else []
        sends += [topic(line)] if names & self.scientific else []
        return Offer(
            preset=preset_name,
            because=choice.because if choice else "",
            text=line,
            sends=tuple(dict.fromkeys(sends)),
            hosts=hosts,
        )

    def run(self, text: str, preset: str = "") -> WebAnswer:
        """Search; without a preset the one that the question asks for is used.

        Raises OutsideCallRefused while web search is off, BadInput for an unknown preset or an
        empty text. Services that fail or hang are reasons in the answer, never errors.
        """
        choice = choose(sendable(self.clean(text)))
        offer = self.offer(text, preset or (choice.preset if choice else WEB))
        if offer is None:
            raise BadInput("text: nothing to look for; say what to search the web for")
        service_by_name = {service.name: service for service in self.services}
        if offer.preset == LITERATURE:
            stage: Stage = Literature(LITERATURE, self._literature, self.limit)
        elif offer.preset == WEB:
            # Each gets twice its even share of the time left, at most half; the last gets all.
            services_left = range(len(self.services), 0, -1)
            shares = [1.0 if n == 1 else min(0.5, 2 / n) for n in services_left]
            turns = zip(self.services, shares, strict=True)
            stage = FirstOf(WEB, tuple(replace(one, share=share) for one, share in turns))
        else:
            stage = FirstOf(offer.preset, (replace(service_by_name[offer.preset], share=1.0),))
        return self._run(stage, offer)

    def papers(self, tool: Tool) -> Offer:
        """What ``evidence`` would send: the tool's DOI where it has one, its name and two tasks.

        Nothing is sent here.
        """
        about = sendable(" ".join((tool.name, *tool.tasks[:2])))
        sends = tuple(dict.fromkeys(t for t in (doi_of(tool.citation), topic(about)) if t))
        hosts = self._hosts(LITERATURE)
        return Offer(preset=LITERATURE, because="", text=about, sends=sends, hosts=hosts)

    def evidence(self, tool: Tool) -> WebAnswer:
        """Papers about a tool: the one it is cited by first, then those that name it.

        Raises OutsideCallRefused while web search is off. A result without pages says why.
        """
        doi = doi_of(tool.citation)
        numbered = [s for s in self._literature if s.name in LOOKS_UP] if doi else []
        extra = [(service, doi or "") for service in numbered]
        # Twice as many, because pages that do not name the tool are dropped below.
        stage = Literature(LITERATURE, self._literature, 2 * self.limit, extra)
        answer = self._run(stage, self.papers(tool))
        pages = about_tool(answer.pages, tool, doi)[: self.limit]
        result = structs.replace(
            answer.result, state=structs.replace(answer.result.state, pages=pages)
        )
        if result.ran and not pages:
            result = structs.replace(result, note=f"none of the papers found names {tool.name}")
        return replace(answer, result=result, about=tool.id)

    def _hosts(self, preset: str) -> tuple[tuple[str, str], ...]:
        """Name and machine of every service of a preset."""
        own = self._literature if preset == LITERATURE else self.services
        services = (s for s in own if preset in {WEB, LITERATURE, s.name})
        return tuple((s.name, s.backend.host) for s in services)

    def _run(self, stage: Stage, offer: Offer) -> WebAnswer:
        if not self.on:
            raise OutsideCallRefused(OFF)
        start = perf_counter()
        query = Query(raw=offer.text, text=offer.text)
        state = State(query=query, deadline=Deadline.after(self.seconds * EARLIER))
        result = finish(progress(stage, state, root=True))
        names = {_last(child).removesuffix(", by number") for child in result.children}
        return WebAnswer(
            preset=offer.preset,
            sent=offer.sends,
            hosts=tuple(pair for pair in offer.hosts if pair[0] in names),
            result=result,
            total_ms=(perf_counter() - start) * 1000,
        )


def about_tool(pages: Sequence[Page], tool: Tool, doi: str | None) -> tuple[Page, ...]:
    """A tool's own paper, then pages whose title names it, then those whose text does.

    Pages that do not name it are left out; within a group the incoming order stays.
    """
    name = re.compile(rf"(?<!\w){re.escape(tool.name)}(?!\w)", re.IGNORECASE)

    def place(page: Page) -> int:
        if doi is not None and page.doi == doi:
            return 0
        return 1 if name.search(page.title) else 2 if name.search(page.text) else 3

    return tuple(page for page in sorted(pages, key=place) if place(page) < 3)
