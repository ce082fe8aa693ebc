"""Cold start and warm queries: ``python -m benchmarks.speed``. Medians; one machine, one run."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from statistics import median, quantiles
from time import perf_counter, process_time

from retrieval import open_engine
from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import ScanInfo

QUERIES = (
    "segment lungs",
    "skull stripping of T1 brain MRI",
    "count nuclei in fluorescence images",
    "convert DICOM to NIfTI",
    "register two brain scans",
    "denoise diffusion MRI",
    "track cells in time-lapse microscopy",
    "scRNA-seq clustering",
)
SCAN = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
REPEATS = 12


def cold() -> None:
    """Seconds until an engine answers by keyword, and until every stage is ready."""
    code = (
        "from time import perf_counter as t; a=t(); from retrieval import open_engine; "
        "e=open_engine(); b=t(); e.run('segment lungs'); c=t(); e.wait(); d=t(); "
        "print(f'{b-a:.2f} {c-a:.2f} {d-a:.2f}')"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    opened, answered, ready = out.stdout.split()
    print(f"cold start: opened {opened} s, first answer {answered} s, every stage ready {ready} s")


def warm() -> None:
    """Milliseconds of every stage over fresh query texts, and of the whole."""
    engine = open_engine()
    engine.wait()
    for text in QUERIES:
        engine.run(text, scans=[SCAN])
    took: defaultdict[str, list[float]] = defaultdict(list)
    for number in range(REPEATS):
        for text in QUERIES:
            wall, cpu = perf_counter(), process_time()
            answer = engine.run(f"{text} {number}", scans=[SCAN])
            took["whole, wall"].append((perf_counter() - wall) * 1000)
            took["whole, CPU"].append((process_time() - cpu) * 1000)
            for node in answer.result.walk():
                took[node.name].append(node.elapsed_ms)
    print(f"\n| stage | p50 ms | p95 ms |\n|---|---|---|  ({len(engine.catalog)} tools)")
    for name, values in took.items():
        print(f"| {name} | {median(values):.1f} | {quantiles(values, n=20)[-1]:.1f} |")


if __name__ == "__main__":
    cold()
    warm()
