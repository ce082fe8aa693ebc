"""Streamlines: TrackVis TRK and MRtrix TCK."""

from __future__ import annotations

from retrieval.core import Format, ScanInfo
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts


def sniff_trk(head: bytes, name: str) -> bool:
    """The magic of TrackVis."""
    return head.startswith(b"TRACK\0")


def sniff_tck(head: bytes, name: str) -> bool:
    """The first line of MRtrix tracks."""
    return head.startswith(b"mrtrix tracks")


def read_trk(blob: Blob, context: Context) -> Facts:
    """Streamlines have no dimension."""
    return _streamlines(blob, Format.TRK)


def read_tck(blob: Blob, context: Context) -> Facts:
    """Streamlines have no dimension."""
    return _streamlines(blob, Format.TCK)


def _streamlines(blob: Blob, kind: Format) -> Facts:
    info = ScanInfo(format=kind, notes=(Note.STREAMLINES.value,))
    return Facts(info=info, at=blob.at, kind="other", read=frozenset({f"{kind} magic"}))
