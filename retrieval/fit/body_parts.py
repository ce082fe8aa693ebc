"""The part of the body that a scan shows against those that a tool is for."""

from __future__ import annotations

from retrieval.core import BodyPart, Fit, ScanInfo, Tool
from retrieval.fit.kinds import SMALL
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

DISTAL = frozenset([_B.KNEE, _B.HAND, _B.FOOT])
"""Parts of a limb apart from the trunk: a scan of the chest may show shoulders, and no knee."""

EVERYWHERE = frozenset([_B.VESSEL, _B.BONE, _B.MUSCLE, _B.SKIN, _B.LYMPH_NODE, _B.FETUS])
OF_REGIONS = frozenset([_B.VESSEL, _B.BONE, _B.MUSCLE, _B.SKIN])
"""Those of them that a record names beside the region whose they are."""


def body_part_fit(tool: Tool, scan: ScanInfo) -> Fit:
    """Pass when the scan shows a part the tool is for; unknown where it may show one.

    A part within the other passes either way; neighbours, and parts of every organ, are unknown.
    Beside parts of one region, bone and muscle are those of that region: a tool for the knee and
    bone is for the bone of the knee.
    """
    scan_part = str(scan.body_part) if scan.body_part else None
    places = [part for part in tool.anatomy if part not in OF_REGIONS]
    is_of_one = len({region for part in places for region in _regions(part)}) == 1
    parts = places if is_of_one and scan.body_part not in EVERYWHERE else tool.anatomy
    matches = [_overlap(scan.body_part, part) for part in parts] if scan.body_part else []
    holds = True in matches or (None if None in matches else False)
    return judged("body part", holds, scan_part, field("anatomy", tool.anatomy))


def _regions(part: BodyPart) -> tuple[BodyPart, ...]:
    """The regions that a part lies in; the part itself where it lies in none."""
    return tuple(region for region, parts in WITHIN.items() if part in parts) or (part,)


def _overlap(scan_part: BodyPart, tool_part: BodyPart) -> bool | None:
    """True where one part lies in the other, None where they may share something."""
    if scan_part == tool_part or tool_part in _inside(scan_part) or scan_part in _inside(tool_part):
        return True
    # Of another scale, or found all over the body: the names alone do not decide.
    if {scan_part, tool_part} & (SMALL | EVERYWHERE):
        return None
    is_apart = tool_part in DISTAL
    regions = (tool_part,) if is_apart else (tool_part, *_regions(tool_part))
    near = any({scan_part, region} in TOUCHES for region in regions)
    return None if near else False


def may_show(scan_part: BodyPart, part: BodyPart) -> bool:
    """Whether a scan of one part may show another: a scan of the brain shows eyes, and no liver."""
    holders = (region for region, parts in WITHIN.items() if scan_part in parts)
    return any(_overlap(one, part) is not False for one in (scan_part, *holders))


def _inside(part: BodyPart) -> frozenset[BodyPart]:
    if part == BodyPart.WHOLE_BODY:
        return frozenset(BodyPart) - SMALL - {BodyPart.FETUS}
    return WITHIN.get(part, frozenset())
