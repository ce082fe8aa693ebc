"""Zip archives, read by stream and never extracted."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from lzma import LZMAError
from pathlib import Path, PurePosixPath, PureWindowsPath

from retrieval.scans.limits import Limits
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reasons import Reason, Refused

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
CLUTTER = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
_TAIL = 1 << 16
_END, _LOCATOR, _END64 = 22, 20, 56
"""Bytes of the end record, of the zip64 locator before it, and of the zip64 record before that."""

_ENTRY_BYTES = 1024
"""Bytes of the directory per member at most; an entry has 46 and the name. A count that is a lie
is found out by them before 300,000 entries are parsed, which takes 4 s."""

_MEMBER_BYTES = 1 << 31
_DAMAGED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError)
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


def open_archive(path: Path, limits: Limits) -> zipfile.ZipFile:
    """The archive, once its count of members is within the limit.

    Raises Refused (TOO_MANY_MEMBERS, BROKEN_ARCHIVE). The directory is parsed only after the count.
    """
    entries, size = _declared(path)
    if entries > limits.members or size > limits.members * _ENTRY_BYTES:
        raise Refused(Reason.TOO_MANY_MEMBERS)
    try:
        archive = zipfile.ZipFile(path)
    except _DAMAGED as exc:
        raise Refused(Reason.BROKEN_ARCHIVE) from exc
    if len(archive.infolist()) > limits.members:
        raise Refused(Reason.TOO_MANY_MEMBERS)
    return archive


def _member_blob(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, at: tuple[int, int], limits: Limits
) -> Blob:
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


def members(
    archive: zipfile.ZipFile, index: int, limits: Limits
) -> Iterator[Blob | tuple[int, Reason]]:
    """The files of an archive in order, each a blob or (its position from 1, why not)."""
    position = 0
    for info in archive.infolist():
        parts = PurePosixPath(info.filename.replace("\\", "/")).parts
        if info.is_dir() or "__MACOSX" in parts or not CLUTTER.isdisjoint(parts[-1:]):
            continue
        position += 1
        try:
            yield _member_blob(archive, info, (index, position), limits)
        except Refused as refusal:
            yield position, refusal.reason
