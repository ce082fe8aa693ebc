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
_SPELLED_ALIKE = (
    "NM MG XA RF US IVUS OP OPT OCT ES XC SM GM SEG SR PR KO REG RTSTRUCT RTPLAN RTDOSE RTIMAGE "
    "ECG IO PX BMD OT"
)
MODALITIES |= {code: Modality(code) for code in _SPELLED_ALIKE.split()}

_ROOT = "1.2.840.10008.5.1.4.1.1."
#: Last parts of the UIDs. None: the class leaves the modality to the file.
_STORAGE: dict[tuple[Sort, Modality | None], str] = {
    ("volume", Modality.CT): "2 2.1 2.2",
    ("volume", Modality.MRI): "4 4.1 4.3 4.4",
    ("volume", Modality.PET): "128 128.1 130",
    ("volume", Modality.NM): "20 5",
    ("volume", Modality.RTDOSE): "481.2",
    ("volume", None): "13.1.1 13.1.2 13.1.3 30 14.1 14.2",
    ("volume", Modality.US): "6.2",
    ("volume", Modality.OPT): "77.1.5.4",
    ("plane", Modality.XR): "1 1.1 1.1.1",
    ("plane", Modality.MG): "1.2 1.2.1 13.1.4 13.1.5",
    ("plane", Modality.IO): "1.3 1.3.1",
    ("plane", Modality.US): "3 3.1 6 6.1 6.3",
    ("plane", Modality.XA): "12.1 12.1.1 12.3",
    ("plane", Modality.RF): "12.2 12.2.1",
    ("plane", Modality.ES): "77.1.1 77.1.1.1",
    ("plane", Modality.GM): "77.1.2 77.1.2.1",
    ("plane", Modality.XC): "77.1.4 77.1.4.1",
    ("plane", Modality.OP): "77.1.5.1 77.1.5.2 77.1.5.5 77.1.5.6",
    ("plane", Modality.DERMOSCOPY): "77.1.7",
    ("plane", Modality.RTIMAGE): "481.1",
    ("plane", Modality.SM): "77.1.3",
    ("capture", None): "7 7.1 7.2 7.3 7.4",
    ("none", Modality.RTSTRUCT): "481.3",
    ("none", Modality.RTPLAN): "481.5 481.8",
    ("none", Modality.REG): "66.1 66.3",
    ("none", Modality.PR): "11.1 11.2",
    ("none", Modality.SR): "88.11 88.22 88.33 88.34 88.35 88.50 88.65 88.67 88.40",
    ("none", Modality.KO): "88.59",
    ("none", Modality.ECG): "9.1.1 9.1.2 9.1.3",
    ("none", None): "104.1 104.2 104.3 67 39.1 66 66.5 91.1 481.4 481.6 481.9 68.1",
    ("none", Modality.MRS): "4.2",
    ("segmentation", Modality.SEG): "66.4 66.7",
    ("slide", Modality.SM): "77.1.6",
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


@dataclass(frozen=True, slots=True)
class SopClass:
    """What a storage class says the object is; a class without a modality leaves it to the file."""

    sort: Sort
    modality: Modality | None = None


SOP_CLASSES: dict[str, SopClass] = {
    _ROOT + part: SopClass(sort, modality)
    for (sort, modality), parts in _STORAGE.items()
    for part in parts.split()
}


def is_known_syntax(uid: str) -> bool:
    """Whether the standard (or GE's one private syntax) names it."""
    compressed = ("1.2.840.10008.1.2.4.", "1.2.840.10008.1.2.5", "1.2.840.10008.1.2.6.")
    return uid in NATIVE or uid.startswith(
        (*compressed, "1.2.840.10008.1.2.7.", "1.2.840.10008.1.2.8")
    )
