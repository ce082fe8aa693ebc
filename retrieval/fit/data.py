"""What the files of an upload hold against what a tool needs as its input: all of it.

Tractography needs many diffusion-weighted volumes, a perfusion map or the track of a cell images in
time. No field of a record states that, so it follows from its tasks and kinds of image.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from retrieval.catalog import modality_lineage
from retrieval.core import Dimension, Fit, Format, Modality, PulseSequence, ScanInfo, Tool
from retrieval.fit.documents import WITHOUT_PIXELS, document_to
from retrieval.fit.formats import DOCUMENTS, VOLUMES, data_of, is_damaged, lacks_pixels
from retrieval.fit.input import LABEL
from retrieval.fit.kinds import ANY_KIND, IN_TIME, LONE_SLICE, MAIN_TASKS, volume_needs
from retrieval.fit.orientation import ALONE
from retrieval.fit.series import ONE_SCAN, Kinds, UploadCounts
from retrieval.fit.verdict import ALSO, field, judged

FACT, FIELD = "data", "requirements.data"

NOT_IN_HEADERS = frozenset({"image", "label", "contour"})
"""Needs that headers and documents alone fail."""

OF_DOSE = frozenset(
    {"dose calculation", "treatment planning", "measurement"} | {"statistical analysis"}
)
"""Main tasks that, of a tool for dose and contours, are about the dose inside of contours: the
volume histogram of a dose needs both (Drzymala and others 1991)."""

DOSE_AND_CONTOURS = {Modality.RTDOSE: "a dose", Modality.RTSTRUCT: "contours"}

DAMAGED = "a damaged header"
"""The scan's side where the header does not even give the size of an image."""

WORDS = {
    "image": "an image",
    "label": "a label map",
    "contour": "contours",
    "surface": "a surface",
    "signal": "a recorded signal",
    "table": "a table",
}
"""Kinds of data in a sentence; those that are not here stay as they are."""

RECONSTRUCTED = frozenset({Modality.CT, Modality.MRI, Modality.PET, Modality.US})
"""Kinds of DICOM images that are computed from measurements."""

OF_ANY_VOXELS = ANY_KIND - {"annotation"}
"""Main tasks that treat a map of labels as an image; annotation draws one on an image."""

VOLUME_COUNT: Final = "volumes"
"""The fact of how many volumes or pictures of one place there are."""

DIFFUSION: Final = "diffusion-weighted volumes"
"""A tensor takes six directions and one volume without weighting at least (Basser and others 1994),
so one volume, or a map computed from them, is never enough. What else ``volumes.json`` lists
follows a signal or a thing over time."""

NEEDS_MORE = "; needs "
"""On the tool's side, between what is stated and what follows from it."""

OUTPUTS = {"label": Modality.SEG, "contour": Modality.RTSTRUCT}
"""What stands next to images as the output of a tool, with the modality of tools that read it."""


def data_fit(tool: Tool, scan: ScanInfo, counts: UploadCounts = ONE_SCAN) -> Fit:
    """Pass where the scan is a part of what the tool needs and the upload has the others.

    Where another part is absent the verdict is unknown and names it: it may lie elsewhere. The
    verdict is fail where the scan is none of the parts and cannot be taken for one.
    """
    needed, own = tool.needs.data, data_of(scan)
    stated = field(FIELD, needed)
    if is_damaged(scan):
        return judged(FACT, None, DAMAGED, stated)
    if not own and (lacks_pixels(scan) or not DOCUMENTS.isdisjoint(scan.notes)):
        fails = "metadata" not in needed and not NOT_IN_HEADERS.isdisjoint(needed)
        shown_as = WITHOUT_PIXELS if fails else document_to(tool, scan)
        return judged(FACT, False if fails else None, shown_as, stated)
    if absent := _absent_of_dose(tool, scan, counts):
        pair = stated or field("modalities", tuple(DOSE_AND_CONTOURS))
        return judged(FACT, None, own or str(scan.modality), f"{pair}{ALSO}{absent}")
    if own == "label" and own not in needed and (reason := _labels_may_do(tool)):
        return judged(FACT, None, LABEL, f"{stated}; {reason} may do with a label map")
    if own == "contour" and (more := _beside_contours(tool, counts)):
        stated = stated or field("formats_in", [Format.RTSTRUCT])
        return judged(FACT, None, own, f"{stated}{ALSO}{more}")
    if not needed or not own:
        return judged(FACT, None, _joined_parts([own]), stated)
    if _as_read(tool, own) not in needed:
        holds = None if _may_serve(tool, scan, own) else False
        return judged(FACT, holds, _joined_parts([own]), stated)
    available = {_as_read(tool, part): part for part in sorted({own, *counts.data})}
    missing = [part for part in needed if part not in available]
    if missing:
        stated = f"{stated}{ALSO}{in_words(missing)}"
    scan_parts = _joined_parts(available[part] for part in needed if part in available)
    return judged(FACT, None if missing else True, scan_parts, stated)


def _absent_of_dose(tool: Tool, scan: ScanInfo, counts: UploadCounts) -> str:
    """What of dose and contours the upload lacks for a tool that measures one in the other."""
    is_of_both = set(DOSE_AND_CONTOURS).issubset(tool.modalities)
    if scan.modality not in DOSE_AND_CONTOURS or not is_of_both:
        return ""
    if OF_DOSE.isdisjoint(tool.tasks[:MAIN_TASKS]):
        return ""
    there = {scan.modality, *counts.modalities}
    return " and ".join(name for kind, name in DOSE_AND_CONTOURS.items() if kind not in there)


def _beside_contours(tool: Tool, counts: UploadCounts) -> str:
    """What a tool needs that opens contours and fills them, where the upload lacks it.

    Contours are points in space (DICOM PS3.3, C.8.8.6); a map of them has the grid of an image.
    """
    needed = tool.needs.data
    fills = any(one.what == "contour" and one.before == Format.RTSTRUCT for one in tool.converts)
    is_opened = "image" in needed and "contour" not in needed and Format.RTSTRUCT in tool.formats_in
    required = needed if is_opened else ("image",) if fills and not needed else ()
    return in_words(part for part in required if part not in counts.data)


def in_words(parts: Iterable[str]) -> str:
    """Kinds of data for a sentence: "an image and a label map"."""
    return " and ".join(WORDS.get(part, part) for part in parts)


def is_input(tool: Tool, scan: ScanInfo) -> bool:
    """Whether a tool is run on such a file where images stand beside it.

    A label map or contours next to images are the output of a tool, and what has no dimension, as
    a surface, accompanies them, unless the tool states that it reads them.
    """
    own = data_of(scan)
    if own in tool.needs.data or OUTPUTS.get(own) in tool.modalities:
        return True
    return scan.dimension is not None and own not in OUTPUTS


def _as_read(tool: Tool, part: str) -> str:
    """Contours are a map of labels to a tool that needs one and opens them as such."""
    needed = tool.needs.data
    rasterised = part == "contour" and part not in needed and "label" in needed
    return "label" if rasterised and Format.RTSTRUCT in tool.formats_in else part


def _joined_parts(parts: Iterable[str]) -> str | None:
    return ", ".join(LABEL if part == "label" else part for part in parts) or None


def _labels_may_do(tool: Tool) -> str | None:
    """What the record states by which a map of labels may do where it needs an image.

    Nothing for all other tools: one that measures or segments an image gets nothing from labels.
    The same tasks count as for the kind of image, so that the two verdicts do not contradict.
    """
    if "image" not in tool.needs.data:
        return None
    if Modality.SEG in tool.modalities:
        return str(Modality.SEG)
    return next((task for task in tool.tasks[:MAIN_TASKS] if task in OF_ANY_VOXELS), None)


def _may_serve(tool: Tool, scan: ScanInfo, own: str) -> bool:
    """Whether data that the tool does not name may still be what it needs."""
    needed = tool.needs.data
    if "metadata" in needed:
        # Every header is metadata; which of it a tool needs is not stated.
        return True
    if own == "contour" and "image" in needed:
        return Format.RTSTRUCT in tool.formats_in
    if own == "raw data":
        return "signal" in needed
    if own != "image":
        return False
    # Only of volumes does a reader look at the values; a picture or a screenshot may be a mask.
    unread = scan.format not in VOLUMES or scan.modality == Modality.OT
    labels = "label" in needed and unread
    # Spectra of many places are four-dimensional NIfTI files (Clarke and others 2022).
    spectra = scan.format == Format.NIFTI and scan.dimension == Dimension.D4
    raw = "raw data" in needed and not _is_reconstructed(scan)
    return labels or ("signal" in needed and spectra) or raw


def _is_reconstructed(scan: ScanInfo) -> bool:
    """Whether an image is certainly no measurement: DICOM says so, Hounsfield units do, and MRI."""
    if scan.modality is None or RECONSTRUCTED.isdisjoint(modality_lineage(scan.modality)):
        return False
    is_mri = scan.format in VOLUMES and Modality.MRI in modality_lineage(scan.modality)
    return scan.format == Format.DICOM or scan.units == "HU" or is_mri


@lru_cache(maxsize=4096)
def volumes_requested(text: str) -> tuple[str, ...]:
    """What the tasks that a text names need, in the order of the table; empty for most texts."""
    patterns = ((need, "|".join(words)) for need, words in volume_needs()["words"].items())
    return tuple(
        need
        for need, ways in patterns
        if re.search(rf"(?<!\w)(?:{ways})(?!\w)", text, re.IGNORECASE)
    )


def volumes_fit(tool: Tool, kinds: Kinds, text: str) -> Fit | None:
    """Whether there are as many volumes as what the tool does needs; None where one will do.

    It counts for a tool whose main tasks all need them, and for one of several tasks where the
    text names such a task. One volume is unknown and no fail: the others may lie elsewhere.
    """
    stated = next(_volumes_stated(tool, volumes_requested(text)), None)
    scans = [scan for scan in kinds.scans if scan.dimension]
    if stated is None or not scans:
        return None
    evidence, need = stated
    values = [
        _diffusion_in(scan) if need == DIFFUSION else _times_in(scan, kinds.counts)
        for scan in scans
    ]
    holds, shown = next((value for value in values if value[0]), values[0])
    return judged(VOLUME_COUNT, holds, shown, f"{evidence}{NEEDS_MORE}{need}")


def _volumes_stated(tool: Tool, requested: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What a record states from which a need follows, and that need."""
    table, main = volume_needs(), tool.tasks[:MAIN_TASKS]
    for need, tasks in table["tasks"].items():
        if main and set(main) <= set(tasks):
            yield f"tasks: {', '.join(main)}", need
    for need in requested:
        if tasks := [task for task in tool.tasks if task in table["tasks"][need]]:
            yield f"tasks: {', '.join(tasks)}", need
        elif kinds := [m for m in tool.modalities if m in table["modalities"][need]]:
            yield f"modalities: {', '.join(kinds)}", need


def _diffusion_in(scan: ScanInfo) -> tuple[bool | None, str]:
    if scan.dimension != Dimension.D4:
        return None, _one_of(scan)
    weighted = scan.sequence == PulseSequence.DWI or scan.modality == Modality.DMRI
    volumes = f"{scan.shape[3]} volumes" if len(scan.shape) > 3 else "4D"
    kind = "" if weighted else f", {scan.sequence or 'of a kind that is not stated'}"
    return weighted or None, f"{volumes}{kind}"


def _times_in(scan: ScanInfo, counts: UploadCounts) -> tuple[bool | None, str]:
    like, times = counts.volumes.get((scan.shape, scan.modality), 0), math.prod(scan.shape[3:4])
    if times > 1 or scan.dimension == Dimension.D4 or "cine" in scan.notes:
        return True, f"{times} times" if times > 1 else IN_TIME
    if like > 1:
        return None, f"{like} images of one size"
    if scan.dimension == Dimension.D3 and scan.format not in VOLUMES:
        return None, "a stack that may be time or depth"
    return None, _one_of(scan)


def _one_of(scan: ScanInfo) -> str:
    if ALONE in scan.notes:
        return LONE_SLICE
    if "pages" in scan.notes:
        return "several pages"
    return "one volume" if scan.dimension == Dimension.D3 else "one image"
