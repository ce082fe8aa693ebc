"""What a reader may ask for beside its own file: companions of the same stem."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from retrieval.scans.reader.blob import Blob

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
_JSON_MOST = 1 << 20


def split_name(name: str) -> tuple[str, str]:
    """Stem and lower-case ending; the double endings of compressed files stay whole."""
    last = name.replace("\\", "/")
    low = last.casefold()
    for ending in _ENDINGS:
        if low.endswith(ending):
            return last[: -len(ending)], ending
    stem, dot, ending = last.rpartition(".")
    return (stem, dot + ending.casefold()) if dot and "/" not in ending else (last, "")


def is_about_the_set(name: str) -> bool:
    """Whether a file tells of its data set rather than of a scan: nobody expects it to be one."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1].casefold()
    return last in ABOUT_THE_SET or last.endswith(TABLES)


@dataclass(slots=True)
class Context:
    """Finds the files that belong to one; what is asked for is marked as used."""

    find: Callable[[Blob, str], Blob | None]
    used: set[tuple[int, int | None]] = field(default_factory=set)

    def companion(self, blob: Blob, *endings: str) -> Blob | None:
        """The first file of the same stem with one of these endings."""
        for ending in endings:
            match = self.find(blob, ending)
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
