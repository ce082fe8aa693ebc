"""The facts of every series of an upload, a page of rows at a time; pure."""

from __future__ import annotations

from collections.abc import Sequence

from components.render.codes import code_name
from components.render.markup import attrs, button, cells
from components.render.pager import pager
from components.render.words import count
from retrieval import ScanInfo, Upload, dimension_words, is_over_time, length_words

ROWS = 40
"""Series on one page of the table; the others are made when their page is asked for."""

HEADS = ("Format", "Modality", "Dimension", "Body part", "Size", "Spacing")


LABEL_MAP = "label-map"

MICROSCOPES = frozenset({"OME-TIFF", "OME-Zarr", "CZI", "LIF", "ND2", "SVS", "NDPI"})
"""Formats that microscopes and their software write: nobody is asked whether these are MRI."""

PLAIN = frozenset({"TIFF", "PNG", "JPEG"})
ROWS_FIRST = MICROSCOPES | PLAIN | {"DICOM", "JPEG2000", "BMP", "GIF", "WebP"}
"""Formats whose sizes are stored as rows, columns and slices; all others begin with the width."""


def size_words(scan: ScanInfo) -> str:
    """Width, height, depth, then times or volumes and channels by name; empty where unknown."""
    shape, noun = scan.shape, "volume"
    space, repeats = (shape[:3], shape[3]) if len(shape) == 4 else (shape, 1)
    if is_over_time(scan):
        space, noun = space[:2], "time"
    words = [" × ".join(f"{size}" for size in _width_first(scan, space))]
    if repeats > 1:
        words.append(count(repeats, noun))
    if shape and scan.channels and "rgb" not in scan.notes:
        words.append(count(scan.channels, "channel"))
    return ", ".join(filter(None, words))


def spacing_words(scan: ScanInfo) -> str:
    """The distance of voxels with its unit, in the order of the size; empty where unknown."""
    return length_words(scan, _width_first(scan, scan.spacing)) if scan.spacing else ""


def _width_first(scan: ScanInfo, stored: Sequence[float]) -> Sequence[float]:
    if scan.format in ROWS_FIRST and len(stored) > 1:
        return stored[1], stored[0], *stored[2:]
    return stored


def kind_words(scan: ScanInfo) -> str:
    """The kind of image; of a label map that it is one, and of what kind of image if stated."""
    kind = code_name(scan.modality) if scan.modality else ""
    return ", ".join(filter(None, ("label map" if LABEL_MAP in scan.notes else "", kind)))


def series_facts(upload: Upload) -> str:
    """The table of an upload, at the page of the picked series; nothing without one."""
    if not upload.scans:
        return ""
    page = (upload.picked or 0) // ROWS + 1
    return f"<div class='seriesfacts'>{series_page(upload, page)}</div>"


def series_page(upload: Upload, page: int) -> str:
    """One page of the table and the way to the others.

    Series are numbered as in the upload, whichever is picked. A page that there is not is the
    nearest.
    """
    last = max(1, -(-len(upload.scans) // ROWS))
    page = min(max(page, 1), last)
    start = (page - 1) * ROWS
    rows = "".join(
        _row(number, scan, _choice(number, upload), is_picked=number == upload.picked)
        for number, scan in enumerate(upload.scans[start : start + ROWS], start=start)
    )
    head = "".join(f"<th scope='col'>{name}</th>" for name in HEADS)
    head = f"<th scope='col'><span class='sr'>Series</span></th>{head}"
    if len(upload.series) > 1:
        head += "<th scope='col'>Use alone</th>"
    table = f"<table class='facts'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    out = attrs(class_="wide", tabindex=0, role="group", aria_label="Facts of the scan")
    return f"<div{out}>{table}</div>{pager(page, last, 'Pages of the series')}"


def _choice(number: int, upload: Upload) -> str:
    """The cell with the choice of this series alone, and beside the chosen one of all again.

    Nothing where there is none to choose; an empty cell for what is no series. A choice is one of
    many and no button of its own, so that forty of them are one tab stop.
    """
    if len(upload.series) < 2:
        return ""
    if number not in upload.series:
        return "<td></td>"
    act = attrs(data_act="series", data_id=number, aria_label=f"Use series {number + 1} alone")
    if number != upload.picked:
        return f"<td><input type='radio' name='series'{act}></td>"
    every = button("Use all", "series", "", css="btn btn-small", name="Use all series")
    return f"<td><input type='radio' name='series' checked{act}> {every}</td>"


def _row(number: int, scan: ScanInfo, choice: str, *, is_picked: bool) -> str:
    """One series; ``number`` is its place in the upload, from 0."""
    kind, size, spacing = kind_words(scan), size_words(scan), spacing_words(scan)
    facts = (scan.format, kind, dimension_words(scan), scan.body_part, size, spacing)
    mark = "<span class='sub'> used</span>" if is_picked else ""
    head = f"<th scope='row'>{number + 1}{mark}</th>"
    row = attrs(class_="picked" if is_picked else None, data_row=number)
    return f"<tr{row}>{head}{cells(fact or 'unknown' for fact in facts)}{choice}</tr>"
