"""What a DICOM file is: kind of object, modality, kind of acquisition, remarkable properties."""

from __future__ import annotations

from dataclasses import dataclass

from pydicom.dataset import Dataset
from pydicom.uid import UID

from retrieval.core import Modality, PulseSequence
from retrieval.scans.dicom.codes import (
    DICOMDIR,
    EXPLICIT,
    MODALITIES,
    NATIVE,
    NO_PICTURE,
    SOP_CLASSES,
    SopClass,
    Sort,
    is_known_syntax,
)
from retrieval.scans.dicom.header import Header
from retrieval.scans.dicom.tags import count, number, word, words
from retrieval.scans.notes import Note
from retrieval.scans.reader.facts import plausible
from retrieval.scans.reasons import Reason, Refused
from retrieval.scans.words import sequence_in, whole_words

#: Modalities that share storage classes, where the header is the finer of the two.
_FAMILIES = (
    {Modality.XR, Modality.MG, Modality.IO, Modality.PX, Modality.RF, Modality.XA},
    {Modality.US, Modality.IVUS},
    {Modality.NM, Modality.SPECT, Modality.PET},
    {Modality.MRI, Modality.MRA, Modality.MRS},
    {Modality.ES, Modality.XC, Modality.GM, Modality.OP, Modality.DERMOSCOPY, Modality.SM},
    {Modality.OPT, Modality.OCT, Modality.OP},
    {Modality.SR, Modality.KO},
)
#: PS3.3 C.8.13.3.1.2, defined terms of AcquisitionContrast (0008,9209).
_CONTRAST = {
    "T1": PulseSequence.T1,
    "T2": PulseSequence.T2,
    "T2_STAR": PulseSequence.T2STAR,
    "PROTON_DENSITY": PulseSequence.PD,
    "DIFFUSION": PulseSequence.DWI,
    "FLUID_ATTENUATED": PulseSequence.FLAIR,
    "TOF": PulseSequence.ANGIOGRAPHY,
}
_IMAGE_TYPE = {
    "LOCALIZER": PulseSequence.LOCALIZER,
    "DIFFUSION": PulseSequence.DWI,
    "ADC": PulseSequence.DWI,
    "TRACEW": PulseSequence.DWI,
    "ASL": PulseSequence.ASL,
    "FMRI": PulseSequence.BOLD,
    "SWI": PulseSequence.SWI,
    "ANGIO": PulseSequence.ANGIOGRAPHY,
}
_NOT_MR_ONLY = frozenset({PulseSequence.LOCALIZER, PulseSequence.ANGIOGRAPHY}) | {
    code for code in PulseSequence if "CONTRAST" in code.name
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The kind of object, its modality, and whether the storage class overruled the header."""

    sort: Sort
    modality: Modality | None
    overruled: bool = False
    directory: bool = False


def identity_of(header: Header) -> Identity:
    """The identity; refused when nothing in the file stands on a closed list.

    Where SOP class and Modality (PS3.3 C.7.3.1.1.1) contradict each other, the class counts:
    it determines which attributes the file has. Raises Refused (NO_FACTS or CUT_SHORT).
    """
    sop_uid = word(header.values, "SOPClassUID") or header.sop_class
    sop = SOP_CLASSES.get(sop_uid)
    modality, overruled = _modality(sop, word(header.values, "Modality"))
    _require_facts(header, sop_uid, modality)
    return Identity(
        sort=sop.sort if sop else _sort_of(modality),
        modality=modality,
        overruled=overruled,
        directory=sop_uid == DICOMDIR,
    )


def _modality(sop: SopClass | None, code: str) -> tuple[Modality | None, bool]:
    """The modality and whether the SOP class overruled the header's."""
    stated = MODALITIES.get(code)
    if sop is None or sop.modality is None:
        if sop is not None and sop.sort == "capture" and stated == Modality.SM:
            return Modality.OT, True
        return stated, False
    if stated is None or stated == sop.modality:
        return sop.modality, False
    if any({stated, sop.modality} <= family for family in _FAMILIES):
        return stated, False
    return sop.modality, True


def _sort_of(modality: Modality | None) -> Sort:
    if modality in NO_PICTURE:
        return "none"
    if modality in (Modality.CT, Modality.MRI, Modality.PET, Modality.NM, Modality.RTDOSE):
        return "volume"
    if modality == Modality.SEG:
        return "segmentation"
    return "slide" if modality == Modality.SM else "plane"


def _require_facts(header: Header, sop_uid: str, modality: Modality | None) -> None:
    """Refuses bytes in which no value stands on a closed list."""
    sop = SOP_CLASSES.get(sop_uid)
    has_magic = header.meta_end >= 132
    standard = bool(sop_uid) and UID(sop_uid).name != sop_uid  # pydicom names what PS3.6 lists
    has_shape = None not in (count(header.values, "Rows"), count(header.values, "Columns"))
    if has_magic and (standard or modality or has_shape):
        return
    if not has_magic and modality and (has_shape or (sop and sop.sort == "none")):
        return
    raise Refused(Reason.NO_FACTS if header.complete else Reason.CUT_SHORT)


def remarks_of(header: Header, identity: Identity, frames: int) -> tuple[Note, ...]:
    """The notes of one file, apart from its series.

    ``frames`` is the plausible count of frames, 1 where the header has none.
    """
    values = header.values
    shape = count(values, "Rows"), count(values, "Columns")
    frames_stated = count(values, "NumberOfFrames")
    sizes = [size for size in (*shape, frames_stated) if size is not None]
    syntax = header.syntax or EXPLICIT
    standard = is_known_syntax(syntax)
    photometric = word(values, "PhotometricInterpretation")
    truncation = _truncation(header, shape, frames)
    # A file that was cut is not noted twice: its last element is then too long as well.
    overlong = header.overlong and truncation != Note.TRUNCATED
    notes = [
        Note.SOP_OVER_MODALITY if identity.overruled else None,
        Note.DICOMDIR if identity.directory else None,
        None if all(plausible([size]) for size in sizes) else Note.UNBELIEVABLE,
        None if standard else Note.UNKNOWN_SYNTAX,
        Note.COMPRESSED if standard and syntax not in NATIVE else None,
        Note.RGB if photometric.startswith("YBR") or photometric == "RGB" else None,
        truncation,
        Note.LENGTH_BEYOND_FILE if overlong else None,
        None if header.preamble else Note.NO_PREAMBLE,
    ]
    return tuple(note for note in notes if note)


def _truncation(header: Header, shape: tuple[int | None, int | None], frames: int) -> Note | None:
    """Native pixel data shorter than rows x columns x frames say, or a header cut off."""
    if not header.complete:
        return Note.TRUNCATED
    rows, columns = shape
    pixels = header.pixels
    if header.size is None or not rows or not columns:
        return None
    if pixels is None:
        return Note.DATA_MISSING if header.syntax else None
    if pixels.undefined or header.syntax not in NATIVE:
        return None
    values = header.values
    samples = rows * columns * frames * (count(values, "SamplesPerPixel") or 1)
    need = samples * (count(values, "BitsAllocated") or 8) // 8
    if word(values, "PhotometricInterpretation") == "YBR_FULL_422":
        # Two pixels share their colour: four samples in place of six (PS3.3 C.7.6.3.1.2).
        need = need * 2 // 3
    have = header.size - pixels.value
    return Note.TRUNCATED if have < min(need, pixels.end - pixels.value or need) else None


def sequence_of(values: Dataset, modality: Modality | None, contrast: bool) -> PulseSequence | None:
    """From defined terms first, then closed words of the description, then the timing.

    Terms are ImageType, DiffusionBValue and AcquisitionContrast; timing decides for MRI alone.
    Kinds that exist only in MRI are dropped for other modalities.
    """
    typed = next((_IMAGE_TYPE[t] for t in words(values, "ImageType") if t in _IMAGE_TYPE), None)
    if typed is None and number(values, "DiffusionBValue"):
        typed = PulseSequence.DWI
    stated = typed or _CONTRAST.get(word(values, "AcquisitionContrast"))
    stated = stated or sequence_in(_descriptions(values))
    if modality == Modality.MRI:
        return stated or _by_timing(values)
    if stated in _NOT_MR_ONLY:
        return stated
    return PulseSequence.CONTRAST if contrast and modality == Modality.CT else None


def _descriptions(values: Dataset) -> str:
    names = ("SeriesDescription", "ProtocolName", "SequenceName")
    return " ".join(" ".join(words(values, name)) for name in names)


def is_localizer(values: Dataset) -> bool:
    """Whether the image type, or a word of the description, says localizer."""
    if "LOCALIZER" in words(values, "ImageType"):
        return True
    described = whole_words(_descriptions(values))
    return bool(described & {"localizer", "localiser", "scout", "topogram", "scanogram", "surview"})


def _by_timing(values: Dataset) -> PulseSequence | None:
    """Spin-echo ranges only; gradient echoes overlap too much to tell.

    T1: TR below 1000 and TE below 30 ms. T2: TR above 2000 and TE above 60 ms. FLAIR: TR above
    4000, TE above 60 and TI above 1500 ms, which nulls water. What lies between is not named.
    """
    echo, repetition = number(values, "EchoTime"), number(values, "RepetitionTime")
    inversion = number(values, "InversionTime") or 0.0
    kinds = words(values, "ScanningSequence")
    if echo is None or repetition is None or "EP" in kinds or not {"SE", "IR"} & set(kinds):
        return None
    if inversion > 1500 and repetition > 4000 and echo > 60:
        return PulseSequence.FLAIR
    if repetition < 1000 and echo < 30:
        return PulseSequence.T1
    return PulseSequence.T2 if repetition > 2000 and echo > 60 and inversion == 0 else None
