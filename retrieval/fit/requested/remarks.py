"""What is said once of the files that a request comes with, whatever the tools."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from retrieval.core import Dimension, Fit, Modality, ScanInfo
from retrieval.fit.formats import VOLUMES, data_of
from retrieval.fit.requested.verdicts import PART

DOCUMENT_NAMES: Mapping[Modality, str] = {
    Modality.RTPLAN: "A radiotherapy plan",
    Modality.SR: "A report",
    Modality.PR: "A display state",
    Modality.KO: "A list of key images",
    Modality.REG: "A transform",
}
"""DICOM documents, which have no pixels."""

ON_IMAGES = frozenset({"conversion", "viewing", "registration", "measurement"})
"""Tasks, besides those of segmentation, for which an image is expected in the file."""

SEGMENTED = (
    "The file already is a segmentation. It can be viewed, edited, measured, converted or turned "
    "into a surface; to segment anew, add the image that it was drawn on."
)

ONE_VOLUME = "The file holds one volume: there is no motion between volumes to correct in it."


def file_remarks(
    scans: Sequence[ScanInfo], tasks: Collection[str], fits: Iterable[Fit]
) -> tuple[str, ...]:
    """Remarks on the files: another part of the body, a segmentation, no image, one volume.

    ``tasks`` are those that the request names, ``fits`` the verdicts on the listed tools.
    """
    return tuple(_remarks(scans, tasks, fits)) if scans else ()


def _remarks(
    scans: Sequence[ScanInfo], tasks: Collection[str], fits: Iterable[Fit]
) -> Iterator[str]:
    part = next((fit for fit in fits if fit.fact == PART), None)
    if part:
        named = (part.tool or "").partition(": ")[2]
        yield f"By its header or name the scan shows the {part.scan}: {named} is not in it."
    segments = bool(tasks) and all("segmentation" in task for task in tasks)
    if segments and all(data_of(scan) == "label" for scan in scans):
        yield SEGMENTED
    kinds = {scan.modality: scan.modality in DOCUMENT_NAMES for scan in scans}
    if (segments or not ON_IMAGES.isdisjoint(tasks)) and all(kinds.values()):
        yield from (f"{DOCUMENT_NAMES[kind]} holds no image." for kind in kinds if kind)
    if "motion correction" in tasks and len(scans) == 1 and _is_one_volume(scans[0]):
        yield ONE_VOLUME


def _is_one_volume(scan: ScanInfo) -> bool:
    """Whether a file is a volume that surely has no others behind it."""
    is_volume = scan.dimension == Dimension.D3 and scan.format in VOLUMES and scan.complete
    return is_volume and data_of(scan) == "image"
