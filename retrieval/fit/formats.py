"""Whether a tool can open the file, directly or after a conversion to the same kind of data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from retrieval.core import Dimension, Fit, Format, Modality, ScanInfo, Tool
from retrieval.fit.verdict import field, judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a conversion of a file has to carry over, in the words of a record's pairs.

    ``what`` is empty where no pair carries it, as for a report. Not every format for volumes
    stores values of ``colour``.
    """

    what: str = "image"
    modality: Modality | None = None
    dimension: Dimension | None = None
    colour: bool = False


ANY_IMAGE = Content()

Chain = tuple[tuple[str, str, str], ...]
Convert = Callable[[str, Sequence[str], Content], Chain | None]
"""From a format to wanted ones: the steps (before, name of the tool, after), or None."""

LABELS, MAYBE_LABELS, COLOUR = "label-map", "label-map-maybe", "rgb"
FRAMES = frozenset({"cine", "pages"})
"""Notes of files with several pictures in a row."""

FIELD, VIA = "formats_in", ", after "
CONVERTED: Final = "after conversion"
LONGEST = 2
"""Most steps of a conversion that passes."""

_F = Format
DOCUMENTS = frozenset({"not-an-image", "dicomdir"})
"""Notes of DICOM objects without pixels: reports, plans, indices."""

NO_PIXELS, NO_DATA, MORE_AXES = "no-pixels", "data-missing", "more-axes"
GRIDLESS = frozenset({"surface", "streamlines", "per-vertex", "not-an-image"})
"""Notes of files that hold no grid of voxels, so that no dimension of theirs is missing."""

DAMAGES = frozenset({"unbelievable-header", "truncated", "length-beyond-file"})
"""Notes of files whose header ends too early or has impossible values."""

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
INSIDE_DICOM = {Modality.SEG: _F.DICOM_SEG, Modality.RTSTRUCT: _F.RTSTRUCT}
OF_DICOM = frozenset(INSIDE_DICOM.values())
SLIDES = frozenset({Modality.SM, Modality.GM})
NO_IMAGE = frozenset(
    {Modality.SR, Modality.PR, Modality.KO, Modality.REG, Modality.RTPLAN, Modality.ECG}
    | {Modality.RTDOSE}
)
"""DICOM objects without an image of the body; no pair of a record names their data."""

RECORDINGS = frozenset({Modality.ECG, Modality.EEG, Modality.MEG, Modality.MRS})
OF_RECORDINGS = frozenset({_F.EDF, _F.FIF})
TABLES = frozenset({_F.CSV, _F.H5AD, _F.LOOM})
ANY_DATA = frozenset({_F.HDF5, _F.ZARR, _F.NPY, _F.MAT, _F.NWB, _F.VTK, _F.CIFTI})
"""Formats that hold images as well as data of other kinds; their headers do not tell which."""

HELD_BY: dict[Format, frozenset[Format]] = {
    _F.NIFTI: frozenset({_F.BIDS}),
    _F.DICOM: OF_DICOM,
    _F.TIFF: frozenset({_F.OME_TIFF}),
}
"""Formats whose files are, or hold, files of another: who writes these writes that."""

READ_AS: dict[Format, tuple[Format, ...]] = {Format.OME_TIFF: (Format.TIFF,)}
"""A tool that reads the second opens the first as it is: OME-TIFF files are TIFF files."""


def no_conversion(have: str, goal_formats: Sequence[str], content: Content) -> Chain | None:
    """No conversion: a format becomes only itself."""
    return () if have in goal_formats else None


def format_fit(tool: Tool, scan: ScanInfo, convert: Convert) -> Fit:
    """Pass when the tool reads the file, else after conversion; the evidence names the chain.

    At most two steps of conversion, each into a format that holds the same kind of data. What the
    tool converts itself it reads.
    """
    have, stated = str(scan.format), field(FIELD, tool.formats_in)
    if stated is None or not opening_formats(scan).isdisjoint(tool.formats_in):
        return judged("format", True, have, stated)
    if "conversion" in tool.tasks[:1] and scan.format in tool.formats_out:
        # The file is what the tool makes of others: converted for it, it would come back.
        return judged("format", False, have, stated)
    # Every step must keep the kind of data: a picture of a volume is no volume.
    chain = way_in(stored_as(scan), tool.formats_in, content_of(scan), convert)
    if not chain or len(chain) > LONGEST:
        return judged("format", False, have, stated)
    if all(converter == tool.name for _, converter, _ in chain):
        return judged("format", True, have, f"{stated}; converts {have} itself")
    steps = ", then ".join(f"{name}: {before} to {after}" for before, name, after in chain)
    way = field(FIELD, [f"{chain[-1][2]}{VIA}{steps}"])
    return replace(judged("format", True, have, way), verdict=CONVERTED)


def written_formats(tool: Tool) -> tuple[Format, ...]:
    """The formats that a record states its tool writes, once each."""
    return tuple(dict.fromkeys((*tool.formats_out, *(pair.after for pair in tool.converts))))


def holding(goal: Format) -> tuple[Format, ...]:
    """A format, then those whose files are or hold files of it."""
    return (goal, *sorted(HELD_BY.get(goal, ())))


def written_for(tool: Tool, goal: Format) -> Format | None:
    """The format in which a tool writes what is asked for in another; None where none is stated."""
    written = written_formats(tool)
    return next((one for one in holding(goal) if one in written), None)


def way_in(
    have: Format, goal_formats: Sequence[str], content: Content, convert: Convert
) -> Chain | None:
    """The chain to a wanted format, each step holding the content; empty when none is needed."""
    if have in goal_formats:
        return ()
    family = _family(have, content.dimension, content.modality)
    family -= VOLUMES if content.colour else frozenset()
    readable = [name for name in goal_formats if name in family]
    chain = convert(have, readable, content) if content.what and readable else None
    return None if chain is None or any(s[2] not in family for s in chain) else chain


@cache
def _what(format: Format, modality: Modality | None, is_image: bool) -> str:
    if modality == Modality.SEG:
        return "label"
    if modality == Modality.RTSTRUCT:
        return "contour"
    kinds = {"surface": SURFACES, "streamlines": STREAMLINES, "raw data": RAW}
    other = next((what for what, formats in kinds.items() if format in formats), "")
    return other or ("image" if is_image and modality not in NO_IMAGE else "")


def content_of(scan: ScanInfo) -> Content:
    """What the file holds; a file without dimensions, such as a report, holds no image.

    Frames in one DICOM file, and labels that are colours, are more than any pair is stated for.
    """
    kind = Modality.SEG if LABELS in scan.notes else scan.modality
    what = _what(scan.format, kind, scan.dimension is not None)
    colour = COLOUR in scan.notes
    framed = scan.format == Format.DICOM and not FRAMES.isdisjoint(scan.notes)
    if lacks_pixels(scan) or (colour and what == "label") or (framed and what == "image"):
        what = ""
    return Content(what=what, modality=kind, dimension=scan.dimension, colour=colour)


def lacks_pixels(scan: ScanInfo) -> bool:
    """Whether there are headers alone; a series of which one file lacks its pixels has others."""
    return NO_PIXELS in scan.notes or (NO_DATA in scan.notes and scan.files == 1)


def is_damaged(scan: ScanInfo) -> bool:
    """Whether damage left nothing of the image's size: what else was read is no ground to use it.

    A file that is cut after its header keeps its dimension; it is noted and compared as it states.
    """
    return not (scan.dimension or DAMAGES.isdisjoint(scan.notes))


def data_of(scan: ScanInfo) -> str:
    """What the file holds, in the words of ``requirements.data``; empty where it does not say.

    Frames are images here, unlike in ``content_of``, which is about conversions.
    """
    labels = LABELS in scan.notes
    # One value for each point of a surface, in a file without the surface.
    if scan.format in ANY_DATA or lacks_pixels(scan) or (labels and scan.format in SURFACES):
        return ""
    if scan.modality in RECORDINGS or scan.format in OF_RECORDINGS:
        return "signal"
    if scan.format in TABLES:
        return "table"
    kind = Modality.SEG if labels else scan.modality
    return _what(scan.format, kind, scan.dimension is not None)


def stored_as(scan: ScanInfo) -> Format:
    """The format, as narrow as records name it: an RTSTRUCT is a kind of DICOM file."""
    inside = INSIDE_DICOM.get(scan.modality) if scan.modality else None
    return inside if inside and scan.format == Format.DICOM else scan.format


def opening_formats(scan: ScanInfo) -> frozenset[Format]:
    """The formats by any of which a tool opens the file as it is."""
    return frozenset({scan.format, stored_as(scan), *READ_AS.get(scan.format, ())})


@cache
def _family(
    have: Format, dimension: Dimension | None, modality: Modality | None
) -> frozenset[Format]:
    """Formats that can hold the data of this file; a stack may become a volume, a picture not."""
    if modality in SLIDES:
        # A slide is tiles of a microscope, whatever file it lies in: it becomes no volume.
        return MICROSCOPES | PICTURES
    have = Format.DICOM if have in OF_DICOM else have
    if have in VOLUMES and dimension == Dimension.D2 and modality not in INSIDE_DICOM:
        # A projection or a photograph becomes a picture; single slices count as 3D.
        return PICTURES
    kinds = [family for family in FAMILIES if have in family]
    flat, deep = dimension == Dimension.D2, dimension == Dimension.D3
    if have in MICROSCOPES and flat:
        kinds.append(PICTURES)
    if have in MICROSCOPES | PICTURES and deep:
        kinds.append(VOLUMES)
    if modality in INSIDE_DICOM:
        kinds.append(OF_DICOM)
    return frozenset().union(*(kinds or [frozenset(Format).difference(*FAMILIES)]))
