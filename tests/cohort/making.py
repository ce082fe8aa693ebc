"""Three subjects with a CT and an MR series each; one CT lacks slices."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.scans.makers import series

HEIGHTS = (0, 2, 4, 6, 8, 10)
BROKEN = (0, 2, 4, 12, 14, 16)


def subjects(folder: Path, names=("sub-01", "sub-02", "sub-03")) -> Path:
    for n, name in enumerate(names, start=1):
        for modality in ("CT", "MR"):
            place = folder / name / modality
            place.mkdir(parents=True)
            heights = BROKEN if (n, modality) == (2, "CT") else HEIGHTS
            uid = f"1.2.{n}.{len(modality) + ord(modality[0])}"
            series(place, heights, modality, SeriesInstanceUID=uid)
    return folder


def zipped(folder: Path, path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            archive.write(file, str(file.relative_to(folder.parent)))
    return path
