"""Philips PAR/REC: a text table of slices; only MR scanners write it."""

from __future__ import annotations

import re
from itertools import takewhile

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
    counted = _counts(general, "max. number of slices")
    slices = counted[0] if counted else 0
    if not rows or not slices:
        raise Refused(Reason.UNREADABLE)
    row = rows[0]
    # Versions before 4 state the matrix once, later ones in each row.
    matrix = _counts(general, "recon resolution")
    x, y = matrix[:2] if len(matrix) > 1 else (int(row[9]), int(row[10]))
    data = context.companion(blob, ".rec", ".rec.gz")
    # Dynamics, echoes, image types and gradients are all further volumes.
    shape = (x, y, slices, max(len(rows) // slices, 1))
    return grid_facts(
        blob,
        Grid(
            format=Format.PARREC,
            shape=shape,
            # Pixel spacing in columns 28 and 29; slice thickness and gap in 22 and 23.
            spacing=(row[28], row[29], row[22] + row[23]) if len(row) >= 30 else (),
            modality=Modality.MRI,
            notes=(Note.DATA_MISSING,) if data is None else (),
            dropped=tuple(
                "PAR " + key
                for key in ("patient", "examination", "date")
                if _value(general, key).strip()
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
            try:
                values = [float(part) for part in line.split()]
            except ValueError:
                continue
            if len(values) > _NAMED:
                rows.append(values)
    return general, rows


def _value(general: dict[str, str], start: str) -> str:
    return next((value for key, value in general.items() if key.startswith(start)), "")


def _counts(general: dict[str, str], start: str) -> tuple[int, ...]:
    return tuple(int(part) for part in takewhile(str.isdigit, _value(general, start).split()))
