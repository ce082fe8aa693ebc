"""Zip archives, read by stream and never extracted."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from lzma import LZMAError
from pathlib import Path, PurePosixPath, PureWindowsPath

from retrieval.scans.blob import Blob
from retrieval.scans.limits import Limits
from retrieval.scans.reasons import Reason, Refused

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TAIL = 1 << 16
_MEMBER_BYTES = 1 << 31
_DAMAGED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError)
_DAMAGED_MEMBER = (*_DAMAGED, zlib.error, LZMAError, struct.error)


def _declared_members(path: Path) -> int:
    """Entries the end record claims, looked at before the directory is parsed."""
    with path.open("rb") as stream:
        stream.seek(0, 2)
        stream.seek(max(0, stream.tell() - _TAIL - 22))
        tail = stream.read()
    found = tail.rfind(b"PK\x05\x06")
    if found < 0 or found + 22 > len(tail):
        raise Refused(Reason.BROKEN_ARCHIVE)
    return int(struct.unpack_from("<H", tail, found + 10)[0])


def open_archive(path: Path, limits: Limits) -> zipfile.ZipFile:
    """The archive, once its count of members is within the limit."""
    if _declared_members(path) > limits.members:
        raise Refused(Reason.TOO_MANY_MEMBERS)
    try:
        archive = zipfile.ZipFile(path)
    except _DAMAGED as exc:
        raise Refused(Reason.BROKEN_ARCHIVE) from exc
    if len(archive.infolist()) > limits.members:
        raise Refused(Reason.TOO_MANY_MEMBERS)
    return archive


def _leaves(name: str) -> bool:
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    return ".." in (*posix.parts, *windows.parts) or posix.is_absolute() or bool(windows.anchor)


def _member_blob(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, at: tuple[int, int], limits: Limits
) -> Blob:
    if _leaves(info.filename):
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


def _is_clutter(name: str) -> bool:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    last = parts[-1] if parts else ""
    return "__MACOSX" in parts or last in {".DS_Store", "Thumbs.db", "desktop.ini"}


def members(
    archive: zipfile.ZipFile, index: int, limits: Limits
) -> Iterator[Blob | tuple[int, Reason]]:
    """The files of an archive in order, each a blob or (its position from 1, why not)."""
    position = 0
    for info in archive.infolist():
        if info.is_dir() or _is_clutter(info.filename):
            continue
        position += 1
        try:
            yield _member_blob(archive, info, (index, position), limits)
        except Refused as refusal:
            yield position, refusal.reason
