"""NIfTI-1/2, CIFTI and Analyze: header by hand, affine and orientation by nibabel."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from nibabel.spatialimages import HeaderDataError

from retrieval.core import Dimension, Format, Modality, PulseSequence, ScanInfo
from retrieval.scans import words
from retrieval.scans.formats.volume.nifti_forms import COMPONENTS, forms_notes, spatial_shape
from retrieval.scans.formats.volume.nifti_header import (
    Forms,
    NiftiHeader,
    forms_of,
    read_nifti_header,
    version_of,
)
from retrieval.scans.formats.volume.nifti_hints import NiftiHints, hints_of
from retrieval.scans.formats.volume.voxels import cut_short, drawn, subject_of, taken_of, values_of
from retrieval.scans.notes import Note
from retrieval.scans.preview.raster import Raster
from retrieval.scans.reader import volume
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Array, Facts
from retrieval.scans.reader.orientation import axes_of
from retrieval.scans.reader.plausibility import believable, dimension_of_grid, spacing_of

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
        shape=shape if believable(shape) else (),
        notes=(Note.SURFACE.value, Note.MODALITY_ASKED.value),
    )
    return Facts(info=info, at=blob.at, kind="surface", read=frozenset({"NIfTI intent"}))


class _Reading:
    """One file being read: header, companions and a thinned sample of its voxels."""

    def __init__(self, blob: Blob, context: Context, head: bytes, header: NiftiHeader) -> None:
        self.blob, self.context, self.header = blob, context, header
        self.shape = spatial_shape(header)
        self.believed = believable(header.shape)
        self.forms = self._forms(head)
        self.data = context.companion(blob, ".img", ".img.gz") if header.paired else blob
        self.bval = context.companion(blob, ".bval", ".bvals")
        self.bvec = context.companion(blob, ".bvec", ".bvecs")
        self.raster = self._raster()
        plain = self.header.datatype not in _COMPLEX
        self.sample = taken_of(self.raster if plain else None)

    def _forms(self, head: bytes) -> Forms | None:
        try:
            found = forms_of(head, self.header)
        except (HeaderDataError, ValueError, np.linalg.LinAlgError):
            return None
        return found if np.isfinite(found.best).all() else None

    def _raster(self) -> Raster | None:
        dtype = self.header.dtype
        if self.data is None or dtype is None or not self.believed:
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
        dimension = dimension_of_grid(self.shape) if self.believed else None
        notes = self._notes(hints, units, labels, dimension)
        spacing = spacing_of(self.header.zooms[:3][: len(self.shape)], self.header.to_mm)
        info = ScanInfo(
            format=Format.ANALYZE if self.header.version == "analyze" else Format.NIFTI,
            modality=hints.modality,
            dimension=dimension,
            body_part=hints.body_part,
            sequence=hints.sequence,
            shape=self.shape if self.believed else (),
            spacing=spacing if self.believed else None,
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
            axes=axes_of(self.forms.best) if self.forms else "",
            draw=partial(drawn, self.raster, self.sample) if self.raster is not None else None,
            read=frozenset({"NIfTI dim", "NIfTI pixdim", "NIfTI datatype", "NIfTI intent"}),
            dropped=("NIfTI free text",) * self.header.free_text,
        )

    def _hints(self) -> NiftiHints:
        found = hints_of(self.blob.name, self.context.sidecar(self.blob), self.header.descrip)
        values = self.values
        if found.modality is None and values is not None and volume.hounsfield(values):
            found = replace(found, modality=Modality.CT, maybe_mri=False)
        if self.bval is None:
            return found
        modality = found.modality or (Modality.MRI if self.bvec is not None else None)
        return replace(found, modality=modality, sequence=PulseSequence.DWI)

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
        found = [Note.UNBELIEVABLE] if not self.believed or self._bad_zooms() else []
        found += [] if self.header.datatype_known else [Note.UNKNOWN_DATATYPE]
        found += [] if self.header.offset_possible else [Note.IMPOSSIBLE_OFFSET]
        found += [Note.LABEL_MAP] if labels else []
        found += [Note.RGB] if self.header.colours else []
        found += [Note.FOUR_D] if dimension == Dimension.D4 else []
        found += [Note.VECTOR] if self.header.intent in COMPONENTS else []
        found += [Note.DIFFUSION_TABLE] if self.bval is not None else []
        if hints.modality is None:
            found.append(Note.SUGGESTED_MRI if hints.maybe_mri else Note.MODALITY_ASKED)
        if hints.modality == Modality.CT and not labels and units not in (None, "HU"):
            found.append(Note.NOT_HU)
        return [*found, *self._data_notes(), *self._form_notes()]

    def _bad_zooms(self) -> bool:
        sizes = self.header.zooms[:3]
        return any(not np.isfinite(size) or abs(size) > 1e5 for size in sizes)

    def _data_notes(self) -> list[Note]:
        if self.data is None:
            return [Note.DATA_MISSING]
        if self.raster is None or not self.believed:
            return []
        size = self.data.plain_size
        need = int(np.prod(self.header.shape, dtype=np.float64)) * self.raster.dtype.itemsize
        if size is not None:
            return [Note.TRUNCATED] if size < self.raster.offset + need else []
        return [Note.TRUNCATED] if cut_short(self.raster, self.sample) else []

    def _form_notes(self) -> list[Note]:
        forms = self.forms
        if forms is None or self.header.version == "analyze":
            return [Note.UNBELIEVABLE] if forms is None and self.believed else []
        if forms.qform is None and forms.sform is None:
            return [Note.NO_ORIENTATION]
        if not forms.finite:
            return [Note.UNBELIEVABLE]
        if forms.qform is None or forms.sform is None:
            return []
        return forms_notes(forms.qform, forms.sform, self.header.qform == self.header.sform)
