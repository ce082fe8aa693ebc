"""What shape and what orientations of a NIfTI header mean."""

from __future__ import annotations

import numpy as np

from retrieval.scans.formats.volume.nifti_header import NiftiHeader
from retrieval.scans.notes import Note
from retrieval.scans.reader.facts import Affine, trimmed

#: Intents whose fourth or fifth axis holds components of a voxel, not time.
COMPONENTS = frozenset({1004, 1005, 1006, 1007, 1008, 1009, 1010, 2003, 2004})


def spatial_shape(header: NiftiHeader) -> tuple[int, ...]:
    """i, j, k, t as stored, without trailing ones and without vector components.

    NIfTI-1 ``dim``: axis 4 is time, axis 5 and later are values of a voxel; files of an intent in
    COMPONENTS often have theirs in axis 4.
    """
    shape = header.shape
    if header.intent in COMPONENTS or len(shape) > 4:
        shape = shape[:4] if len(shape) > 4 else shape[:3]
    return trimmed(shape, 2)


def forms_notes(qform: Affine, sform: Affine, same_code: bool) -> list[Note]:
    """Two coded affines of one meaning must agree; of two meanings only the handedness must.

    Both are 4 x 4 to mm; the codes are NIfTI-1 ``qform_code`` and ``sform_code``. They agree up to
    a tenth of the smallest voxel side, or .05 mm: quaternions in float32 are not exact.
    """
    voxel = float(np.linalg.norm(qform[:3, :3], axis=0).min()) or 1.0
    apart = float(np.abs(qform - sform).max())
    flipped = np.linalg.det(qform[:3, :3]) * np.linalg.det(sform[:3, :3]) < 0
    if flipped:
        return [Note.FORMS_DISAGREE]
    if apart <= max(0.1 * voxel, 0.05):
        return []
    return [Note.FORMS_DISAGREE if same_code else Note.FORMS_DIFFER]
