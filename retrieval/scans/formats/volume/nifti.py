"""NIfTI-1/2, CIFTI and Analyze: header by hand, affine and orientation by nibabel."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from retrieval.core import Dimension, Format, Modality, PulseSequence, ScanInfo
from retrieval.scans import words
from retrieval.scans.formats.volume.nifti_forms import COMPONENTS, forms_notes, spatial_shape
from retrieval.scans.formats.volume.nifti_header import (
    NiftiHeader,
    forms_of,
    read_nifti_header,
    version_of,
)
from retrieval.scans.formats.volume.nifti_hints import NiftiHints, hints_of
from retrieval.scans.formats.volume.voxels import (
    cut_short,
    drawn,
    sampling_of,
    subject_of,
    values_of,
)
from retrieval.scans.notes import Note
from retrieval.scans.preview.raster import Raster
from retrieval.scans.reader import volume
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Array, Facts, dimension_of_grid, plausible, spacing_of

_HEAD = 1024
_LABEL_INTENT = 1002
_COMPLEX = frozenset({32, 1792})
"""Data types of complex numbers, which are not sampled."""


def sniff(head: bytes, name: str) -> bool:
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
        self.blob, self.context, self.header = blob, context, header
        self.shape = spatial_shape(header)
        self.plausible_shape = plausible(header.shape)
        self.forms = forms_of(head, header)
        self.data = context.companion(blob, ".img", ".img.gz") if header.paired else blob
        self.bval = context.companion(blob, ".bval", ".bvals")
        self.bvec = context.companion(blob, ".bvec", ".bvecs")
        self.raster = self._raster()
        plain = self.header.datatype not in _COMPLEX
        self.sample = sampling_of(self.raster if plain else None)

    def _raster(self) -> Raster | None:
        dtype = self.header.dtype
        if self.data is None or dtype is None or not self.plausible_shape:
            return None
        grid = (*self.header.shape, 1, 1)[:3]
        return Raster(
            open=self.data.open,
            dtype=dtype,
            shape=(grid[0], grid[1], grid[2]),
            offset=self.header.offset if self.data is self.blob else 0,
            scale=(self.header.slope, self.header.intercept),
            affine=self.forms.best if self.forms else None,
            rgb=bool(self.header.colours),
            most_bytes=self.blob.limit * 2,
        )

    @property
    def values(self) -> Array | None:
        """Scaled sample values; None for colours and where nothing could be read."""
        return values_of(self.raster, self.sample)

    def facts(self) -> Facts:
        """Everything that is said about the file."""
        hints = self._hints()
        values = self.values
        is_ct = hints.modality == Modality.CT
        units = None if values is None else volume.units_of(values, is_ct)
        labels = self._is_labels()
        dimension = dimension_of_grid(self.shape) if self.plausible_shape else None
        notes = self._notes(hints, units, labels, dimension)
        spacing = spacing_of(self.header.zooms[:3][: len(self.shape)], self.header.to_mm)
        info = ScanInfo(
            format=Format.ANALYZE if self.header.version == "analyze" else Format.NIFTI,
            modality=hints.modality,
            dimension=dimension,
            body_part=hints.body_part,
            sequence=hints.sequence,
            shape=self.shape if self.plausible_shape else (),
            spacing=spacing if self.plausible_shape else None,
            channels=self.header.colours,
            units=units if not labels else None,
            notes=tuple(note.value for note in dict.fromkeys(notes)),
            files=1 + (self.data is not self.blob and self.data is not None),
        )
        return Facts(
            info=info,
            at=self.blob.at,
            kind="labels" if labels else "volume",
            subject=subject_of(self.blob.name, self.shape, self.forms.best if self.forms else None),
            draw=partial(drawn, self.raster, self.sample) if self.raster is not None else None,
            read=frozenset({"NIfTI dim", "NIfTI pixdim", "NIfTI datatype", "NIfTI intent"}),
            dropped=("NIfTI free text",) * self.header.free_text,
        )

    def _hints(self) -> NiftiHints:
        hints = hints_of(self.blob.name, self.context.sidecar(self.blob), self.header.descrip)
        values = self.values
        if hints.modality is None and values is not None and volume.hounsfield(values):
            hints = replace(hints, modality=Modality.CT, maybe_mri=False)
        if self.bval is None:
            return hints
        modality = hints.modality or (Modality.MRI if self.bvec is not None else None)
        return replace(hints, modality=modality, sequence=PulseSequence.DWI)

    def _is_labels(self) -> bool:
        if self.header.colours:
            return self.header.intent == _LABEL_INTENT
        named = words.is_label_name(self.blob.name) or self.header.intent == _LABEL_INTENT
        values = self.values
        if values is None:
            return named
        return (named and values.dtype.kind in "iuf") or volume.looks_like_labels(values)

    def _notes(
        self, hints: NiftiHints, units: str | None, labels: bool, dimension: Dimension | None
    ) -> list[Note]:
        sizes = self.header.zooms[:3]
        # A voxel is not 100 metres long.
        bad_sizes = any(not np.isfinite(size) or abs(size) > 1e5 for size in sizes)
        notes = [Note.UNBELIEVABLE] if not self.plausible_shape or bad_sizes else []
        notes += [] if self.header.datatype_known else [Note.UNKNOWN_DATATYPE]
        notes += [] if self.header.offset_possible else [Note.IMPOSSIBLE_OFFSET]
        notes += [Note.LABEL_MAP] if labels else []
        notes += [Note.RGB] if self.header.colours else []
        notes += [Note.FOUR_D] if dimension == Dimension.D4 else []
        notes += [Note.VECTOR] if self.header.intent in COMPONENTS else []
        notes += [Note.DIFFUSION_TABLE] if self.bval is not None else []
        if hints.modality is None:
            notes.append(Note.SUGGESTED_MRI if hints.maybe_mri else Note.MODALITY_ASKED)
        if hints.modality == Modality.CT and not labels and units not in (None, "HU"):
            notes.append(Note.NOT_HU)
        return [*notes, *self._data_notes(), *self._form_notes()]

    def _data_notes(self) -> list[Note]:
        if self.data is None:
            return [Note.DATA_MISSING]
        if self.raster is None or not self.plausible_shape:
            return []
        size = self.data.plain_size
        need = int(np.prod(self.header.shape, dtype=np.float64)) * self.raster.dtype.itemsize
        if size is not None:
            return [Note.TRUNCATED] if size < self.raster.offset + need else []
        return [Note.TRUNCATED] if cut_short(self.raster, self.sample) else []

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
