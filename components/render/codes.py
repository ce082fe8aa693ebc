"""Words for the values and fields of a record: for codes, licences and names of fields."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from retrieval import Fit

NAMES = {
    "SM": "slide microscopy",
    "GM": "general microscopy",
    "US": "ultrasound",
    "XR": "X-ray",
    "XA": "X-ray angiography",
    "MG": "mammography",
    "IO": "intra-oral radiography",
    "PX": "panoramic X-ray",
    "BMD": "bone densitometry",
    "XC": "camera photography",
    "OP": "eye photography",
    "OPT": "eye tomography",
    "ES": "endoscopy",
    "NM": "nuclear medicine",
    "RF": "fluoroscopy",
    "SEG": "segmentation",
    "REG": "registration",
    "SR": "structured report",
    "PR": "presentation state",
    "KO": "key object selection",
    "OT": "other kind of image",
    "RTSTRUCT": "radiotherapy structures",
    "RTPLAN": "radiotherapy plan",
    "RTDOSE": "radiotherapy dose",
    "RTIMAGE": "radiotherapy image",
}
"""Modality codes of DICOM (PS3.3, C.7.3.1.1.1) and, for X-ray, of the catalog.

Left out are the short names by which the field itself calls a method: MRI, CT, PET, OCT, ASL."""

FIELDS = {
    "tasks": "does",
    "formats_in": "reads",
    "formats_out": "writes",
    "modalities": "works on",
    "dimensions": "dimension",
    "interfaces": "used from",
    "platforms": "runs on",
    "languages": "language",
    "gpu": "GPU",
    "license": "licence",
    "license_weights": "licence of the weights",
    "license_data": "licence of the training data",
    "license_output": "licence of the output",
    "last_release": "last release",
    "last_release or last_commit": "last release or commit",
    "requires_tool": "needs",
    "compatible_with": "works with",
    "requirements.data": "needs",
    "requirements.orientation": "orientation",
    "requirements.channels": "channels",
    "requirements.units": "units",
    "requirements.spacing": "spacing",
    "requirements.min_slices": "slices needed",
    "requirements.sequences": "sequences",
    "requirements.gpu_gb": "GPU memory",
    "requirements.ram_gb": "memory",
}
"""What a field of a record says, for people."""

OWN = re.compile(r"LicenseRef-([A-Za-z0-9.-]*[A-Za-z0-9])")
"""A licence of a tool's own, in an expression (SPDX 2.3, 10.1), without a full stop behind it."""

CODES_IN_TEXT = re.compile(rf"{OWN.pattern}|(?<![\w./:-])(?:{'|'.join(NAMES)})(?![\w/-])")
LISTS = frozenset({"modality", "licence"})
"""Heads of the lines about a remark that are followed by values; after others stand words typed."""


def code_name(value: str) -> str:
    """The words for one value: the name of a code, a licence without ``LicenseRef-``, or itself."""
    return NAMES.get(value) or OWN.sub(_name_of_code, value)


def value_words(text: str) -> str:
    """A text of values and words of the library, every code and licence in it by its name."""
    return CODES_IN_TEXT.sub(_name_of_code, text)


def _name_of_code(match: re.Match[str]) -> str:
    """A code by its name; terms of a tool's own are marked as such."""
    return NAMES.get(match[0]) or f"{match[1].replace('-', ' ')} (own terms)"


def field_name(name: str) -> str:
    """What a field says, or its name without underscores."""
    return FIELDS.get(name, name.replace("_", " "))


def evidence_words(text: str) -> str:
    """A field with its values, as ``formats_in: DICOM``, for people; else only the values."""
    field, sign, values = text.partition(": ")
    labelled_text = f"{FIELDS[field]}{sign}{values}" if field in FIELDS else text
    return value_words(labelled_text)


def by_kind(facts: Iterable[str]) -> list[str]:
    """Facts of one kind as one: ``sequence: T1, T2`` for two sequences."""
    kinds: dict[str, list[str]] = {}
    for fact in facts:
        kind, _, value = fact.partition(": ")
        kinds.setdefault(kind, []).extend([value] if value else ())
    return [f"{kind}: {', '.join(values)}" if values else kind for kind, values in kinds.items()]


def fit_words(fit: Fit) -> Fit:
    """A verdict with its values in words; the library reads the names of fields, so they stay."""
    scan, tool, wish = (text and value_words(text) for text in (fit.scan, fit.tool, fit.asked))
    return replace(fit, scan=scan, tool=tool, asked=wish)


def line_words(line: str) -> str:
    """A line on what was understood of a remark; only what follows as values is put in words."""
    head, sign, tail = line.partition(": ")
    return f"{head}{sign}{value_words(tail)}" if head in LISTS else line


def token_words(token: str) -> str:
    """``CT`` of ``format:CT``, ``quality control`` of ``task:quality_control``, for people."""
    return code_name(token.removeprefix("format:").removeprefix("task:").replace("_", " "))


def tokens_named(tokens: Iterable[str]) -> str:
    """Tokens as they enter a search, each after its words: ``slide microscopy (format:SM)``."""
    return ", ".join(f"{token_words(token)} ({token})" for token in tokens)
