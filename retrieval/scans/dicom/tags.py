"""The allow-list: every DICOM element whose value is looked at, and the names for the ledger."""

from __future__ import annotations

from typing import Final

#: Read as closed codes and numbers; these may leave the process as such.
FACTS: Final = {
    0x00080008: "ImageType",
    0x00080016: "SOPClassUID",
    0x00080060: "Modality",
    0x00089209: "AcquisitionContrast",
    0x00180015: "BodyPartExamined",
    0x00180020: "ScanningSequence",
    0x00180025: "AngioFlag",
    0x00180050: "SliceThickness",
    0x00180080: "RepetitionTime",
    0x00180081: "EchoTime",
    0x00180082: "InversionTime",
    0x00180088: "SpacingBetweenSlices",
    0x00181120: "GantryDetectorTilt",
    0x00181164: "ImagerPixelSpacing",
    0x00189005: "PulseSequenceName",
    0x00189087: "DiffusionBValue",
    0x00200013: "InstanceNumber",
    0x00200032: "ImagePositionPatient",
    0x00200037: "ImageOrientationPatient",
    0x00200100: "TemporalPositionIdentifier",
    0x00201041: "SliceLocation",
    0x00209311: "DimensionOrganizationType",
    0x00280002: "SamplesPerPixel",
    0x00280004: "PhotometricInterpretation",
    0x00280006: "PlanarConfiguration",
    0x00280008: "NumberOfFrames",
    0x00280010: "Rows",
    0x00280011: "Columns",
    0x00280030: "PixelSpacing",
    0x00280100: "BitsAllocated",
    0x00280101: "BitsStored",
    0x00280102: "HighBit",
    0x00280103: "PixelRepresentation",
    0x00281050: "WindowCenter",
    0x00281051: "WindowWidth",
    0x00281052: "RescaleIntercept",
    0x00281053: "RescaleSlope",
    0x00281054: "RescaleType",
    0x00480006: "TotalPixelMatrixColumns",
    0x00480007: "TotalPixelMatrixRows",
    0x00541000: "SeriesType",
    0x00620001: "SegmentationType",
    0x3004000C: "GridFrameOffsetVector",
}

#: Matched against closed word lists inside the process; their text goes nowhere.
WORDS: Final = {
    0x0008103E: "SeriesDescription",
    0x00181030: "ProtocolName",
    0x00180024: "SequenceName",
}

#: Compared for equality inside the process (which files belong together), then forgotten.
LINKS: Final = {
    0x00080018: "SOPInstanceUID",
    0x0020000D: "StudyInstanceUID",
    0x0020000E: "SeriesInstanceUID",
    0x00200052: "FrameOfReferenceUID",
}

PATIENT_ID: Final = 0x00100020
CONTRAST_AGENT: Final = 0x00180010
MOSAIC_IMAGES: Final = 0x0019100A
SHARED_GROUPS: Final = 0x52009229
FRAME_GROUPS: Final = 0x52009230

WANTED: Final = frozenset({*FACTS, *WORDS, *LINKS, MOSAIC_IMAGES})

#: Counted when present and not empty, never read (PS3.15 table E.1-1 and private groups).
IDENTIFYING: Final = {
    0x00080012: "InstanceCreationDate",
    0x00080020: "StudyDate",
    0x00080021: "SeriesDate",
    0x00080022: "AcquisitionDate",
    0x00080023: "ContentDate",
    0x00080030: "StudyTime",
    0x00080050: "AccessionNumber",
    0x00080080: "InstitutionName",
    0x00080081: "InstitutionAddress",
    0x00080090: "ReferringPhysicianName",
    0x00081010: "StationName",
    0x00081030: "StudyDescription",
    0x0008103E: "SeriesDescription",
    0x00081040: "InstitutionalDepartmentName",
    0x00081048: "PhysiciansOfRecord",
    0x00081050: "PerformingPhysicianName",
    0x00081060: "NameOfPhysiciansReadingStudy",
    0x00081070: "OperatorsName",
    0x00100010: "PatientName",
    0x00100020: "PatientID",
    0x00100030: "PatientBirthDate",
    0x00100032: "PatientBirthTime",
    0x00100040: "PatientSex",
    0x00101000: "OtherPatientIDs",
    0x00101001: "OtherPatientNames",
    0x00101005: "PatientBirthName",
    0x00101010: "PatientAge",
    0x00101030: "PatientWeight",
    0x00101040: "PatientAddress",
    0x00102154: "PatientTelephoneNumbers",
    0x00102160: "EthnicGroup",
    0x00104000: "PatientComments",
    0x00181000: "DeviceSerialNumber",
    0x00181030: "ProtocolName",
    0x00200010: "StudyID",
    0x00204000: "ImageComments",
    0x00321032: "RequestingPhysician",
    0x00321060: "RequestedProcedureDescription",
    0x00400006: "ScheduledPerformingPhysicianName",
    0x00400244: "PerformedProcedureStepStartDate",
    0x00400253: "PerformedProcedureStepID",
    0x00400254: "PerformedProcedureStepDescription",
    0x00401001: "RequestedProcedureID",
    0x0040A123: "PersonName",
}
PRIVATE: Final = "private group"
