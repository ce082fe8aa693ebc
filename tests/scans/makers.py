"""Scans made on the spot with pydicom, nibabel and a few bytes."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from pathlib import Path

import nibabel
import numpy as np
import pydicom
from pydicom.dataset import FileDataset, FileMetaDataset
from pydicom.uid import (
    CTImageStorage,
    EnhancedCTImageStorage,
    EnhancedMRImageStorage,
    ExplicitVRLittleEndian,
    MRImageStorage,
    PositronEmissionTomographyImageStorage,
    SecondaryCaptureImageStorage,
    UltrasoundMultiFrameImageStorage,
    generate_uid,
)

from retrieval.scans.reader.blob import Blob

SHARED = Path(__file__).parents[2].parent / "shared" / "scans"
CLASSES = {
    "CT": CTImageStorage,
    "MR": MRImageStorage,
    "PT": PositronEmissionTomographyImageStorage,
    "US": UltrasoundMultiFrameImageStorage,
    "SC": SecondaryCaptureImageStorage,
}
ENHANCED = {"CT": EnhancedCTImageStorage, "MR": EnhancedMRImageStorage}
_IN_GROUPS = (
    *("ImagePositionPatient", "ImageOrientationPatient", "PixelSpacing", "SliceThickness"),
    *("RescaleSlope", "RescaleIntercept"),
)


def hounsfield(shape: Sequence[int], seed: int = 0) -> np.ndarray:
    """Air, fat and tissue, as a CT slice has them."""
    values = np.random.default_rng(seed).integers(-100, 200, shape)
    values[: shape[0] // 3] = -1000
    return values.astype("<i2")


def dicom(path: Path, modality: str = "CT", seed: int = 0, **tags: object) -> Path:
    """One file. A tag given as None is left out; every other keyword is a DICOM keyword."""
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    values: dict[str, object] = {
        "SOPClassUID": CLASSES.get(modality, SecondaryCaptureImageStorage),
        "SOPInstanceUID": generate_uid(),
        "StudyInstanceUID": "1.2.3",
        "SeriesInstanceUID": "1.2.3.4",
        "FrameOfReferenceUID": "1.2.3.9",
        "PatientID": "person",
        "Modality": modality,
        "ImageType": ["ORIGINAL", "PRIMARY", "AXIAL"],
        "ImagePositionPatient": [0, 0, 0],
        "ImageOrientationPatient": [1, 0, 0, 0, 1, 0],
        "PixelSpacing": [0.7, 0.7],
        "SliceThickness": 2,
        "Rows": 32,
        "Columns": 32,
        "SamplesPerPixel": 1,
        "PhotometricInterpretation": "MONOCHROME2",
        "BitsAllocated": 16,
        "BitsStored": 16,
        "HighBit": 15,
        "PixelRepresentation": 1,
    }
    if modality == "CT":
        values |= {"RescaleSlope": 1, "RescaleIntercept": 0}
    values |= tags
    frames = int(str(values.get("NumberOfFrames") or 1))
    rows, columns = int(str(values["Rows"] or 4)), int(str(values["Columns"] or 4))
    if "PixelData" not in values:
        samples = int(str(values["SamplesPerPixel"]))
        pixels = hounsfield((rows * frames, columns * samples), seed)
        values["PixelData"] = (
            pixels.astype("u1") if values["BitsAllocated"] == 8 else pixels
        ).tobytes()
    meta.MediaStorageSOPClassUID = values["SOPClassUID"] or CTImageStorage
    meta.MediaStorageSOPInstanceUID = values["SOPInstanceUID"] or generate_uid()
    found = FileDataset("", {}, file_meta=meta, preamble=b"\0" * 128)
    for name, value in values.items():
        if value is not None:
            setattr(found, name, value)
    path.parent.mkdir(parents=True, exist_ok=True)
    found.save_as(path, enforce_file_format=True)
    return path


def series(folder: Path, heights: Sequence[float], modality: str = "CT", **tags: object) -> Path:
    """A folder with one file per height, in the order given."""
    for k, height in enumerate(heights):
        place = {"ImagePositionPatient": [-10, -10, height]} | tags
        dicom(folder / f"{k:04}", modality, seed=k, **place)
    return folder


def enhanced(
    path: Path,
    positions: Sequence[float | Sequence[float]],
    modality: str = "MR",
    transform: dict[str, object] | None = None,
    **tags: object,
) -> Path:
    """An enhanced multi-frame object with functional groups; a bare number is a height.

    ``transform`` holds the keywords of its pixel value transformation.
    """
    orientation = tags.pop("ImageOrientationPatient", [1, 0, 0, 0, 1, 0])
    own = {"SOPClassUID": ENHANCED[modality], "NumberOfFrames": len(positions)} | tags
    dicom(path, modality, 0, **dict.fromkeys(_IN_GROUPS) | own)
    found = pydicom.dcmread(path)
    shared, measures, plane = pydicom.Dataset(), pydicom.Dataset(), pydicom.Dataset()
    measures.PixelSpacing, measures.SliceThickness = [1.5, 1.5], 3
    plane.ImageOrientationPatient = orientation
    shared.PixelMeasuresSequence, shared.PlaneOrientationSequence = [measures], [plane]
    if transform:
        values = pydicom.Dataset()
        for name, value in transform.items():
            setattr(values, name, value)
        shared.PixelValueTransformationSequence = [values]
    found.SharedFunctionalGroupsSequence = [shared]
    frames = []
    for position in positions:
        frame, place = pydicom.Dataset(), pydicom.Dataset()
        placed = [0, 0, position] if isinstance(position, int | float) else list(position)
        place.ImagePositionPatient = placed
        frame.PlanePositionSequence = [place]
        frames.append(frame)
    found.PerFrameFunctionalGroupsSequence = frames
    found.save_as(path)
    return path


def smooth(shape: Sequence[int]) -> np.ndarray:
    """A volume of intensities that are neither labels nor Hounsfield units."""
    return np.random.default_rng(3).gamma(4.0, 60.0, shape).astype(np.float32)


def nifti(
    path: Path,
    data: np.ndarray,
    zooms: Sequence[float] = (1, 1, 1),
    descrip: bytes = b"",
    intent: int = 0,
    shift: float = 0.0,
    image: type = nibabel.Nifti1Image,
) -> Path:
    """A NIfTI file with sform and qform."""
    affine = np.diag([*map(float, zooms[:3]), 1.0])
    affine[0, 3] = shift
    made = image(data, affine)
    made.header["descrip"] = descrip
    made.header["intent_code"] = intent
    path.parent.mkdir(parents=True, exist_ok=True)
    nibabel.save(made, path)
    return path


def labels(shape: Sequence[int]) -> np.ndarray:
    """Two boxes on a background."""
    made = np.zeros(shape, np.uint8)
    made[2:6, 2:8, 2:8] = 1
    made[7:10, 2:8, 2:8] = 2
    return made


def tiff(
    path: Path, pages: int, description: bytes = b"", order: str = "<", big: bool = False
) -> Path:
    """An 8x6 grey TIFF of so many pages, classic or big."""
    code, entry_code = ("Q", "Q") if big else ("I", "I")
    mark = b"II" if order == "<" else b"MM"
    head = mark + struct.pack(order + "H", 43 if big else 42)
    head += struct.pack(order + "HHQ", 8, 0, 16) if big else struct.pack(order + "I", 8)
    at, parts = len(head), []
    for page in range(pages):
        text = (description + b"\0") if page == 0 and description else b""
        entries = [(256, 3, 8), (257, 3, 6), (258, 3, 8), (259, 3, 1), (262, 3, 1), (277, 3, 1)]
        count = len(entries) + 2 + bool(text)
        size = (8 + 20 * count + 8) if big else (2 + 12 * count + 4)
        strip, words = at + size, at + size + 48
        if text:
            entries.append((270, 2, words))
        entries += [(273, 4, strip), (279, 4, 48)]
        raw = struct.pack(order + ("Q" if big else "H"), count)
        for tag, kind, value in sorted(entries):
            number = len(text) if tag == 270 else 1
            raw += struct.pack(order + "HH" + entry_code, tag, kind, number)
            short = (
                struct.pack(order + "H", value) if kind == 3 else struct.pack(order + code, value)
            )
            raw += short.ljust(8 if big else 4, b"\0")
        at = words + len(text)
        raw += struct.pack(order + code, at if page < pages - 1 else 0)
        parts.append(raw + bytes(48) + text)
    path.write_bytes(head + b"".join(parts))
    return path


def blob(data: bytes, name: str = "x") -> Blob:
    """A file of these bytes that lies on no disk."""
    return Blob(name=name, size=len(data), opener=lambda: io.BytesIO(data), at=(1, None))
