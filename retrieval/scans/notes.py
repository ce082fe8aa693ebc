"""What is remarkable about a scan: closed codes, what each means, and what repairs it."""

from __future__ import annotations

from retrieval.core import PARTLY_READ, Modality, PulseSequence, ScanInfo
from retrieval.scans.reasons import Worded
from retrieval.scans.upload import Finding, Severity


class Note(Worded):
    """A property or defect of one scan, a code of ``ScanInfo.notes``."""

    SINGLE_SLICE = (
        "single-slice",
        "One slice of a 3D series; most volume tools need the whole series.",
    )
    LOCALIZER = "localizer", "A localizer (scout): for planning, not for measuring."
    SECONDARY_CAPTURE = (
        "secondary-capture",
        "A secondary capture (screenshot); intensities are not measured ones.",
    )
    MOSAIC = "mosaic", "A Siemens mosaic: one frame holds all slices."
    CINE = "cine", "The frames are time at one place, not a volume."
    PAGES = "pages", "The frames are pages, not a volume."
    WHOLE_SLIDE = "whole-slide", "A tiled whole-slide image: one large plane."
    NOT_AN_IMAGE = "not-an-image", "No pixel matrix: a document, plan, contour set or waveform."
    NO_PIXELS = "no-pixels", "There are no pixels here; no tool that needs an image can use this."
    DICOMDIR = "dicomdir", "A DICOMDIR: the index of a disc. Add the image files beside it."
    SURFACE = "surface", "Data on a surface, not a voxel grid."
    STREAMLINES = "streamlines", "Streamlines of a tractography, not a voxel grid."
    PER_VERTEX = "per-vertex", "One value per surface vertex, not a voxel grid."
    LABEL_MAP = "label-map", "A label map: no intensities."
    LABEL_NAME = (
        "label-name",
        "Only the name of the file states the label map; nothing in the header does.",
    )
    IMAGE_VALUES = (
        "label-name-of-image",
        "The name of the file suggests labels, but the values are those of an image, as which it "
        "is read.",
    )
    MAYBE_LABELS = "label-map-maybe", "Looks like a label map: few whole values, in patches."
    VECTOR = "vector", "Several components per voxel; they are not time."
    MORE_AXES = (
        "more-axes",
        "More than four axes: besides time, each voxel holds several values (NIfTI-1, axes 5 to "
        "7); most tools read four axes at most.",
    )
    MISSING_SLICES = "missing-slices", "Slices are missing: there are gaps in the series."
    DUPLICATE_SLICES = "duplicate-slices", "Some slices are there twice; each counts once."
    GIVEN_TWICE = "given-twice", "The same file was given twice or more; it is read once."
    UNEVEN_SPACING = "uneven-spacing", "The distance between slices is not the same everywhere."
    GANTRY_TILT = (
        "gantry-tilt",
        "The slices are sheared (gantry tilt); most tools assume they are not.",
    )
    MIXED_SERIES = "mixed-series", "One series mixes matrix sizes or slice directions."
    NO_POSITIONS = (
        "no-positions",
        "The slices do not say where they lie; order and spacing are guesses.",
    )
    RESCALE_MISSING = (
        "rescale-missing",
        "CT without rescale values: Hounsfield units cannot be had.",
    )
    NOT_HU = "not-hu", "CT, but the values are not Hounsfield units."
    FOUR_D = "4d", "A 4D series where most tools want one volume."
    ANISOTROPIC = "anisotropic", "Slices are much thicker than the pixels are wide."
    FORMS_DISAGREE = (
        "qform-sform-disagree",
        "qform and sform disagree: tools will place the image differently.",
    )
    FORMS_DIFFER = (
        "qform-sform-differ",
        "qform and sform mean different spaces; tools may use either.",
    )
    NO_ORIENTATION = "no-orientation", "No orientation is stored; left and right are not known."
    RGB = "rgb", "Colour values; most analysis tools want one channel."
    COMPRESSED = "compressed-syntax", "Compressed pixel data; some tools need them decompressed."
    NO_PREAMBLE = (
        "no-preamble",
        "The 128 bytes that come first in a DICOM file (PS3.10, 7.1) are missing; it was read all "
        "the same, but many tools refuse such a file.",
    )
    UNKNOWN_SYNTAX = "unknown-syntax", "The way the pixels are written is not a known one."
    TRUNCATED = "truncated", "The file is shorter than its header says: data are missing."
    LENGTH_BEYOND_FILE = (
        "length-beyond-file",
        "An element claims more bytes than the file has; what follows it was not read.",
    )
    UNKNOWN_DATATYPE = (
        "unknown-datatype",
        "The header names a voxel type that its format does not have; no value can be read.",
    )
    IMPOSSIBLE_OFFSET = (
        "impossible-offset",
        "The header puts the voxels where they cannot be; they were read from behind the header.",
    )
    UNBELIEVABLE = (
        "unbelievable-header",
        "The header is not believable: impossible sizes or spacing.",
    )
    MODALITY_ASKED = "modality-unknown", "The file does not say what kind of image it is."
    SUGGESTED_MRI = (
        "modality-maybe-mri",
        "The file does not say what kind of image it is; it may be MRI.",
    )
    SOP_OVER_MODALITY = (
        "sop-class-over-modality",
        "Modality and storage class contradict each other; the class was taken.",
    )
    DATA_MISSING = "data-missing", "Only the header is here; its data are missing."
    DIFFUSION_TABLE = "diffusion-table", "b-values and directions are there."
    PARTLY_READ = (
        PARTLY_READ,
        "Read in part: reading ended before all files were read, so slices may be missing here. "
        "Add the files again to read the rest.",
    )


_SEVERITIES: dict[Severity, str] = {
    "error": "truncated length-beyond-file unknown-datatype impossible-offset unbelievable-header",
    "warning": "localizer missing-slices duplicate-slices uneven-spacing gantry-tilt mixed-series "
    f"rescale-missing not-hu 4d qform-sform-disagree unknown-syntax data-missing no-pixels "
    f"more-axes no-preamble "
    f"{PARTLY_READ}",
}
"""All others are mere information."""

#: By the word of the catalog's task vocabulary that repairs them.
_REPAIRS = {
    "data transfer": "single-slice",
    "data organisation": "localizer dicomdir duplicate-slices given-twice mixed-series",
    "conversion": "secondary-capture mosaic no-positions 4d rgb compressed-syntax unknown-syntax "
    "more-axes no-preamble unknown-datatype impossible-offset",
    "quality control": "missing-slices length-beyond-file unbelievable-header "
    "sop-class-over-modality",
    "resampling": "uneven-spacing gantry-tilt anisotropic",
    "intensity normalisation": "rescale-missing not-hu",
    "registration": "qform-sform-disagree qform-sform-differ no-orientation",
}
_SEVERITY = {Note(code): key for key, codes in _SEVERITIES.items() for code in codes.split()}
_TASK = {Note(code): task for task, codes in _REPAIRS.items() for code in codes.split()}
OF_RADIOTHERAPY = frozenset({Modality.RTSTRUCT, Modality.RTPLAN, Modality.RTDOSE})
"""What a treatment plan consists of beside the image (DICOM PS3.3, A.18 to A.20)."""

_IN_COLOUR = frozenset(
    {Modality.SM, Modality.GM, Modality.LIGHT_MICROSCOPY, Modality.ES, Modality.OP, Modality.XC}
    | {Modality.DERMOSCOPY}
)
"""Kinds of image whose tools take colours."""

_USUALLY_4D = frozenset({PulseSequence.BOLD, PulseSequence.DWI, PulseSequence.ASL})


def finding_of(note: Note, scan: int, info: ScanInfo) -> Finding:
    """What the doctor says of one note; 4D is a warning only where time is not the rule."""
    severity = _SEVERITY.get(note, "info")
    if note == Note.FOUR_D and (info.modality != Modality.CT or info.sequence in _USUALLY_4D):
        severity = "info"
    return Finding(
        scan=scan, code=note.value, severity=severity, text=note.text, task=_TASK.get(note)
    )


def is_expected(note: Note, info: ScanInfo) -> bool:
    """Whether a note is the rule for such an image, so that the doctor has nothing to say."""
    if note == Note.NOT_AN_IMAGE:
        return info.modality in OF_RADIOTHERAPY
    return note == Note.RGB and info.modality in _IN_COLOUR


def anisotropic(spacing: tuple[float, ...] | None) -> bool:
    """Whether one axis of a volume is sampled at least three times as coarsely as another.

    Spacing in mm. From three on nnU-Net resamples an axis by itself (Isensee and others 2021).
    """
    if spacing is None or len(spacing) < 3:
        return False
    return max(spacing[:3]) >= 3 * min(spacing[:3])
