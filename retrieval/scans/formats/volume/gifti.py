"""GIFTI surfaces: element and attribute names only; external data files are never followed."""

from __future__ import annotations

from retrieval.core import Format, ScanInfo
from retrieval.scans.formats.image.xml import local, parse_count, started
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts, Kind

_LABELS = "NIFTI_INTENT_LABEL"


def sniff(head: bytes, name: str) -> bool:
    """The root element near the start."""
    return b"<GIFTI" in head[:2048]


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one surface file, from the attributes up to its first data array."""
    intent, vertices = "", 0
    with blob.open() as stream:
        # The files declare a DTD, which is read over and never resolved.
        for element in started(stream, forbid_dtd=False):
            if local(element) == "DataArray":
                intent = element.get("Intent", "")
                vertices = parse_count(element.get("Dim0")) or 0
                break
    labels = intent == _LABELS
    info = ScanInfo(
        format=Format.GIFTI,
        shape=(vertices,) if vertices else (),
        notes=(Note.SURFACE.value, *([Note.LABEL_MAP.value] if labels else [])),
    )
    kind: Kind = "surface"
    return Facts(info=info, at=blob.at, kind=kind, read=frozenset({"GIFTI intent", "GIFTI sizes"}))
