"""HDF5 containers: which of the known kinds lies inside, by the names of its groups."""

from __future__ import annotations

from retrieval.core import Format, Modality, ScanInfo
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts

_HEAD = 1 << 20
#: Every one of these names must occur.
_KINDS: tuple[tuple[Format, tuple[bytes, ...], Modality | None], ...] = (
    (Format.IMARIS, (b"ImarisDataSet", b"DataSetInfo"), Modality.MICROSCOPY),
    (Format.ISMRMRD, (b"ismrmrd", b"xml"), Modality.MRI),
    (Format.NWB, (b"nwb_version",), None),
    (Format.H5AD, (b"encoding-type", b"anndata"), Modality.SCRNA),
    (Format.LOOM, (b"LOOM_SPEC_VERSION",), None),
)


def sniff(head: bytes, name: str) -> bool:
    """The signature of HDF5."""
    return head.startswith(b"\x89HDF\r\n\x1a\n")


def read(blob: Blob, context: Context) -> Facts:
    """The kind of container; its arrays are not opened, so it has no dimension."""
    head = blob.head(_HEAD)
    for kind, names, modality in _KINDS:
        if all(name in head for name in names):
            return _facts(blob, kind, modality)
    return _facts(blob, Format.HDF5, None)


def _facts(blob: Blob, kind: Format, modality: Modality | None) -> Facts:
    notes = () if modality else (Note.MODALITY_ASKED.value,)
    info = ScanInfo(format=kind, modality=modality, notes=notes)
    return Facts(info=info, at=blob.at, kind="other", read=frozenset({"HDF5 group names"}))
