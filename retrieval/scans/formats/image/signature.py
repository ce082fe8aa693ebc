"""Formats known by their signature alone: Nikon ND2 and NumPy arrays."""

from __future__ import annotations

from retrieval.core import Format, Modality, ScanInfo
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts


def recognised(blob: Blob, kind: Format, modality: Modality | None) -> Facts:
    """A file whose format is sure and whose extents are not read."""
    info = ScanInfo(format=kind, modality=modality)
    return Facts(info=info, at=blob.at, kind="other", read=frozenset({f"{kind} signature"}))


def sniff_nd2(head: bytes, name: str) -> bool:
    """The chunk magic with the file signature, or the JPEG 2000 box of older files."""
    return head.startswith(b"\xda\xce\xbe\x0a") or (
        head[4:8] == b"jP  " and b"ftypjp2" in head[:40] and b"LABORATORY IMAGING" in head
    )


def read_nd2(blob: Blob, context: Context) -> Facts:
    """Nikon's microscopy format."""
    return recognised(blob, Format.ND2, Modality.MICROSCOPY)
