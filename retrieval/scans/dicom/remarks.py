"""Remarkable things about one DICOM file, as closed codes."""

from __future__ import annotations

from retrieval.scans.dicom.codes import EXPLICIT, NATIVE, is_known_syntax
from retrieval.scans.dicom.header import Header
from retrieval.scans.dicom.identity import Identity
from retrieval.scans.dicom.values import count, word
from retrieval.scans.notes import Note
from retrieval.scans.reader.facts import plausible


def remarks_of(header: Header, identity: Identity, frames: int) -> tuple[Note, ...]:
    """The notes of one file, apart from its series.

    ``frames`` is the plausible count of frames, 1 where the header has none.
    """
    values = header.values
    shape = count(values, "Rows"), count(values, "Columns")
    frames_stated = count(values, "NumberOfFrames")
    sizes = [size for size in (*shape, frames_stated) if size is not None]
    syntax = header.syntax or EXPLICIT
    standard = is_known_syntax(syntax)
    photometric = word(values, "PhotometricInterpretation")
    truncation = _truncation(header, shape, frames)
    # A file that was cut is not noted twice: its last element is then too long as well.
    overlong = header.overlong and truncation != Note.TRUNCATED
    notes = [
        Note.SOP_OVER_MODALITY if identity.overruled else None,
        Note.DICOMDIR if identity.directory else None,
        None if all(plausible([size]) for size in sizes) else Note.UNBELIEVABLE,
        None if standard else Note.UNKNOWN_SYNTAX,
        Note.COMPRESSED if standard and syntax not in NATIVE else None,
        Note.RGB if photometric.startswith("YBR") or photometric == "RGB" else None,
        truncation,
        Note.LENGTH_BEYOND_FILE if overlong else None,
    ]
    return tuple(note for note in notes if note)


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
    values = header.values
    samples = rows * columns * frames * (count(values, "SamplesPerPixel") or 1)
    need = samples * (count(values, "BitsAllocated") or 8) // 8
    if word(values, "PhotometricInterpretation") == "YBR_FULL_422":
        # Two pixels share their colour: four samples in place of six (PS3.3 C.7.6.3.1.2).
        need = need * 2 // 3
    have = header.size - pixels.value
    return Note.TRUNCATED if have < min(need, pixels.end - pixels.value or need) else None
