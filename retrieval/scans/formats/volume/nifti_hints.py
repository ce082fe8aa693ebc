"""Modality, sequence and body part of a NIfTI file, which has no field for them.

The rules in their order (spec/scans.md): sidecar, BIDS suffix, whole words of the name, descrip of
an MR converter, Hounsfield range of the voxels. A tool's name in descrip only suggests MRI.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from retrieval.core import BodyPart, Modality, PulseSequence
from retrieval.scans import words
from retrieval.scans.dicom.codes import BODY_PARTS, MODALITIES

_MR_DESCRIP = re.compile(rb"\bT[ER]=|SPM\{")
_TOOL_DESCRIP = re.compile(rb"^(FSL|SPM|FreeSurfer|\d\.\d\.\d)")


@dataclass(frozen=True, slots=True)
class NiftiHints:
    """Closed codes; ``maybe_mri`` is a suggestion to the user and never a token."""

    modality: Modality | None
    sequence: PulseSequence | None
    body_part: BodyPart | None
    maybe_mri: bool = False


def hints_of(name: str, sidecar: Mapping[str, Any], descrip: bytes) -> NiftiHints:
    """What sidecar, name and descrip say, the first rule that speaks winning."""
    stem, (bids_modality, bids_sequence) = words.stem_of(name), words.bids_hints(name)
    modality = MODALITIES.get(_term(sidecar, "Modality"))
    modality = modality or bids_modality or words.modality_in(stem)
    if modality is None and _MR_DESCRIP.search(descrip):
        modality = Modality.MRI
    stated = str(sidecar.get("SeriesDescription", ""))[:200]
    return NiftiHints(
        modality=modality,
        sequence=bids_sequence or words.sequence_in(stem) or words.sequence_in(stated),
        body_part=BODY_PARTS.get(_term(sidecar, "BodyPartExamined")) or words.body_part_in(stem),
        maybe_mri=modality is None and bool(_TOOL_DESCRIP.match(descrip)),
    )


def _term(sidecar: Mapping[str, Any], key: str) -> str:
    return str(sidecar.get(key, ""))[:64].strip().upper()
