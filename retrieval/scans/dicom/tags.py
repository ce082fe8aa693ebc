"""DICOM elements: the allow-list, the names for the ledger, and values as numbers and words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

from pydicom.dataset import Dataset
from pydicom.errors import BytesLengthException
from pydicom.tag import Tag

_BAD = (
    ValueError,
    TypeError,
    AttributeError,
    NotImplementedError,  # pydicom's, for a value representation that it does not know
    LookupError,
    OverflowError,
    BytesLengthException,
)
_LONGEST = 4096


def tags_of(keywords: str) -> dict[int, str]:
    """Keywords by their tags in pydicom's dictionary (PS3.6); a ValueError for one it lacks."""
    return {int(Tag(keyword)): keyword for keyword in keywords.split()}


#: Read as closed codes and numbers; these may leave the process as such.
FACTS: Final = tags_of(
    "ImageType SOPClassUID Modality AcquisitionContrast BodyPartExamined ScanningSequence "
    "AngioFlag SliceThickness RepetitionTime EchoTime InversionTime SpacingBetweenSlices "
    "GantryDetectorTilt ImagerPixelSpacing PulseSequenceName DiffusionBValue InstanceNumber "
    "ImagePositionPatient ImageOrientationPatient TemporalPositionIdentifier SliceLocation "
    "DimensionOrganizationType SamplesPerPixel PhotometricInterpretation PlanarConfiguration "
    "NumberOfFrames Rows Columns PixelSpacing BitsAllocated BitsStored HighBit "
    "PixelRepresentation WindowCenter WindowWidth RescaleIntercept RescaleSlope RescaleType "
    "TotalPixelMatrixColumns TotalPixelMatrixRows SeriesType SegmentationType "
    "GridFrameOffsetVector"
)

#: Matched against closed word lists inside the process; their text goes nowhere.
WORDS: Final = tags_of("SeriesDescription ProtocolName SequenceName")

#: Compared for equality inside the process (which files belong together), then forgotten.
STUDY, SERIES, INSTANCE, FRAME = 0x0020000D, 0x0020000E, 0x00080018, 0x00200052
LINKS: Final = tags_of("SOPInstanceUID StudyInstanceUID SeriesInstanceUID FrameOfReferenceUID")

PATIENT_ID: Final = 0x00100020
CONTRAST_AGENT: Final = 0x00180010
MOSAIC_GROUP: Final = 0x0019
MOSAIC_CREATOR: Final = b"SIEMENS MR HEADER"
#: The count of a mosaic's slices: the last byte of an element in the block of that creator.
MOSAIC_IMAGES: Final = 0x0A
SHARED_GROUPS: Final = 0x52009229
FRAME_GROUPS: Final = 0x52009230

WANTED: Final = frozenset({*FACTS, *WORDS, *LINKS})

#: Counted when present and not empty, never read (PS3.15 table E.1-1 and private groups).
IDENTIFYING: Final = tags_of(
    "InstanceCreationDate StudyDate SeriesDate AcquisitionDate ContentDate StudyTime "
    "AccessionNumber InstitutionName InstitutionAddress ReferringPhysicianName StationName "
    "StudyDescription SeriesDescription InstitutionalDepartmentName PhysiciansOfRecord "
    "PerformingPhysicianName NameOfPhysiciansReadingStudy OperatorsName PatientName PatientID "
    "PatientBirthDate PatientBirthTime PatientSex OtherPatientIDs OtherPatientNames "
    "PatientBirthName PatientAge PatientWeight PatientAddress PatientTelephoneNumbers EthnicGroup "
    "PatientComments DeviceSerialNumber ProtocolName StudyID ImageComments RequestingPhysician "
    "RequestedProcedureDescription ScheduledPerformingPhysicianName "
    "PerformedProcedureStepStartDate PerformedProcedureStepID PerformedProcedureStepDescription "
    "RequestedProcedureID PersonName"
)
PRIVATE: Final = "private group"


def is_of_mosaic(tag: int) -> bool:
    """Whether the element may name the creator of a block, or hold the count of its slices."""
    group, element = tag >> 16, tag & 0xFFFF
    return group == MOSAIC_GROUP and (element < 0x100 or element & 0xFF == MOSAIC_IMAGES)


def _value(values: Dataset, name: str) -> Any:  # noqa: ANN401 - pydicom's values have any type
    try:
        return values.get(name)
    except _BAD:
        return None


def words(values: Dataset, name: str) -> tuple[str, ...]:
    """Each value as upper-case text without padding.

    Empty where the element is missing or pydicom cannot read it; each is cut at 4,096 letters.
    """
    value = _value(values, name)
    parts = [value] if isinstance(value, str) else value if isinstance(value, Iterable) else []
    return tuple(str(part)[:_LONGEST].strip(" \0").upper() for part in parts)


def word(values: Dataset, name: str) -> str:
    """The value as upper-case text; several values are no value."""
    parts = words(values, name)
    return parts[0] if len(parts) == 1 else ""


def numbers(values: Dataset, name: str) -> tuple[float, ...]:
    """Each value as a finite number; nothing when one of them is not.

    A whole tuple or none: half of a position or spacing would be taken for something else.
    """
    value = _value(values, name)
    if value is None or isinstance(value, bytes):
        return ()
    many = isinstance(value, Iterable) and not isinstance(value, str)
    try:
        parsed = tuple(float(part) for part in (value if many else [value]))
    except _BAD:
        return ()
    return parsed if all(math.isfinite(number) for number in parsed) else ()


def number(values: Dataset, name: str) -> float | None:
    """The first of the numbers."""
    parts = numbers(values, name)
    return parts[0] if parts else None


def count(values: Dataset, name: str) -> int | None:
    """A single whole number."""
    parts = numbers(values, name)
    return int(parts[0]) if len(parts) == 1 and parts[0] == int(parts[0]) else None
