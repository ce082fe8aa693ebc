"""What several scans of one upload are to each other: ten kinds of pairs, most telling first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from retrieval.core import Dimension, Modality
from retrieval.scans.notes import Note
from retrieval.scans.reader.facts import Facts
from retrieval.scans.upload import Role

_MRI = frozenset({Modality.MRI, Modality.DMRI, Modality.FMRI, Modality.MRA})


def role_of(facts: Sequence[Facts]) -> Role | None:
    """The role, None when nothing ties the scans together."""
    if any(Note.DIFFUSION_TABLE in one.info.notes for one in facts):
        return Role.DIFFUSION
    scans = [one for one in facts if one.kind in ("volume", "labels", "contours", "picture")]
    people = {one.subject.person for one in scans if one.subject.person}
    if len(scans) < 2 or len(people) > 1:
        return None
    one_person = bool(people) and all(one.subject.person for one in scans)
    # Pairs grow with the square: of 50 scans there are 1,225.
    tied = one_person or any(_tied(a, b) for a, b in combinations(scans[:50], 2))
    return _of_volumes(scans) if tied else None


def _tied(a: Facts, b: Facts) -> bool:
    one, other = a.subject, b.subject
    same_grid = one.grid is not None and one.grid == other.grid
    same_frame = one.frame is not None and one.frame == other.frame
    volumes = {a.info.dimension, b.info.dimension} == {
        Dimension.D3
    } and a.info.format == b.info.format
    return same_grid or same_frame or (volumes and not a.series)


def _of_volumes(scans: Sequence[Facts]) -> Role | None:
    kinds = {one.kind for one in scans}
    if kinds & {"labels", "contours"} and kinds & {"volume", "picture"}:
        return Role.IMAGE_AND_LABELS
    images = [one for one in scans if one.kind == "volume"]
    if len(images) < 2:
        return None
    modalities = {one.info.modality for one in images if one.info.modality}
    if {Modality.PET, Modality.CT} <= modalities:
        return Role.PET_CT
    orders = {one.subject.order for one in images}
    one_grid = len({one.subject.grid for one in images}) == 1
    if one_grid and None not in orders and len(orders) == len(images):
        return Role.TIME_POINTS
    sessions = {one.subject.session for one in images if one.subject.session}
    studies = {one.subject.study for one in images if one.subject.study}
    repeated = len({(one.info.modality, one.info.sequence) for one in images}) < len(images)
    if repeated and (len(sessions) > 1 or len(studies) > 1):
        return Role.LONGITUDINAL
    sequences = {one.info.sequence for one in images if one.info.sequence}
    several_mri = modalities and modalities <= _MRI and len(sequences) > 1
    return Role.MULTI_CONTRAST if several_mri else Role.REGISTRATION
