"""The files of a night: scans, subjects, documents, and such as no reader can read."""

from __future__ import annotations

import gzip
import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path

import nibabel as nib
import numpy as np

from benchmarks.phantoms import chest_ct
from retrieval.settings import ROOT

SHARED = ROOT.parent / "shared" / "scans" / "ext"
"""Real scans for development, where this checkout lies beside them."""

MOST_SHARED_BYTES = 3_000_000
DOCUMENT = "{name} segments the lungs on chest CT.\nIt reads DICOM series and NIfTI volumes.\n" * 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Each entry of ``scans`` and ``broken`` is one upload of one or more files."""

    scans: tuple[tuple[Path, ...], ...]
    broken: tuple[tuple[Path, ...], ...]
    subjects: tuple[Path, ...]
    documents: tuple[Path, ...]


def write_files(folder: Path) -> Files:
    """Write all files below the folder."""
    series = chest_ct(folder / "chest", step=2)
    image: type = nib.Nifti1Image
    volume = folder / "brain.nii.gz"
    nib.save(image(np.zeros((40, 40, 30), dtype=np.int16), np.eye(4)), volume)
    shared = [path for path in sorted(SHARED.rglob("*")) if path.is_file()]
    small = [(path,) for path in shared if path.stat().st_size < MOST_SHARED_BYTES]
    zipped = _zip(folder / "chest.zip", {f"chest/{one.name}": one for one in series})
    return Files(
        scans=((series[0],), tuple(series), (zipped,), (volume,), *small),
        broken=tuple((path,) for path in _broken(folder / "broken", series[0], volume)),
        subjects=(_subjects(folder / "subjects.zip", series, volume),),
        documents=_documents(folder),
    )


def _zip(path: Path, files: dict[str, Path]) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name, file in files.items():
            packed.write(file, name)
    return path


def _subjects(path: Path, series: list[Path], volume: Path) -> Path:
    files = {f"sub-{n:02}/ct/{one.name}": one for n in range(6) for one in series[: n + 2]}
    return _zip(path, files | {f"sub-{n:02}/anat/t1.nii.gz": volume for n in range(6)})


def _broken(folder: Path, slice_: Path, volume: Path) -> list[Path]:
    """Cut, empty, random, wrongly named, and a NIfTI whose header says more than there is."""
    folder.mkdir()
    whole = slice_.read_bytes()
    bomb = gzip.compress(bytes(30_000_000))
    header = bytearray(gzip.decompress(volume.read_bytes()))
    header[40:56] = struct.pack("<8h", 7, 30_000, 30_000, 30_000, 30_000, 3, 3, 3)
    contents = {
        "cut.dcm": whole[: len(whole) // 3],
        "empty.dcm": b"",
        "random.nii": np.random.default_rng(0).bytes(50_000),
        "large.nii.gz": gzip.compress(bytes(header)),
        "zeros.nii.gz": bomb,
        "cut.zip": b"PK\x03\x04" + whole[:3_000],
        "words.tif": b"II*\x00 not a picture at all",
    }
    paths = [folder / name for name in contents]
    for path, content in zip(paths, contents.values(), strict=True):
        path.write_bytes(content)
    return paths


def _documents(folder: Path) -> tuple[Path, ...]:
    paths = tuple(folder / f"notes-{n}.txt" for n in range(3))
    for n, path in enumerate(paths):
        path.write_text(DOCUMENT.format(name=f"LungTool {n}"), encoding="utf-8")
    return paths
