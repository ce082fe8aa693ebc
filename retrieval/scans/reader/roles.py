"""What several scans of one upload are to each other: ten kinds of pairs, most telling first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from retrieval.core import Dimension, Modality, PulseSequence
from retrieval.scans.notes import Note
from retrieval.scans.reader.facts import Facts
from retrieval.scans.upload import Role

_MRI = frozenset({Modality.MRI, Modality.DMRI, Modality.FMRI, Modality.MRA})


def role_of(facts: Sequence[Facts]) -> Role | None:
    """The role, None when nothing ties the scans together."""
    if any(Note.DIFFUSION_TABLE in one.info.notes for one in facts):
        return Role.DIFFUSION
    scans = [one for one in facts if one.kind in ("volume", "labels", "contours", "picture")]
    if len(scans) < 2 or not _one_subject(scans):
        return None
    return _of_volumes(scans)


def _one_subject(scans: Sequence[Facts]) -> bool:
    """No two scans name different people, and something names the same or the same space."""
    people = {one.subject.person for one in scans if one.subject.person}
    if len(people) > 1:
        return False
    if len(people) == 1 and all(one.subject.person for one in scans):
        return True
    return any(_tied(a, b) for a, b in combinations(scans[:50], 2))


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
    if _are_time_points(images):
        return Role.TIME_POINTS
    if _are_sessions(images):
        return Role.LONGITUDINAL
    if _are_contrasts(images, modalities):
        return Role.MULTI_CONTRAST
    return Role.REGISTRATION


def _are_time_points(images: Sequence[Facts]) -> bool:
    """Numbered volumes on one grid."""
    orders = [one.subject.order for one in images]
    numbered = None not in orders and len(set(orders)) == len(orders)
    return numbered and len({one.subject.grid for one in images}) == 1


def _are_sessions(images: Sequence[Facts]) -> bool:
    """One person in several studies or sessions, seen the same way."""
    sessions = {one.subject.session for one in images if one.subject.session}
    studies = {one.subject.study for one in images if one.subject.study}
    same = len({(one.info.modality, one.info.sequence) for one in images}) < len(images)
    return same and (len(sessions) > 1 or len(studies) > 1)


def _are_contrasts(images: Sequence[Facts], modalities: set[Modality]) -> bool:
    """Several kinds of MRI."""
    kinds: set[PulseSequence] = {one.info.sequence for one in images if one.info.sequence}
    return bool(modalities) and modalities <= _MRI and len(kinds) > 1
