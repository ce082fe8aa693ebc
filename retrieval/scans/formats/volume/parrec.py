"""Philips PAR/REC: a text table of slices; only MR scanners write it."""

from __future__ import annotations

import re

from retrieval.core import Format, Modality
from retrieval.scans.formats.volume.grid import Grid, grid_facts
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reasons import Reason, Refused

_HEADER_MOST = 8 << 20
_GENERAL = re.compile(r"^\.\s+([^:]+?)\s*:\s*(.*)$")
_NAMED = 24


def sniff(head: bytes, name: str) -> bool:
    """The banner of the header, with Philips' own line prefix."""
    return b"DATA DESCRIPTION FILE" in head[:512] and head[:1] == b"#"


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one PAR header; the REC beside it is noted, not decoded."""
    general, rows = _parse(blob.head(_HEADER_MOST).decode("latin-1"))
    slices = _count(general, "max. number of slices")
    if not rows or not slices:
        raise Refused(Reason.UNREADABLE)
    x, y = _matrix(general, rows[0])
    data = context.companion(blob, ".rec", ".rec.gz")
    # Dynamics, echoes, image types and gradients are all further volumes.
    shape = (x, y, slices, max(len(rows) // slices, 1))
    return grid_facts(
        blob,
        Grid(
            format=Format.PARREC,
            shape=shape,
            spacing=_spacing(rows[0]),
            modality=Modality.MRI,
            notes=(Note.DATA_MISSING,) if data is None else (),
            dropped=tuple(
                "PAR " + key for key in ("patient", "examination", "date") if _has(general, key)
            ),
        ),
    )


def _parse(text: str) -> tuple[dict[str, str], list[list[float]]]:
    general: dict[str, str] = {}
    rows: list[list[float]] = []
    for line in text.splitlines()[:60_000]:
        if match := _GENERAL.match(line):
            general.setdefault(match.group(1).lower(), match.group(2))
        elif line[:1] not in ("#", ".", "") and line.strip():
            rows += _row(line)
    return general, rows


def _row(line: str) -> list[list[float]]:
    try:
        values = [float(part) for part in line.split()]
    except ValueError:
        return []
    return [values] if len(values) > _NAMED else []


def _value(general: dict[str, str], start: str) -> str | None:
    return next((value for key, value in general.items() if key.startswith(start)), None)


def _has(general: dict[str, str], start: str) -> bool:
    return bool((_value(general, start) or "").strip())


def _count(general: dict[str, str], start: str) -> int | None:
    text = (_value(general, start) or "").split()
    return int(text[0]) if text and text[0].isdigit() else None


def _matrix(general: dict[str, str], row: list[float]) -> tuple[int, int]:
    """In the table from version 4 on; in the general part before."""
    text = (_value(general, "recon resolution") or "").split()
    if len(text) > 1 and text[0].isdigit() and text[1].isdigit():
        return int(text[0]), int(text[1])
    return int(row[9]), int(row[10])


def _spacing(row: list[float]) -> tuple[float, ...]:
    if len(row) < 30:
        return ()
    return row[28], row[29], row[22] + row[23]
