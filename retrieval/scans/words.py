"""Names and descriptions onto closed words. A text goes in, a code or nothing comes out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from retrieval.core import BodyPart, Modality, PulseSequence

_SPLIT = re.compile(r"[^a-z0-9*]+")

_MODALITY = {
    Modality.CT: "ct cbct cta ncct cect",
    Modality.PET: "pet fdg suv",
    Modality.SPECT: "spect",
    Modality.US: "ultrasound sonography",
    Modality.MRI: "mri mr t1 t1w t2 t2w t2star flair bold dwi dti adc fmri mprage spgr swi asl "
    "t1c t1ce t1gd t1n pdw t2f mp2rage fieldmap fspgr tof mra",
}
_SEQUENCE = {
    PulseSequence.FLAIR: "flair t2f",
    PulseSequence.T1: "t1 t1w t1c t1ce t1gd t1n mprage spgr bravo fspgr mp2rage",
    PulseSequence.T2STAR: "t2star t2* t2starw",
    PulseSequence.T2: "t2 t2w",
    PulseSequence.PD: "pd pdw",
    PulseSequence.DWI: "dwi dti adc trace diffusion",
    PulseSequence.BOLD: "bold fmri",
    PulseSequence.SWI: "swi",
    PulseSequence.ASL: "asl",
    PulseSequence.ANGIOGRAPHY: "tof mra cta angio angiography angiogram",
    PulseSequence.FIELDMAP: "fieldmap b0map",
    PulseSequence.LOCALIZER: "localizer localiser scout topogram scanogram surview scoutview",
    PulseSequence.CONTRAST_ARTERIAL: "arterial",
    PulseSequence.CONTRAST_VENOUS: "venous portal portovenous",
    PulseSequence.CONTRAST_DELAYED: "delayed",
    PulseSequence.NON_CONTRAST: "ncct noncontrast unenhanced",
    PulseSequence.CONTRAST: "cect contrast postcontrast",
}
_BIDS = {
    "T1w": (Modality.MRI, PulseSequence.T1),
    "T2w": (Modality.MRI, PulseSequence.T2),
    "T2star": (Modality.MRI, PulseSequence.T2STAR),
    "T2starw": (Modality.MRI, PulseSequence.T2STAR),
    "FLAIR": (Modality.MRI, PulseSequence.FLAIR),
    "PDw": (Modality.MRI, PulseSequence.PD),
    "inplaneT1": (Modality.MRI, PulseSequence.T1),
    "inplaneT2": (Modality.MRI, PulseSequence.T2),
    "angio": (Modality.MRI, PulseSequence.ANGIOGRAPHY),
    "bold": (Modality.MRI, PulseSequence.BOLD),
    "cbv": (Modality.MRI, None),
    "sbref": (Modality.MRI, None),
    "dwi": (Modality.MRI, PulseSequence.DWI),
    "asl": (Modality.MRI, PulseSequence.ASL),
    "m0scan": (Modality.MRI, PulseSequence.ASL),
    "phasediff": (Modality.MRI, PulseSequence.FIELDMAP),
    "phase1": (Modality.MRI, PulseSequence.FIELDMAP),
    "magnitude": (Modality.MRI, PulseSequence.FIELDMAP),
    "magnitude1": (Modality.MRI, PulseSequence.FIELDMAP),
    "magnitude2": (Modality.MRI, PulseSequence.FIELDMAP),
    "fieldmap": (Modality.MRI, PulseSequence.FIELDMAP),
    "epi": (Modality.MRI, None),
    "UNIT1": (Modality.MRI, PulseSequence.T1),
    "T1map": (Modality.MRI, PulseSequence.T1),
    "T2map": (Modality.MRI, PulseSequence.T2),
    "MP2RAGE": (Modality.MRI, PulseSequence.T1),
    "swi": (Modality.MRI, PulseSequence.SWI),
    "pet": (Modality.PET, None),
    "ct": (Modality.CT, None),
}
_LABEL_WORDS = (
    "seg dseg segmentation label labels labelmap mask masks roi rois aseg aparc "
    "parcellation probseg atlas contour annotation groundtruth gt"
)
_LABELS = frozenset(_LABEL_WORDS.split())
_PARTS = {part.value: part for part in BodyPart} | {
    "cardiac": BodyPart.HEART,
    "coronary": BodyPart.HEART,
    "abdominal": BodyPart.ABDOMEN,
    "hepatic": BodyPart.LIVER,
    "renal": BodyPart.KIDNEY,
    "lungs": BodyPart.LUNG,
    "thorax": BodyPart.CHEST,
    "lumbar": BodyPart.SPINE,
}
_SUFFIX = re.compile(
    r"(\.(nii|img|hdr|mg[hz]|nh?dr|nrrd|mh[ad]|dcm|mnc|tiff?|ome|head|brik|par|rec)|\.gz)+$",
    re.IGNORECASE,
)


def stem_of(name: str) -> str:
    """The file's own name without folder and without the usual endings."""
    return _SUFFIX.sub("", name.replace("\\", "/").rsplit("/", 1)[-1])


def whole_words(text: str) -> frozenset[str]:
    """Lower-case words between anything that is not a letter or digit."""
    return frozenset(_SPLIT.split(text.casefold())) - {""}


def modality_in(text: str) -> Modality | None:
    """The one modality whose words occur; None when none or several do."""
    words = whole_words(text)
    matches = [code for code, spelled in _MODALITY.items() if words & set(spelled.split())]
    return matches[0] if len(matches) == 1 else None


def sequence_in(text: str) -> PulseSequence | None:
    """The kind of acquisition whose words occur, the most telling first."""
    words = whole_words(text)
    return next((code for code, spelled in _SEQUENCE.items() if words & set(spelled.split())), None)


def body_part_in(text: str) -> BodyPart | None:
    """The one body part named as a whole word."""
    parts = {part for word in whole_words(text) if (part := _PARTS.get(word))}
    return parts.pop() if len(parts) == 1 else None


def is_label_name(name: str) -> bool:
    """Whether the name says that the voxels are labels."""
    return not whole_words(stem_of(name)).isdisjoint(_LABELS)


@dataclass(frozen=True, slots=True)
class NameHints:
    """What a BIDS name says through its suffix and entities."""

    modality: Modality | None = None
    sequence: PulseSequence | None = None


def bids_hints(name: str) -> NameHints:
    """The suffix of a name that starts with ``sub-``; otherwise nothing."""
    stem = stem_of(name)
    if not stem.startswith("sub-"):
        return NameHints()
    modality, sequence = _BIDS.get(stem.rsplit("_", 1)[-1], (None, None))
    return NameHints(modality, sequence)


def entity(name: str, key: str) -> str | None:
    """A BIDS entity's value (``ses``, ``sub``, ``run``), compared inside the process only."""
    match = re.search(rf"(?:^|_){key}-([0-9A-Za-z]+)", stem_of(name))
    return match.group(1) if match else None


def time_index(name: str) -> int | None:
    """The number of a name that counts time points (``t03``, ``tp2``, ``time_1``, ``frame4``)."""
    match = re.search(
        r"(?:^|[_\-. ])(?:t(?=\d\d)|tp|time|timepoint|frame)[_\-]?(\d{1,4})$", stem_of(name)
    )
    return int(match.group(1)) if match else None
