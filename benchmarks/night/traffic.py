"""What visitors do in a night: each action is one visit to the page or one call of an endpoint."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic

import httpx

from benchmarks.night.browser import OpenPage, PageMap, Reply, UnnamedError, call
from benchmarks.night.files import Files

TASKS = ("segment lungs", "register brain MRI", "count nuclei", "track cells", "denoise CT")
QUESTIONS = (
    "Which tools turn DICOM into NIfTI?",
    "What does nnU-Net read?",
    "Which tools segment lungs and run without a GPU?",
    "What is the price of gold?",
)
MODES = ("hybrid", "hybrid", "vector", "plaza", "agentic")
PAGES = 6
"""Pages that are open at a time; each is left after ``STAY`` actions, and a new one opens."""
STAY = 25
REMOVE = re.compile(r'data-act=\\?"remove\\?" data-id=\\?"([^"\\]+)')


@dataclass
class Tally:
    """Outcomes by action, and the unnamed errors in the order in which they came."""

    answers: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    unnamed: list[str] = field(default_factory=list)


class Traffic:
    """Actions at a mean rate, on a few open pages and by endpoints."""

    def __init__(
        self, client: httpx.AsyncClient, page: PageMap, files: Files, *, seed: int = 0
    ) -> None:
        self.tally = Tally()
        self._client, self._page, self._files = client, page, files
        self._random = Random(seed)
        self._pages = [self._opened() for _ in range(PAGES)]
        self._uses: Counter[OpenPage] = Counter()
        self.actions: dict[str, tuple[int, Callable[[OpenPage], Awaitable[Reply]]]] = {
            "search by endpoint": (5, self._endpoint),
            "search on the page": (6, self._search),
            "upload": (3, self._upload),
            "upload to an endpoint": (2, self._endpoint_files),
            "broken file": (2, self._broken),
            "cohort": (1, self._cohort),
            "ask": (3, self._ask),
            "document added": (1, self._add),
            "document removed": (1, self._remove),
            "search stopped": (2, self._stopped),
            "reading stopped": (1, self._reading_stopped),
        }
        """Weight and work of each kind of action."""

    def _opened(self) -> OpenPage:
        return OpenPage(self._client, self._page)

    async def drive(self, seconds: float, rate: float) -> None:
        """Begin actions at ``rate`` a second, at random times, until the time is over."""
        until, running = monotonic() + seconds, set[asyncio.Task[None]]()
        names, weights = list(self.actions), [weight for weight, _ in self.actions.values()]
        while monotonic() < until:
            name = self._random.choices(names, weights)[0]
            task = asyncio.create_task(self.act(name))
            running.add(task)
            task.add_done_callback(running.discard)
            await asyncio.sleep(self._random.expovariate(rate))
        await asyncio.gather(*running)

    async def act(self, name: str) -> None:
        """One action on one page, counted by its outcome; a page does one thing at a time."""
        place = self._random.randrange(PAGES)
        page = self._pages[place]
        async with page.lock:
            try:
                reply = await self.actions[name][1](page)
            except UnnamedError as exc:
                self.tally.unnamed.append(f"{name}: {exc}")
            except (httpx.HTTPError, KeyError, ValueError, StopIteration) as exc:
                self.tally.unnamed.append(f"{name}: {type(exc).__name__}")
            else:
                (self.tally.refusals if reply.is_refused else self.tally.answers)[name] += 1
            self._uses[page] += 1
            if self._uses[page] >= STAY and self._pages[place] is page:
                self._pages[place] = self._opened()
                del self._uses[page]
                await page.leave()

    async def leave(self) -> None:
        """Close every page."""
        for page in self._pages:
            await page.leave()

    def _text(self) -> str:
        return f"{self._random.choice(TASKS)} {self._random.randrange(1000)}"

    async def _endpoint(self, _: OpenPage) -> Reply:
        mode = self._random.choice(MODES)
        return await call(self._client, "recommend", self._text(), ["format:CT"], mode, 10)

    async def _endpoint_files(self, page: OpenPage) -> Reply:
        files = await page.upload(self._random.choice(self._files.scans))
        return await call(self._client, "recommend_files", self._text(), files, "hybrid", 10)

    async def _search(self, page: OpenPage) -> Reply:
        mode = self._random.choice(MODES)
        return await page.fire("", "find", "click", query=self._text(), mode=mode)

    async def _upload(self, page: OpenPage) -> Reply:
        files = await page.upload(self._random.choice(self._files.scans))
        return await page.fire("", "files", "upload", files=files, query=self._text())

    async def _broken(self, page: OpenPage) -> Reply:
        files = await page.upload(self._random.choice(self._files.broken))
        reply = await call(self._client, "recommend_files", self._text(), files, "hybrid", 5)
        if reply.is_refused:
            return reply
        return Reply(text="", is_refused=bool(reply.result["upload"]["refused"]))

    async def _cohort(self, page: OpenPage) -> Reply:
        files = await page.upload(self._files.subjects)
        if self._random.random() < 0.5:
            return await call(self._client, "recommend_cohort", self._text(), files)
        return await page.fire("cohort", "files", "upload", files=files, cohorttext=self._text())

    async def _ask(self, page: OpenPage) -> Reply:
        question = self._random.choice(QUESTIONS)
        return await page.fire("ask", "askgo", "click", question=question)

    async def _add(self, page: OpenPage) -> Reply:
        files = await page.upload([self._random.choice(self._files.documents)])
        reply = await page.fire("ask", "papersadd", "upload", papersadd=files)
        page.documents = REMOVE.findall(reply.text)
        return reply

    async def _remove(self, page: OpenPage) -> Reply:
        if not page.documents:
            await self._add(page)
        one = {"id": page.documents.pop() if page.documents else "none"}
        return await page.fire("ask", "bus", "remove", one)

    async def _stopped(self, page: OpenPage) -> Reply:
        event = page.event("", "find", "click")
        return await self._stop_during(page, event, {"query": self._text(), "mode": "agentic"})

    async def _reading_stopped(self, page: OpenPage) -> Reply:
        files = await page.upload(self._files.scans[1])
        event = page.event("", "files", "upload")
        return await self._stop_during(page, event, {"files": files})

    async def _stop_during(
        self, page: OpenPage, event: dict[str, object], fill: dict[str, object]
    ) -> Reply:
        number = await page.press(event, **fill)
        heard = asyncio.create_task(page.outcome("a stopped event"))
        await asyncio.sleep(self._random.uniform(0.0, 0.3))
        await page.stop("", event, number)
        with suppress(TimeoutError):
            return await asyncio.wait_for(heard, 60)
        raise UnnamedError("nothing ended the event")
