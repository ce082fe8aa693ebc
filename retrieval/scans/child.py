"""Start the reader process, bound its time, and read its output."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import IO, Any

from pydantic import TypeAdapter

from retrieval.core import ScanInfo
from retrieval.processes import killed_after
from retrieval.scans.limits import Halt, Limits
from retrieval.scans.notes import Note, finding_of, is_expected
from retrieval.scans.reasons import Reason
from retrieval.scans.spare import SPARE
from retrieval.scans.upload import Ledger, Partial, Preview, Progress, Refusal, Role, Upload

At = tuple[int, int | None]
Parts = Mapping[int, Sequence[Path]]
"""The paths of each upload, by the position of the first of them."""

Uploads = dict[int, tuple[Upload, ...]]
_TRIES = 4
_START_S = 120.0
"""Seconds in which the process must have started; no file is read in them."""

_MARK = 64
"""Bytes of the longest line that says the process has started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """How to read the parts: limits, previews, one upload per subject, and what may stop it."""

    limits: Limits
    preview: bool = False
    split: bool = False
    halt: Halt = field(default_factory=Halt)


@dataclass(slots=True)
class _Reply:
    """The output of one process, and the seconds it took once it had started."""

    uploads: Uploads = field(default_factory=dict)
    at: At | None = None
    took: float = 0.0
    late: bool = False


Reading = Generator[Progress, None, _Reply]


def read_parts(parts: Parts, request: ReadRequest) -> Generator[Progress, None, Uploads]:
    """Yields the progress; returns the uploads of each part, one per subject with ``split``.

    A file that ends the process is left out and the rest is read again, at most four times.
    """
    uploads: Uploads = {}
    skip: set[At] = set()
    every = [path for paths in parts.values() for path in paths]
    # A guess at the files to read: nobody has opened a folder or zip yet.
    files = sum(100 if os.path.isdir(path) or path.suffix == ".zip" else 1 for path in every[:2000])
    seconds, late = request.limits.wall(files), False
    for _ in range(_TRIES):
        remaining_parts = {first: paths for first, paths in parts.items() if first not in uploads}
        if not remaining_parts or seconds < 0.5:
            break
        reply = yield from _run(
            _job(remaining_parts, skip, request, seconds), len(remaining_parts), seconds, request
        )
        uploads, seconds, late = uploads | reply.uploads, seconds - reply.took, reply.late
        if reply.at is None or reply.at in skip:
            break
        skip.add(reply.at)
    return {
        first: (_refused(first, paths, skip, late),) for first, paths in parts.items()
    } | uploads


def _refused(first: int, paths: Sequence[Path], skip: set[At], late: bool) -> Upload:
    """Refuses the files that ended the process; all of them where none is named."""
    positions = range(first, first + len(paths))
    culprits = sorted(at for at in skip if at[0] in positions)
    places = culprits or [(k, None) for k in positions]
    why = Reason.OUT_OF_TIME if late and not culprits else Reason.READER_ENDED
    return Upload(refused=tuple(Refusal(index=i, member=m, reason=why.text) for i, m in places))


def _job(parts: Parts, skip: set[At], request: ReadRequest, seconds: float) -> bytes:
    job = {
        "uploads": [
            {"first": first, "paths": [os.fspath(path.absolute()) for path in paths]}
            for first, paths in parts.items()
        ],
        "skip": sorted(skip, key=str),
        "preview": request.preview,
        "split": request.split,
        "stopped": request.halt.requested,
        "limits": asdict(request.limits),
        "wall_s": seconds,
    }
    return json.dumps(job).encode("utf-8", "surrogateescape") + b"\n"


def _run(job: bytes, uploads: int, seconds: float, request: ReadRequest) -> Reading:
    process = SPARE.take()
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None
    reply = _Reply()
    try:
        with killed_after(_START_S, process):
            # stdin stays open behind the job: its end tells the process to finish.
            with suppress(BrokenPipeError):
                stdin.write(job)
                stdin.flush()
            there = stdout.readline(_MARK)
        if not there:
            return replace(reply, late=True)
        start = monotonic()
        with killed_after(seconds, process), _ended_early(process, stdin, request):
            yield from _hear(stdout, request.limits.answer_mb << 20, uploads, reply)
        took = monotonic() - start
        return replace(reply, took=took, late=took >= seconds)
    finally:
        process.kill()
        process.wait()
        stdout.close()
        _hang_up(stdin)
        SPARE.refill()


@contextmanager
def _ended_early(
    process: subprocess.Popen[bytes], stdin: IO[bytes], request: ReadRequest
) -> Iterator[None]:
    """On a halt, ask the process to answer what it has, and kill it ``stop_s`` seconds later."""
    timer = Timer(request.limits.stop_s, process.kill)

    def tell() -> None:
        _hang_up(stdin)
        timer.start()

    try:
        with request.halt.reaching(tell):
            yield
    finally:
        timer.cancel()


def _hang_up(stdin: IO[bytes]) -> None:
    with suppress(BrokenPipeError):
        stdin.close()


def _hear(stdout: IO[bytes], most: int, uploads: int, reply: _Reply) -> Iterator[Progress]:
    """Yields the progress of the process; its uploads go into ``reply``.

    Reads up to ``most`` bytes; ends at a line that is not one of its JSON objects, and with the
    last of ``uploads`` answers: the process itself ends a tenth of a second later or more.
    """
    while most > 0 and len(reply.uploads) < uploads and (raw := stdout.readline(most)):
        most -= len(raw)
        try:
            line = json.loads(raw)
            if "at" in line:
                reply.at = (line["at"][0], line["at"][1])
                yield Progress(read=int(line["read"]), of=int(line["of"]))
                continue
            reply.uploads[line["upload"]] = tuple(map(decode, line["answer"]))
        except (ValueError, KeyError, TypeError):
            return
        reply.at = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What ``reader.batch`` writes: every text in it is a code, a number or a picture."""

    scans: tuple[ScanInfo, ...]
    series: tuple[int, ...]
    refused: tuple[tuple[int, int | None, Reason], ...]
    previews: tuple[Preview | tuple[int, Reason], ...]
    role: Role | None
    ledger: Ledger
    partial: Partial | None
    places: tuple[At, ...]
    subjects: int


_ANSWER = TypeAdapter(_Answer)


def decode(answer: Mapping[str, Any]) -> Upload:
    """The upload; a ValueError where something is not a closed code.

    Texts are made here, from the codes: none of the reader's process is shown.
    """
    checked = _ANSWER.validate_python(answer)
    notes = ((k, Note(note)) for k, scan in enumerate(checked.scans) for note in scan.notes)
    upload = Upload(
        scans=checked.scans,
        series=checked.series,
        refused=tuple(Refusal(index=i, member=m, reason=why.text) for i, m, why in checked.refused),
        findings=tuple(
            finding_of(note, k, checked.scans[k])
            for k, note in notes
            if not is_expected(note, checked.scans[k])
        ),
        role=checked.role,
        previews=tuple(
            one if isinstance(one, Preview) else Preview(scan=one[0], reason=one[1].text)
            for one in checked.previews
        ),
        partial=checked.partial,
        places=checked.places,
        subjects=checked.subjects,
    )
    return replace(upload, ledger=replace(checked.ledger, tokens=upload.tokens))
