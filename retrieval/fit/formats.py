"""Whether a tool can open the file, directly or after a conversion to the same kind of data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from retrieval.core import Dimension, Fit, Format, Modality, ScanInfo, Tool
from retrieval.fit.verdict import field, judged

Chain = tuple[tuple[str, str, str], ...]
Convert = Callable[[str, Sequence[str]], Chain | None]
"""From a format to wanted ones: the steps (before, tool id, after), or None if impossible."""

FIELD, VIA = "formats_in", ", via "
LONGEST = 2
"""Most steps of a conversion that passes."""

_F = Format
VOLUMES = frozenset(
    {_F.DICOM, _F.NIFTI, _F.ANALYZE, _F.NRRD, _F.METAIMAGE, _F.MGH, _F.MINC}
    | {_F.AFNI, _F.PARREC, _F.MIF, _F.ECAT, _F.BIDS}
)
PICTURES = frozenset({_F.TIFF, _F.PNG, _F.JPEG, _F.JPEG2000, _F.WEBP, _F.GIF, _F.BMP})
MICROSCOPES = frozenset(
    {_F.OME_TIFF, _F.CZI, _F.LIF, _F.ND2, _F.SVS, _F.NDPI, _F.OME_ZARR, _F.ZARR}
    | {_F.N5, _F.IMARIS, _F.MRC, _F.TIFF}
)
SURFACES = frozenset({_F.GIFTI, _F.FREESURFER, _F.STL, _F.OBJ, _F.PLY, _F.VTK})
STREAMLINES = frozenset({_F.TRK, _F.TCK})
RAW = frozenset({_F.ISMRMRD, _F.TWIX})
FAMILIES = (VOLUMES, PICTURES, MICROSCOPES, SURFACES, STREAMLINES, RAW)
STACKS = frozenset({_F.TIFF})
INSIDE_DICOM = {Modality.SEG: _F.DICOM_SEG, Modality.RTSTRUCT: _F.RTSTRUCT}
OF_DICOM = frozenset(INSIDE_DICOM.values())

READ_AS: dict[Format, tuple[Format, ...]] = {Format.OME_TIFF: (Format.TIFF,)}
"""A tool that reads the second opens the first as it is: OME-TIFF files are TIFF files."""


def no_conversion(have: str, wanted: Sequence[str]) -> Chain | None:
    """No conversion: a format becomes only itself."""
    return () if have in wanted else None


def format_fit(tool: Tool, scan: ScanInfo, convert: Convert) -> Fit:
    """Pass when the tool reads the file or one it becomes; the evidence names the chain.

    At most two steps of conversion, each into a format that holds the same kind of data.
    """
    have, stated = str(scan.format), field(FIELD, tool.formats_in)
    opened_as = {scan.format, *READ_AS.get(scan.format, ())}
    if scan.format == Format.DICOM and scan.modality in INSIDE_DICOM:
        opened_as.add(INSIDE_DICOM[scan.modality])
    if stated is None or not opened_as.isdisjoint(tool.formats_in):
        return judged("format", True, have, stated)
    # Every step must keep the kind of data: a picture of a volume is no volume.
    family = _family(scan.format, scan.dimension, scan.modality)
    wanted = [f for f in tool.formats_in if f in family]
    chain = convert(scan.format, wanted) if wanted else None
    if not chain or len(chain) > LONGEST or any(step[2] not in family for step in chain):
        return judged("format", False, have, stated)
    steps = ", ".join(step[1] for step in chain)
    return judged("format", True, have, field(FIELD, [f"{chain[-1][2]}{VIA}{steps}"]))


@cache
def _family(
    have: Format, dimension: Dimension | None, modality: Modality | None
) -> frozenset[Format]:
    """Formats that can hold the data of this file; a stack may become a volume, a picture not."""
    kinds = [family for family in FAMILIES if have in family]
    flat, deep = dimension == Dimension.D2, dimension == Dimension.D3
    if have in MICROSCOPES | VOLUMES and flat:
        kinds.append(PICTURES)
    if have in MICROSCOPES | PICTURES and deep:
        kinds.append(VOLUMES)
    if have in VOLUMES and deep:
        kinds.append(STACKS)
    if modality in INSIDE_DICOM:
        kinds.append(OF_DICOM)
    return frozenset().union(*(kinds or [frozenset(Format).difference(*FAMILIES)]))
