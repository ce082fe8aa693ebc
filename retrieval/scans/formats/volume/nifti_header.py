"""NIfTI-1, NIfTI-2 and Analyze 7.5 headers, read by hand before any library sees them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import nibabel
import numpy as np
from nibabel.spatialimages import HeaderDataError

from retrieval.scans.notes import Note
from retrieval.scans.reader.facts import Affine, trimmed
from retrieval.scans.reasons import Reason, Refused

Version = Literal["analyze", "1", "2"]
_CODES = {2: "u1", 4: "i2", 8: "i4", 16: "f4", 64: "f8", 256: "i1", 512: "u2", 768: "u4"}
_CODES |= {1024: "i8", 1280: "u8", 32: "c8", 1792: "c16"}
_COLOURS = {128: 3, 2304: 4}
_UNDRAWN = frozenset({1, 1536, 2048})
"""Data types of the standard that are not sampled: bits, and floats of 128 bits."""
_FIRST_VOXEL: dict[Version, int] = {"analyze": 0, "1": 352, "2": 544}
"""Header and extension flag; voxels of one file with its header cannot lie before."""
_LAST_OFFSET = 2**40
# nibabel's classes carry no types; the annotation gives them some.
_HEADERS: dict[str, Callable[..., Any]] = {
    "1": nibabel.Nifti1Header,
    "2": nibabel.Nifti2Header,
    "analyze": nibabel.AnalyzeHeader,
}
_UNITS = {1: 1000.0, 2: 1.0, 3: 0.001}


#: Type and offset of each field; the offset of the magic; free texts, descrip first.
_FIRST = {
    "dim": ("8h", 40), "pixdim": ("8f", 76), "datatype": ("h", 70), "intent": ("h", 68),
    "offset": ("f", 108), "scale": ("2f", 112), "forms": ("2h", 252), "units": ("B", 123),
    "magic": ("3s", 344),
}  # fmt: skip
_FIRST_TEXTS = ((148, 228), (228, 252), (328, 344), (14, 32))
_SECOND = {
    "dim": ("8q", 16), "pixdim": ("8d", 104), "datatype": ("h", 12), "intent": ("i", 504),
    "offset": ("q", 168), "scale": ("2d", 176), "forms": ("2i", 344), "units": ("i", 500),
    "magic": ("3s", 4),
}  # fmt: skip
_SECOND_TEXTS = ((240, 320), (320, 344), (508, 524))
#: Intents whose fourth or fifth axis holds components of a voxel, not time.
COMPONENTS = frozenset({1004, 1005, 1006, 1007, 1008, 1009, 1010, 2003, 2004})


@dataclass(frozen=True, slots=True, kw_only=True)
class NiftiHeader:
    """The fields that are looked at; ``descrip`` is matched against patterns and never shown."""

    version: Version
    big: bool
    paired: bool
    shape: tuple[int, ...]
    zooms: tuple[float, ...]
    datatype: int
    intent: int
    offset: int
    offset_possible: bool
    slope: float
    intercept: float
    qform: int
    sform: int
    descrip: bytes
    to_mm: float
    free_text: int

    @property
    def colours(self) -> int | None:
        """Samples of RGB24 and RGBA32, else None."""
        return _COLOURS.get(self.datatype)

    @property
    def datatype_known(self) -> bool:
        """Whether the standard has this type; 0 stands for a type that nobody stated."""
        return any(self.datatype in codes for codes in (_CODES, _COLOURS, _UNDRAWN))

    @property
    def dtype(self) -> np.dtype[np.generic] | None:
        """The voxel type, None for types that are not drawn."""
        if self.colours:
            return np.dtype([("rgb", "u1", (self.colours,))])
        code = _CODES.get(self.datatype)
        return np.dtype((">" if self.big else "<") + code) if code else None


def version_of(head: bytes) -> tuple[Version, bool] | None:
    """Which header these bytes begin with, and whether it is big-endian.

    By ``sizeof_hdr`` (348 or 540) and ``magic``; Analyze 7.5 has no magic. None for neither.
    """
    if len(head) < 348:
        return None
    for order, big in (("<", False), (">", True)):
        size = struct.unpack_from(order + "i", head)[0]
        if size == 540 and head[4:8] in (b"n+2\0", b"ni2\0"):
            return "2", big
        if size == 348 and head[344:348] in (b"n+1\0", b"ni1\0"):
            return "1", big
        # Without magic, axes, type and bits of a voxel must agree, and 'regular' be set.
        axes = struct.unpack_from(order + "h", head, 40)[0]
        datatype, bits = struct.unpack_from(order + "hh", head, 70)
        code = _CODES.get(datatype)
        fits = np.dtype(code).itemsize * 8 == bits if code else datatype in (1, 128)
        regular = head[38:39] in (b"r", b"\0") and head[344:345] != b"n"
        if size == 348 and 1 <= axes <= 7 and fits and regular:
            return "analyze", big
    return None


def read_nifti_header(head: bytes) -> NiftiHeader:
    """The header; refused when it is cut short or counts its axes wrongly.

    NIfTI-1: ``dim[0]`` is 1 to 7; ``scl_slope`` 0 means unscaled; ``xyzt_units`` is the unit of
    ``zooms``. Raises Refused.
    """
    detected = version_of(head)
    if detected is None:
        raise Refused(Reason.CUT_SHORT)
    version, big = detected
    if version == "2" and len(head) < 540:
        raise Refused(Reason.CUT_SHORT)
    layout = _SECOND if version == "2" else _FIRST
    texts = [head[a:b] for a, b in (_SECOND_TEXTS if version == "2" else _FIRST_TEXTS)]

    def field(name: str) -> tuple[Any, ...]:
        code, at = layout[name]
        return struct.unpack_from((">" if big else "<") + code, head, at)

    dims = field("dim")
    if not 1 <= dims[0] <= 7:
        raise Refused(Reason.UNREADABLE)
    shape = dims[1 : dims[0] + 1]
    paired = field("magic")[0] not in (b"n+1", b"n+2")
    offset, offset_possible = _offset(field("offset")[0], version, paired)
    # Analyze 7.5 uses these bytes for something else.
    nifti = version != "analyze"
    slope, intercept = field("scale") if nifti else (1.0, 0.0)
    qform, sform = field("forms") if nifti else (0, 0)
    return NiftiHeader(
        version=version,
        big=big,
        paired=paired,
        shape=shape,
        zooms=field("pixdim")[1 : len(shape) + 1],
        datatype=field("datatype")[0],
        intent=field("intent")[0] if nifti else 0,
        offset=offset,
        offset_possible=offset_possible,
        slope=slope if np.isfinite(slope) and slope != 0 else 1.0,
        intercept=intercept if np.isfinite(intercept) and slope != 0 else 0.0,
        qform=qform,
        sform=sform,
        descrip=texts[0].split(b"\0")[0],
        to_mm=_UNITS.get(field("units")[0] & 7, 1.0) if nifti else 1.0,
        free_text=sum(bool(text.strip(b"\0 ")) for text in texts),
    )


def _offset(value: float, version: Version, paired: bool) -> tuple[int, bool]:
    """Where the voxels begin, and whether the header's own value could be used.

    0 stands for the first possible place, as nibabel reads it.
    """
    first = 0 if paired else _FIRST_VOXEL[version]
    if version == "analyze":
        # A negative value is legal there: it holds for every volume of the file.
        return (int(value) if np.isfinite(value) and 0 <= value < _LAST_OFFSET else 0), True
    if value == 0:
        return first, True
    possible = bool(np.isfinite(value)) and first <= value < _LAST_OFFSET
    return (int(value) if possible else first), possible


@dataclass(frozen=True, slots=True)
class Forms:
    """nibabel's affines of a header: the best one, and both coded ones where set."""

    best: Affine
    qform: Affine | None
    sform: Affine | None

    @property
    def finite(self) -> bool:
        """Whether the coded affines hold nothing but numbers."""
        coded = (form for form in (self.qform, self.sform) if form is not None)
        return all(np.isfinite(form).all() for form in coded)


def forms_of(head: bytes, header: NiftiHeader) -> Forms | None:
    """The affines (4 x 4, float64, RAS+ mm), through nibabel, of a header that passed the checks.

    None where nibabel refuses the header, or its affine holds something else than numbers.
    """
    size = 540 if header.version == "2" else 348
    try:
        parsed = _HEADERS[header.version](head[:size], ">" if header.big else "<", check=False)
        if header.version == "analyze":
            forms = Forms(np.asarray(parsed.get_base_affine(), dtype=np.float64), None, None)
        else:
            with np.errstate(all="ignore"):
                qform = parsed.get_qform(coded=True)[0] if header.qform > 0 else None
                sform = parsed.get_sform(coded=True)[0] if header.sform > 0 else None
                best = np.asarray(parsed.get_best_affine(), dtype=np.float64)
            forms = Forms(best, qform, sform)
    except (HeaderDataError, ValueError, np.linalg.LinAlgError):
        return None
    return forms if np.isfinite(forms.best).all() else None


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
