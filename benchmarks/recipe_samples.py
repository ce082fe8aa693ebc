"""The files that recipes are run on: sample scans of the package, and what is made from them."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
import pydicom
from PIL import Image, ImageSequence
from scipy.ndimage import rotate

from benchmarks.recipe_phantoms import PHANTOMS

EXAMPLES = Path(__file__).parents[1] / "assets" / "examples"


def put_files(files: dict[str, str], folder: Path) -> None:
    """Put each file, by its name in a recipe's text, into the folder.

    The other name is a sample of the package, ``folder`` for an empty one, or something made from a
    sample by a function of this module. A zip is unpacked into a folder of the name.
    """
    for name, source in files.items():
        place = folder / name
        if source == "folder":
            place.mkdir()
        elif source in MADE:
            MADE[source](place)
        elif source.endswith(".zip"):
            with zipfile.ZipFile(EXAMPLES / source) as packed:
                packed.extractall(place)
        else:
            shutil.copy(EXAMPLES / source, place)


def brain_mask(place: Path) -> None:
    """Every labelled voxel of the sample brain, as NIfTI."""
    labels: Any = nib.load(EXAMPLES / "brain_labels.nii.gz")
    mask = (np.asarray(labels.dataobj) > 0).astype(np.uint8)
    image: Any = nib.Nifti1Image
    nib.save(image(mask, labels.affine), place)


def plane(place: Path) -> None:
    """One plane of the first channel of the sample nuclei, as TIFF."""
    Image.fromarray(_planes()[0]).save(place, "TIFF")


def stack(place: Path) -> None:
    """The first six planes of the sample nuclei, as TIFF of 32-bit numbers."""
    _save_stack(_planes()[:6], place)


def blur(place: Path) -> None:
    """A Gaussian point spread function of five planes, as TIFF."""
    _save_stack(_spread(np.ogrid[-2:3, -4:5, -4:5]), place)


def flat_blur(place: Path) -> None:
    """A Gaussian point spread function of one plane, as TIFF."""
    _save_stack(_spread(np.ogrid[-4:5, -4:5])[None], place)


def _planes() -> np.ndarray:
    with Image.open(EXAMPLES / "nuclei.ome.tif") as whole:
        return np.stack([np.asarray(one) for one in ImageSequence.Iterator(whole)])


def _spread(axes: tuple[np.ndarray, ...]) -> np.ndarray:
    distance = sum((axis.astype(float) ** 2 for axis in axes), np.zeros(1))
    spread: np.ndarray = np.exp(-distance / 4)
    return np.asarray(spread / spread.sum())


def _save_stack(planes: np.ndarray, place: Path) -> None:
    first, *rest = [Image.fromarray(one.astype(np.float32)) for one in planes]
    first.save(place, "TIFF", save_all=True, append_images=rest)


def sinogram(place: Path) -> None:
    """Parallel projections of a slice of the sample CT over 60 angles: views, detector pixels."""
    with (
        zipfile.ZipFile(EXAMPLES / "chest_ct.zip") as packed,
        packed.open(_slices(packed)[12]) as one,
    ):
        pixels = pydicom.dcmread(io.BytesIO(one.read())).pixel_array.astype(np.float32)
    angles = np.linspace(0, 180, 60, endpoint=False)
    views = [rotate(pixels, -angle, reshape=False, order=1).sum(axis=0) for angle in angles]
    np.save(place, np.stack(views).astype(np.float32))


def one_slice(place: Path) -> None:
    """One file of the sample CT."""
    with zipfile.ZipFile(EXAMPLES / "chest_ct.zip") as packed:
        place.write_bytes(packed.read(_slices(packed)[0]))


def _slices(packed: zipfile.ZipFile) -> list[str]:
    return sorted(name for name in packed.namelist() if name.endswith(".dcm"))


def anonymizer_rules(place: Path) -> None:
    """A rule of dicom-anonymizer: empty the study's description."""
    place.write_text(json.dumps({"(0x0008, 0x1030)": "empty"}), "utf-8")


def bids_rules(place: Path) -> None:
    """A configuration of dcm2bids that takes every series as a T1 image."""
    rule = {"datatype": "anat", "suffix": "T1w", "criteria": {"SeriesNumber": "*"}}
    place.write_text(json.dumps({"descriptions": [rule]}), "utf-8")


MADE: dict[str, Callable[[Path], None]] = {
    "brain mask": brain_mask,
    "one plane": plane,
    "stack": stack,
    "blur": blur,
    "flat blur": flat_blur,
    "sinogram": sinogram,
    "one slice": one_slice,
    "rules of dicom-anonymizer": anonymizer_rules,
    "rules of dcm2bids": bids_rules,
    **PHANTOMS,
}
"""What is made, by the name that recipe_runs.json uses."""
