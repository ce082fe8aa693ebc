"""Inside the reader process: which files of a folder or zip belong to which subject.

The key is the first folder in which files differ, or the ``sub-`` label where names follow BIDS
(Gorgolewski and others, Scientific Data 2016). Keys stay here; subjects leave as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.gather import Gathered

_LABEL = re.compile(r"(?:^|_)sub-([A-Za-z0-9]+)(?:_|$|\.)")
_BESIDE = frozenset({"derivatives", "sourcedata", "code", "stimuli"})

Parts = tuple[str, ...]


def by_subject(gathered: Gathered, roots: Sequence[Path], first: int = 1) -> list[Gathered]:
    """One gathering a subject, in the order of their keys; refusals go with the first."""
    named = [(blob, _parts(blob, roots, first)) for blob in gathered.blobs]
    labels = [_label(parts) for _, parts in named]
    if any(labels):
        keyed = [
            (b, label)
            for (b, parts), label in zip(named, labels, strict=True)
            if label and _BESIDE.isdisjoint(parts)
        ]
    else:
        folders = [parts[:-1] for _, parts in named]
        levels = enumerate(zip(*folders, strict=False))
        shortest = min(map(len, folders), default=0)
        shared = next((n for n, level in levels if len(set(level)) > 1), shortest)
        keyed = [(b, parts[shared] if len(parts) > shared + 1 else "") for b, parts in named]
    return _split(gathered, keyed)


def _parts(blob: Blob, roots: Sequence[Path], first: int) -> Parts:
    """Folders and name of a file, from the uploaded folder or zip on."""
    if blob.path is None:
        return PurePosixPath(blob.name.replace("\\", "/")).parts
    root = roots[blob.at[0] - first]
    return blob.path.relative_to(root).parts if root.is_dir() else (blob.path.name,)


def _label(parts: Parts) -> str:
    """The BIDS label of a file's folder, or of its own name."""
    for part in parts[:-1]:
        if part.startswith("sub-"):
            return part.removeprefix("sub-")
    match = _LABEL.search(parts[-1]) if parts else None
    return match.group(1) if match else ""


def _split(gathered: Gathered, keyed: Sequence[tuple[Blob, str]]) -> list[Gathered]:
    groups: dict[str, Gathered] = {}
    for blob, key in sorted(keyed, key=lambda item: (item[1], item[0].at[0], item[0].at[1] or 0)):
        groups.setdefault(key, Gathered(lists=gathered.lists)).blobs.append(blob)
    listed = list(groups.values()) or [Gathered(lists=gathered.lists)]
    listed[0].refused += gathered.refused
    listed[0].stores += gathered.stores
    return listed
