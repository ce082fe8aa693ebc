"""Whether a tool for something wider may serve a part of the body that its record does not name."""

from __future__ import annotations

from retrieval.catalog import kind_of
from retrieval.explain.lacking import FEW
from retrieval.explain.stated import Records, StatedFacts, group_of

REGIONS = frozenset(
    f"anatomy:{name}"
    for name in (
        "whole body", "abdomen", "chest", "pelvis", "neck", "spine", "limb",
    )
)  # fmt: skip
"""What a tool is made for that outlines many organs at once, also such as its record does not name.

Of the head, an organ, a plant or a cell a record names the parts that its tool is for."""

PARTLY = 10
"""Records that name parts of a thing: where so many do, one for the whole of it states no part
that none or few (``FEW``) of them name, such as the thymus on a chest CT: 5 more of 452 gaps, one
more alarm in 1,927 served requests. A catalog of few records leaves regions their parts."""


def is_in_region(concept: str, stated: StatedFacts) -> bool:
    """Whether a part lies in a region, or is where two things meet (the head of a fetus)."""
    parents = [p for p in stated.parents.get(concept, ()) if kind_of(p) == "anatomy"]
    regions = REGIONS & (stated.wider(concept) | {concept})
    if len(parents) > 1 or concept in regions:
        return True
    return bool(regions) and not any(_is_named_by_parts(region, stated) for region in regions)


def is_of_unnamed_organ(concept: str, stated: StatedFacts) -> bool:
    """Whether a finding is of a part of the body that no record names and no region serves.

    What finds any tumour of the brain names no pituitary gland, and so no adenoma of it.
    """
    if group_of(concept) != "finding":
        return False
    organs = (one for one in stated.parents.get(concept, ()) if kind_of(one) == "anatomy")
    return any(not stated.stating(one) and not is_in_region(one, stated) for one in organs)


def is_seldom_named(concept: str, stating: Records, stated: StatedFacts) -> bool:
    """Whether few records name a part of a thing whose parts many name."""
    if not 0 < stating.bit_count() <= FEW:
        return False
    organs = (one for one in stated.wider(concept) if kind_of(one) == "anatomy")
    return any(_is_named_by_parts(organ, stated) for organ in organs)


def _is_named_by_parts(concept: str, stated: StatedFacts) -> bool:
    return stated.narrower(concept).bit_count() >= PARTLY
