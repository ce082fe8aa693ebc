"""Synthetic scans for pictures and demonstrations; no data of any person is in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.uid import UID, CTImageStorage, ExplicitVRLittleEndian, generate_uid

SIZE, SLICES, PIXEL_MM, SLICE_MM = 256, 24, 1.4, 5.0
AIR, LUNG, TISSUE, BONE = -1000, -820, 40, 700


def chest(slices: int = SLICES) -> NDArray[np.int16]:
    """A chest in Hounsfield units, shape (slices, rows, columns): body, lungs, spine, ribs."""
    rows, columns = np.mgrid[0:SIZE, 0:SIZE].astype(np.float64)
    volume = np.full((slices, SIZE, SIZE), AIR, dtype=np.float64)
    for number in range(slices):
        width = np.sin(np.pi * (number + 3) / (slices + 6))
        plane = volume[number]
        plane[_ellipse(rows, columns, (128, 128), (84, 112))] = TISSUE
        for side in (-1, 1):
            lung = _ellipse(rows, columns, (122, 128 + side * 50), (62 * width, 40 * width))
            plane[lung] = LUNG
        plane[_ellipse(rows, columns, (120, 140), (30 * width, 26 * width))] = TISSUE + 5
        plane[_ellipse(rows, columns, (188, 128), (16, 14))] = BONE
        plane[_ring(rows, columns, number)] = BONE
    noise = np.random.default_rng(0).normal(0, 12, volume.shape)
    return (volume + noise).astype(np.int16)


def _ellipse(
    rows: NDArray[np.float64],
    columns: NDArray[np.float64],
    centre: tuple[float, float],
    half: tuple[float, float],
) -> NDArray[np.bool_]:
    down, across = (rows - centre[0]) / max(half[0], 1), (columns - centre[1]) / max(half[1], 1)
    return np.asarray(down**2 + across**2 <= 1)


def _ring(
    rows: NDArray[np.float64], columns: NDArray[np.float64], number: int
) -> NDArray[np.bool_]:
    angle = np.arctan2(rows - 128, columns - 128)
    radius = np.hypot((rows - 128) / 76, (columns - 128) / 104)
    return np.asarray((np.abs(radius - 1) < 0.035) & (np.sin(9 * angle + number) > 0.2))


def chest_ct(folder: Path, *, step: int = 1) -> list[Path]:
    """Write the chest as one CT series; files in order of position, without any name in them.

    Every ``step``-th pixel is kept, so that small examples stay small.
    """
    folder.mkdir(parents=True, exist_ok=True)
    volume = chest()[:, ::step, ::step]
    return [_slice(folder, plane, n, PIXEL_MM * step) for n, plane in enumerate(volume)]


def _uid(what: str) -> UID:
    return generate_uid(entropy_srcs=["scanscout chest", what])


def _slice(folder: Path, plane: NDArray[np.int16], number: int, pixel_mm: float) -> Path:
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = CTImageStorage
    meta.MediaStorageSOPInstanceUID = _uid(f"slice {number} of {pixel_mm} mm")
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    path = folder / f"{number:03}.dcm"
    scan = FileDataset(str(path), Dataset(), file_meta=meta, preamble=b"\0" * 128)
    scan.SOPClassUID, scan.SOPInstanceUID = CTImageStorage, meta.MediaStorageSOPInstanceUID
    scan.StudyInstanceUID, scan.SeriesInstanceUID = _uid("study"), _uid(f"{pixel_mm} mm")
    scan.Modality, scan.BodyPartExamined = "CT", "CHEST"
    scan.ImageType = ["ORIGINAL", "PRIMARY", "AXIAL"]
    scan.ImagePositionPatient = [-180.0, -180.0, number * SLICE_MM]
    scan.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
    scan.PixelSpacing, scan.SliceThickness = [pixel_mm, pixel_mm], SLICE_MM
    scan.InstanceNumber = number + 1
    scan.Rows, scan.Columns = plane.shape
    scan.SamplesPerPixel, scan.PhotometricInterpretation = 1, "MONOCHROME2"
    scan.BitsAllocated, scan.BitsStored, scan.HighBit, scan.PixelRepresentation = 16, 16, 15, 1
    scan.RescaleIntercept, scan.RescaleSlope, scan.RescaleType = 0, 1, "HU"
    scan.PixelData = plane.tobytes()
    scan.save_as(path, enforce_file_format=True)
    return path
