"""GIFTI surfaces: element and attribute names only; external data files are never followed."""

from __future__ import annotations

from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from retrieval.core.codes import Format
from retrieval.core.types import ScanInfo
from retrieval.scans.blob import Blob
from retrieval.scans.context import Context
from retrieval.scans.facts import Facts, Kind
from retrieval.scans.formats.xml import local
from retrieval.scans.notes import Note
from retrieval.scans.reasons import Reason, Refused

_LABELS = "NIFTI_INTENT_LABEL"


def sniff(head: bytes, name: str) -> bool:
    """The root element near the start."""
    return b"<GIFTI" in head[:2048]


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one surface file, from the attributes up to its first data array."""
    intent, vertices = _first_array(blob)
    labels = intent == _LABELS
    info = ScanInfo(
        format=Format.GIFTI,
        shape=(vertices,) if vertices else (),
        notes=(Note.SURFACE.value, *([Note.LABEL_MAP.value] if labels else [])),
    )
    kind: Kind = "surface"
    return Facts(info=info, at=blob.at, kind=kind, read=frozenset({"GIFTI intent", "GIFTI sizes"}))


def _first_array(blob: Blob) -> tuple[str, int]:
    """Intent and length; GIFTI declares a DTD, which is read over but never resolved."""
    with blob.open() as stream:
        try:
            for _, element in iterparse(stream, events=("start",), forbid_dtd=False):
                if local(element) == "DataArray":
                    count = element.get("Dim0", "")
                    size = int(count) if count.isdigit() and len(count) < 9 else 0
                    return element.get("Intent", ""), size
        except (ParseError, DefusedXmlException, ValueError, LookupError) as exc:
            raise Refused(Reason.UNREADABLE) from exc
    return "", 0
