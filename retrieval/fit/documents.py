"""What a file of headers alone is to a tool: a plan, a report, a list of images."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.core import Format, Modality, ScanInfo, Tool

WITHOUT_PIXELS = "no pixels"
"""The scan's side where there are headers or documents alone."""

DOCUMENT_WORDS: Mapping[Modality | None, str] = {
    Modality.RTPLAN: "a plan without dose, contours or pixels",
    Modality.SR: "a report without pixels",
    Modality.PR: "a display state without pixels",
    Modality.KO: "a list of images without pixels",
    Modality.REG: "a transform without pixels",
}
"""What a DICOM document is, for a tool whose record names this kind among others: that it reads a
plan does not say that a plan is all it needs."""

OF_FILES = frozenset(
    {"reading and writing", "anonymisation", "conversion", "reporting"}
    | {"data organisation", "data archive", "data transfer"}
)
"""First tasks of tools to which a document is a file like any other."""


def document_to(tool: Tool, scan: ScanInfo) -> str | None:
    """What a file without pixels is to a tool; None where its record takes such a document.

    So does a converter that states a pair for what the header says, and what passes on DICOM files
    of any kind, as a program that anonymises or archives them: neither needs pixels.
    """
    if any(pair.what == "metadata" and pair.before == scan.format for pair in tool.converts):
        return None
    if _passes_on_any(tool):
        return None
    if scan.modality not in tool.modalities or "not-an-image" not in scan.notes:
        return WITHOUT_PIXELS
    takes_files = "metadata" in tool.needs.data or not OF_FILES.isdisjoint(tool.tasks[:1])
    return None if takes_files else DOCUMENT_WORDS.get(scan.modality)


def _passes_on_any(tool: Tool) -> bool:
    """Whether a tool handles files of DICOM alone, and names no kind of image or data."""
    is_of_any = not tool.modalities and not tool.needs.data
    formats = {*tool.formats_in, *tool.formats_out}
    return is_of_any and formats == {Format.DICOM} and not OF_FILES.isdisjoint(tool.tasks[:1])
