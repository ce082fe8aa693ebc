"""Cold starts, each in a process of its own: CPU seconds and memory.

Modules are compiled beforehand, as Python itself keeps them from the first start on.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from urllib.error import URLError
from urllib.request import urlopen

from retrieval.settings import ROOT, variable

TELL = """
import resource, sys
used = resource.getrusage(resource.RUSAGE_SELF)
with open("/proc/self/status") as status:
    held = next(line.split()[1] for line in status if line.startswith("VmRSS"))
print(f"{used.ru_utime + used.ru_stime:.3f} {int(held) / 1000:.0f} {int('torch' in sys.modules)}")
"""

STARTS = {
    "import gradio": "import gradio",
    "first page": "import app; app.demo",
    "first answer": (
        "from retrieval import open_engine; open_engine(background=True).run('segment lungs')"
    ),
    "search ready": "from retrieval import open_engine; open_engine().run('segment lungs')",
}
EAGER = "eager sentence-transformers"
SLOW = {
    EAGER: (
        "from retrieval.dense import SentenceEncoder; e = SentenceEncoder(); e.encode(['x']);"
        "from retrieval import Settings; from retrieval.catalog import load_catalog;"
        "from retrieval.dense import template_text;"
        "e.encode([template_text('biocortex', t)"
        " for t in load_catalog(Settings(_env_file=None).catalog).tools])"
    ),
}
ANSWERED = "first page answered"
"""``app.py`` as a user starts it, until it has answered the first request for the page."""

ROUNDS = 3
"""Starts of each kind; the one nearest to the median CPU time counts."""

PATIENCE_S = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """CPU seconds until the work was done, resident megabytes then, whether torch was imported."""

    cpu: float
    memory: float
    torch: bool


def started(code: str) -> Start:
    """One start in a fresh process; raises CalledProcessError when it fails."""
    command = [sys.executable, "-c", f"{code}\n{TELL}"]
    done = subprocess.run(
        command, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=True
    )
    seconds, memory, torch = done.stdout.split()[-3:]
    return Start(cpu=float(seconds), memory=float(memory), torch=torch == "1")


def answered() -> Start:
    """The launched page until its first answer; raises RuntimeError when it does not start."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**_environment(), variable("host"): "127.0.0.1", variable("port"): str(port)}
    command = [sys.executable, "app.py"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _visit(f"http://127.0.0.1:{port}/", process)
        return _spent(Path("/proc") / str(process.pid))
    finally:
        process.kill()
        process.wait()


def _environment() -> dict[str, str]:
    """The environment without PYTHONDONTWRITEBYTECODE, so that compiled modules are stored."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _visit(url: str, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends and process.poll() is None:
        try:
            with urlopen(url) as page:
                page.read()
            return
        except URLError:
            time.sleep(0.02)
    raise RuntimeError(f"no page at {url}")


def _spent(folder: Path) -> Start:
    """CPU time and memory of a running process, from /proc."""
    # The name of the process, in brackets, may hold spaces; utime and stime follow it (proc(5)).
    used = (folder / "stat").read_text().rsplit(")", 1)[1].split()[11:13]
    status = (folder / "status").read_text().splitlines()
    resident = next(line.split()[1] for line in status if line.startswith("VmRSS"))
    return Start(
        cpu=sum(map(int, used)) / os.sysconf("SC_CLK_TCK"),
        memory=int(resident) / 1000,
        torch="libtorch" in (folder / "maps").read_text(),
    )


def starts(rounds: int = ROUNDS) -> dict[str, Start]:
    """The start of median CPU time of each, run in turns after one that fills the caches."""
    quick: dict[str, Callable[[], Start]] = {n: partial(started, c) for n, c in STARTS.items()}
    quick[ANSWERED] = answered
    # The first start of each kind fills the caches of the disk and is not counted.
    for start in quick.values():
        start()
    samples: dict[str, list[Start]] = {name: [] for name in (*quick, *SLOW)}
    for turn in range(rounds):
        for name, start in quick.items():
            samples[name].append(start())
        # Slow starts are measured twice only, which bounds the time of the run.
        if turn < 2:
            for name, code in SLOW.items():
                samples[name].append(started(code))
    return {name: _middle(measured) for name, measured in samples.items()}


def _middle(samples: list[Start]) -> Start:
    middle = median(one.cpu for one in samples)
    return min(samples, key=lambda one: abs(one.cpu - middle))


def table(starts: Mapping[str, Start]) -> list[str]:
    """A Markdown table, one line per start."""
    rows = [f"| {name} | {one.cpu:.2f} | {one.memory:.0f} |" for name, one in starts.items()]
    return ["| start | CPU s | MB held |", "|---|---|---|", *rows]
