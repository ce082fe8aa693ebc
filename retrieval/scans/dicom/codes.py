"""DICOM's own codes onto the closed ones: modality, SOP class, body part, transfer syntax."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from retrieval.core import BodyPart, Modality

Sort = Literal["volume", "plane", "segmentation", "slide", "capture", "none"]

#: PS3.3 C.7.3.1.1.1, with the retired codes that old files carry.
MODALITIES = {
    "CT": Modality.CT,
    "MR": Modality.MRI,
    "PT": Modality.PET,
    "ST": Modality.SPECT,
    "CR": Modality.XR,
    "DX": Modality.XR,
    "RG": Modality.XR,
    "MA": Modality.MRA,
    "MS": Modality.MRS,
    "DF": Modality.RF,
    "DS": Modality.XA,
    "DMS": Modality.DERMOSCOPY,
    "EPS": Modality.ECG,
    "HD": Modality.ECG,
}
MODALITIES |= {
    m.value: m
    for m in Modality
    if m.value in {"NM", "MG", "XA", "RF", "US", "IVUS", "OP", "OPT", "OCT", "ES", "XC", "SM", "GM"}
    or m.value in {"SEG", "SR", "PR", "KO", "REG", "RTSTRUCT", "RTPLAN", "RTDOSE", "RTIMAGE"}
    or m.value in {"ECG", "IO", "PX", "BMD", "OT"}
}


@dataclass(frozen=True, slots=True)
class SopClass:
    """What a storage class says the object is; a class without a modality leaves it to the file."""

    sort: Sort
    modality: Modality | None = None


_ROOT = "1.2.840.10008.5.1.4.1.1."
_VOLUME = {
    "2": Modality.CT, "2.1": Modality.CT, "2.2": Modality.CT, "4": Modality.MRI,
    "4.1": Modality.MRI, "4.3": Modality.MRI, "4.4": Modality.MRI, "128": Modality.PET,
    "128.1": Modality.PET, "130": Modality.PET, "20": Modality.NM, "5": Modality.NM,
    "481.2": Modality.RTDOSE, "13.1.3": None, "13.1.1": None, "30": None, "6.2": Modality.US,
    "77.1.5.4": Modality.OPT, "13.1.4": None, "13.1.5": None, "14.1": None, "14.2": None,
}  # fmt: skip
_PLANE = {
    "1": Modality.XR, "1.1": Modality.XR, "1.1.1": Modality.XR, "1.2": Modality.MG,
    "1.2.1": Modality.MG, "1.3": Modality.IO, "1.3.1": Modality.IO, "3": Modality.US,
    "3.1": Modality.US, "6": Modality.US, "6.1": Modality.US, "12.1": Modality.XA,
    "12.1.1": Modality.XA, "12.2": Modality.RF, "12.2.1": Modality.RF, "12.3": Modality.XA,
    "77.1.1": Modality.ES, "77.1.1.1": Modality.ES, "77.1.2": Modality.GM, "77.1.2.1": Modality.GM,
    "77.1.4": Modality.XC, "77.1.4.1": Modality.XC, "77.1.5.1": Modality.OP,
    "77.1.5.2": Modality.OP, "77.1.5.5": Modality.OP, "77.1.5.6": Modality.OP,
    "77.1.7": Modality.DERMOSCOPY, "481.1": Modality.RTIMAGE,
}  # fmt: skip
_CAPTURE = ("7", "7.1", "7.2", "7.3", "7.4")
_NONE = {
    "481.3": Modality.RTSTRUCT, "481.5": Modality.RTPLAN, "481.8": Modality.RTPLAN,
    "66.1": Modality.REG, "66.3": Modality.REG, "11.1": Modality.PR, "11.2": Modality.PR,
    "88.11": Modality.SR, "88.22": Modality.SR, "88.33": Modality.SR, "88.34": Modality.SR,
    "88.35": Modality.SR, "88.50": Modality.SR, "88.65": Modality.SR, "88.67": Modality.SR,
    "88.59": Modality.KO, "9.1.1": Modality.ECG, "9.1.2": Modality.ECG, "9.1.3": Modality.ECG,
    "104.1": None, "104.2": None, "104.3": None, "67": None, "39.1": None, "66": None,
    "66.5": None, "4.2": Modality.MRS, "91.1": None, "481.4": None, "481.6": None, "481.9": None,
    "68.1": None, "88.40": Modality.SR,
}  # fmt: skip

SOP_CLASSES: dict[str, SopClass] = {
    **{_ROOT + key: SopClass("volume", value) for key, value in _VOLUME.items()},
    **{_ROOT + key: SopClass("plane", value) for key, value in _PLANE.items()},
    **{_ROOT + key: SopClass("capture") for key in _CAPTURE},
    **{_ROOT + key: SopClass("none", value) for key, value in _NONE.items()},
    _ROOT + "66.4": SopClass("segmentation", Modality.SEG),
    _ROOT + "66.7": SopClass("segmentation", Modality.SEG),
    _ROOT + "77.1.6": SopClass("slide", Modality.SM),
    _ROOT + "77.1.3": SopClass("plane", Modality.SM),
    _ROOT + "6.3": SopClass("plane", Modality.US),
}
DICOMDIR = "1.2.840.10008.1.3.10"
#: Cross-sectional modalities: one file of them is a slice of a volume.
SLICED = frozenset({Modality.CT, Modality.MRI, Modality.PET, Modality.SPECT, Modality.MRA})
NO_PICTURE = frozenset(
    {Modality.SR, Modality.PR, Modality.KO, Modality.REG, Modality.RTSTRUCT, Modality.RTPLAN}
    | {Modality.ECG, Modality.MRS}
)

_PARTS = {
    BodyPart.BRAIN: "BRAIN",
    BodyPart.HEAD: "HEAD SKULL HEADNECK FACE SINUS",
    BodyPart.NECK: "NECK CAROTID LARYNX PHARYNX",
    BodyPart.SPINE: "SPINE CSPINE TSPINE LSPINE SSPINE CTSPINE LUMBARSPINE LUMBAR SACRUM",
    BodyPart.SPINAL_CORD: "SPINALCORD",
    BodyPart.CHEST: "CHEST THORAX CHESTABDOMEN CHESTABDPELVIS MEDIASTINUM STERNUM RIB CLAVICLE",
    BodyPart.LUNG: "LUNG BRONCHUS TRACHEA",
    BodyPart.HEART: "HEART CARDIAC CORONARY CORONARYARTERY",
    BodyPart.VESSEL: "AORTA ARTERY VEIN PULMONARYARTERY VESSEL",
    BodyPart.BREAST: "BREAST",
    BodyPart.ABDOMEN: "ABDOMEN ABDOMENPELVIS ABDOPELVIS STOMACH",
    BodyPart.LIVER: "LIVER GALLBLADDER BILEDUCT",
    BodyPart.KIDNEY: "KIDNEY URETER ADRENAL",
    BodyPart.SPLEEN: "SPLEEN",
    BodyPart.PANCREAS: "PANCREAS",
    BodyPart.BOWEL: "COLON BOWEL RECTUM SMALLINTESTINE LARGEINTESTINE",
    BodyPart.PELVIS: "PELVIS",
    BodyPart.PROSTATE: "PROSTATE",
    BodyPart.UTERUS: "UTERUS OVARY CERVIX",
    BodyPart.BLADDER: "BLADDER",
    BodyPart.HIP: "HIP",
    BodyPart.KNEE: "KNEE PATELLA",
    BodyPart.SHOULDER: "SHOULDER SCAPULA",
    BodyPart.LIMB: "ARM LEG EXTREMITY HUMERUS FOREARM ELBOW THIGH FEMUR TIBIA LOWERLEG UPPERARM",
    BodyPart.HAND: "HAND WRIST FINGER THUMB",
    BodyPart.FOOT: "FOOT ANKLE TOE HEEL CALCANEUS",
    BodyPart.EYE: "EYE ORBIT",
    BodyPart.RETINA: "RETINA",
    BodyPart.TOOTH: "TOOTH TEETH",
    BodyPart.JAW: "JAW MANDIBLE MAXILLA TMJ",
    BodyPart.THYROID: "THYROID",
    BodyPart.SKIN: "SKIN",
    BodyPart.FETUS: "FETUS",
    BodyPart.WHOLE_BODY: "WHOLEBODY BODY",
}
BODY_PARTS = {word: part for part, words in _PARTS.items() for word in words.split()}

DEFLATED = frozenset({"1.2.840.10008.1.2.1.99", "1.2.840.10008.1.2.4.95"})
IMPLICIT, EXPLICIT, BIG = "1.2.840.10008.1.2", "1.2.840.10008.1.2.1", "1.2.840.10008.1.2.2"
NATIVE = frozenset({IMPLICIT, EXPLICIT, BIG, "1.2.840.10008.1.2.1.99", "1.2.840.113619.5.2"})


def is_known_syntax(uid: str) -> bool:
    """Whether the standard (or GE's one private syntax) names it."""
    compressed = ("1.2.840.10008.1.2.4.", "1.2.840.10008.1.2.5", "1.2.840.10008.1.2.6.")
    return uid in NATIVE or uid.startswith(
        (*compressed, "1.2.840.10008.1.2.7.", "1.2.840.10008.1.2.8")
    )
