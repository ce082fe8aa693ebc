"""A large catalog from sync to answer: ``python -m benchmarks.scale [--records N]``.

``--only PART ...`` runs a few of the parts, in their order; ``--records 21000`` is a short run
(up to 20,000 records token vectors are made as well, which takes most of the time).

Each step is a process of its own, so that its time and its peak memory are its own. CPU times
are of all threads. The catalog is made out of the words of the shipped one, its vectors out of
the model's vectors of those words: embedding it for real would take the rate in the first row
times the records (``--real`` does so).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.scale_catalog import write_catalog
from retrieval import Settings
from retrieval.settings import ROOT

SHARD = 1024
KILLS = 20
PARTS = ("rate", "sync", "again", "queries", "killed", "inverted", "kills")
Row = tuple[str, str]


def settings_in(folder: Path) -> Settings:
    """Settings of the whole run; the exported model comes from the usual cache."""
    return Settings(_env_file=None, catalog=folder / "catalog.jsonl", index_dir=folder / "index")


class Clock:
    """Wall and CPU seconds of a block."""

    wall = cpu = 0.0

    def __str__(self) -> str:
        return f"{self.wall:.1f} s ({self.cpu:.1f} s CPU)"


@contextmanager
def timed() -> Iterator[Clock]:
    """Fill a clock when the block ends."""
    clock, wall, cpu = Clock(), time.perf_counter(), time.process_time()
    yield clock
    clock.wall, clock.cpu = time.perf_counter() - wall, time.process_time() - cpu


def peak() -> str:
    """The most memory this process had."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{kilobytes / 1e6:.2f} GB"


def sync_step(folder: Path, real: bool) -> list[Row]:
    """One sync of the catalog in the folder."""
    from benchmarks.scale_encoder import model, words_encoder
    from retrieval.wiring import sync

    settings = settings_in(folder)
    shipped = Settings(_env_file=None).catalog
    encoder = words_encoder(shipped, folder / "words.npz", settings)
    with timed() as clock:
        result = sync(settings, model(settings) if real else encoder, shard=SHARD)
    counts = {key: result[key] for key in ("read", "kept", "added")}
    return [
        ("sync", f"{clock}; {counts}"),
        ("sync, texts embedded", "all" if real else f"{encoder.encoded:,}"),
        ("sync, peak memory", peak()),
    ]


def rate_step(folder: Path, real: bool) -> list[Row]:
    """What embedding by the model itself costs."""
    from benchmarks.scale_encoder import model
    from retrieval.catalog import load_catalog
    from retrieval.dense import template_text

    settings = settings_in(folder)
    tools = load_catalog(Settings(_env_file=None).catalog).tools[:256]
    encoder = model(settings)
    encoder.encode(["warm"])
    with timed() as clock:
        encoder.encode([template_text("biocortex", t) for t in tools])
    return [("embedding, one shipped record", f"{clock.cpu / len(tools) * 1000:.1f} ms CPU")]


def call(step: str, folder: Path, real: bool, *more: str) -> list[Row]:
    """The rows that a step prints in a process of its own."""
    done = subprocess.run(
        [*command(step, folder, real), *more], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    return [(name, value) for name, value in json.loads(done.stdout.splitlines()[-1])]


def command(step: str, folder: Path, real: bool) -> list[str]:
    """How a step is started."""
    how = ["--real"] if real else []
    return [sys.executable, "-m", "benchmarks.scale", "--step", step, "--folder", str(folder), *how]


def killed_step(folder: Path, real: bool, records: int) -> list[Row]:
    """Kill a sync in the midst of embedding, then let another one finish."""
    index = settings_in(folder).index_dir
    shutil.rmtree(index, ignore_errors=True)
    process = subprocess.Popen(command("sync", folder, real), cwd=ROOT, stdout=subprocess.DEVNULL)
    while process.poll() is None and shards(index) < records / SHARD / 2:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    had = shards(index)
    rows = call("sync", folder, real)
    renamed = [(name.replace("sync", "sync after kill -9"), value) for name, value in rows]
    return [("killed sync, shards left", f"{had} of {SHARD} texts"), *renamed]


def shards(index: Path) -> int:
    """Finished shards of the first journal."""
    return sum(1 for _ in index.glob(".journal-*/*.shard"))


def kills_step(folder: Path, real: bool) -> list[Row]:
    """Kill syncs at random moments and compare every answer with the old and the new one."""
    home = folder / "kills"
    home.mkdir()
    runs = json.loads(
        subprocess.run(
            [sys.executable, "-m", "tests.wiring.killing", str(home), "random", str(KILLS)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
    )
    states = (["old", "old"], ["new", "new"])
    intact = sum(r["left"] in states and r["mended"] and not r["litter"] for r in runs)
    killed = sum(r["killed"] for r in runs)
    return [("kill -9 of a small sync", f"{intact} of {len(runs)} whole ({killed} met it running)")]


def run(folder: Path, records: int, real: bool, only: frozenset[str]) -> list[Row]:
    """Run the selected parts, by default all, in their order; rows are printed as they come."""
    shipped = Settings(_env_file=None).catalog
    write_catalog(shipped, settings_in(folder).catalog, records)
    steps: list[tuple[str, Any]] = [
        ("rate", lambda: call("rate", folder, real)),
        ("sync", lambda: call("sync", folder, real)),
        ("again", lambda: call("sync", folder, real)[:1]),
        ("queries", lambda: call("queries", folder, real)),
        ("killed", lambda: killed_step(folder, real, records)),
        ("inverted", lambda: call("inverted", folder, real)),
        ("kills", lambda: kills_step(folder, real)),
    ]
    rows: list[Row] = [("records", f"{records:,}")]
    for name, step in (one for one in steps if not only or one[0] in only):
        start = time.perf_counter()
        new = step()
        new = [("sync, nothing changed", new[0][1])] if name == "again" else new
        rows += new
        sys.stderr.write(f"{name}: {time.perf_counter() - start:.0f} s\n")
        sys.stderr.writelines(f"  {what}: {value}\n" for what, value in new)
    return rows


def main() -> None:
    """Run a step, or all of them, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--real", action="store_true", help="embed with the model itself")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=(), help="parts to run")
    parser.add_argument("--step", choices=["sync", "rate", "queries", "inverted"])
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    if args.step:
        from benchmarks.scale_queries import inverted_step, queries_step

        steps = {
            "sync": sync_step,
            "rate": rate_step,
            "queries": queries_step,
            "inverted": inverted_step,
        }
        print(json.dumps(steps[args.step](args.folder, args.real)))
        sys.stdout.flush()
        os._exit(0)
    with tempfile.TemporaryDirectory(prefix="scanscout-scale-") as folder:
        rows = run(args.folder or Path(folder), args.records, args.real, frozenset(args.only))
    print("\n| what | measured |\n|---|---|")
    for name, value in rows:
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
