"""The scans of the example searches: ``python -m benchmarks.examples`` writes assets/examples."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import quoteattr

import nibabel
import numpy as np
from numpy.typing import NDArray
from PIL import Image, TiffImagePlugin

from benchmarks.phantoms import chest_ct

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "examples"
STAMP = (2026, 1, 1, 0, 0, 0)
DESCRIPTION_TAG = 270
CONFOCAL = "LaserScanningConfocalMicroscopy"


def zipped(path: Path, files: Sequence[Path]) -> None:
    """Write an archive of files; a fixed time stamp makes it the same bytes each time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name, STAMP), file.read_bytes(), 8, 9)


def chest(folder: Path) -> None:
    """A chest CT, whole, and the same with slices missing and one twice."""
    with TemporaryDirectory() as scratch:
        files = chest_ct(Path(scratch), step=4)
        zipped(folder / "chest_ct.zip", files)
        again = files[3].with_name("again.dcm")
        again.write_bytes(files[3].read_bytes())
        zipped(folder / "broken_ct.zip", [*files[:9], *files[13:], again])


def ball(shape: Sequence[int], centre: Sequence[float], half: Sequence[float]) -> NDArray[np.bool_]:
    """Mask of the voxels inside an ellipsoid, of the given shape.

    Centre and half axes are fractions of the shape, one per axis.
    """
    grid = np.meshgrid(*(np.arange(n) / n for n in shape), indexing="ij")
    away = sum(((g - c) / h) ** 2 for g, c, h in zip(grid, centre, half, strict=True))
    return np.asarray(away <= 1)


def brain() -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    """A head with brain and ventricles, and the labels of its tissues.

    Both have shape (64, 72, 60), axes right, anterior, superior. Labels: 0 background and scalp,
    1 grey matter, 2 white matter, 3 ventricles.
    """
    shape = (64, 72, 60)
    labels = np.zeros(shape, np.uint8)
    labels[ball(shape, (0.5, 0.5, 0.5), (0.34, 0.4, 0.36))] = 1
    labels[ball(shape, (0.5, 0.5, 0.5), (0.28, 0.33, 0.3))] = 2
    for side in (-1, 1):
        labels[ball(shape, (0.5 + side * 0.07, 0.5, 0.52), (0.035, 0.14, 0.1))] = 3
    levels = np.array([20, 480, 690, 190])
    scalp = ball(shape, (0.5, 0.5, 0.5), (0.42, 0.47, 0.45)) & (labels == 0)
    volume = levels[labels] + 260 * scalp + np.random.default_rng(0).normal(0, 14, shape)
    return np.clip(volume, 0, None).astype(np.int16), labels


def brains(folder: Path) -> None:
    """A T1-weighted head with its label map, and a diffusion series with its table."""
    volume, labels = brain()
    grid = np.diag([2.4, 2.4, 2.6, 1.0])
    grid[:3, 3] = (-76, -86, -78)
    for name, data in (("brain_T1w", volume), ("brain_labels", labels)):
        image = nibabel.Nifti1Image(data, grid)  # type: ignore[no-untyped-call]
        image.header.set_xyzt_units("mm")  # type: ignore[no-untyped-call]
        nibabel.save(image, folder / f"{name}.nii.gz")
    small = volume[::2, ::2, ::3].astype(np.float32)
    values = [0, *[1000] * 6]
    # Mono-exponential decay exp(-bD) (Stejskal and Tanner 1965), D .54e-3 to .77e-3 mm2/s.
    fade = [small * np.exp(-b / 1300 * (0.7 + 0.05 * n)) for n, b in enumerate(values)]
    series = nibabel.Nifti1Image(np.stack(fade, -1).astype(np.int16), np.diag([4.8, 4.8, 7.8, 1]))  # type: ignore[no-untyped-call]
    series.header.set_xyzt_units("mm", "sec")  # type: ignore[no-untyped-call]
    nibabel.save(series, folder / "brain_dwi.nii.gz")
    (folder / "brain_dwi.bval").write_text(" ".join(map(str, values)) + "\n", "ascii")
    turns = np.vstack([np.zeros(3), np.eye(3), np.eye(3)[[1, 2, 0]]])
    rows = (" ".join(f"{x:.3f}" for x in row) for row in turns.T)
    (folder / "brain_dwi.bvec").write_text("\n".join(rows) + "\n", "ascii")


def nuclei(folder: Path) -> None:
    """A fluorescence stack of two channels and six planes as OME-TIFF."""
    size, planes = 128, 6
    random = np.random.default_rng(5)
    spots = random.uniform(8, size - 8, (40, 2)), random.uniform(0, planes, 40)
    rows, columns = np.mgrid[0:size, 0:size]
    pages = []
    for channel in range(2):
        for plane in range(planes):
            page = np.full((size, size), 12.0)
            for (y, x), z in zip(*spots, strict=True):
                wide = (5.0 if channel == 0 else 8.0) ** 2
                fade = np.exp(-((plane - z) ** 2) / 3)
                page += 190 * fade * np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / wide)
            pages.append(Image.fromarray(np.clip(page, 0, 255).astype(np.uint8)))
    info = TiffImagePlugin.ImageFileDirectory_v2()
    info[DESCRIPTION_TAG] = _ome(size, planes)
    stream = io.BytesIO()
    rest = pages[1:]
    pages[0].save(
        stream,
        "TIFF",
        save_all=True,
        append_images=rest,
        tiffinfo=info,
        compression="tiff_adobe_deflate",
    )
    (folder / "nuclei.ome.tif").write_bytes(stream.getvalue())


def _ome(size: int, planes: int) -> str:
    """The OME-XML of the stack (Goldberg and others, Genome Biology 2005)."""
    attributes = {
        "ID": "Pixels:0",
        "DimensionOrder": "XYZCT",
        "Type": "uint8",
        "SizeX": size,
        "SizeY": size,
        "SizeZ": planes,
        "SizeC": 2,
        "SizeT": 1,
        "PhysicalSizeX": 0.3,
        "PhysicalSizeY": 0.3,
        "PhysicalSizeZ": 1.0,
    }
    pixels = " ".join(f"{name}={quoteattr(str(value))}" for name, value in attributes.items())
    channels = "".join(
        f'<Channel ID="Channel:0:{n}" SamplesPerPixel="1" AcquisitionMode="{CONFOCAL}"/>'
        for n in range(2)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0">'
        f"<Pixels {pixels}>{channels}<TiffData/></Pixels></Image></OME>"
    )


def main() -> None:
    """Write every scan."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for write in (chest, brains, nuclei):
        write(folder)
    for file in sorted(folder.iterdir()):
        sys.stdout.write(f"{file.name}: {file.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
