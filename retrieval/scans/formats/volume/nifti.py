"""NIfTI-1/2, CIFTI and Analyze: header by hand, affine and orientation by nibabel.

NIfTI has no field for modality, sequence or body part. The rules in their order (spec/scans.md):
sidecar, BIDS suffix, whole words of the name, descrip of an MR converter, Hounsfield range of the
voxels. A tool's name in descrip only suggests MRI.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from retrieval.core import BodyPart, Dimension, Format, Modality, PulseSequence, ScanInfo
from retrieval.scans import words
from retrieval.scans.dicom.codes import BODY_PARTS, MODALITIES
from retrieval.scans.formats.volume.grid import is_labelled, label_notes_of, subject_of
from retrieval.scans.formats.volume.nifti_header import (
    COMPONENTS,
    NiftiHeader,
    forms_notes,
    forms_of,
    read_nifti_header,
    spatial_shape,
    version_of,
)
from retrieval.scans.formats.volume.voxels import (
    Raster,
    Voxels,
    hounsfield,
    units_of,
)
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import (
    BodySide,
    Facts,
    axes_of,
    dimension_of_grid,
    plausible,
    spacing_of,
)
from retrieval.scans.upload import KIND_UNKNOWN

_MR_DESCRIP = re.compile(rb"\bT[ER]=|SPM\{")
_HEAD = 1024
_READ = frozenset(f"NIfTI {name}" for name in ("dim", "pixdim", "datatype", "intent", "descrip"))
_SIDECAR_KEYS = ("Modality", "BodyPartExamined", "SeriesDescription")
_LABEL_INTENT = 1002
_COMPLEX = frozenset({32, 1792})
"""Data types of complex numbers, which are not sampled."""
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


def sniff(head: bytes) -> bool:
    """A 348 or 540 byte header of either byte order; DICM at 128 goes first in the table."""
    return version_of(head) is not None


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one NIfTI, CIFTI or Analyze file with its companions."""
    head = blob.head(_HEAD)
    header = read_nifti_header(head)
    if 3000 <= header.intent < 3100:
        return _cifti(blob, header)
    return _Reading(blob, context, head, header).facts()


def _cifti(blob: Blob, header: NiftiHeader) -> Facts:
    shape = tuple(size for size in header.shape if size > 1)
    info = ScanInfo(
        format=Format.CIFTI,
        shape=shape if plausible(shape) else (),
        notes=(Note.SURFACE.value, Note.MODALITY_ASKED.value),
    )
    return Facts(info=info, at=blob.at, kind="surface", read=frozenset({"NIfTI intent"}))


class _Reading:
    """One file being read: header, companions and a thinned sample of its voxels."""

    def __init__(self, blob: Blob, context: Context, head: bytes, header: NiftiHeader) -> None:
        self.blob, self.header = blob, header
        self.shape = spatial_shape(header)
        self.plausible_shape = plausible(header.shape)
        self.forms = forms_of(head, header)
        self.affine = self.forms.best if self.forms else None
        self.data = context.companion(blob, ".img", ".img.gz") if header.paired else blob
        self.bval = context.companion(blob, ".bval", ".bvals")
        self.bvec = context.companion(blob, ".bvec", ".bvecs")
        self.sidecar = context.sidecar(blob)
        self.raster = self._raster()
        plain = header.datatype not in _COMPLEX
        self.voxels = Voxels(self.raster if plain else None, self.affine)
        self.values = self.voxels.values
        self.hints = self._hints()

    def _raster(self) -> Raster | None:
        dtype = self.header.dtype
        if self.data is None or dtype is None or not self.plausible_shape:
            return None
        x, y, z = (*self.header.shape, 1, 1)[:3]
        return Raster(
            open=self.data.open,
            dtype=dtype,
            shape=(x, y, z),
            offset=self.header.offset if self.data is self.blob else 0,
            scale=(self.header.slope, self.header.intercept),
            rgb=bool(self.header.colours),
            most_bytes=self.blob.limit * 2,
        )

    def _hints(self) -> NiftiHints:
        hints = hints_of(self.blob.name, self.sidecar, self.header.descrip)
        if hints.modality is None and self.values is not None and hounsfield(self.values):
            hints = replace(hints, modality=Modality.CT, maybe_mri=False)
        if self.bval is None:
            return hints
        modality = hints.modality or (Modality.MRI if self.bvec is not None else None)
        return replace(hints, modality=modality, sequence=PulseSequence.DWI)

    def facts(self) -> Facts:
        """Everything that is said about the file."""
        is_ct = self.hints.modality == Modality.CT
        units = None if self.values is None else units_of(self.values, is_ct)
        label_notes = self._label_notes()
        labels = is_labelled(label_notes)
        dimension = dimension_of_grid(self.shape) if self.plausible_shape else None
        notes = [*label_notes, *self._notes(units, labels, dimension)]
        if Note.LABEL_MAP in notes:
            notes = [note for note in notes if note.value not in KIND_UNKNOWN]
        spacing = spacing_of(self.header.zooms[:3][: len(self.shape)], self.header.to_mm)
        info = ScanInfo(
            format=Format.ANALYZE if self.header.version == "analyze" else Format.NIFTI,
            modality=self.hints.modality,
            dimension=dimension,
            body_part=self.hints.body_part,
            sequence=self.hints.sequence,
            shape=self.shape if self.plausible_shape else (),
            spacing=spacing if self.plausible_shape else None,
            channels=self.header.colours,
            units=units if not labels else None,
            axes=self._axes() if self.plausible_shape else (),
            notes=tuple(note.value for note in dict.fromkeys(notes)),
            files=1 + (self.data is not self.blob and self.data is not None),
        )
        return Facts(
            info=info,
            at=self.blob.at,
            kind="labels" if labels else "volume",
            subject=subject_of(self.blob.name, self.shape, self.affine),
            draw=self.voxels.picture if self.raster is not None else None,
            read=_READ | {f"JSON {key}" for key in _SIDECAR_KEYS if key in self.sidecar},
            dropped=("NIfTI free text",) * self.header.free_text,
            name_words=words.words_of_volume(self.blob.name),
        )

    def _axes(self) -> tuple[BodySide, ...]:
        """The sides of the coded forms; none without one, or where two of them differ."""
        forms = (self.forms.qform, self.forms.sform) if self.forms else ()
        coded = {axes_of(form) for form in forms if form is not None}
        return coded.pop() if len(coded) == 1 else ()

    def _label_notes(self) -> tuple[Note, ...]:
        """By the intent code, else by values and name; colours are no labels."""
        if self.header.intent == _LABEL_INTENT:
            return (Note.LABEL_MAP,)
        return () if self.header.colours else label_notes_of(self.blob.name, self.values)

    def _notes(self, units: str | None, labels: bool, dimension: Dimension | None) -> list[Note]:
        header, modality = self.header, self.hints.modality
        # A voxel is not 100 metres long.
        bad_sizes = any(not np.isfinite(size) or abs(size) > 1e5 for size in header.zooms[:3])
        maybe_mri, several = self.hints.maybe_mri, any(size > 1 for size in header.shape[4:])
        notes = (
            (Note.UNBELIEVABLE, not self.plausible_shape or bad_sizes),
            (Note.UNKNOWN_DATATYPE, not header.datatype_known),
            (Note.IMPOSSIBLE_OFFSET, not header.offset_possible),
            (Note.RGB, header.colours is not None),
            (Note.FOUR_D, dimension == Dimension.D4),
            (Note.VECTOR, header.intent in COMPONENTS or several),
            (Note.MORE_AXES, several and dimension == Dimension.D4),
            (Note.DIFFUSION_TABLE, self.bval is not None),
            (Note.SUGGESTED_MRI if maybe_mri else Note.MODALITY_ASKED, modality is None),
            (Note.NOT_HU, modality == Modality.CT and not labels and units not in (None, "HU")),
            (Note.DATA_MISSING, self.data is None),
            (Note.NO_PIXELS, self._ends_with_header()),
            (Note.TRUNCATED, self._is_truncated()),
        )
        return [*(note for note, applies in notes if applies), *self._form_notes()]

    def _ends_with_header(self) -> bool:
        """Whether there is not one byte of voxels behind the header, as far as that is known."""
        size = self.data.plain_size if self.data else None
        return self.raster is not None and size is not None and size <= self.raster.offset

    def _is_truncated(self) -> bool:
        if self.data is None or self.raster is None:
            return False
        size = self.data.plain_size
        if size is None:
            return self.voxels.cut_short
        need = int(np.prod(self.header.shape, dtype=np.float64)) * self.raster.dtype.itemsize
        return size < self.raster.offset + need

    def _form_notes(self) -> list[Note]:
        forms = self.forms
        if forms is None or self.header.version == "analyze":
            return [Note.UNBELIEVABLE] if forms is None and self.plausible_shape else []
        if forms.qform is None and forms.sform is None:
            return [Note.NO_ORIENTATION]
        if not forms.finite:
            return [Note.UNBELIEVABLE]
        if forms.qform is None or forms.sform is None:
            return []
        return forms_notes(forms.qform, forms.sform, self.header.qform == self.header.sform)
