"""What the files of a request are to become, by its text and by what they are."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.core import Modality, ScanInfo, codes
from retrieval.fit import content_of, stored_as
from retrieval.query import TOWARDS, conversion_goal, conversion_of, file_words

FEW_WORDS = 4
"""Words of a text at most that names a goal without a verb; longer ones say more than a goal."""

DOCUMENTS = frozenset(
    {Modality.SR, Modality.PR, Modality.KO, Modality.REG, Modality.RTPLAN, Modality.ECG}
)
"""DICOM objects that are all header."""

WRITTEN = frozenset({codes.Format.JSON, codes.Format.XML, codes.Format.CSV})
"""Formats that what a header says is written in."""

HOLDS = {codes.Format.RTSTRUCT: "contour", codes.Format.DICOM_SEG: "label"}
"""What files of a format hold whatever they are made of: a mask may lie in a file as an image."""


def asked_format(text: str, scans: Sequence[ScanInfo]) -> codes.Format | None:
    """The format of the result that a request asks for; None for none."""
    pair = asked_conversion(text, scans)
    return pair.after if pair else _goal(text, scans)


def _goal(text: str, scans: Sequence[ScanInfo]) -> codes.Format | None:
    """The format that the files are to become; None where the text names none.

    Beside a file a few words without a verb do: "multi-frame to PNG" ends with the format.
    """
    goal = conversion_goal(text)
    words = text.split()
    if goal or not scans or len(words) > FEW_WORDS or len(words) < 2:
        return goal
    named = [one for one in file_words(text) if one.kind == "format"]
    is_goal = words[-2].casefold() in TOWARDS and len(named) == 1 and named[0].text == words[-1]
    return codes.Format(named[0].value) if is_goal else None


def _carried(scan: ScanInfo) -> str:
    """What a pair of formats has to carry of a file."""
    if not scan.dimension and scan.modality in DOCUMENTS:
        return "metadata"
    return content_of(scan).what or ("image" if scan.dimension else "")


def asked_conversion(text: str, scans: Sequence[ScanInfo]) -> codes.Conversion | None:
    """The pair of formats that a request asks to convert; None for none.

    Files tell what they are better than the text: "convert to NIfTI", and "DICOM to NIfTI" with a
    segmentation in DICOM, ask for a pair that carries labels. Files of several kinds tell nothing,
    but that of an image and its labels the labels become a DICOM-SEG. Of a document only what its
    header says can be carried over, and of several frames whatever a record states of images.
    """
    pair = conversion_of(text)
    contents = {(scan.format, stored_as(scan), _carried(scan)) for scan in scans}
    if len(contents) > 1 and conversion_goal(text) == codes.Format.DICOM_SEG:
        contents = {content for content in contents if content[2] == "label"}
    if len(contents) != 1:
        return pair
    [(format, before, what)] = contents
    after = pair.after if pair else _goal(text, scans)
    is_other = pair is not None and pair.before not in (format, before)
    if what == "metadata" and after not in WRITTEN:
        return pair
    if is_other or not what or after is None or after in (format, before):
        return pair
    return codes.Conversion(before, after, HOLDS.get(after, what), source="")
