"""Series and data sets that are no sample of the package, made for recipes."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
import pydicom
from PIL import Image
from scipy.ndimage import binary_erosion

EXAMPLES = Path(__file__).parents[1] / "assets" / "examples"
ECHOES = (5.0, 10.0, 15.0, 20.0, 30.0)
"""Echo times in ms of the gradient-echo series."""


def _brain(name: str) -> tuple[np.ndarray, np.ndarray]:
    loaded: Any = nib.load(EXAMPLES / f"{name}.nii.gz")
    return np.asarray(loaded.dataobj), np.asarray(loaded.affine)


def _save(values: np.ndarray, affine: np.ndarray, place: Path) -> None:
    image: Any = nib.Nifti1Image
    nib.save(image(values, affine), place)


def smaller_mask(place: Path) -> None:
    """The labelled voxels of the sample brain without their outermost layer, as NIfTI."""
    labels, affine = _brain("brain_labels")
    _save(binary_erosion(labels > 0).astype(np.uint8), affine, place)


def bids_folder(place: Path) -> None:
    """A data set in BIDS with one T1 image of one subject."""
    anatomy = place / "sub-01" / "anat"
    anatomy.mkdir(parents=True)
    scan = EXAMPLES / "brain_T1w.nii.gz"
    (anatomy / "sub-01_T1w.nii.gz").write_bytes(scan.read_bytes())
    (anatomy / "sub-01_T1w.json").write_text(json.dumps({"MagneticFieldStrength": 3}), "utf-8")
    described = {"Name": "One brain", "BIDSVersion": "1.9.0", "DatasetType": "raw"}
    (place / "dataset_description.json").write_text(json.dumps(described), "utf-8")
    (place / "README").write_text("One T1 image of one subject.\n", "utf-8")
    (place / "participants.tsv").write_text("participant_id\tage\nsub-01\t34\n", "utf-8")


def measures(place: Path) -> None:
    """A table of three measures for 40 scans of two sites; the second site reads 2 higher."""
    values = np.random.default_rng(0).normal(10, 1, (40, 3))
    values[20:] += 2
    rows = ["a,b,c", *(",".join(f"{one:.4f}" for one in row) for row in values)]
    place.write_text("\n".join(rows) + "\n", "utf-8")


def covariates(place: Path) -> None:
    """The site and the age of the 40 scans of ``measures``."""
    ages = np.random.default_rng(1).uniform(20, 80, 40)
    rows = [f"{'A' if n < 20 else 'B'},{age:.1f}" for n, age in enumerate(ages)]
    place.write_text("\n".join(["SITE,AGE", *rows]) + "\n", "utf-8")


def echoes(place: Path) -> None:
    """Five echoes of three slices of the sample brain, with a T2* of 40 ms in every voxel."""
    volume, affine = _brain("brain_T1w")
    slices = volume[:, :, 30:33].astype(np.float32)
    series = [slices * np.exp(-time / 40) for time in ECHOES]
    _save(np.stack(series, axis=-1).astype(np.float32), affine, place)


def dynamic_pet(place: Path) -> None:
    """Twelve frames of an uptake in three slices of the sample brain, as NIfTI."""
    labels, affine = _brain("brain_labels")
    middle = np.arange(12) * 300 + 150.0
    curve = middle * np.exp(-middle / 1200)
    weights = np.where(labels[:, :, 30:33] > 0, 1 + labels[:, :, 30:33] / 10, 0)
    _save((weights[..., None] * curve).astype(np.float32), affine, place)


def pet_parameters(place: Path) -> None:
    """The frames of ``dynamic_pet`` in seconds, and the curve of its reference region."""
    starts = [n * 300 for n in range(12)]
    middle = np.asarray(starts) + 150.0
    curve = middle * np.exp(-middle / 1500)
    frames = [starts, [start + 300 for start in starts]]
    place.write_text(json.dumps({"dt": frames, "ref": curve.tolist()}), "utf-8")


def experiment(place: Path) -> None:
    """A SpaceTx experiment of one field of view: one spot of one gene, in two rounds."""
    spot = np.hypot(*np.ogrid[-32:32, -32:32])
    lit = (np.exp(-((spot / 2) ** 2)) * 60_000).astype(np.uint16)
    dark = np.zeros_like(lit)
    rounds = {(0, 0): lit, (0, 1): dark, (1, 0): dark, (1, 1): lit}
    images = {"primary": rounds, "dots": {(0, 0): lit}}
    for name, planes in images.items():
        tiles = [_tile(place.parent, name, at, plane) for at, plane in planes.items()]
        size = {"r": 1 + max(r for r, _ in planes), "c": 1 + max(c for _, c in planes), "z": 1}
        _write(
            place.with_name(f"{name}-fov_000.json"),
            {
                "version": "0.1.0",
                "dimensions": ["x", "y", "z", "c", "r"],
                "shape": size,
                "default_tile_shape": {"x": 64, "y": 64},
                "default_tile_format": "TIFF",
                "tiles": tiles,
            },
        )
        contents = {"fov_000": f"{name}-fov_000.json"}
        _write(place.with_name(f"{name}.json"), {"version": "0.1.0", "contents": contents})
    codeword = [{"r": 0, "c": 0, "v": 1.0}, {"r": 1, "c": 1, "v": 1.0}]
    genes = {"version": "0.0.0", "mappings": [{"codeword": codeword, "target": "ACTB"}]}
    _write(place.with_name("codebook.json"), genes)
    files = {name: f"{name}.json" for name in images}
    whole = {"version": "5.0.0", "images": files, "codebook": "codebook.json", "extras": {}}
    _write(place, whole)


def _tile(folder: Path, name: str, at: tuple[int, int], plane: np.ndarray) -> dict[str, Any]:
    file = folder / f"{name}-{at[0]}-{at[1]}.tiff"
    Image.fromarray(plane).save(file, "TIFF")
    return {
        "coordinates": {"xc": [0.0, 0.01], "yc": [0.0, 0.01], "zc": [0.0, 0.01]},
        "indices": {"r": at[0], "c": at[1], "z": 0},
        "file": file.name,
        "format": "TIFF",
        "tile_shape": {"x": 64, "y": 64},
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
    }


def _write(place: Path, value: dict[str, Any]) -> None:
    place.write_text(json.dumps(value), "utf-8")


def white_matter(place: Path) -> None:
    """The bright voxels of the sample diffusion series, as NIfTI."""
    series, affine = _brain("brain_dwi")
    _save(_bright(series).astype(np.uint8), affine, place)


def peaks(place: Path) -> None:
    """A direction of fibres along the first axis in every voxel of ``white_matter``."""
    series, affine = _brain("brain_dwi")
    along = np.zeros((*series.shape[:3], 3), np.float32)
    along[_bright(series), 0] = 1
    _save(along, affine, place)


def streamlines(place: Path) -> None:
    """A straight streamline through each row of ``white_matter`` of ten voxels or more, as TCK."""
    series, affine = _brain("brain_dwi")
    bright = _bright(series)
    lines = []
    for row in zip(*np.nonzero(bright.sum(axis=0) >= 10), strict=True):
        ends = np.flatnonzero(bright[(slice(None), *row)])[[0, -1]]
        steps = np.linspace(float(ends[0]), float(ends[1]), 40)[:, None]
        lines.append(np.hstack([steps, np.tile(row, (40, 1))]) @ affine[:3, :3].T + affine[:3, 3])
    tracts: Any = nib.streamlines
    tracts.save(tracts.Tractogram(lines, affine_to_rasmm=np.eye(4)), str(place))


def _bright(series: np.ndarray) -> np.ndarray:
    return np.asarray(series[..., 0] > series[..., 0].mean())


def named_series(place: Path) -> None:
    """The sample CT with a name and an id of a patient, which some tools ask for."""
    place.mkdir()
    with zipfile.ZipFile(EXAMPLES / "chest_ct.zip") as packed:
        for name in sorted(one for one in packed.namelist() if one.endswith(".dcm")):
            slice_ = pydicom.dcmread(io.BytesIO(packed.read(name)))
            slice_.PatientName, slice_.PatientID = "Sample^One", "sample1"
            slice_.save_as(place / Path(name).name)


def scanner_settings(place: Path) -> None:
    """Configurations of XCIST: its default phantom at half its size, one row, 60 views."""
    place.mkdir()
    views = "viewsPerRotation = 60", "viewCount = 60", "stopViewId = 59"
    rows = "detectorRowsPerMod = 1", "detectorRowCount = 1"
    settings = {
        "Phantom_Sample": "phantom.scale = 0.5\n",
        "Protocol_Sample_axial": "".join(f"protocol.{line}\n" for line in views),
        "Scanner_Sample_generic": "".join(f"scanner.{line}\n" for line in rows),
    }
    for name, text in settings.items():
        (place / f"{name}.cfg").write_text(text, "utf-8")


PHANTOMS: dict[str, Callable[[Path], None]] = {
    "smaller mask": smaller_mask,
    "BIDS folder": bids_folder,
    "measures": measures,
    "covariates": covariates,
    "echoes": echoes,
    "dynamic PET": dynamic_pet,
    "parameters of NiftyPAD": pet_parameters,
    "white matter": white_matter,
    "peaks": peaks,
    "streamlines": streamlines,
    "named series": named_series,
    "configurations of XCIST": scanner_settings,
    "SpaceTx experiment": experiment,
}
"""What is made, by the name that recipe_runs.json uses."""
