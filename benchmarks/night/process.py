"""The process under watch: its start, its log, its figures, a sync beside it, servers killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from benchmarks.load import resident_mb
from benchmarks.night.judge import Sample
from retrieval.settings import ROOT

READER = "retrieval.scans.reader.worker"
DEFECT = re.compile(r"Traceback \(most recent|\b\w+(?:Error|Exception) at \S+:\d+ in |failed: \w+$")
"""How the log states a defect: by a traceback, or by the type and place of an exception."""
START_S, SYNC_S = 300, 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """Folders of one night; nothing is written elsewhere."""

    root: Path

    @property
    def catalog(self) -> Path:
        """The catalog that the night changes."""
        return self.root / "tools.jsonl"

    @property
    def log(self) -> Path:
        """What the app prints."""
        return self.root / "log"

    def folder(self, name: str) -> Path:
        """A folder below the root, made on first use."""
        path = self.root / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def environment(self, **more: str) -> dict[str, str]:
        """Variables of every process of the night; ``more`` are further settings."""
        places = {
            "TMPDIR": self.folder("tmp"),
            "GRADIO_TEMP_DIR": self.folder("uploads"),
            "SCANSCOUT_CATALOG": self.catalog,
            "SCANSCOUT_INDEX_DIR": self.folder("index"),
            "SCANSCOUT_CACHE_DIR": self.folder("cache"),
        }
        return {**os.environ, **{name: str(path) for name, path in places.items()}, **more}


def prepared(root: Path) -> Scratch:
    """Folders, and a copy of the catalog that may be changed."""
    one = Scratch(root=root)
    shutil.copy(ROOT / "assets" / "catalog" / "tools.jsonl", one.catalog)
    return one


@contextmanager
def app(scratch: Scratch, **settings: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Address and process of the app; it is stopped by SIGTERM at the end."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = scratch.environment(SCANSCOUT_PORT=str(port), SCANSCOUT_SESSION_MINUTES="5", **settings)
    with scratch.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "app.py")], cwd=ROOT, env=env, stdout=log, stderr=log
        )
    try:
        _wait(port, process)
        yield f"http://127.0.0.1:{port}/", process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(60)
        process.kill()


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        try:
            urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
        except OSError:
            time.sleep(0.3)
        else:
            return
    raise SystemExit(f"the app did not start; it ended with {process.poll()}")


def children(process: int) -> list[int]:
    """Process ids of all that descend from a process, zombies included."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            fields = (entry / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[1])
    family = [process]
    for one in family:
        family += [child for child, parent in parents.items() if parent == one]
    return family[1:]


def sample(process: int, scratch: Scratch, minute: float) -> Sample:
    """The figures of a process now; its counts of answers are filled in by the caller."""
    family, memory = children(process), 0.0
    for one in family:
        with suppress(OSError):
            memory += resident_mb(one)
    status = Path(f"/proc/{process}/status").read_text("ascii", "replace")
    files = {
        name: sum(path.is_file() for path in scratch.folder(folder).rglob("*"))
        for name, folder in (
            ("uploads", "uploads"),
            ("temporary", "tmp"),
            ("cache", "cache"),
            ("index", "index"),
        )
    }
    return Sample(
        minute=round(minute, 2),
        resident_mb=round(resident_mb(process), 1),
        children=len(family),
        children_mb=round(memory, 1),
        threads=int(status.partition("Threads:")[2].split()[0]),
        descriptors=len(list(Path(f"/proc/{process}/fd").iterdir())),
        **files,
    )


def kill_readers(process: int) -> int:
    """End every reader of scans as the system does where memory is short; how many there were."""
    killed = 0
    for one in children(process):
        with suppress(OSError):
            if READER.encode() in Path(f"/proc/{one}/cmdline").read_bytes():
                os.kill(one, signal.SIGKILL)
                killed += 1
    return killed


def change_catalog(scratch: Scratch, number: int) -> None:
    """One record in other words, put in place by one rename, so that a sync has work to do."""
    lines = scratch.catalog.read_text("utf-8").splitlines()
    place = number % len(lines)
    record = json.loads(lines[place])
    record["description"] = f"{record['description']} Revision {number}."
    lines[place] = json.dumps(record, ensure_ascii=False)
    new = scratch.catalog.with_suffix(".new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.replace(scratch.catalog)


def sync(scratch: Scratch, **settings: str) -> str:
    """Bring the index in step by the command line; empty, or the reason why it failed."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "retrieval", "sync"],
            cwd=ROOT,
            env=scratch.environment(**settings),
            capture_output=True,
            timeout=SYNC_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"sync took more than {SYNC_S} s"
    last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    return f"sync ended with {done.returncode}: {last}" if done.returncode else ""


def defects(scratch: Scratch) -> list[str]:
    """Lines of the log that state a defect."""
    text = scratch.log.read_text("utf-8", "replace")
    return [f"log: {line.strip()[:300]}" for line in text.splitlines() if DEFECT.search(line)]
