"""What is said once of the files that a request comes with, whatever the tools."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from retrieval.catalog import modality_of
from retrieval.core import Dimension, Fit, Modality, ScanInfo, Tool
from retrieval.fit.formats import VOLUMES, data_of, opening_formats
from retrieval.fit.kinds import modality_fit
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

MOSTLY = 0.75
"""The share of the tools for what is asked from which it is told that they state another kind of
image. Programs for everything state all kinds, so that there is seldom a task of which all do: 3D
Slicer names tractography and CT."""

NAMED_KINDS = 3
"""Kinds of image that such a remark names at most, the most frequent ones."""

APART = frozenset({"CT", "MRI", "PET", "US", "MG", "SM", "OP", "OCT"})
"""Kinds of image of which none is a kind of another: a file of one is none of the others."""

PARTNERED = re.compile(
    r"regist|recal|fus(?:e|ion)|\bali(?:gn|ne)|ausricht|overla[yi]|superpo|superimpos|überlager"
    r"|\b(?:combin|merg|compar|transfer|propagat|warp|map(?:s|ped|ping)? (?:on)?to)|normali[sz]"
    r"|synth[eé]|translat|harmoni|attenuation|partial volume|\b(?:guided|correct\w*) (?:by|with)",
    re.IGNORECASE,
)
"""What is done with two images, or makes one kind of another."""

JOINTS, REACH = (
    (
        frozenset(
            {"to", "onto", "on", "into", "with", "and", "from", "by", "using", "via", "against"}
        )
        | frozenset(
            {"mit", "auf", "zu", "zum", "an", "aus", "avec", "sur", "à", "con", "sobre", "a"}
        )
    ),
    2,
)
"""Words that join such a kind to another image, and how near: "to an MRI template", "the CT
contours to my scan"."""

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


def other_kind_remark(scans: Sequence[ScanInfo], requested: str, tools: Sequence[Tool]) -> str:
    """Says that the tools for what is asked state another kind of image; empty where they do not.

    ``tools`` are all of the catalog that state what is ``requested``, in words. Those that state
    neither a kind of image nor an input format are not counted; labels and documents are no kind.
    """
    images = [scan for scan in scans if scan.modality and data_of(scan) == "image"]
    if not images or len(images) < len(scans):
        return ""
    apart = [tool for tool in tools if _is_for_others(tool, images)]
    total = sum(bool(tool.modalities or tool.formats_in) for tool in tools)
    if not apart or len(apart) < MOSTLY * total:
        return ""
    counted = Counter(str(kind) for tool in apart for kind in tool.modalities)
    common = sorted(counted, key=lambda kind: (-counted[kind], kind))[:NAMED_KINDS]
    more = ", ..." if len(counted) > NAMED_KINDS else ""
    kinds = f" ({', '.join(common)}{more})" if common else ""
    own = " and ".join(dict.fromkeys(str(scan.modality) for scan in images))
    whose = f"your {'file' if len(images) == 1 else 'files'} ({own})"
    tools_of = "of the catalog whose record"
    facts = "kind of image or input formats"
    if total == 1:
        one = f"The one tool {tools_of} states {requested} and its {facts} states another"
        return f"{one}{kinds} than {whose}."
    number = "all" if len(apart) == total else str(len(apart))
    of = f"Of the {total} tools {tools_of}s state {requested} and their {facts}"
    return f"{of}, {number} state another{kinds} than {whose}."


def named_kind_remark(scans: Sequence[ScanInfo], named: Collection[str], text: str) -> str:
    """Says that the text names another kind of image than the files are; else empty.

    ``named`` are the kinds that the text names, as far as they were read: where the kind of a file
    stands in it all the same, as CT does in PET/CT, nothing is said; nor where the one kind named
    may be that of another image: "fuse the CT with my scan".
    """
    kinds = {str(scan.modality) for scan in scans if data_of(scan) == "image"}
    words = {str(modality_of(word)) for word in re.findall(r"\w+", text)}
    if len(kinds) != 1 or not named or not (kinds | set(named)) <= APART:
        return ""
    [own] = kinds
    if own in named or own in words or (len(named) == 1 and _is_of_partner(text, *named)):
        return ""
    files = "file is" if len(scans) == 1 else "files are"
    return f"You name {' and '.join(sorted(named))}; by header or name your {files} {own}."


def _is_of_partner(text: str, kind: str) -> bool:
    """Whether a kind of image stands by a word that joins it to another image."""
    words = re.findall(r"\w+", text.casefold())
    places = [n for n, word in enumerate(words) if str(modality_of(word)) == kind]
    beside = {w for n in places for w in (*words[max(0, n - REACH) : n], *words[n + 1 :][:REACH])}
    return PARTNERED.search(text) is not None and not JOINTS.isdisjoint(beside)


def _is_for_others(tool: Tool, images: Iterable[ScanInfo]) -> bool:
    """Whether a tool states other kinds than all images, or other formats alone."""
    if tool.modalities:
        return all(modality_fit(tool, scan).verdict == "fail" for scan in images)
    # A volume becomes another volume; what reads tables or sequences alone reads none.
    readable = VOLUMES | {form for scan in images for form in opening_formats(scan)}
    return bool(tool.formats_in) and readable.isdisjoint(tool.formats_in)
