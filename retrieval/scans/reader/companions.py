"""Which files belong to one another by their stem, in the upload or beside a file on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from retrieval.scans.limits import Limits
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import COMPANIONS, split_name
from retrieval.scans.reader.gather import file_blob
from retrieval.scans.reasons import Refused

_BESIDE = -1
_PAIRS = {".img": ".hdr", ".brik": ".head", ".rec": ".par"}


class Companions:
    """Finds by stem and ending: first in the same folder, then anywhere in the upload."""

    def __init__(self, blobs: Sequence[Blob], limits: Limits) -> None:
        self._blobs, self._limits = blobs, limits
        self._by_place: dict[tuple[str, str], Blob] = {}
        self._by_stem: dict[tuple[str, str], Blob] = {}
        for blob in blobs:
            stem, ending = split_name(blob.name)
            last = stem.rsplit("/", 1)[-1]
            self._by_place.setdefault((_folder(blob) + last, ending), blob)
            if blob.at[1] is None:
                self._by_stem.setdefault((last, ending), blob)

    def headers_first(self) -> list[Blob]:
        """The upload's files; those that may be companions of others come last."""
        return sorted(self._blobs, key=lambda blob: split_name(blob.name)[1] in COMPANIONS)

    def find(self, blob: Blob, ending: str) -> Blob | None:
        """The file with the stem of ``blob`` and this ending."""
        stem, own = split_name(blob.name)
        last = stem.rsplit("/", 1)[-1]
        if own == ending:
            return None
        match = self._by_place.get((_folder(blob) + last, ending))
        # The page puts each uploaded file into a folder of its own; inside folders stems repeat.
        if match is None and blob.at[1] is None:
            match = self._by_stem.get((last, ending))
        return match or self._on_disk(blob, last, ending)

    def header_of(self, blob: Blob) -> Blob | None:
        """The header beside a data file that was given alone; it takes the data file's place."""
        ending = split_name(blob.name)[1].removesuffix(".gz")
        header = self.find(blob, _PAIRS[ending]) if ending in _PAIRS else None
        if header is not None and header.at[1] == _BESIDE:
            header.at = blob.at
            return header
        return None

    def is_data_half(self, blob: Blob) -> bool:
        """Whether this is the second file of a pair whose header is not here."""
        ending = split_name(blob.name)[1].removesuffix(".gz")
        return ending in _PAIRS and self.find(blob, _PAIRS[ending]) is None

    def _on_disk(self, blob: Blob, stem: str, ending: str) -> Blob | None:
        """Beside a single file that was named by its path."""
        if blob.path is None or blob.at[1] is not None:
            return None
        # AFNI writes .brik.gz as .BRIK.gz.
        mixed = ending.upper().removesuffix(".GZ") + ".gz" if ending.endswith(".gz") else ending
        for spelled in (ending, ending.upper(), mixed):
            path = Path(blob.path.parent, stem + spelled)
            try:
                return file_blob(path, (blob.at[0], _BESIDE), self._limits)
            except (OSError, Refused, ValueError):
                continue
        return None


def _folder(blob: Blob) -> str:
    if blob.path is not None:
        return f"{blob.path.parent}/"
    name = blob.name.replace("\\", "/")
    return f"{blob.at[0]}:{name[: name.rfind('/') + 1]}"
