"""Graph arrays on disk: one file per graph, named by the hashes of its sources and its bytes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile

from retrieval.core import StageUnavailable
from retrieval.graph.arrays import GraphArrays
from retrieval.graph.build import CROWD, EDGE_WEIGHTS, NEAREST
from retrieval.storage import write_whole

FORMAT = 1
"""Increase this when the same records and concepts give another graph."""
DIGITS = 16
# Earlier versions wrote a database, ``.lbug``, beside the arrays.
_OURS = re.compile(r"[0-9a-f]{16}-[0-9a-f]{16}\.npz|[0-9a-f]{16}\.lbug.*|\.\d+\.part")


def graph_key(catalog_sha256: str, layers: Sequence[str]) -> str:
    """A name for the graph of this catalog over these concept files (their hashes).

    SHA-256 over everything that determines the arrays, weights and FORMAT included, so that a
    change of any of them builds a new graph; the first DIGITS hexadecimal digits.
    """
    key = json.dumps([FORMAT, catalog_sha256, list(layers), EDGE_WEIGHTS, NEAREST, CROWD])
    return hashlib.sha256(key.encode()).hexdigest()[:DIGITS]


class GraphFolder:
    """Stores the graph of the live catalog; an incomplete or damaged file is not read."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def load(self, key: str) -> GraphArrays:
        """The arrays of a key. Raises StageUnavailable where there are none, or damaged ones.

        A file is read only where the hash of its bytes is that of its name.
        """
        for path in sorted(self.root.glob(f"{key}-*.npz")):
            try:
                data = path.read_bytes()
                if _digest(data) == path.stem.partition("-")[2]:
                    return GraphArrays.of_bytes(data)
            except (OSError, ValueError, KeyError, BadZipFile):
                continue
            raise StageUnavailable("the saved graph is damaged; run: python -m retrieval sync")
        raise StageUnavailable("there is no saved graph; run: python -m retrieval sync")

    def holds(self, key: str) -> bool:
        """Whether a file of a key exists, sound or not."""
        return any(self.root.glob(f"{key}-*.npz"))

    def save(self, key: str, arrays: GraphArrays) -> None:
        """Write the file of a graph; others stay. Raises OSError, leaving no part.

        The folder is made when it is missing.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        data = arrays.to_bytes()
        write_whole(self.root / f"{key}-{_digest(data)}.npz", data)

    def tidy(self, key: str) -> None:
        """Remove the files of other graphs, older ones of this, and what killed writers left."""
        own = sorted(self.root.glob(f"{key}-*.npz"), key=lambda path: path.stat().st_mtime_ns)
        if not self.root.is_dir():
            return
        for path in self.root.iterdir():
            if path not in own[-1:] and _OURS.fullmatch(path.name):
                with suppress(OSError):
                    path.unlink()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGITS]
