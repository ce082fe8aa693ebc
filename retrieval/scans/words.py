"""Names and descriptions onto closed words. A text goes in, a code or nothing comes out."""

from __future__ import annotations

import re

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
#: Suffixes of BIDS names; all but two are MRI.
_BIDS = {
    PulseSequence.T1: "T1w inplaneT1 UNIT1 T1map MP2RAGE",
    PulseSequence.T2: "T2w inplaneT2 T2map",
    PulseSequence.T2STAR: "T2star T2starw",
    PulseSequence.FLAIR: "FLAIR",
    PulseSequence.PD: "PDw",
    PulseSequence.ANGIOGRAPHY: "angio",
    PulseSequence.BOLD: "bold",
    PulseSequence.DWI: "dwi",
    PulseSequence.ASL: "asl m0scan",
    PulseSequence.FIELDMAP: "phasediff phase1 magnitude magnitude1 magnitude2 fieldmap",
    PulseSequence.SWI: "swi",
    None: "cbv sbref epi",
}
_BY_SUFFIX = {suffix: code for code, suffixes in _BIDS.items() for suffix in suffixes.split()}
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


def words_of_picture(name: str) -> frozenset[str]:
    """The closed words of a name by which a kind of image or a part of the body is known."""
    return whole_words(stem_of(name)) & {*" ".join(_MODALITY.values()).split(), *_PARTS}


def words_of_volume(name: str) -> frozenset[str]:
    """Those of a picture, of a sequence and of labels, and what ties files to each other."""
    spelled = " ".join([*_SEQUENCE.values(), *_BY_SUFFIX]).casefold().split()
    ties = [f"{key}-" for key in ("sub", "ses") if entity(name, key)]
    ties += ["time"] if time_index(name) is not None else []
    return words_of_picture(name) | whole_words(stem_of(name)) & {*spelled, *_LABELS} | {*ties}


def bids_hints(name: str) -> tuple[Modality | None, PulseSequence | None]:
    """What the suffix of a name that starts with ``sub-`` says; otherwise nothing."""
    stem = stem_of(name)
    suffix = stem.rsplit("_", 1)[-1]
    if not stem.startswith("sub-"):
        return None, None
    if suffix in _BY_SUFFIX:
        return Modality.MRI, _BY_SUFFIX[suffix]
    return {"pet": Modality.PET, "ct": Modality.CT}.get(suffix), None


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
