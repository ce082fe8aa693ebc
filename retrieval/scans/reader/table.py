"""The ordered table of readers. A new format is one file in ``formats`` and one row here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.scans.dicom.instance import Instance
from retrieval.scans.formats import dicom
from retrieval.scans.formats.image import czi, hdf5, lif, picture, signature, tiff
from retrieval.scans.formats.volume import (
    afni,
    ecat,
    gifti,
    metaimage,
    mgh,
    mif,
    minc,
    nifti,
    nrrd,
    parrec,
    tracks,
)
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts

Read = Callable[[Blob, Context], Facts | Instance]


@dataclass(frozen=True, slots=True)
class Reader:
    """One row: whether the first bytes are this format's, and how it is read."""

    name: str
    sniff: Callable[[bytes, str], bool]
    read: Read


#: Asked from top to bottom. The strongest marks first; formats without a mark last.
READERS = (
    Reader("DICOM", dicom.sniff, dicom.read),
    Reader("NRRD", nrrd.sniff, nrrd.read),
    Reader("ND2", signature.sniff_nd2, signature.read_nd2),
    Reader("TIFF", tiff.sniff, tiff.read),
    Reader("picture", picture.sniff, picture.read),
    Reader("MINC 2", minc.sniff_hdf5, minc.read_hdf5),
    Reader("HDF5", hdf5.sniff, hdf5.read),
    Reader("MINC 1", minc.sniff_netcdf, minc.read_netcdf),
    Reader("CZI", czi.sniff, czi.read),
    Reader("LIF", lif.sniff, lif.read),
    Reader("ECAT", ecat.sniff, ecat.read),
    Reader("TRK", tracks.sniff_trk, tracks.read_trk),
    Reader("TCK", tracks.sniff_tck, tracks.read_tck),
    Reader("MIF", mif.sniff, mif.read),
    Reader("AFNI", afni.sniff, afni.read),
    Reader("PAR/REC", parrec.sniff, parrec.read),
    Reader("MetaImage", metaimage.sniff, metaimage.read),
    Reader("GIFTI", gifti.sniff, gifti.read),
    Reader("NIfTI", nifti.sniff, nifti.read),
    Reader("MGH", mgh.sniff, mgh.read),
    Reader("DICOM without mark", dicom.sniff_bare, dicom.read),
)

SNIFF_BYTES = 4096


def reader_of(blob: Blob) -> Reader | None:
    """The first reader that says the content is its own."""
    head = blob.head(SNIFF_BYTES)
    return next((reader for reader in READERS if reader.sniff(head, blob.name)), None)
