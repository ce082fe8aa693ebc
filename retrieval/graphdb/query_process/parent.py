"""Starts the process of one query, reads its answer line by line, and kills it at a limit.

A store's own time limit does not interrupt every operator, and memory that a query takes inside
the server is not released; ending a process releases both.
"""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from retrieval.core import StageUnavailable
from retrieval.graph import QueryFailed
from retrieval.processes import killed_after, script_process

MEMORY_MB = 256
"""Memory of a query beyond the opened store and its buffer pool. Joins over the shipped graph take
under 10 MB of it; with 512 MB a growing list runs 1 s and to 620 MB before it is stopped."""

ANSWER_BYTES = 4_000_000
"""One answer: 200 rows of 20 kB."""

START_SECONDS = 20.0
"""For the process to open its store, .2 s on an idle machine; the query's time comes on top."""

FILL_SECONDS = 120.0
"""For a store to be written: 1 s for the shipped catalog, a minute for a million triples."""

AT_ONCE = 2
"""Queries that run at the same time; each may hold 600 MB (store, buffer pool and MEMORY_MB)."""

REFUSED_LOGIN = (
    "the graph server refused user and password ({problem}); check SCANSCOUT_GRAPH_USER and "
    "SCANSCOUT_GRAPH_PASSWORD, or connection_args where these were given"
)

_SLOTS = threading.BoundedSemaphore(AT_ONCE)
_CHILD = Path(__file__).with_name("child.py")
_LINE_BYTES = 1 << 17
"""The first and the last line; a query of 8,000 characters can name 50 kB of columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLimits:
    """Bounds of one query: wall-clock seconds, rows, memory, bytes of its answer."""

    seconds: float
    rows: int
    memory_mb: int = MEMORY_MB
    answer_bytes: int = ANSWER_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessAnswer:
    """Columns and rows of plain JSON values; ``cut`` where a limit ended the rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    cut: bool


def answer_in_process(job: Mapping[str, Any], limits: ProcessLimits) -> ProcessAnswer:
    """The rows of a query that a guard has let through; ``job`` names language, path and query.

    Raises QueryFailed with the limit that was broken, and StageUnavailable where the store
    cannot be opened.
    """
    if not _SLOTS.acquire(timeout=limits.seconds):
        raise QueryFailed(f"query: {AT_ONCE} others are running; try again in a few seconds")
    try:
        with script_process(_CHILD, {**job, **asdict(limits)}) as (process, output):
            with killed_after(START_SECONDS, process):
                line = _json_line(output.readline(_LINE_BYTES))
            if "ready" not in line:
                late_start = f"its process was not ready within {START_SECONDS:g} s"
                why = str(line.get("error", late_start))[:200]
                raise StageUnavailable(f"the graph database cannot be opened: {why}")
            with killed_after(limits.seconds, process) as late:
                return _answer(process, output, limits, late)
    finally:
        _SLOTS.release()


def fill_in_process(folder: Path, file_name: str, statements: Sequence[str]) -> None:
    """Write a Cypher store into ``folder`` by our own statements; raises StageUnavailable.

    Takes no slot of AT_ONCE and has no memory limit; it is killed after FILL_SECONDS.
    """
    job = {"language": "fill", "path": file_name, "statements": list(statements)}
    process_and_output = script_process(_CHILD, job, folder)
    with process_and_output as (process, output), killed_after(FILL_SECONDS, process):
        line = _json_line(output.readline(_LINE_BYTES))
    if "end" not in line:
        why = str(line.get("error", "its process ended early"))[:200]
        raise StageUnavailable(f"the graph database could not be written: {why}")


def _answer(
    process: subprocess.Popen[bytes],
    output: IO[bytes],
    limits: ProcessLimits,
    late: threading.Event,
) -> ProcessAnswer:
    columns: tuple[str, ...] = ()
    rows: list[tuple[Any, ...]] = []
    # The process counts the same bytes and stops before; the rest is for its first and last line.
    bytes_left = limits.answer_bytes + _LINE_BYTES
    while bytes_left > 0 and (text := output.readline(bytes_left)):
        bytes_left -= len(text)
        line = _json_line(text)
        if "row" in line:
            rows.append(tuple(line["row"]))
        elif "columns" in line:
            columns = tuple(line["columns"])
        elif "end" in line:
            return ProcessAnswer(columns=columns, rows=tuple(rows), cut=line["end"] != "all")
        else:
            problem = line.get("error", "unreadable answer")
            if problem == "memory":
                raise QueryFailed(_too_much_memory(limits))
            if line.get("login"):
                raise StageUnavailable(REFUSED_LOGIN.format(problem=problem))
            if line.get("server"):
                raise StageUnavailable(f"the graph server did not answer ({problem})")
            raise QueryFailed(f"query: the store could not run it: {problem}")
    process.kill()
    # It did not end by itself: the clock, its limit of processor time, or memory ended it.
    if process.wait() == -getattr(signal, "SIGXCPU", 0) or late.is_set():
        raise QueryFailed(
            f"query: it did not end within {limits.seconds:g} s; ask for less at once"
        )
    raise QueryFailed(_too_much_memory(limits))


def _too_much_memory(limits: ProcessLimits) -> str:
    return (
        f"query: it needs more memory than one query may have ({limits.memory_mb} MB beside the "
        "graph); ask for less at once"
    )


def _json_line(text: bytes) -> Mapping[str, Any]:
    """A line of the protocol; an empty mapping for anything else."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return line if isinstance(line, dict) else {}
