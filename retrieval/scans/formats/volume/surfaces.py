"""Surfaces and streamlines, which lie on no voxel grid: GIFTI, TrackVis TRK, MRtrix TCK."""

from __future__ import annotations

from retrieval.core import Format, ScanInfo
from retrieval.scans.formats.image.xml import local, parse_count, started
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts


def sniff_gifti(head: bytes) -> bool:
    """The root element near the start."""
    return b"<GIFTI" in head[:2048]


def read_gifti(blob: Blob, context: Context) -> Facts:
    """The facts of one surface file, from the attributes up to its first data array.

    Only names of elements and attributes are read; external data files are never followed.
    """
    intent, vertices = "", 0
    with blob.open() as stream:
        # The files declare a DTD, which is skipped and never resolved.
        for element in started(stream, forbid_dtd=False):
            if local(element) == "DataArray":
                intent = element.get("Intent", "")
                vertices = parse_count(element.get("Dim0")) or 0
                break
    labels = intent == "NIFTI_INTENT_LABEL"
    info = ScanInfo(
        format=Format.GIFTI,
        shape=(vertices,) if vertices else (),
        notes=(Note.SURFACE.value, *([Note.LABEL_MAP.value] if labels else [])),
    )
    field_names = frozenset({"GIFTI intent", "GIFTI sizes"})
    return Facts(info=info, at=blob.at, kind="surface", read=field_names)


def read_trk(blob: Blob, context: Context) -> Facts:
    """Streamlines of TrackVis, which have no dimension."""
    return _streamlines(blob, Format.TRK)


def read_tck(blob: Blob, context: Context) -> Facts:
    """Streamlines of MRtrix, which have no dimension."""
    return _streamlines(blob, Format.TCK)


def _streamlines(blob: Blob, kind: Format) -> Facts:
    info = ScanInfo(format=kind, notes=(Note.STREAMLINES.value,))
    return Facts(info=info, at=blob.at, kind="other", read=frozenset({f"{kind} magic"}))
