"""The allow-list: every DICOM element whose value is looked at, and the names for the ledger."""

from __future__ import annotations

from typing import Final

from pydicom.tag import Tag


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
MOSAIC_IMAGES: Final = 0x0019100A
SHARED_GROUPS: Final = 0x52009229
FRAME_GROUPS: Final = 0x52009230

WANTED: Final = frozenset({*FACTS, *WORDS, *LINKS, MOSAIC_IMAGES})

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
