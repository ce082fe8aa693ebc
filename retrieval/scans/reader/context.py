"""What a reader may ask for beside its own file: files of the same stem, uploaded or on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from retrieval.scans.limits import Limits
from retrieval.scans.reader.blob import At, Blob
from retrieval.scans.reader.gather import file_blob
from retrieval.scans.reasons import Refused

_ENDINGS = (".nii.gz", ".brik.gz", ".brik.bz2", ".rec.gz", ".img.gz", ".hdr.gz", ".raw.gz")
COMPANIONS = frozenset(
    {".json", ".img", ".img.gz", ".brik", ".brik.gz", ".rec", ".rec.gz", ".bval", ".bvec"}
    | {".raw", ".raw.gz", ".zraw", ".bvals", ".bvecs"}
)
ABOUT_THE_SET = frozenset(
    {"dataset_description.json", "participants.tsv", "participants.json", "license", "changes"}
    | {"readme", "readme.md", "readme.rst", "readme.txt", "citation.cff", ".bidsignore"}
)
"""Texts about a data set as a whole (BIDS 1.10, Modality agnostic files), in small letters."""

TABLES = ("_scans.tsv", "_scans.json", "_sessions.tsv", "_sessions.json", "_events.tsv")
_HEADERS = {".img": ".hdr", ".brik": ".head", ".rec": ".par"}
"""Endings of the data files whose header is a file of its own, and its ending."""

_BESIDE = -1
"""Stands for the member of a file that is not in the upload but beside it on disk."""
_JSON_MOST = 1 << 20


def split_name(name: str) -> tuple[str, str, str]:
    """Folder, stem and lower-case ending; the double endings of compressed files stay whole."""
    folder, slash, last = name.replace("\\", "/").rpartition("/")
    low = last.casefold()
    for ending in _ENDINGS:
        if low.endswith(ending):
            return folder + slash, last[: -len(ending)], ending
    stem, dot, ending = last.rpartition(".")
    return folder + slash, stem if dot else last, (dot + ending).casefold() if dot else ""


def is_about_the_set(name: str) -> bool:
    """Whether a file describes its data set rather than a scan: nobody expects it to be one."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1].casefold()
    return last in ABOUT_THE_SET or last.endswith(TABLES)


def _place(blob: Blob) -> tuple[str, str, str]:
    """Folder, stem and ending; the folder of an archive's member begins with the archive."""
    folder, stem, ending = split_name(blob.name)
    if blob.path is not None:
        return f"{blob.path.parent}/", stem, ending
    return f"{blob.at[0]}:{folder}", stem, ending


class Context:
    """Finds files by stem and ending: in the same folder, then anywhere in the upload.

    A file that a reader asks for is marked as used: it is no scan of its own.
    """

    def __init__(self, blobs: Sequence[Blob], limits: Limits) -> None:
        self._blobs, self._limits = blobs, limits
        self.used: set[At] = set()
        self._by_place: dict[tuple[str, str, str], Blob] = {}
        self._by_stem: dict[tuple[str, str], Blob] = {}
        for blob in blobs:
            place = _place(blob)
            self._by_place.setdefault(place, blob)
            if blob.at[1] is None:
                self._by_stem.setdefault(place[1:], blob)

    def headers_first(self) -> list[Blob]:
        """The upload's files; those that may be companions of others come last."""
        return sorted(self._blobs, key=lambda blob: split_name(blob.name)[2] in COMPANIONS)

    def companion(self, blob: Blob, *endings: str) -> Blob | None:
        """The first file of the same stem with one of these endings."""
        for ending in endings:
            match = self._find(blob, ending)
            if match is not None:
                self.used.add(match.at)
                return match
        return None

    def sidecar(self, blob: Blob) -> Mapping[str, Any]:
        """The JSON object beside a file; empty when there is none that can be read."""
        companion = self.companion(blob, ".json")
        if companion is None:
            return {}
        try:
            parsed = json.loads(companion.head(_JSON_MOST).decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return {}
        return parsed if isinstance(parsed, dict) else {}

    def header_of(self, blob: Blob) -> tuple[Blob | None, bool]:
        """The header beside a data file that was given alone, in whose place it is read.

        And whether the file is the data half of a pair whose header is nowhere.
        """
        ending = _HEADERS.get(split_name(blob.name)[2].removesuffix(".gz"))
        header = self._find(blob, ending) if ending else None
        if header is None or header.at[1] != _BESIDE:
            return None, ending is not None and header is None
        header.at = blob.at
        return header, False

    def _find(self, blob: Blob, ending: str) -> Blob | None:
        folder, stem, own = _place(blob)
        if own == ending:
            return None
        match = self._by_place.get((folder, stem, ending))
        # The page puts each uploaded file into a folder of its own; inside folders stems repeat.
        if match is None and blob.at[1] is None:
            match = self._by_stem.get((stem, ending))
        if match is not None or blob.path is None or blob.at[1] is not None:
            return match
        # AFNI writes .brik.gz as .BRIK.gz.
        mixed = ending.upper().removesuffix(".GZ") + ".gz" if ending.endswith(".gz") else ending
        for spelled in (ending, ending.upper(), mixed):
            path = Path(blob.path.parent, stem + spelled)
            try:
                return file_blob(path, (blob.at[0], _BESIDE), self._limits)
            except (OSError, Refused, ValueError):
                continue
        return None
