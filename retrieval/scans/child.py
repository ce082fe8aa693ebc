"""Starting, bounding and hearing out the reader process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import IO, Any

from retrieval.scans.answer import decode, refusal
from retrieval.scans.limits import Limits
from retrieval.scans.reasons import Reason
from retrieval.scans.upload import Upload

At = tuple[int, int | None]
_TRIES = 4
_START_S = 120.0
"""Seconds in which the process must be there; no file has any part in them."""

_MARK = 64


@dataclass(frozen=True, slots=True)
class Part:
    """The paths of one upload and the position of the first of them."""

    first: int
    paths: tuple[Path, ...]


@dataclass(slots=True)
class _Heard:
    """What one process said before it ended, and the seconds it took once it was there."""

    uploads: dict[int, tuple[Upload, ...]]
    at: At | None = None
    took: float = 0.0
    late: bool = False


def read_parts(parts: Sequence[Part], *, preview: bool, limits: Limits) -> dict[int, Upload]:
    """Each part's upload. A file that ends the process is left out and the rest read again."""
    read = read_subjects(parts, preview=preview, limits=limits, split=False)
    return {first: uploads[0] for first, uploads in read.items()}


def read_subjects(
    parts: Sequence[Part], *, preview: bool, limits: Limits, split: bool = True
) -> dict[int, tuple[Upload, ...]]:
    """Each part's uploads, one a subject where it is to be ``split``, in the order of subjects."""
    done: dict[int, tuple[Upload, ...]] = {}
    skip: set[At] = set()
    seconds, late = limits.wall(_count(parts)), False
    for _ in range(_TRIES):
        left = [part for part in parts if part.first not in done]
        if not left or seconds < 0.5:
            break
        heard = _run(_job(left, skip, preview, limits, seconds, split), seconds, limits)
        done, seconds, late = done | heard.uploads, seconds - heard.took, heard.late
        if heard.at is None or heard.at in skip:
            break
        skip.add(heard.at)
    for part in parts:
        if part.first not in done:
            done[part.first] = (_ended(part, skip, late),)
    return done


def _count(parts: Sequence[Part]) -> int:
    """Files to read, roughly: folders and zips count as a hundred."""
    paths = [path for part in parts for path in part.paths]
    return sum(100 if path.is_dir() or path.suffix == ".zip" else 1 for path in paths[:2000])


def _ended(part: Part, skip: set[At], late: bool) -> Upload:
    """The files that ended the process; all of them where none is known to have."""
    last = part.first + len(part.paths)
    named = sorted(at for at in skip if part.first <= at[0] < last)
    places = named or [(k, None) for k in range(part.first, last)]
    why = Reason.OUT_OF_TIME if late and not named else Reason.READER_ENDED
    return Upload(refused=tuple(refusal(i, m, why) for i, m in places))


def _job(
    parts: Sequence[Part],
    skip: set[At],
    preview: bool,
    limits: Limits,
    seconds: float,
    split: bool,
) -> bytes:
    uploads = [
        {"first": p.first, "paths": [os.fspath(x.absolute()) for x in p.paths]} for p in parts
    ]
    job = {
        "uploads": uploads,
        "skip": sorted(skip, key=str),
        "preview": preview,
        "split": split,
        "limits": asdict(limits),
        "wall_s": seconds,
    }
    return json.dumps(job).encode("utf-8", "surrogateescape")


def environment() -> dict[str, str]:
    """Nothing of the parent's environment but what Python needs to start."""
    home = Path(__file__).resolve().parents[2]
    kept = {key: os.environ[key] for key in ("SYSTEMROOT", "LD_LIBRARY_PATH") if key in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**kept, **threads, "PYTHONPATH": os.fspath(home), "PYTHONUTF8": "1", "LANG": "C.UTF-8"}


def _run(job: bytes, seconds: float, limits: Limits) -> _Heard:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "retrieval.scans.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    try:
        with _killed_after(_START_S, process):
            _feed(process, job)
            there = _stdout(process).readline(_MARK)
        if not there:
            return _Heard({}, late=True)
        start = monotonic()
        with _killed_after(seconds, process):
            said = _stdout(process).read(limits.answer_mb << 20)
        took = monotonic() - start
        return replace(_hear(said), took=took, late=took >= seconds)
    finally:
        process.kill()
        process.wait()
        _stdout(process).close()


@contextmanager
def _killed_after(seconds: float, process: subprocess.Popen[bytes]) -> Iterator[None]:
    timer = Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _stdout(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdout is not None
    return process.stdout


def _feed(process: subprocess.Popen[bytes], job: bytes) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(job)
        process.stdin.close()
    except BrokenPipeError:
        return


def _lines(said: bytes) -> Iterator[Mapping[str, Any]]:
    for line in said.splitlines():
        try:
            parsed = json.loads(line)
        except ValueError:
            return
        yield parsed


def _hear(said: bytes) -> _Heard:
    heard = _Heard({})
    for line in _lines(said):
        if "at" in line:
            heard.at = (line["at"][0], line["at"][1])
            continue
        try:
            answer = line["answer"]
            answers = answer if isinstance(answer, list) else [answer]
            heard.uploads[line["upload"]] = tuple(map(decode, answers))
        except (ValueError, KeyError, TypeError):
            return heard
        heard.at = None
    return heard
