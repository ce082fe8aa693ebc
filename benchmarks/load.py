"""Many visitors at once: ``python -m benchmarks.load [USERS] [SECONDS] [page]``; no test run.

Users search by the public endpoint, or with ``page`` by what the page's button does, with one
second of thought in between; each asks in words of its own, so that an answer that belongs to
somebody else is noticed. Then fresh sessions load the page, and what they leave in memory is
measured.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus
from uuid import uuid4

import httpx

from benchmarks.screenshots import app_process

TASKS = ("segment lungs", "register brain MRI", "count nuclei", "track cells", "denoise CT")
SESSIONS = 1_000
THOUGHT_S = 1.0


@dataclass
class Heard:
    """Seconds of every answer, names of errors, and number of answers to another's question."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    crossed: int = 0


def resident_mb(process: int) -> float:
    """Resident memory of a process in MB."""
    pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def cpu_s(process: int) -> float:
    """CPU seconds that a process has used, user and system."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


Ask = Callable[[httpx.AsyncClient, str], Awaitable[bool]]
"""One search; whether the answer is to what was asked."""


async def answer_of(client: httpx.AsyncClient, text: str) -> dict[str, Any]:
    """The answer of the public endpoint."""
    body = {"data": [text, ["format:CT"], "hybrid", 10]}
    event = (await client.post("gradio_api/call/recommend", json=body)).json()["event_id"]
    events = (await client.get(f"gradio_api/call/recommend/{event}")).text
    line = next(x for x in events.splitlines() if x.startswith("data: ["))
    answer: dict[str, Any] = json.loads(line.removeprefix("data: "))[0]
    return answer


async def loaded(address: str) -> None:
    """Wait until the server has loaded every model; asks once per THOUGHT_S."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        while not (await answer_of(client, TASKS[0]))["metadata"]["load_ms"]:
            await asyncio.sleep(THOUGHT_S)


async def by_endpoint(client: httpx.AsyncClient, text: str) -> bool:
    """One search by the public endpoint."""
    return bool((await answer_of(client, text))["query"]["text"] == text)


def by_page(config: dict[str, Any]) -> Ask:
    """One search as the page's button starts it: every view, up to the link that restores it."""
    components = {one["id"]: one["props"] for one in config["components"]}
    find = next(id for id, props in components.items() if props.get("elem_id") == "find")
    clicked = [d for d in config["dependencies"] if [find, "click"] in map(list, d["targets"])]
    search = max(clicked, key=lambda one: len(one["inputs"]))
    form = [components[id].get("value") for id in search["inputs"]]
    sessions: dict[object, str] = defaultdict(lambda: uuid4().hex)
    headers = {"x-scanscout-page": uuid4().hex, "x-scanscout-holds": "answer"}

    async def ask(client: httpx.AsyncClient, text: str) -> bool:
        session = sessions[asyncio.current_task()]  # a user is a task, and keeps one page open
        body = {"data": [text, *form[1:]], "fn_index": search["id"], "session_hash": session}
        join = client.post("gradio_api/queue/join", json=body, headers=headers)
        (await join).raise_for_status()
        params = {"session_hash": session}
        response = await client.get("gradio_api/queue/data", params=params, headers=headers)
        return f"?q={quote_plus(text)}" in response.text

    return ask


async def user(client: httpx.AsyncClient, name: int, until: float, heard: Heard, ask: Ask) -> None:
    """Search, think, search again."""
    await asyncio.sleep(name / 50 * THOUGHT_S)
    for turn in count():
        if time.monotonic() > until:
            return
        text, began = f"{TASKS[turn % len(TASKS)]} for user {name} turn {turn}", time.monotonic()
        try:
            right = await ask(client, text)
        except (httpx.HTTPError, StopIteration, ValueError, KeyError) as exc:
            heard.errors.append(type(exc).__name__)
        else:
            heard.seconds.append(time.monotonic() - began)
            heard.crossed += not right
        await asyncio.sleep(THOUGHT_S)


async def crowd(address: str, users: int, seconds: float, ask: Ask = by_endpoint) -> Heard:
    """The tally of ``users`` that search concurrently for ``seconds``."""
    heard, until = Heard(), time.monotonic() + seconds
    limits = httpx.Limits(max_connections=4 * users)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
        await asyncio.gather(*(user(client, n, until, heard, ask) for n in range(users)))
    return heard


async def visit(client: httpx.AsyncClient, load: int, inputs: int) -> None:
    """A fresh session: the page, and the event that fills it from the address."""
    session = uuid4().hex
    (await client.get("", headers={"accept": "text/html"})).raise_for_status()
    body = {"data": [None] * inputs, "fn_index": load, "session_hash": session, "event_data": None}
    (await client.post("gradio_api/run/predict", json=body)).raise_for_status()


async def fresh(address: str, sessions: int) -> None:
    """Open sessions, ten at a time, that load the page and leave."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        config = (await client.get("config")).json()
        loads = [d for d in config["dependencies"] if ["load"] in [t[1:] for t in d["targets"]]]
        load, inputs = int(loads[0]["id"]), len(loads[0]["inputs"])
        for start in range(0, sessions, 10):
            await asyncio.gather(*(visit(client, load, inputs) for _ in range(start, start + 10)))


def main() -> None:
    """Print a table and fail where a goal is missed."""
    users = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    with app_process() as (address, process):
        config = httpx.get(f"{address}config", timeout=60).json()
        ask = by_page(config) if sys.argv[3:] == ["page"] else by_endpoint
        asyncio.run(loaded(address))
        asyncio.run(crowd(address, 2, 5, ask))
        before, used = resident_mb(process), cpu_s(process)
        heard = asyncio.run(crowd(address, users, seconds, ask))
        after, used = resident_mb(process), cpu_s(process) - used
        asyncio.run(fresh(address, 50))
        first = resident_mb(process)
        asyncio.run(fresh(address, SESSIONS))
        last = resident_mb(process)
    listed = sorted(heard.seconds)
    rows = {
        "answers": len(listed),
        "errors": len(heard.errors),
        "answers to another's question": heard.crossed,
        "median s": round(statistics.median(listed), 3),
        "p95 s": round(listed[int(0.95 * (len(listed) - 1))], 3),
        "worst s": round(listed[-1], 3),
        "server CPU ms an answer": round(1000 * used / len(listed), 1),
        "memory growth MB": round(after - before, 1),
        f"memory of {SESSIONS} sessions MB": round(last - first, 1),
    }
    for name, value in rows.items():
        print(f"{name:32} {value}")


if __name__ == "__main__":
    main()
