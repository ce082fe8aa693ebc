"""Paths to blobs: files, folders and archives become one flat list with positions."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from zipfile import ZipFile

from retrieval.scans.limits import Limits
from retrieval.scans.reader.archive import CLUTTER, ZIP, members, open_archive
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.boundary import guarded
from retrieval.scans.reasons import Reason, Refused

At = tuple[int, int | None]


@dataclass(slots=True)
class Gathered:
    """Everything an upload holds: blobs in order, refusals, and folders or zips as a whole."""

    blobs: list[Blob] = field(default_factory=list)
    refused: list[tuple[At, Reason]] = field(default_factory=list)
    stores: list[tuple[At, Path | ZipFile]] = field(default_factory=list)
    lists: dict[int, str] = field(default_factory=dict)

    @property
    def files(self) -> int:
        """How many files there are, those refused at sight included."""
        return len(self.blobs) + len(self.stores) + len(self.refused)


def gather(paths: Sequence[Path], limits: Limits, first: int = 1) -> Gathered:
    """The blobs of all paths; a path that cannot be used is refused by its position."""
    gathered = Gathered()
    for index, path in enumerate(paths, first):
        why = guarded(partial(_gather_path, path, index, limits, gathered), limits.batch_s / 2)
        if why is not None:
            gathered.refused.append(((index, None), why))
    return gathered


def _gather_path(path: Path, index: int, limits: Limits, gathered: Gathered) -> None:
    try:
        if path.is_dir():
            _gather_folder(path, index, limits, gathered)
            return
        blob = file_blob(path, (index, None), limits)
        if blob.head(4) in ZIP and not blob.packed:
            _gather_archive(path, index, limits, gathered)
        else:
            gathered.blobs.append(blob)
    except (OSError, ValueError) as exc:
        raise Refused(Reason.MISSING) from exc


def _gather_archive(path: Path, index: int, limits: Limits, gathered: Gathered) -> None:
    archive = open_archive(path, limits)
    if _is_store(archive.namelist()):
        gathered.stores.append(((index, None), archive))
        return
    listed = list(members(archive, index, limits))
    if not listed:
        raise Refused(Reason.NO_FILES)
    for item in listed:
        if not isinstance(item, Blob):
            gathered.refused.append(((index, item[0]), item[1]))
        elif item.head(4) in ZIP:
            gathered.refused.append((item.at, Reason.NESTED_ARCHIVE))
        else:
            gathered.blobs.append(item)


def _gather_folder(folder: Path, index: int, limits: Limits, gathered: Gathered) -> None:
    position = 0
    for path in _walk(folder, index, gathered):
        position += 1
        if position > limits.files:
            raise Refused(Reason.TOO_MANY_FILES)
        at = (index, position)
        try:
            blob = file_blob(path, at, limits)
            if blob.head(4) in ZIP and not blob.packed:
                raise Refused(Reason.NESTED_ARCHIVE)
            gathered.blobs.append(blob)
        except Refused as refusal:
            gathered.refused.append((at, refusal.reason))
        except OSError:
            gathered.refused.append((at, Reason.MISSING))
    if not position and not any(at == (index, None) for at, _ in gathered.stores):
        raise Refused(Reason.NO_FILES)


def _walk(folder: Path, index: int, gathered: Gathered) -> Iterator[Path]:
    """Files below a folder in a fixed order; links to folders are not followed."""
    for here, folders, names in os.walk(folder):
        if _is_store(names):
            gathered.stores.append(((index, None), Path(here)))
            folders.clear()
            continue
        folders.sort()
        yield from (Path(here, name) for name in sorted(names) if name not in CLUTTER)


def _is_store(names: Sequence[str]) -> bool:
    """Whether these names are those of a Zarr store, which is a folder by definition."""
    marks = {".zgroup", ".zarray", "zarr.json"}
    return any(name.rsplit("/", 1)[-1] in marks for name in names)


def file_blob(path: Path, at: At, limits: Limits) -> Blob:
    """A blob over a plain file; pipes, devices and the like are refused unopened."""
    mode = path.stat()
    if not stat.S_ISREG(mode.st_mode):
        raise Refused(Reason.NOT_A_FILE)
    if mode.st_size == 0:
        raise Refused(Reason.EMPTY)

    cap = limits.inflate_mb << 20
    return Blob(
        name=path.name,
        size=mode.st_size,
        opener=lambda: path.open("rb"),
        at=at,
        limit=cap,
        path=path,
    )
