"""Cold starts, each in a process of its own: CPU seconds and memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from retrieval.settings import ROOT

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
    "first answer": "from retrieval import open_engine; open_engine().run('segment lungs')",
    "search ready": (
        "from retrieval import open_engine; e = open_engine(); e.wait(); e.run('segment lungs')"
    ),
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
ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """CPU seconds until the work was done, megabytes held then, and whether torch was imported."""

    cpu: float
    memory: float
    torch: bool


def started(code: str) -> Start:
    """One start in a fresh process; raises CalledProcessError when it fails."""
    command = [sys.executable, "-c", f"{code}\n{TELL}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    seconds, memory, torch = done.stdout.split()[-3:]
    return Start(cpu=float(seconds), memory=float(memory), torch=torch == "1")


def starts(rounds: int = ROUNDS) -> dict[str, Start]:
    """The start of median CPU time of each, run in turns after one that fills the caches."""
    for code in STARTS.values():
        started(code)
    told: dict[str, list[Start]] = {name: [] for name in (*STARTS, *SLOW)}
    for turn in range(rounds):
        for name, code in STARTS.items():
            told[name].append(started(code))
        if turn < 2:
            for name, code in SLOW.items():
                told[name].append(started(code))
    return {name: _middle(found) for name, found in told.items()}


def _middle(found: list[Start]) -> Start:
    middle = median(one.cpu for one in found)
    return min(found, key=lambda one: abs(one.cpu - middle))


def table(told: Mapping[str, Start]) -> list[str]:
    """A line a start."""
    rows = [f"| {name} | {one.cpu:.2f} | {one.memory:.0f} |" for name, one in told.items()]
    return ["| start | CPU s | MB held |", "|---|---|---|", *rows]
