"""Files that are there twice: of scans that are equal in all facts, those of the same bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from retrieval.core import ScanInfo
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import At, Blob, read_fully
from retrieval.scans.reader.context import split_name
from retrieval.scans.reader.facts import Facts, Subject

_HEADER_ALONE = frozenset({".hdr", ".img", ".head", ".brik", ".par", ".rec", ".mhd", ".nhdr"})
"""Endings of scans in two files; one of the two may be the same though the other is not."""

_MOST_BYTES = 256 << 20
"""Larger files are not compared: reading two of this size takes about a second."""

_PART = 1 << 20


def without_copies(facts: Sequence[Facts], blobs: Sequence[Blob]) -> list[Facts]:
    """The scans without those that repeat an earlier file, which is noted at the first one.

    Series of DICOM are left alone, as their files are compared when a series is assembled.
    """
    by_place = {blob.at: blob for blob in blobs}
    same: dict[tuple[ScanInfo, Subject, int], list[Facts]] = defaultdict(list)
    result: dict[At, Facts] = {}
    for one in facts:
        blob = by_place.get(one.at)
        if one.series or blob is None or not _is_comparable(one, blob):
            result[one.at] = one
            continue
        earlier = same[one.info, one.subject, blob.size]
        original = next((e for e in earlier if _is_same(by_place[e.at], blob)), None)
        if original is None:
            earlier.append(one)
            result[one.at] = one
        else:
            notes = dict.fromkeys((*original.info.notes, Note.GIVEN_TWICE.value))
            info = replace(original.info, notes=tuple(notes))
            result[original.at] = replace(original, info=info)
    return list(result.values())


def _is_comparable(facts: Facts, blob: Blob) -> bool:
    """Whether the scan is one file that holds all of it, small enough to be read twice."""
    is_complete = facts.info.files == 1 and split_name(blob.name)[2] not in _HEADER_ALONE
    return is_complete and blob.size <= _MOST_BYTES


def _is_same(one: Blob, other: Blob) -> bool:
    """Whether the stored bytes of two files of one size are equal."""
    with one.opener() as left, other.opener() as right:
        while part := read_fully(left, _PART):
            if part != read_fully(right, _PART):
                return False
    return True
