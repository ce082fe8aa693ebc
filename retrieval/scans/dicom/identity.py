"""What kind of object a DICOM file is, and whether it says enough to be taken for one."""

from __future__ import annotations

from dataclasses import dataclass

from pydicom.uid import UID

from retrieval.core import Modality
from retrieval.scans.dicom.codes import (
    DICOMDIR,
    MODALITIES,
    NO_PICTURE,
    SOP_CLASSES,
    SopClass,
    Sort,
)
from retrieval.scans.dicom.header import Header
from retrieval.scans.dicom.values import count, word
from retrieval.scans.reasons import Reason, Refused


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
    if stated is None or stated == sop.modality or _kindred(stated, sop.modality):
        return stated or sop.modality, False
    return sop.modality, True


def _kindred(stated: Modality, by_class: Modality) -> bool:
    """Pairs that share storage classes, where the header is the finer of the two."""
    families = (
        {Modality.XR, Modality.MG, Modality.IO, Modality.PX, Modality.RF, Modality.XA},
        {Modality.US, Modality.IVUS},
        {Modality.NM, Modality.SPECT, Modality.PET},
        {Modality.MRI, Modality.MRA, Modality.MRS},
        {Modality.ES, Modality.XC, Modality.GM, Modality.OP, Modality.DERMOSCOPY, Modality.SM},
        {Modality.OPT, Modality.OCT, Modality.OP},
        {Modality.SR, Modality.KO},
    )
    return any(stated in family and by_class in family for family in families)


def _sort_of(modality: Modality | None) -> Sort:
    if modality in NO_PICTURE:
        return "none"
    if modality in (Modality.CT, Modality.MRI, Modality.PET, Modality.NM, Modality.RTDOSE):
        return "volume"
    if modality == Modality.SEG:
        return "segmentation"
    return "slide" if modality == Modality.SM else "plane"


def _require_facts(header: Header, sop_uid: str, modality: Modality | None) -> None:
    """``force`` accepts anything, so what comes out must stand on a closed list."""
    sop = SOP_CLASSES.get(sop_uid)
    has_magic = header.meta_end >= 132
    standard = bool(sop_uid) and UID(sop_uid).name != sop_uid  # pydicom names what PS3.6 lists
    has_shape = None not in (count(header.values, "Rows"), count(header.values, "Columns"))
    if has_magic and (standard or modality or has_shape):
        return
    if not has_magic and modality and (has_shape or (sop and sop.sort == "none")):
        return
    raise Refused(Reason.NO_FACTS if header.complete else Reason.CUT_SHORT)
