"""Index folders: one a state, checksummed, made live by a single rename of a pointer file.

``DIR/<hash>/index.faiss, meta.json, terms.json, terms.npy`` and ``DIR/CURRENT`` naming the hash.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import faiss
import numpy as np

from retrieval.core import StageUnavailable, Vectors
from retrieval.dense.inverted import FileStore, store_of
from retrieval.storage import ASIDE, alone_in, file_sha256, write_whole

FORMAT = 1
POINTER = "CURRENT"
TRIES = 5
DIGITS = 16
"""Hexadecimal digits of a state's name: the beginning of the SHA-256 of its ``meta.json``."""
_NAME = re.compile(r"[0-9a-f]{16}")
_OURS = re.compile(rf"[0-9a-f]{{16}}|\.new-.*|\.\d+\.part|\.{POINTER}-\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexMeta:
    """What an index was made of; it is refused when the running settings differ (S1-22)."""

    model: str
    dim: int
    template: str
    catalog_sha256: str
    ids: tuple[str, ...]
    fingerprints: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """An index in memory: vectors by id, and the catalog's terms with theirs."""

    meta: IndexMeta
    store: FileStore
    terms: tuple[str, ...] = ()
    term_vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))


class IndexFolder:
    """Reads and writes the states of one index; readers never see half of one."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def live(self) -> str | None:
        """The name of the live state, or None where there is none.

        None also for a pointer that cannot be read; whether the state itself exists is not checked.
        """
        try:
            with (self.root / POINTER).open("rb") as handle:
                return handle.read(100).decode("utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    @property
    def begun(self) -> bool:
        """Whether somebody made an index here, readable or not."""
        return os.path.lexists(self.root / POINTER)

    def load(self) -> Stored:
        """The live state, every byte of it checked.

        Raises StageUnavailable, naming the file and the remedy, when something is missing or
        is not what was written.
        """
        name = self.live()
        for _ in range(TRIES):
            try:
                return self._load(name)
            except StageUnavailable:
                # Writers may have moved on twice while this state was being read.
                if self.live() == name:
                    raise
                name = self.live()
        return self._load(name)

    def _load(self, name: str | None) -> Stored:
        if name is None and not self.begun:
            raise StageUnavailable("there is no index yet; run: python -m retrieval sync")
        if name is None or not _NAME.fullmatch(name) or not (self.root / name).is_dir():
            raise _damaged(POINTER)
        folder = self.root / name
        _verify(folder / "meta.json", name)
        meta = _meta(folder / "meta.json")
        for file, digest in meta.files.items():
            _verify(folder / file, digest)
        try:
            index = faiss.read_index(str(folder / "index.faiss"))
            store = store_of(meta.ids, index)
        except (RuntimeError, ValueError) as exc:
            raise _damaged("index.faiss") from exc
        if (index.ntotal, index.d) != (len(meta.ids), meta.dim):
            raise _damaged("index.faiss")
        if not np.isfinite(store.vectors).all():
            raise _damaged("index.faiss")
        try:
            terms = tuple(json.loads((folder / "terms.json").read_text("utf-8")))
            vectors = np.load(folder / "terms.npy", allow_pickle=False).astype(np.float32)
        except OSError as exc:
            raise _damaged("terms") from exc
        return Stored(meta=meta, store=store, terms=terms, term_vectors=vectors)

    def save(self, stored: Stored) -> Stored:
        """Write a state aside, then make it live; the state before it is kept, older ones go.

        One process writes at a time, the others wait; the last to write wins. Raises OSError
        when the folder cannot be written, and leaves the state before as it was.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        with alone_in(self.root):
            before = self.live()
            # A folder that is renamed below is no longer there to be removed.
            with TemporaryDirectory(
                prefix=ASIDE, dir=self.root, ignore_cleanup_errors=True
            ) as temporary:
                aside = Path(temporary)
                meta = _write(aside, stored)
                name = file_sha256(aside / "meta.json")[:DIGITS]
                # The live state may have this content: one that is whole is never touched.
                if not _is_whole(self.root / name, meta):
                    shutil.rmtree(self.root / name, ignore_errors=True)
                    aside.rename(self.root / name)
                    _flush(self.root)
            write_whole(self.root / POINTER, name.encode())
            _flush(self.root)
            self._tidy({name, before})
        return replace(stored, meta=meta)

    def clean(self) -> None:
        """Remove what killed writers left; the live state and the newest other stay.

        Nothing happens while another process writes, or where the folder cannot be written.
        """
        if not self.root.is_dir():
            return
        with suppress(OSError), alone_in(self.root, seconds=0):
            states = [p for p in self.root.iterdir() if _NAME.fullmatch(p.name)]
            others = [p for p in states if p.name != self.live()]
            newest = max(others, key=lambda p: p.stat().st_mtime, default=None)
            self._tidy({self.live(), newest.name if newest else None})

    def _tidy(self, current: set[str | None]) -> None:
        for path in self.root.iterdir():
            if path.name in current or not _OURS.fullmatch(path.name):
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _write(folder: Path, stored: Stored) -> IndexMeta:
    """Write a state into an empty folder, flushed to disk; its meta names the files' hashes."""
    # Not faiss.write_index: it does not say when the disk is full.
    (folder / "index.faiss").write_bytes(faiss.serialize_index(stored.store.index).data)
    terms = json.dumps(list(stored.terms), ensure_ascii=False)
    (folder / "terms.json").write_bytes(terms.encode())
    with (folder / "terms.npy").open("wb") as handle:
        np.save(handle, stored.term_vectors.astype(np.float16), allow_pickle=False)
    files = {n: file_sha256(folder / n) for n in ("index.faiss", "terms.json", "terms.npy")}
    meta = replace(stored.meta, files=files)
    text = json.dumps(asdict(meta), sort_keys=True, indent=1)
    (folder / "meta.json").write_bytes(text.encode())
    for path in (*folder.iterdir(), folder):
        _flush(path)
    return meta


def _meta(path: Path) -> IndexMeta:
    try:
        raw = json.loads(path.read_text("utf-8"))
        meta = IndexMeta(**{**raw, "ids": tuple(raw["ids"])})
    except (OSError, ValueError, TypeError, KeyError) as exc:
        raise _damaged("meta.json") from exc
    if meta.format != FORMAT:
        raise StageUnavailable("the index is of another version; run: python -m retrieval sync")
    return meta


def _is_whole(folder: Path, meta: IndexMeta) -> bool:
    """Whether a state of this content is there, every file of it sound."""
    try:
        _verify(folder / "meta.json", folder.name)
        for file, digest in meta.files.items():
            _verify(folder / file, digest)
    except StageUnavailable:
        return False
    return True


def _verify(path: Path, digest: str) -> None:
    """Compare a file with its hash; of ``meta.json`` the folder's name holds DIGITS of it."""
    digits = DIGITS if path.name == "meta.json" else None
    try:
        if file_sha256(path)[:digits] == digest:
            return
    except OSError as exc:
        raise _damaged(path.name) from exc
    raise _damaged(path.name)


def _damaged(file: str) -> StageUnavailable:
    return StageUnavailable(
        f"the index is damaged ({file} is not what was written); run: python -m retrieval sync"
    )


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def text_hash(text: str) -> str:
    """A short name of a text, by which its vector is known again.

    The first 24 hexadecimal digits of the SHA-256 of its UTF-8; lone surrogates are encoded too.
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def rows_of(stored: Stored | None, hashes: Sequence[str]) -> dict[str, Vectors]:
    """Vectors of an earlier state by text hash, for texts that are wanted again.

    Each is (dim,) float32. Hashes that the state lacks are left out; empty without a state.
    """
    if stored is None:
        return {}
    row = {h: n for n, i in enumerate(stored.meta.ids) if (h := stored.meta.texts.get(i))}
    vectors = stored.store.vectors
    return {h: vectors[row[h]] for h in hashes if h in row}
