"""Which body parts lie in which: the part a scan shows against those a tool is for."""

from __future__ import annotations

from retrieval.core import BodyPart, Fit, ScanInfo, Tool
from retrieval.fit.verdict import field, judged

_B = BodyPart
WITHIN: dict[BodyPart, frozenset[BodyPart]] = {
    _B.HEAD: frozenset([_B.BRAIN, _B.EYE, _B.RETINA, _B.TOOTH, _B.JAW]),
    _B.NECK: frozenset([_B.THYROID]),
    _B.SPINE: frozenset([_B.SPINAL_CORD]),
    _B.CHEST: frozenset([_B.LUNG, _B.HEART, _B.BREAST]),
    _B.ABDOMEN: frozenset([_B.LIVER, _B.KIDNEY, _B.SPLEEN, _B.PANCREAS, _B.BOWEL]),
    _B.PELVIS: frozenset([_B.PROSTATE, _B.UTERUS, _B.BLADDER, _B.HIP]),
    _B.LIMB: frozenset([_B.KNEE, _B.HAND, _B.FOOT, _B.SHOULDER]),
    _B.EYE: frozenset([_B.RETINA]),
    _B.JAW: frozenset([_B.TOOTH]),
}
"""What a scan of the part shows entirely; a tool for the larger part works on the smaller one."""

TOUCHES = (
    frozenset([_B.HEAD, _B.NECK]),
    frozenset([_B.NECK, _B.CHEST]),
    frozenset([_B.CHEST, _B.ABDOMEN]),
    frozenset([_B.ABDOMEN, _B.PELVIS]),
    frozenset([_B.HEAD, _B.SPINE]),
    frozenset([_B.NECK, _B.SPINE]),
    frozenset([_B.CHEST, _B.SPINE]),
    frozenset([_B.ABDOMEN, _B.SPINE]),
    frozenset([_B.PELVIS, _B.SPINE]),
    frozenset([_B.PELVIS, _B.LIMB]),
    frozenset([_B.CHEST, _B.LIMB]),
)
"""Regions that a scan of one often shows a part of the other."""

EVERYWHERE = frozenset([_B.VESSEL, _B.BONE, _B.MUSCLE, _B.SKIN, _B.LYMPH_NODE, _B.FETUS])
SMALL = frozenset([_B.TISSUE, _B.CELL, _B.NUCLEUS, _B.NEURON])
"""Parts of every organ, seen under a microscope."""


def body_part_fit(tool: Tool, scan: ScanInfo) -> Fit:
    """Pass when the scan shows a part the tool is for; unknown where it may show one.

    A part within the other passes either way; neighbours, and parts of every organ, are unknown.
    """
    shown = str(scan.body_part) if scan.body_part else None
    matches = [_overlap(scan.body_part, part) for part in tool.anatomy] if scan.body_part else []
    holds = True if True in matches else None if None in matches else False
    return judged("body part", holds, shown, field("anatomy", tool.anatomy))


def _overlap(shown: BodyPart, wanted: BodyPart) -> bool | None:
    if shown == wanted or wanted in _inside(shown) or shown in _inside(wanted):
        return True
    # A scale apart, or found all over the body: nobody can tell from the words.
    if {shown, wanted} & (SMALL | EVERYWHERE):
        return None
    regions = (wanted, *(region for region, parts in WITHIN.items() if wanted in parts))
    near = any({shown, region} in TOUCHES for region in regions)
    return None if near else False


def _inside(part: BodyPart) -> frozenset[BodyPart]:
    if part == BodyPart.WHOLE_BODY:
        return frozenset(BodyPart) - SMALL - {BodyPart.FETUS}
    return WITHIN.get(part, frozenset())
