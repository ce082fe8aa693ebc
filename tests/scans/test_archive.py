"""A zip whose end record is a lie is refused before its directory is parsed."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from retrieval.scans.limits import Limits
from retrieval.scans.reader.gather import open_archive
from retrieval.scans.reasons import Reason, Refused

LIMITS = Limits()


def zipped(path: Path, members: int, name: str = "{:05}.dcm") -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(members):
            archive.writestr(name.format(number), b"x")
    return path


def with_end_record(path: Path, entries: int, size: int | None = None) -> Path:
    """The same archive with another count of entries, and another size of the directory."""
    data = bytearray(path.read_bytes())
    end = data.rfind(b"PK\x05\x06")
    struct.pack_into("<HH", data, end + 8, entries, entries)
    if size is not None:
        struct.pack_into("<I", data, end + 12, size)
    path.write_bytes(data)
    return path


def reason(path: Path) -> Reason:
    with pytest.raises(Refused) as refused:
        open_archive(path, LIMITS)
    return refused.value.reason


@pytest.mark.parametrize("entries", [20_000, 5])
def test_twenty_thousand_members_are_refused_whatever_count_is_declared(tmp_path, entries):
    path = with_end_record(zipped(tmp_path / "a.zip", 20_000), entries)
    assert reason(path) is Reason.TOO_MANY_MEMBERS


def test_a_directory_too_large_for_its_members_is_refused_unparsed(tmp_path):
    """Parsed, this directory would be a damaged one."""
    path = with_end_record(zipped(tmp_path / "a.zip", 5), 5, size=300 << 20)
    assert reason(path) is Reason.TOO_MANY_MEMBERS


def test_the_zip64_record_counts_where_there_is_one(tmp_path):
    path = zipped(tmp_path / "a.zip", 5)
    data = path.read_bytes()
    end = data.rfind(b"PK\x05\x06")
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 9, 3_000_000, 10**9, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    path.write_bytes(data[:end] + record + locator + data[end:])
    assert reason(path) is Reason.TOO_MANY_MEMBERS


def test_as_many_members_as_the_limit_with_long_names_are_opened(tmp_path):
    path = zipped(tmp_path / "a.zip", LIMITS.members, "study/" + "n" * 240 + "{:05}.dcm")
    assert len(open_archive(path, LIMITS).infolist()) == LIMITS.members
