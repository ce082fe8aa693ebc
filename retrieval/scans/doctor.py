"""The scan doctor: what each note means to a researcher, how much it matters, what repairs it."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.core import Modality, PulseSequence, ScanInfo
from retrieval.scans.notes import Note
from retrieval.scans.upload import Finding, Severity


@dataclass(frozen=True, slots=True)
class Meaning:
    """One row of the table; ``task`` is a word of the catalog's task vocabulary."""

    severity: Severity
    text: str
    task: str | None = None


_TABLE: dict[Note, Meaning] = {
    Note.SINGLE_SLICE: Meaning(
        "info",
        "One slice of a 3D series; most volume tools need the whole series.",
        "data transfer",
    ),
    Note.LOCALIZER: Meaning(
        "warning", "A localizer (scout): for planning, not for measuring.", "data organisation"
    ),
    Note.SECONDARY_CAPTURE: Meaning(
        "info", "A secondary capture (screenshot); intensities are not measured ones.", "conversion"
    ),
    Note.MOSAIC: Meaning("info", "A Siemens mosaic: one frame holds all slices.", "conversion"),
    Note.CINE: Meaning("info", "The frames are time at one place, not a volume."),
    Note.PAGES: Meaning("info", "The frames are pages, not a volume."),
    Note.WHOLE_SLIDE: Meaning("info", "A tiled whole-slide image: one large plane."),
    Note.NOT_AN_IMAGE: Meaning(
        "info", "No pixel matrix: a document, plan, contour set or waveform."
    ),
    Note.DICOMDIR: Meaning(
        "info",
        "A DICOMDIR: the index of a disc. Add the image files beside it.",
        "data organisation",
    ),
    Note.SURFACE: Meaning("info", "Data on a surface, not a voxel grid."),
    Note.STREAMLINES: Meaning("info", "Streamlines of a tractography, not a voxel grid."),
    Note.PER_VERTEX: Meaning("info", "One value per surface vertex, not a voxel grid."),
    Note.LABEL_MAP: Meaning("info", "The voxels look like labels, not intensities."),
    Note.VECTOR: Meaning("info", "Several components per voxel; they are not time."),
    Note.MISSING_SLICES: Meaning(
        "warning", "Slices are missing: there are gaps in the series.", "quality control"
    ),
    Note.DUPLICATE_SLICES: Meaning(
        "warning", "Some slices are there twice; each counts once.", "data organisation"
    ),
    Note.UNEVEN_SPACING: Meaning(
        "warning", "The distance between slices is not the same everywhere.", "resampling"
    ),
    Note.GANTRY_TILT: Meaning(
        "warning",
        "The slices are sheared (gantry tilt); most tools assume they are not.",
        "resampling",
    ),
    Note.MIXED_SERIES: Meaning(
        "warning", "One series mixes matrix sizes or slice directions.", "data organisation"
    ),
    Note.NO_POSITIONS: Meaning(
        "info", "The slices do not say where they lie; order and spacing are guesses.", "conversion"
    ),
    Note.RESCALE_MISSING: Meaning(
        "warning",
        "CT without rescale values: Hounsfield units cannot be had.",
        "intensity normalisation",
    ),
    Note.NOT_HU: Meaning(
        "warning", "CT, but the values are not Hounsfield units.", "intensity normalisation"
    ),
    Note.FOUR_D: Meaning("warning", "A 4D series where most tools want one volume.", "conversion"),
    Note.ANISOTROPIC: Meaning(
        "info", "Slices are much thicker than the pixels are wide.", "resampling"
    ),
    Note.FORMS_DISAGREE: Meaning(
        "warning",
        "qform and sform disagree: tools will place the image differently.",
        "registration",
    ),
    Note.FORMS_DIFFER: Meaning(
        "info", "qform and sform mean different spaces; tools may use either.", "registration"
    ),
    Note.NO_ORIENTATION: Meaning(
        "info", "No orientation is stored; left and right are not known.", "registration"
    ),
    Note.RGB: Meaning("info", "Colour values; most analysis tools want one channel.", "conversion"),
    Note.COMPRESSED: Meaning(
        "info", "Compressed pixel data; some tools need them decompressed.", "conversion"
    ),
    Note.UNKNOWN_SYNTAX: Meaning(
        "warning", "The way the pixels are written is not a known one.", "conversion"
    ),
    Note.TRUNCATED: Meaning(
        "error", "The file is shorter than its header says: data are missing.", "data transfer"
    ),
    Note.LENGTH_BEYOND_FILE: Meaning(
        "error",
        "An element claims more bytes than the file has; what follows it was not read.",
        "quality control",
    ),
    Note.UNKNOWN_DATATYPE: Meaning(
        "error",
        "The header names a voxel type that its format does not have; no value can be read.",
        "conversion",
    ),
    Note.IMPOSSIBLE_OFFSET: Meaning(
        "error",
        "The header puts the voxels where they cannot be; they were read from behind the header.",
        "conversion",
    ),
    Note.UNBELIEVABLE: Meaning(
        "error", "The header is not believable: impossible sizes or spacing.", "quality control"
    ),
    Note.MODALITY_ASKED: Meaning("info", "The file does not say what it is: MRI, CT, PET, other?"),
    Note.SUGGESTED_MRI: Meaning("info", "The file does not say what it is; it may be MRI."),
    Note.SOP_OVER_MODALITY: Meaning(
        "info",
        "Modality and storage class contradict each other; the class was taken.",
        "quality control",
    ),
    Note.DATA_MISSING: Meaning(
        "warning", "Only the header is here; its data file is missing.", "data transfer"
    ),
    Note.DIFFUSION_TABLE: Meaning("info", "b-values and directions are there."),
    Note.PARTLY_READ: Meaning(
        "warning",
        "Read in part: reading ended before all files were read, so slices may be missing here. "
        "Add the files again to read the rest.",
    ),
}
_USUALLY_4D = frozenset({PulseSequence.BOLD, PulseSequence.DWI, PulseSequence.ASL})


def finding_of(note: Note, scan: int, info: ScanInfo) -> Finding | None:
    """What the doctor says of one note; 4D is a warning only where time is not the rule."""
    meaning = _TABLE[note]
    severity = meaning.severity
    if note == Note.FOUR_D and (info.modality != Modality.CT or info.sequence in _USUALLY_4D):
        severity = "info"
    return Finding(
        scan=scan, code=note.value, severity=severity, text=meaning.text, task=meaning.task
    )


def anisotropic(spacing: tuple[float, ...] | None) -> bool:
    """Whether one axis of a volume is sampled at least three times as coarsely as another.

    Spacing in mm. From three on nnU-Net resamples an axis by itself (Isensee and others 2021).
    """
    if spacing is None or len(spacing) < 3:
        return False
    return max(spacing[:3]) >= 3 * min(spacing[:3])
