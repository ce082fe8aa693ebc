"""NIfTI-1, NIfTI-2 and Analyze 7.5 headers, read by hand before any library sees them."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Literal

import numpy as np
from nibabel.spatialimages import HeaderDataError

from retrieval.scans.reader.facts import Affine
from retrieval.scans.reader.orientation import HEADERS
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
_UNITS = {1: 1000.0, 2: 1.0, 3: 0.001}


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
        if size == 348 and _is_analyze(head, order):
            return "analyze", big
    return None


def _is_analyze(head: bytes, order: str) -> bool:
    """No magic: the number of axes, the type and its bits must agree, and 'regular' be set."""
    axes = struct.unpack_from(order + "h", head, 40)[0]
    datatype, bits = struct.unpack_from(order + "hh", head, 70)
    code = _CODES.get(datatype)
    fits = np.dtype(code).itemsize * 8 == bits if code else datatype in (1, 128)
    return 1 <= axes <= 7 and fits and head[38:39] in (b"r", b"\0") and head[344:345] != b"n"


def read_nifti_header(head: bytes) -> NiftiHeader:
    """The header; refused when it is cut short or counts its axes wrongly.

    NIfTI-1: ``dim[0]`` is 1 to 7; ``scl_slope`` 0 means unscaled; ``xyzt_units`` is the unit of
    ``zooms``. Raises Refused.
    """
    detected = version_of(head)
    if detected is None:
        raise Refused(Reason.CUT_SHORT)
    version, big = detected
    order = ">" if big else "<"
    if version == "2":
        if len(head) < 540:
            raise Refused(Reason.CUT_SHORT)
        return _read_second(head, order)
    return _read_first(head, order, version)


def _axes(dims: tuple[int, ...]) -> tuple[int, ...]:
    if not 1 <= dims[0] <= 7:
        raise Refused(Reason.UNREADABLE)
    return dims[1 : dims[0] + 1]


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


def _read_first(head: bytes, order: str, version: Version) -> NiftiHeader:
    shape = _axes(struct.unpack_from(order + "8h", head, 40))
    pixdim = struct.unpack_from(order + "8f", head, 76)
    offset, slope, intercept = struct.unpack_from(order + "3f", head, 108)
    nifti = version == "1"
    paired = head[344:347] != b"n+1"
    at, possible = _offset(offset, version, paired)
    qform, sform = struct.unpack_from(order + "2h", head, 252) if nifti else (0, 0)
    texts = (head[148:228], head[228:252], head[328:344], head[14:32])
    return NiftiHeader(
        version=version,
        big=order == ">",
        paired=paired,
        shape=shape,
        zooms=pixdim[1 : len(shape) + 1],
        datatype=struct.unpack_from(order + "h", head, 70)[0],
        intent=struct.unpack_from(order + "h", head, 68)[0] if nifti else 0,
        offset=at,
        offset_possible=possible,
        slope=slope if nifti and np.isfinite(slope) and slope != 0 else 1.0,
        intercept=intercept if nifti and np.isfinite(intercept) and slope != 0 else 0.0,
        qform=qform,
        sform=sform,
        descrip=head[148:228].split(b"\0")[0],
        to_mm=_UNITS.get(head[123] & 7, 1.0) if nifti else 1.0,
        free_text=sum(bool(text.strip(b"\0 ")) for text in texts),
    )


def _read_second(head: bytes, order: str) -> NiftiHeader:
    shape = _axes(struct.unpack_from(order + "8q", head, 16))
    pixdim = struct.unpack_from(order + "8d", head, 104)
    slope, intercept = struct.unpack_from(order + "2d", head, 176)
    qform, sform = struct.unpack_from(order + "2i", head, 344)
    units, intent = struct.unpack_from(order + "2i", head, 500)
    paired = head[4:7] != b"n+2"
    at, possible = _offset(struct.unpack_from(order + "q", head, 168)[0], "2", paired)
    return NiftiHeader(
        version="2",
        big=order == ">",
        paired=paired,
        shape=shape,
        zooms=pixdim[1 : len(shape) + 1],
        datatype=struct.unpack_from(order + "h", head, 12)[0],
        intent=intent,
        offset=at,
        offset_possible=possible,
        slope=slope if np.isfinite(slope) and slope != 0 else 1.0,
        intercept=intercept if np.isfinite(intercept) and slope != 0 else 0.0,
        qform=qform,
        sform=sform,
        descrip=head[240:320].split(b"\0")[0],
        to_mm=_UNITS.get(units & 7, 1.0),
        free_text=sum(bool(t.strip(b"\0 ")) for t in (head[240:320], head[320:344], head[508:524])),
    )


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
        parsed = HEADERS[header.version](head[:size], ">" if header.big else "<", check=False)
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
