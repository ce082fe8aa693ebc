"""Cold starts, each in a process of its own: CPU seconds and memory."""

from __future__ import annotations

import subprocess
import sys

from retrieval.settings import ROOT

TELL = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"{used.ru_utime + used.ru_stime:.2f} {used.ru_maxrss / 1000:.0f}")
"""

STARTS = {
    "import gradio": "import gradio",
    "first page": "import app; app.demo",
    "search ready": (
        "from retrieval import open_engine; e = open_engine(); e.wait(); e.run('segment lungs')"
    ),
    "eager sentence-transformers": (
        "from retrieval.dense import SentenceEncoder; e = SentenceEncoder(); e.encode(['x']);"
        "from retrieval import Settings; from retrieval.catalog import load_catalog;"
        "from retrieval.dense import template_text;"
        "e.encode([template_text('biocortex', t)"
        " for t in load_catalog(Settings(_env_file=None).catalog).tools])"
    ),
}
RATIOS = (("first page", "import gradio"), ("search ready", "eager sentence-transformers"))


def started(code: str) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a process."""
    command = [sys.executable, "-c", f"{code}\n{TELL}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    seconds, memory = done.stdout.split()[-2:]
    return float(seconds), float(memory)


def starts() -> list[str]:
    """A table of every start; each is run twice, so that files are in the cache, and the last
    is told."""
    told = {}
    for name, code in STARTS.items():
        started(code)
        told[name] = started(code)
    rows = [f"| {name} | {cpu:.2f} | {memory:.0f} | |" for name, (cpu, memory) in told.items()]
    rows += [f"| {a} / {b} | | | {told[a][0] / told[b][0]:.2f} |" for a, b in RATIOS]
    return ["| start | CPU s | peak MB | ratio |", "|---|---|---|---|", *rows]
