"""DICOM: from bytes to series."""
