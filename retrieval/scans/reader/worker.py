"""The reader process (``python -m retrieval.scans.reader.worker``): a job in, answers out.

The job is one line. Where stdin ends after it, no further file is begun, and the answer is made
of those read. Every line it writes is JSON: ``{"there": true}`` once it is ready (its time counts
from then on), ``{"at": [index, member], "read": n, "of": m}`` before a file is touched, so that
the parent knows which one ended the process, and ``{"upload": k, "answer": ...}`` for each upload.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from retrieval.scans.limits import Limits
from retrieval.scans.reader.batch import Batch, Json, ReadingProgress
from retrieval.scans.reader.gather import gather
from retrieval.scans.reader.subjects import by_subject

Job = Mapping[str, Any]

BEHIND = 5
"""Steps of niceness: searches of other visitors come before the reading of a file."""


def _confine(limits: Limits, wall_s: float) -> None:
    """Limit address space and CPU time, lower the priority, forbid writing files."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(BEHIND)
    try:
        in_use = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * 4096
    except (OSError, ValueError):
        in_use = 1 << 30  # no /proc, as on macOS: more than Python and NumPy map
    most = in_use + (limits.memory_mb << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    seconds = int(wall_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _say(line: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Read one job, answer each of its uploads."""
    line = sys.stdin.readline()
    if not line:  # it waited for a job, and its parent has ended
        return
    job = json.loads(line)
    limits = Limits(**job["limits"])
    _confine(limits, job["wall_s"])
    _say({"there": True})
    # Reading ends before the parent's clock ends the process, so that an answer comes.
    until = monotonic() + job["wall_s"] * limits.reading_part
    for part in job["uploads"]:
        answers = _answers(part, job, limits, until)
        _say({"upload": part["first"], "answer": answers})


def _answers(part: Job, job: Job, limits: Limits, until: float) -> list[Json]:
    """One answer for an upload, or one per subject as far as they were begun."""
    paths, first = [Path(path) for path in part["paths"]], part["first"]
    gathered = gather(paths, limits, first)
    pieces = by_subject(gathered, paths, first) if job["split"] else [gathered]
    progress = ReadingProgress(of=sum(piece.files for piece in pieces), until=until, say=_say)
    if job["stopped"]:
        progress.cause = "stopped"
    skip = frozenset((at[0], at[1]) for at in job["skip"])
    answers: list[Json] = []
    for piece in pieces:
        if answers and progress.over():
            break
        batch = Batch(piece, limits, progress, skip=skip, preview=job["preview"])
        # Where folders and labels tell no subjects apart, the headers may.
        is_flat = job["split"] and len(pieces) == 1
        answers += batch.answers_by_person() if is_flat else [batch.answer()]
    answers[-1]["partial"] = progress.partial
    return answers


if __name__ == "__main__":
    main()
