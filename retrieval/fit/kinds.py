"""How the data came about: modality, dimension and sequence of a scan against a tool's."""

from __future__ import annotations

from functools import cache

from retrieval.catalog import modality_lineage
from retrieval.core import Dimension, Fit, Modality, ScanInfo, Tool, codes
from retrieval.fit.series import ALONE, LABELS, Beside
from retrieval.fit.verdict import field, judged

BY_SEQUENCE = {
    codes.PulseSequence.DWI: Modality.DMRI,
    codes.PulseSequence.BOLD: Modality.FMRI,
    codes.PulseSequence.ASL: Modality.ASL,
    codes.PulseSequence.ANGIOGRAPHY: Modality.MRA,
}
"""Kinds of MRI that a sequence makes certain."""

BY_MODALITY = {modality: sequence for sequence, modality in BY_SEQUENCE.items()}

MAYBE = {codes.PulseSequence.T2STAR: (Modality.QSM,), codes.PulseSequence.SWI: (Modality.QSM,)}
"""Kinds of MRI that a sequence leaves possible."""

KINDRED = {
    Modality.FLUORESCENCE: Modality.LIGHT_MICROSCOPY,
    Modality.SM: Modality.LIGHT_MICROSCOPY,
}
"""Whole slides and fluorescence images are made with light."""

TAKES_LABELS = frozenset(
    {"viewing", "visualisation", "3D rendering", "annotation", "conversion", "measurement"}
    | {"quality control", "feature extraction", "radiomics", "shape analysis", "morphometry"}
    | {"surface reconstruction", "reading and writing", "resampling", "data organisation"}
    | {"interactive segmentation"}
)
"""Main tasks for which a map of labels may do as well as an image."""

ANY_KIND = frozenset(
    {"viewing", "visualisation", "3D rendering", "reading and writing", "conversion"}
    | {"anonymisation", "data organisation", "data archive", "data transfer", "resampling"}
    | {"registration", "annotation", "filtering"}
)
"""Main tasks that do not ask how an image came about: the kinds listed are examples."""

RADIOLOGY = frozenset(
    {Modality.CT, Modality.MRI, Modality.PET, Modality.NM, Modality.XR, Modality.US, Modality.XA}
)
IMAGED = frozenset({Modality.MICROSCOPY})

WIDER = {
    codes.PulseSequence.CONTRAST_ARTERIAL: codes.PulseSequence.CONTRAST,
    codes.PulseSequence.CONTRAST_VENOUS: codes.PulseSequence.CONTRAST,
    codes.PulseSequence.CONTRAST_DELAYED: codes.PulseSequence.CONTRAST,
}


def kind_of(scan: ScanInfo) -> Modality | None:
    """The modality, as narrow as the sequence makes certain; SEG for a map of labels."""
    if LABELS in scan.notes:
        return Modality.SEG
    if scan.modality == Modality.MRI and scan.sequence:
        return BY_SEQUENCE.get(scan.sequence, Modality.MRI)
    return scan.modality


def modality_fit(tool: Tool, scan: ScanInfo) -> Fit:
    """Pass for the kind itself, or for a wider one of which the tool names no other part.

    Unknown where the scan may be what the tool is for, or where the tool is for any image
    and what it lists are examples.
    """
    kind, stated = kind_of(scan), field("modalities", tool.modalities)
    if kind is None:
        return judged("modality", None, None, stated)
    shown = str(kind) if kind == scan.modality else f"{scan.modality}, {scan.sequence}"
    if LABELS in scan.notes:
        shown = "label map"
    return judged("modality", _suits(tool, scan, kind), shown, stated)


def _suits(tool: Tool, scan: ScanInfo, kind: Modality) -> bool | None:
    listed = tool.modalities
    if kind in listed or KINDRED.get(kind) in listed:
        return True
    wider = next((m for m in _widened(kind) if m in listed), None)
    if wider is not None:
        parts = [m for m in listed if wider in _widened(m)[1:]]
        return None if parts else True
    if scan.sequence:
        narrower = not set(MAYBE.get(scan.sequence, ())).isdisjoint(listed)
    else:
        narrower = kind == Modality.OT or any(kind in _widened(m)[1:] for m in listed)
    return None if narrower or _for_any_image(tool, kind) else False


@cache
def _widened(kind: Modality) -> tuple[Modality, ...]:
    lineage = modality_lineage(kind)
    return (*lineage, *(KINDRED[m] for m in lineage if m in KINDRED))


def _for_any_image(tool: Tool, kind: Modality) -> bool:
    """Whether a tool whose task does not depend on the kind may take this one too."""
    if kind == Modality.SEG:
        return not TAKES_LABELS.isdisjoint(tool.tasks[:2])
    if not tool.tasks or tool.tasks[0] not in ANY_KIND:
        return False
    return any(_realm(kind) == _realm(one) is not None for one in tool.modalities)


@cache
def _realm(kind: Modality) -> Modality | None:
    """Microscopy, or the images that radiology makes (named after CT); None for the rest."""
    widest = modality_lineage(kind)[-1]
    return Modality.CT if widest in RADIOLOGY else widest if widest in IMAGED else None


def dimension_fit(tool: Tool, scan: ScanInfo, beside: Beside = ALONE) -> Fit:
    """Pass when the tool takes what the scan is; several volumes may be a series in time.

    Unknown for a 4D tool where the upload has several volumes of the same shape and modality.
    """
    shown = str(scan.dimension) if scan.dimension else None
    holds: bool | None = scan.dimension in tool.dimensions
    like = beside.volumes.get((scan.shape, scan.modality), 0)
    in_time = scan.dimension == Dimension.D3 and Dimension.D4 in tool.dimensions
    if not holds and in_time and like > 1:
        shown, holds = f"3D, {like} volumes", None
    return judged("dimension", holds, shown, field("dimensions", tool.dimensions))


def sequence_fit(tool: Tool, scan: ScanInfo) -> Fit:
    """The sequence against those the tool names, or those its modalities make certain.

    A wider term passes (contrast for arterial); where the tool names the narrower, it is unknown.
    """
    listed, name = tool.needs.sequences, "requirements.sequences"
    stated = field(name, listed)
    if not listed and tool.modalities and all(m in BY_MODALITY for m in tool.modalities):
        listed = tuple(BY_MODALITY[m] for m in tool.modalities)
        stated = field("modalities", tool.modalities)
    holds: bool | None = scan.sequence in listed
    if scan.sequence and not holds:
        if WIDER.get(scan.sequence) in listed:
            holds = True
        elif any(WIDER.get(one) == scan.sequence for one in listed):
            holds = None
    return judged("sequence", holds, str(scan.sequence) if scan.sequence else None, stated)
