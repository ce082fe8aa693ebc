"""The ordered table of readers. A new format is a function in ``formats`` and one row here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.scans.dicom.instance import Instance, read_dicom, sniff_bare_dicom, sniff_dicom
from retrieval.scans.formats.image import microscope, picture, tiff
from retrieval.scans.formats.volume import binary, hdf5, itk, nifti, surfaces, text_headers
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts

_SNIFF_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Reader:
    """One row: whether the first bytes are this format's, and how it is read.

    ``mark`` is a question to these bytes, or what they begin with.
    """

    name: str
    mark: Callable[[bytes], bool] | bytes
    read: Callable[[Blob, Context], Facts | Instance]

    def sniff(self, head: bytes) -> bool:
        """Whether the format is this one."""
        return head.startswith(self.mark) if isinstance(self.mark, bytes) else self.mark(head)


#: Asked from top to bottom. The strongest marks first; formats without a mark last.
READERS = (
    Reader("DICOM", sniff_dicom, read_dicom),
    Reader("NRRD", b"NRRD000", itk.read_nrrd),
    Reader("ND2", microscope.sniff_nd2, microscope.read_nd2),
    Reader("TIFF", tiff.sniff, tiff.read),
    Reader("picture", picture.sniff, picture.read),
    Reader("MINC 2", hdf5.sniff_minc2, hdf5.read_minc2),
    Reader("HDF5", hdf5.MARK, hdf5.read_container),
    Reader("MINC 1", hdf5.sniff_minc1, hdf5.read_minc1),
    Reader("CZI", b"ZISRAWFILE", microscope.read_czi),
    Reader("LIF", microscope.sniff_lif, microscope.read_lif),
    Reader("ECAT", b"MATRIX7", binary.read_ecat),
    Reader("TRK", b"TRACK\0", surfaces.read_trk),
    Reader("TCK", b"mrtrix tracks", surfaces.read_tck),
    Reader("MIF", b"mrtrix image", text_headers.read_mif),
    Reader("AFNI", text_headers.sniff_afni, text_headers.read_afni),
    Reader("PAR/REC", text_headers.sniff_parrec, text_headers.read_parrec),
    Reader("MetaImage", itk.sniff_metaimage, itk.read_metaimage),
    Reader("GIFTI", surfaces.sniff_gifti, surfaces.read_gifti),
    Reader("NIfTI", nifti.sniff, nifti.read),
    Reader("MGH", binary.sniff_mgh, binary.read_mgh),
    Reader("DICOM without mark", sniff_bare_dicom, read_dicom),
)


def reader_of(blob: Blob) -> Reader | None:
    """The first reader that says the content is its own."""
    head = blob.head(_SNIFF_BYTES)
    return next((reader for reader in READERS if reader.sniff(head)), None)
