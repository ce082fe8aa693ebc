"""Names of codes that few people know by heart; every other value stays as it is."""

from __future__ import annotations

NAMES = {
    "SM": "slide microscopy",
    "US": "ultrasound",
    "XR": "X-ray",
    "XC": "camera photography",
    "OP": "eye photography",
    "ES": "endoscopy",
    "NM": "nuclear medicine",
    "RF": "fluoroscopy",
    "SR": "structured report",
    "PR": "presentation state",
    "KO": "key object selection",
    "OT": "other kind of image",
    "RTSTRUCT": "radiotherapy structures",
    "RTPLAN": "radiotherapy plan",
    "RTDOSE": "radiotherapy dose",
    "RTIMAGE": "radiotherapy image",
}
"""Modality codes of DICOM (PS3.3, C.7.3.1.1.1) and, for X-ray, of the catalog."""


FIELDS = {
    "formats_in": "reads",
    "modalities": "works on",
    "dimensions": "dimension",
    "license": "licence",
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


def evidence_words(text: str) -> str:
    """A field with its values, as ``formats_in: DICOM``, for people; other text as it is."""
    field, sign, values = text.partition(": ")
    return f"{FIELDS[field]}{sign}{values}" if field in FIELDS else text


def code_name(value: str) -> str:
    """The name of a code, or the value itself."""
    return NAMES.get(value, value)
