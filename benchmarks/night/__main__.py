"""Mixed traffic on the page: ``python -m benchmarks.night [MINUTES] [--rate N] [--out FOLDER]``.

Starts the app on loopback with folders of its own, and drives searches, uploads, cohorts,
questions, documents, stops and broken files. Every ten minutes a sync runs beside it, every
twenty the readers of scans, and the Milvus server where ``MILVUS_SERVER`` names one, are killed.
Ends with the curve, and with 1 where memory grew, something was left or an error had no name.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from benchmarks.load import answer_of
from benchmarks.night import judge, process
from benchmarks.night.browser import PageMap
from benchmarks.night.files import write_files
from benchmarks.night.traffic import Traffic
from benchmarks.scale_server import EXECUTABLE, MilvusServer

REST_S = 75.0
"""Uploads that nobody names are removed within a minute; figures at rest are taken after it."""
DOWN_S = 60.0
SYNC_MINUTES, KILL_MINUTES, SAMPLES = 10.0, 20.0, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """One night: what runs, for how long, and what is noted."""

    scratch: process.Scratch
    pid: int
    minutes: float
    settings: dict[str, str]
    server: MilvusServer | None
    traffic: Traffic

    async def samples(self) -> list[judge.Sample]:
        """One sample a minute, more often in a short night."""
        step, begun = min(60.0, 60 * self.minutes / SAMPLES), time.monotonic()
        samples: list[judge.Sample] = []
        while (gone := time.monotonic() - begun) + step <= 60 * self.minutes + 1:
            await asyncio.sleep(step - gone % step)
            samples.append(self.now((time.monotonic() - begun) / 60))
            print(samples[-1], flush=True)
        return samples

    def now(self, minute: float) -> judge.Sample:
        """The figures of this moment."""
        tally, one = self.traffic.tally, process.sample(self.pid, self.scratch, minute)
        return replace(
            one,
            answers=tally.answers.total(),
            refusals=tally.refusals.total(),
            unnamed=len(tally.unnamed),
        )

    async def syncs(self) -> None:
        """Another catalog and a sync beside the running page, again and again."""
        for number in range(1, 10_000):
            await asyncio.sleep(60 * min(SYNC_MINUTES, self.minutes / 3))
            process.change_catalog(self.scratch, number)
            reason = await asyncio.to_thread(lambda: process.sync(self.scratch, **self.settings))
            self.noted("sync", reason)

    async def kills(self) -> None:
        """Kill the readers, and the Milvus server, which is back a minute later."""
        while True:
            await asyncio.sleep(60 * min(KILL_MINUTES, self.minutes / 3.5))
            self.noted("readers killed", "" if process.kill_readers(self.pid) else "no reader ran")
            if self.server is not None:
                self.server.kill()
                await asyncio.sleep(min(DOWN_S, 60 * self.minutes / 10))
                await asyncio.to_thread(self.server.start)
                self.noted("Milvus server killed", "")

    def noted(self, name: str, reason: str) -> None:
        """Count what was done; a reason makes an unnamed error of it."""
        if reason:
            self.traffic.tally.unnamed.append(f"{name}: {reason}")
        else:
            self.traffic.tally.answers[name] += 1


async def night(
    watch_of: Callable[[Traffic], Watch], client: httpx.AsyncClient, rate: float, files: Path
) -> tuple[judge.Night, Traffic]:
    """Rest, traffic, rest; the judge's material."""
    config = (await client.get("config")).json()
    traffic = Traffic(client, PageMap(config), write_files(files))
    watch = watch_of(traffic)
    # Each kind of action once: what is loaded on first use is no leak.
    for name in traffic.actions:
        await traffic.act(name)
    await asyncio.sleep(REST_S)
    before = watch.now(0.0)
    beside = [asyncio.create_task(watch.syncs()), asyncio.create_task(watch.kills())]
    driving = asyncio.create_task(traffic.drive(60 * watch.minutes, rate))
    samples = await watch.samples()
    await driving
    await traffic.leave()
    for task in beside:
        task.cancel()
    await asyncio.sleep(REST_S)
    after = watch.now(watch.minutes + REST_S / 60)
    unnamed = (*traffic.tally.unnamed, *process.defects(watch.scratch))
    return judge.Night(before=before, samples=tuple(samples), after=after, unnamed=unnamed), traffic


async def watched(
    scratch: process.Scratch, minutes: float, rate: float
) -> tuple[judge.Night, Traffic]:
    """Start what the night needs, and watch it."""
    with ExitStack() as stack:
        server, settings = None, {"SCANSCOUT_SESSIONS": "400"}
        if EXECUTABLE:
            server = stack.enter_context(MilvusServer(scratch.folder("milvus")))
            settings |= {"SCANSCOUT_VECTOR_STORE": "milvus", "SCANSCOUT_MILVUS_URI": server.uri}
        process.sync(scratch, **settings)
        address, running = stack.enter_context(process.app(scratch, **settings))
        limits = httpx.Limits(max_connections=64, max_keepalive_connections=0)
        async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
            while not (await answer_of(client, "segment lungs"))["metadata"]["load_ms"]:
                await asyncio.sleep(1)
            return await night(
                lambda traffic: Watch(
                    scratch=scratch,
                    pid=running.pid,
                    minutes=minutes,
                    settings=settings,
                    server=server,
                    traffic=traffic,
                ),
                client,
                rate,
                scratch.folder("files"),
            )


def report(result: judge.Night, traffic: Traffic) -> str:
    """Outcomes by action and the curve, in Markdown."""
    tally = traffic.tally
    names = sorted({*tally.answers, *tally.refusals})
    rows = [f"| {name} | {tally.answers[name]} | {tally.refusals[name]} |" for name in names]
    added, level = judge.growth(result.samples)
    return "\n".join(
        [
            "| action | answers | named refusals |",
            "|---|---:|---:|",
            *rows,
            "",
            judge.table(result),
            "",
            f"After the first quarter the trend of memory adds {added:.1f} MB to {level:.0f} MB.",
        ]
    )


def main() -> None:
    """Print the report, write the curve where ``--out`` says so, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=120.0)
    parser.add_argument("--rate", type=float, default=1.5, help="actions a second")
    parser.add_argument("--out", type=Path, help="folder for night.csv and night.md")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scanscout-night-") as folder:
        scratch = process.prepared(Path(folder))
        result, traffic = asyncio.run(watched(scratch, chosen.minutes, chosen.rate))
        log = scratch.log.read_bytes()
    text = report(result, traffic)
    print(text)
    if chosen.out:
        chosen.out.mkdir(parents=True, exist_ok=True)
        judge.write_csv(result, chosen.out / "night.csv")
        (chosen.out / "night.md").write_text(text + "\n", encoding="utf-8")
        (chosen.out / "log").write_bytes(log)
    reasons = judge.faults(result)
    print("\n".join(reasons) or "passed")
    sys.exit(bool(reasons))


if __name__ == "__main__":
    main()
