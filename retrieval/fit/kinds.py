"""Modality, dimension, sequence and body part of a scan against those that a tool takes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from retrieval.catalog import modality_lineage
from retrieval.core import BodyPart, Dimension, Fit, Modality, ScanInfo, Tool, codes
from retrieval.fit.formats import COLOUR, GRIDLESS, LABELS, MORE_AXES, NO_IMAGE, PICTURES
from retrieval.fit.orientation import ALONE
from retrieval.fit.series import ONE_SCAN, UploadCounts, dimension_words, is_over_time
from retrieval.fit.verdict import ALSO, field, judged

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

MAIN_TASKS = 2
"""The first tasks of a record are what its tool is for; by the others a large program does a bit of
everything."""

NO_GRID = "no grid of voxels"
"""The scan's side of the dimension of surfaces, contours and documents."""

DIFFUSION_MAP = "one volume or map of diffusion"
"""The scan's side of the kind of image where a series of diffusion has a single volume."""

IN_TIME: Final = "images in time"
"""What the tasks need that follow a signal or a thing over time."""

COLOUR_PAGES = "several pages in colour"
"""The scan's side of the dimension of such a file."""

LONE_SLICE = "one slice of a 3D series"
"""The scan's side of the dimension where the other slices, if there are any, were not added."""

RADIOLOGY = frozenset(
    {Modality.CT, Modality.MRI, Modality.PET, Modality.NM, Modality.XR, Modality.US, Modality.XA}
)
IMAGED = frozenset({Modality.MICROSCOPY})

WIDER = {
    codes.PulseSequence.CONTRAST_ARTERIAL: codes.PulseSequence.CONTRAST,
    codes.PulseSequence.CONTRAST_VENOUS: codes.PulseSequence.CONTRAST,
    codes.PulseSequence.CONTRAST_DELAYED: codes.PulseSequence.CONTRAST,
}

_SEQUENCE = r"(?:T1|T2|PD|FLAIR|DWI|DTI|BOLD|SWI|ASL)[\w-]*"
_ALTERNATIVES = re.compile(rf"\b{_SEQUENCE} (?:and/)?or (?:an? )?{_SEQUENCE}")
"""Words by which a description says that one of several sequences is enough."""

_B = BodyPart
SMALL = frozenset([_B.TISSUE, _B.CELL, _B.NUCLEUS, _B.NEURON])
"""Parts of every organ, seen under a microscope."""


def is_diffusion_map(scan: ScanInfo) -> bool:
    """Whether a scan is one volume of diffusion: of weighted images there are many in a series.

    So it is a map made of them (fractional anisotropy), or one of them. A tool that states MRI is
    made for anatomical images unless it says more; whether it takes such a map is not known.
    """
    return scan.sequence == codes.PulseSequence.DWI and scan.dimension == Dimension.D3


def kind_of(scan: ScanInfo) -> Modality | None:
    """The modality, as narrow as the sequence makes certain; SEG for a map of labels."""
    if LABELS in scan.notes:
        return Modality.SEG
    if scan.modality == Modality.MRI and scan.sequence:
        return BY_SEQUENCE.get(scan.sequence, Modality.MRI)
    return scan.modality


def modality_fit(tool: Tool, scan: ScanInfo) -> Fit:
    """Pass for the kind itself, or for a wider one of which the tool names no other part.

    Unknown where the scan may be what the tool is for, where the tool is for any image and what
    it lists are examples, and of a map of diffusion for a tool that states MRI alone.
    """
    kind, stated = kind_of(scan), field("modalities", tool.modalities)
    if kind is None:
        return judged("modality", None, None, stated)
    scan_kind = str(kind) if kind == scan.modality else f"{scan.modality}, {scan.sequence}"
    if LABELS in scan.notes:
        scan_kind = "label map"
    elif is_diffusion_map(scan):
        scan_kind = DIFFUSION_MAP
    return judged("modality", _suits(tool, scan, kind), scan_kind, stated)


def stated_kind_fit(tool: Tool, kind: Modality) -> Fit:
    """The verdict on a kind of image that a visitor states without a scan."""
    return modality_fit(tool, ScanInfo(format=codes.Format.DICOM, modality=kind))


def _suits(tool: Tool, scan: ScanInfo, kind: Modality) -> bool | None:
    modalities = tool.modalities
    if kind in modalities or KINDRED.get(kind) in modalities:
        return True
    wider = next((m for m in _widened(kind) if m in modalities), None)
    if wider is not None:
        parts = [m for m in modalities if wider in _widened(m)[1:]]
        for_other = is_diffusion_map(scan) and ANY_KIND.isdisjoint(tool.tasks[:MAIN_TASKS])
        return None if parts or for_other else True
    if scan.sequence:
        narrower = not set(MAYBE.get(scan.sequence, ())).isdisjoint(modalities)
    else:
        narrower = kind == Modality.OT or any(kind in _widened(m)[1:] for m in modalities)
    return None if narrower or _for_any_image(tool, kind) else False


@cache
def _widened(kind: Modality) -> tuple[Modality, ...]:
    lineage = modality_lineage(kind)
    return (*lineage, *(KINDRED[m] for m in lineage if m in KINDRED))


def _for_any_image(tool: Tool, kind: Modality) -> bool:
    """Whether a tool whose task does not depend on the kind may take this one too."""
    if kind == Modality.SEG:
        return "label" in tool.needs.data or not TAKES_LABELS.isdisjoint(tool.tasks[:MAIN_TASKS])
    if kind == Modality.RTSTRUCT and "contour" in tool.needs.data:
        return True
    if not tool.tasks or tool.tasks[0] not in ANY_KIND or _is_of_one_part(tool):
        return False
    if NO_IMAGE.issuperset(tool.modalities):
        # A viewer that lists documents names what it shows beside images.
        return True
    return any(_realm(kind) == _realm(one) is not None for one in tool.modalities)


def _is_of_one_part(tool: Tool) -> bool:
    """Whether a tool works by labels of a body part, or by a model trained on it, of some species.

    What labels vertebrae in an MR image is no program to annotate any image with.
    """
    is_trained = "model inference" in tool.tasks and "model training" not in tool.tasks
    of_any_species = not tool.species or "any" in tool.species
    return bool(tool.anatomy) and not of_any_species and (is_trained or "label" in tool.needs.data)


@cache
def _realm(kind: Modality) -> Modality | None:
    """Microscopy, or the images that radiology makes (named after CT); None for the rest."""
    widest = modality_lineage(kind)[-1]
    return Modality.CT if widest in RADIOLOGY else widest if widest in IMAGED else None


@cache
def volume_needs() -> Mapping[str, Mapping[str, list[str]]]:
    """What tasks and kinds of image need several volumes, and the words for such tasks."""
    text = files("retrieval.fit").joinpath("volumes.json").read_text("utf-8")
    table: Mapping[str, Any] = json.loads(text)
    return table


def works_in_time(tool: Tool) -> bool:
    """Whether a main task of a tool follows a signal or a thing over time."""
    return not set(volume_needs()["tasks"][IN_TIME]).isdisjoint(tool.tasks[:MAIN_TASKS])


def dimension_fit(tool: Tool, scan: ScanInfo, counts: UploadCounts = ONE_SCAN) -> Fit:
    """Pass when the tool takes what the scan is; several volumes may be a series in time.

    A plane over time is 2D; records of tools that work in time may count the time as a dimension.

    Unknown for a 4D tool where the upload has several volumes of the same shape and modality, and
    where the scan has more axes: no record states more than four. So are pages in colour for what
    takes pictures or volumes alone. One slice of a series is 2D as
    far as the file shows: whether the volume is there is unknown to a tool for volumes alone.
    """
    dimension_text = dimension_words(scan) or None
    holds: bool | None = scan.dimension in tool.dimensions
    if ALONE in scan.notes:
        holds = True if Dimension.D2 in tool.dimensions else None
        return judged("dimension", holds, LONE_SLICE, field("dimensions", tool.dimensions))
    if not GRIDLESS.isdisjoint(scan.notes):
        return judged("dimension", None, NO_GRID, field("dimensions", tool.dimensions))
    if MORE_AXES in scan.notes:
        dimension_text, holds = "more than 4D", None if holds else False
    if _is_colour_stack(scan) and not {Dimension.D2, Dimension.D3}.issubset(tool.dimensions):
        # Pages may be pictures, taken one by one, or the slices of a stained block.
        takes_pages = not {Dimension.D2, Dimension.D3}.isdisjoint(tool.dimensions)
        dimension_text, holds = COLOUR_PAGES, None if takes_pages else False
    if not holds and is_over_time(scan) and Dimension.D3 in tool.dimensions:
        holds = None if works_in_time(tool) else holds
    like = counts.volumes.get((scan.shape, scan.modality), 0)
    in_time = scan.dimension == Dimension.D3 and Dimension.D4 in tool.dimensions
    if not holds and in_time and like > 1:
        dimension_text, holds = f"3D, {like} volumes", None
    return judged("dimension", holds, dimension_text, field("dimensions", tool.dimensions))


def _is_colour_stack(scan: ScanInfo) -> bool:
    """Whether a file for pictures has several in colour: no scanner makes a volume of colours."""
    return COLOUR in scan.notes and scan.format in PICTURES and scan.dimension == Dimension.D3


def taken_together(tool: Tool) -> bool:
    """Whether a tool takes one image of each sequence that its record requires.

    Phases of contrast are alternatives, and a tool that takes one channel, or that judges the
    quality of images one by one, takes any; else the description tells ("T1, T2 or PD").
    """
    kinds = {WIDER.get(one, one) for one in tool.needs.sequences}
    if len(kinds) < 2 or tool.needs.channels == 1 or "quality control" in tool.tasks[:1]:
        return False
    return not _ALTERNATIVES.search(tool.description)


def _absent_sequences(tool: Tool, present: frozenset[codes.PulseSequence | None]) -> str:
    """The required sequences that an upload lacks, in words; empty where one is enough."""
    if not taken_together(tool):
        return ""
    wider = {WIDER[one] for one in present if one in WIDER}
    absent = [str(one) for one in tool.needs.sequences if one not in present | wider]
    return " and ".join(filter(None, (", ".join(absent[:-1]), *absent[-1:])))


def sequence_fit(tool: Tool, scan: ScanInfo, counts: UploadCounts = ONE_SCAN) -> Fit:
    """The sequence against those the tool names, or those its modalities make certain.

    A wider term passes (contrast for arterial); where the tool names the narrower, it is unknown.
    So it is where the tool takes several together and the upload lacks one.
    """
    sequences, name = tool.needs.sequences, "requirements.sequences"
    stated = field(name, sequences)
    if not sequences and tool.modalities and all(m in BY_MODALITY for m in tool.modalities):
        sequences = tuple(BY_MODALITY[m] for m in tool.modalities)
        stated = field("modalities", tool.modalities)
    holds: bool | None = scan.sequence in sequences
    if scan.sequence and not holds:
        if WIDER.get(scan.sequence) in sequences:
            holds = True
        elif any(WIDER.get(one) == scan.sequence for one in sequences):
            holds = None
    present = counts.sequences | {scan.sequence}
    if holds and (absent := _absent_sequences(tool, present)):
        return judged("sequence", None, str(scan.sequence), f"{stated}{ALSO}{absent}")
    return judged("sequence", holds, str(scan.sequence) if scan.sequence else None, stated)
