"""Entry points: paths in, uploads out; all reading happens in a child process with limits."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from retrieval.scans.child import ReadRequest, read_parts
from retrieval.scans.limits import Halt, Limits
from retrieval.scans.upload import Progress, Upload

T = TypeVar("T")
COHORT = Limits(batch_s=20.0, batch_s_most=120.0)


def stream_scans(
    paths: Sequence[str | Path],
    *,
    preview: bool = True,
    limits: Limits | None = None,
    halt: Halt | None = None,
) -> Iterator[Progress | Upload]:
    """How far the reading is, file by file, and at last all paths as one upload.

    Once ``halt`` is requested, no further file is begun: the upload holds those read, and says so.
    """
    request = ReadRequest(limits=limits or Limits(), preview=preview, halt=halt or Halt())
    uploads = yield from read_parts({1: [*map(Path, paths)]}, request)
    yield uploads[1][0]


def read_scans(
    paths: Sequence[str | Path], *, preview: bool = True, limits: Limits | None = None
) -> Upload:
    """All paths (files, folders, zips) as one upload."""
    request = ReadRequest(limits=limits or Limits(), preview=preview)
    return _last(read_parts({1: [*map(Path, paths)]}, request))[1][0]


def read_each(paths: Sequence[str | Path], *, preview: bool = False) -> tuple[Upload, ...]:
    """Each path as an upload of its own, in order; refusals keep the position among all paths."""
    parts = {k: [Path(path)] for k, path in enumerate(paths, 1)}
    uploads = _last(read_parts(parts, ReadRequest(limits=Limits(), preview=preview)))
    return tuple(uploads[k][0] for k in parts)


def stream_subjects(
    paths: Sequence[str | Path], *, limits: Limits | None = None, halt: Halt | None = None
) -> Iterator[Progress | tuple[Upload, ...]]:
    """How far the reading is, file by file, and at last what ``read_cohort`` gives.

    Once ``halt`` is requested, no further file is begun; the last upload is the one cut short.
    """
    request = ReadRequest(limits=limits or COHORT, split=True, halt=halt or Halt())
    uploads = yield from read_parts({1: [*map(Path, paths)]}, request)
    yield uploads[1]


def read_cohort(paths: Sequence[str | Path]) -> tuple[Upload, ...]:
    """Folders and zips of many subjects: one upload per subject, by folder or BIDS label.

    Refusals keep the position of their path and of the file inside it.
    """
    return _last(read_parts({1: [*map(Path, paths)]}, ReadRequest(limits=COHORT, split=True)))[1]


def _last(reading: Generator[Progress, None, T]) -> T:
    """The return value of a reading, without its progress."""
    while True:
        try:
            next(reading)
        except StopIteration as end:
            result: T = end.value
            return result
