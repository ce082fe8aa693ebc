"""Remarkable things about one DICOM file, as closed codes."""

from __future__ import annotations

from retrieval.scans.dicom.codes import EXPLICIT, NATIVE, is_known_syntax
from retrieval.scans.dicom.header import Header
from retrieval.scans.dicom.identity import Identity
from retrieval.scans.dicom.values import count, word
from retrieval.scans.notes import Note
from retrieval.scans.reader.plausibility import plausible


def remarks_of(header: Header, identity: Identity, frames: int) -> tuple[Note, ...]:
    """The notes of one file, apart from its series."""
    values = header.values
    shape = count(values, "Rows"), count(values, "Columns")
    notes = [
        Note.SOP_OVER_MODALITY if identity.overruled else None,
        Note.DICOMDIR if identity.directory else None,
        *_shape_notes(shape, count(values, "NumberOfFrames")),
        *_syntax_notes(header),
        Note.RGB if _is_rgb(word(values, "PhotometricInterpretation")) else None,
        *_length_notes(header, _truncation(header, shape, frames)),
    ]
    return tuple(note for note in notes if note)


def _length_notes(header: Header, truncation: Note | None) -> list[Note | None]:
    """A file that was cut is not noted twice: its last element is then too long as well."""
    cut = truncation == Note.TRUNCATED
    return [truncation, Note.LENGTH_BEYOND_FILE if header.overlong and not cut else None]


def _shape_notes(shape: tuple[int | None, int | None], frames: int | None) -> list[Note]:
    bad = any(size is not None and not plausible([size]) for size in shape)
    return [Note.UNBELIEVABLE] if bad or (frames is not None and not plausible([frames])) else []


def _syntax_notes(header: Header) -> list[Note]:
    syntax = header.syntax or EXPLICIT
    if not is_known_syntax(syntax):
        return [Note.UNKNOWN_SYNTAX]
    return [] if syntax in NATIVE else [Note.COMPRESSED]


def _is_rgb(photometric: str) -> bool:
    return photometric == "RGB" or photometric.startswith("YBR")


def _truncation(header: Header, shape: tuple[int | None, int | None], frames: int) -> Note | None:
    """Native pixel data shorter than rows x columns x frames say, or a header cut off."""
    if not header.complete:
        return Note.TRUNCATED
    rows, columns = shape
    pixels = header.pixels
    if header.size is None or not rows or not columns:
        return None
    if pixels is None:
        return Note.DATA_MISSING if header.syntax else None
    if pixels.undefined or header.syntax not in NATIVE:
        return None
    have, need = header.size - pixels.value, _pixel_bytes(header, rows * columns * frames)
    return Note.TRUNCATED if have < min(need, pixels.end - pixels.value or need) else None


def _pixel_bytes(header: Header, count_of_pixels: int) -> int:
    values = header.values
    bits = count(values, "BitsAllocated") or 8
    need = count_of_pixels * (count(values, "SamplesPerPixel") or 1) * bits // 8
    halved = word(values, "PhotometricInterpretation") == "YBR_FULL_422"
    return need * 2 // 3 if halved else need
