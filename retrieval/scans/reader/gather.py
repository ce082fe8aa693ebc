"""Paths to blobs: files, folders and archives become one flat list with positions.

Zip archives are read by stream and never extracted.
"""

from __future__ import annotations

import os
import stat
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from lzma import LZMAError
from pathlib import Path, PurePosixPath, PureWindowsPath
from zipfile import BadZipFile, ZipFile, ZipInfo

from retrieval.scans.limits import Limits
from retrieval.scans.reader.blob import At, Blob
from retrieval.scans.reader.boundary import guarded
from retrieval.scans.reasons import Reason, Refused

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
CLUTTER = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
_TAIL = 1 << 16
_END, _LOCATOR, _END64 = 22, 20, 56
"""Bytes of the end record, of the zip64 locator before it, and of the zip64 record before that."""

_ENTRY_BYTES = 1024
"""Bytes of the directory per member at most; an entry has 46 and the name. A false count
is detected by them before 300,000 entries are parsed, which takes 4 s."""

_MEMBER_BYTES = 1 << 31
# RuntimeError: zipfile raises it for a password, and as NotImplementedError for a compression that
# it lacks.
_DAMAGED = (BadZipFile, RuntimeError, EOFError, OSError, ValueError)
_DAMAGED_MEMBER = (*_DAMAGED, zlib.error, LZMAError, struct.error)


def _declared(path: Path) -> tuple[int, int]:
    """Entries and bytes of the directory that the end record claims, before that is parsed.

    Where a zip64 record lies before it, zipfile goes by that one, whatever the other says.
    """
    with path.open("rb") as stream:
        stream.seek(0, 2)
        stream.seek(max(0, stream.tell() - _TAIL - _END - _LOCATOR - _END64))
        tail = stream.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or end + _END > len(tail):
        raise Refused(Reason.BROKEN_ARCHIVE)
    end64 = end - _LOCATOR - _END64
    if end64 >= 0 and tail.startswith(b"PK\x06\x07", end - _LOCATOR):
        entries, size = struct.unpack_from("<QQ", tail, end64 + 32)
    else:
        entries, size = struct.unpack_from("<HI", tail, end + 10)
    return int(entries), int(size)


def open_archive(path: Path, limits: Limits) -> ZipFile:
    """The archive, once its count of members is within the limit.

    Raises Refused (TOO_MANY_MEMBERS, BROKEN_ARCHIVE). The directory is parsed only after the count.
    """
    entries, size = _declared(path)
    if entries > limits.members or size > limits.members * _ENTRY_BYTES:
        raise Refused(Reason.TOO_MANY_MEMBERS)
    try:
        archive = ZipFile(path)
    except _DAMAGED as exc:
        raise Refused(Reason.BROKEN_ARCHIVE) from exc
    if len(archive.infolist()) > limits.members:
        raise Refused(Reason.TOO_MANY_MEMBERS)
    return archive


def _member_blob(archive: ZipFile, info: ZipInfo, at: At, limits: Limits) -> Blob:
    posix, windows = PurePosixPath(info.filename), PureWindowsPath(info.filename)
    climbs = ".." in (*posix.parts, *windows.parts)
    if climbs or posix.is_absolute() or windows.anchor:
        raise Refused(Reason.LEAVES_ARCHIVE)
    if info.flag_bits & 1:
        raise Refused(Reason.LOCKED_ARCHIVE)
    if info.file_size > _MEMBER_BYTES:
        raise Refused(Reason.TOO_BIG)
    if info.file_size == 0:
        raise Refused(Reason.EMPTY)
    try:
        return Blob(
            name=info.filename,
            size=info.file_size,
            opener=partial(archive.open, info),
            at=at,
            limit=limits.inflate_mb << 20,
            seekable=False,
        )
    except _DAMAGED_MEMBER as exc:
        raise Refused(Reason.BROKEN_ARCHIVE) from exc


@dataclass(slots=True)
class Gathered:
    """Everything an upload holds: blobs in order, refusals, and folders or zips as a whole."""

    blobs: list[Blob] = field(default_factory=list)
    refused: list[tuple[At, Reason]] = field(default_factory=list)
    stores: list[tuple[At, Path | ZipFile]] = field(default_factory=list)

    @property
    def files(self) -> int:
        """How many files there are, with those already refused."""
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
    position = 0
    for info in archive.infolist():
        parts = PurePosixPath(info.filename.replace("\\", "/")).parts
        if info.is_dir() or "__MACOSX" in parts or not CLUTTER.isdisjoint(parts[-1:]):
            continue
        position += 1
        try:
            blob = _member_blob(archive, info, (index, position), limits)
            if blob.head(4) in ZIP:
                raise Refused(Reason.NESTED_ARCHIVE)
            gathered.blobs.append(blob)
        except Refused as refusal:
            gathered.refused.append(((index, position), refusal.reason))
    if not position:
        raise Refused(Reason.NO_FILES)


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
    return Blob(
        name=path.name,
        size=mode.st_size,
        opener=lambda: path.open("rb"),
        at=at,
        limit=limits.inflate_mb << 20,
        path=path,
    )
