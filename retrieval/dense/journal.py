"""Finished batches of an embedding under way, so that a killed one is taken up where it stood.

``FOLDER/<sha256 of its bytes, 32 digits>.shard``: hashes of texts and their vectors, as ``.npz``.
"""

from __future__ import annotations

import hashlib
import io
import logging
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from retrieval.core import Vectors
from retrieval.storage import write_whole

logger = logging.getLogger(__name__)

PREFIX = ".journal-"
SHARD = 1024
"""Texts of one shard: what a kill may cost, ten to twenty seconds of one core."""
DIGITS = 32


class Journal:
    """The vectors of one model and text template that were made and are in no index yet.

    A shard is renamed into place when it is whole and named by the hash of its bytes: half of
    one, or a damaged one, is never read. Unless it is ``strict``, a folder that cannot be
    written costs the journal and not the embedding.
    """

    def __init__(
        self, root: Path, model: str, template: str, every: int = SHARD, *, strict: bool = True
    ) -> None:
        key = hashlib.sha256(f"{model}\n{template}".encode()).hexdigest()[:16]
        self.folder, self.every = root / f"{PREFIX}{key}", every
        self._strict, self._off = strict, False

    def read(self) -> dict[str, Vectors]:
        """Every vector (dim,) by the hash of its text; shards that are not whole are thrown away.

        A damaged shard is deleted and logged. Empty where there is no journal; raises OSError for a
        shard that cannot be read.
        """
        vectors: dict[str, Vectors] = {}
        for path in sorted(self.folder.glob("*.shard")):
            data = path.read_bytes()
            if hashlib.sha256(data).hexdigest()[:DIGITS] != path.stem:
                logger.warning("a shard of the journal is damaged; its texts are embedded again")
                path.unlink(missing_ok=True)
                continue
            with np.load(io.BytesIO(data), allow_pickle=False) as shard:
                hashes = shard["hashes"].tobytes().decode("ascii").split()
                vectors.update(zip(hashes, shard["vectors"], strict=True))
        return vectors

    def write(self, vectors: Mapping[str, Vectors]) -> None:
        """Add a shard of vectors of one width. A failed write leaves nothing of the shard.

        Raises OSError when the folder cannot be written; where the journal is not strict this is
        logged and nothing more is written.
        """
        if self._off:
            return
        buffer = io.BytesIO()
        hashes = np.frombuffer("\n".join(vectors).encode("ascii"), dtype=np.uint8)
        np.savez(buffer, hashes=hashes, vectors=np.stack(list(vectors.values())))
        data = buffer.getvalue()
        name = f"{hashlib.sha256(data).hexdigest()[:DIGITS]}.shard"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / name, data)
        except OSError as exc:
            if self._strict:
                raise
            logger.warning("the journal cannot be written (%s)", exc.strerror)
            self._off = True


def clear_journals(root: Path) -> None:
    """Remove what embeddings left in an index folder; the index holds it all."""
    for path in root.glob(f"{PREFIX}*"):
        shutil.rmtree(path, ignore_errors=True)
