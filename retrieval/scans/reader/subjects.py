"""Which files belong to one subject, and what the scans of one subject are to each other.

The key is the first folder in which files differ, one of several zips, or the ``sub-`` label where
names follow BIDS (Gorgolewski and others, Scientific Data 2016); files without a label beside such
are told apart by folder. Where neither tells subjects apart the headers do, once they are read.
Keys stay here; subjects leave as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path, PurePosixPath

from retrieval.core import Dimension, Modality
from retrieval.scans.notes import OF_RADIOTHERAPY, Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import is_about_the_set
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reader.gather import Gathered
from retrieval.scans.reader.table import reader_of
from retrieval.scans.reasons import Reason
from retrieval.scans.upload import Role

_LABEL = re.compile(r"(?:^|_)sub-([A-Za-z0-9]+)(?:_|$|\.)")
_BESIDE = frozenset({"derivatives", "sourcedata", "code", "stimuli"})
_METADATA = frozenset({".json", ".tsv", ".bval", ".bvec"})
_SEEN = frozenset({"volume", "labels", "contours", "picture"})
_MRI = frozenset({Modality.MRI, Modality.DMRI, Modality.FMRI, Modality.MRA})

_BlobParts = Sequence[tuple[Blob, Sequence[str]]]
_Keyed = tuple[tuple[str, int], Blob]


def by_subject(gathered: Gathered, roots: Sequence[Path], first: int) -> list[Gathered]:
    """One gathering per subject, in the order of their keys; refusals go with the first."""
    blob_parts = [(blob, _parts(blob, roots, first)) for blob in gathered.blobs]
    if any(_label(parts) for _, parts in blob_parts):
        keyed, paths_beside = _by_label(blob_parts)
    else:
        keyed, paths_beside = _by_folder(blob_parts), []
    groups: dict[tuple[str, int], Gathered] = {}
    for key, blob in sorted(keyed, key=lambda item: (item[0], item[1].at[0], item[1].at[1] or 0)):
        groups.setdefault(key, Gathered()).blobs.append(blob)
    subjects = list(groups.values()) or [Gathered()]
    subjects[0].refused += gathered.refused
    subjects[0].refused += [((path, None), Reason.BESIDE_SUBJECTS) for path in paths_beside]
    subjects[0].stores += gathered.stores
    return subjects


def _by_label(blob_parts: _BlobParts) -> tuple[list[_Keyed], list[int]]:
    """Blobs by BIDS label, those without one by folder; and paths of which files are left out.

    What was computed from the subjects, or lies in one of the other folders of BIDS, is no scan of
    another subject. A folder without any scan is none either: it is read with the first subject.
    """
    in_tree = [(blob, parts) for blob, parts in blob_parts if _BESIDE.isdisjoint(parts[:-1])]
    keyed = [((f"sub-{label}", 0), b) for b, parts in in_tree if (label := _label(parts))]
    others = _by_folder([(blob, parts) for blob, parts in in_tree if not _label(parts)])
    scanned = {key for key, blob in others if blob.packed or reader_of(blob)}
    first = min((key for key, _ in keyed), default=("", 0))
    for key, blob in others:
        if key in scanned or not _is_metadata(blob):
            keyed.append((key if key in scanned else first, blob))
    inside = {blob.at for blob, _ in in_tree}
    beside = [b for b, _ in blob_parts if b.at not in inside and not _is_metadata(b)]
    return keyed, sorted({blob.at[0] for blob in beside})


def _is_metadata(blob: Blob) -> bool:
    """Whether a file is of those that BIDS has beside scans, for many of them or for the set."""
    return is_about_the_set(blob.name) or PurePosixPath(blob.name).suffix in _METADATA


def _by_folder(blob_parts: _BlobParts) -> list[_Keyed]:
    """Blobs by the first folder in which they differ, or by the zip or folder that they lie in.

    Of several zips each is a subject where their folders have the same names or there are none:
    such folders are the series of a subject, not subjects.
    """
    folders = [parts[:-1] for _, parts in blob_parts]
    levels = enumerate(zip(*folders, strict=False))
    shortest = min(map(len, folders), default=0)
    shared = next((n for n, level in levels if len(set(level)) > 1), shortest)
    names = [parts[shared] if len(parts) > shared + 1 else "" for _, parts in blob_parts]
    # A file that was added alone lies in no zip: all such files are one subject.
    holders = [0 if blob.at[1] is None else blob.at[0] for blob, _ in blob_parts]
    pairs = {(name, holder) for name, holder in zip(names, holders, strict=True) if holder}
    if len(pairs) > len({name for name, _ in pairs}):
        return [(("", n), blob) for (blob, _), n in zip(blob_parts, holders, strict=True)]
    return [((name, 0), blob) for (blob, _), name in zip(blob_parts, names, strict=True)]


def _parts(blob: Blob, roots: Sequence[Path], first: int) -> tuple[str, ...]:
    """Folders and name of a file, from the uploaded folder or zip on."""
    if blob.path is None:
        return PurePosixPath(blob.name.replace("\\", "/")).parts
    root = roots[blob.at[0] - first]
    return blob.path.relative_to(root).parts if root.is_dir() else (blob.path.name,)


def _label(parts: Sequence[str]) -> str:
    """The BIDS label of a file's folder, or of its own name."""
    for part in parts[:-1]:
        if part.startswith("sub-"):
            return part.removeprefix("sub-")
    match = _LABEL.search(parts[-1]) if parts else None
    return match.group(1) if match else ""


def subjects_of(facts: Sequence[Facts], blobs: Sequence[Blob]) -> int:
    """How many people or animals the scans are of, as far as that is stated; 1 at least.

    Headers tell them apart where they name one; else the BIDS labels of files and folders.
    """
    people = {one.subject.person for one in facts if one.subject.person}
    places = {one.at for one in facts}
    path_parts = (PurePosixPath(b.name.replace("\\", "/")).parts for b in blobs if b.at in places)
    labels = {_label(parts) for parts in path_parts} - {""}
    return max(len(people), len(labels), 1)


def role_of(facts: Sequence[Facts]) -> Role | None:
    """The role, None when nothing ties the scans together."""
    if any(Note.DIFFUSION_TABLE in one.info.notes for one in facts):
        return Role.DIFFUSION
    scans = [one for one in facts if one.kind in _SEEN or one.info.modality in OF_RADIOTHERAPY]
    people = {one.subject.person for one in scans if one.subject.person}
    if len(scans) < 2 or len(people) > 1:
        return None
    one_person = bool(people) and all(one.subject.person for one in scans)
    # Pairs grow with the square: of 50 scans there are 1,225.
    tied = one_person or any(_tied(a, b) for a, b in combinations(scans[:50], 2))
    return _of_volumes(scans) if tied else None


def _tied(a: Facts, b: Facts) -> bool:
    """Whether a grid, a frame of reference or their format ties two scans together."""
    one, other = a.subject, b.subject
    same_grid = one.grid is not None and one.grid == other.grid
    same_frame = one.frame is not None and one.frame == other.frame
    volumes = a.info.dimension == b.info.dimension == Dimension.D3
    return same_grid or same_frame or (volumes and a.info.format == b.info.format and not a.series)


def _of_volumes(scans: Sequence[Facts]) -> Role | None:
    if any(one.info.modality in OF_RADIOTHERAPY for one in scans):
        # What is to be done with it is not stated: planning, evaluation, measurement.
        return Role.RADIOTHERAPY
    certain = [one for one in scans if Note.MAYBE_LABELS not in one.info.notes]
    kinds = {one.kind for one in certain}
    if kinds & {"labels", "contours"} and kinds & {"volume", "picture"}:
        return Role.IMAGE_AND_LABELS
    # What only looks like labels decides no role: the visitor is asked.
    if len(certain) < len(scans):
        return None
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
