"""Index folders: one a state, checksummed; the states of all are made live by a single rename.

``DIR/<hash>/index.faiss, meta.json, terms.json, terms.npy``, the same below ``DIR/<part>`` for
further indexes of a catalog, and ``DIR/CURRENT`` naming the live state of each (pointer.py).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import faiss
import numpy as np

from retrieval.core import StageUnavailable, Vectors
from retrieval.dense.inverted import FileStore, store_of
from retrieval.dense.pointer import MAIN, NAME, POINTER, Pointer
from retrieval.storage import ASIDE, alone_in, file_sha256

FORMAT = 1
TRIES = 5
DIGITS = 16
"""Hexadecimal digits of a state's name: the beginning of the SHA-256 of its ``meta.json``."""
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
    """Reads and writes the states of one index; readers never see half of one.

    ``part`` is the folder below ``base`` of an index beside the main one.
    """

    def __init__(self, base: Path, part: str = MAIN) -> None:
        self.base, self.part, self.root = base, part, base / part
        self._pointer = Pointer(base)

    def live(self) -> str | None:
        """The name of the live state, or None where there is none.

        None also for a pointer that cannot be read; whether the state itself exists is not checked.
        """
        return self._pointer.live(self.part)

    @property
    def begun(self) -> bool:
        """Whether somebody made an index here, readable or not."""
        return self._pointer.begun(self.part)

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
        if name is None or not NAME.fullmatch(name) or not (self.root / name).is_dir():
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
        """As ``save_together`` with this index alone."""
        return save_together(self.base, {self.part: stored})[self.part]

    def clean(self) -> None:
        """Remove what killed writers left; the live state and the newest other stay.

        Nothing happens while another process writes, or where the folder cannot be written.
        """
        if not self.root.is_dir():
            return
        with suppress(OSError), alone_in(self.base, seconds=0):
            states = [p for p in self.root.iterdir() if NAME.fullmatch(p.name)]
            others = [p for p in states if p.name != self.live()]
            newest = max(others, key=lambda p: p.stat().st_mtime, default=None)
            self.tidy({self.live(), newest.name if newest else None})

    def tidy(self, current: set[str | None]) -> None:
        """Remove every state but these, and what killed writers left."""
        for path in self.root.iterdir():
            if path.name in current or not _OURS.fullmatch(path.name):
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def save_together(base: Path, states: Mapping[str, Stored]) -> dict[str, Stored]:
    """Write the states of a catalog's indexes aside, by part, then make all live by one rename.

    The states before them are kept, older ones go. One process writes at a time, the others wait;
    the last to write wins. Raises OSError when the folder cannot be written, and leaves the states
    before as they were.
    """
    base.mkdir(parents=True, exist_ok=True)
    with alone_in(base):
        pointer, saved = Pointer(base), {}
        before = {part: pointer.live(part) for part in states}
        for part, stored in states.items():
            saved[part] = _put(base / part, stored)
        names = {part: state_name(stored.meta) for part, stored in saved.items()}
        pointer.write(names)
        _flush(base)
        for part, name in names.items():
            IndexFolder(base, part).tidy({name, before[part]})
    return saved


def _put(folder: Path, stored: Stored) -> Stored:
    """Write a state into its folder, flushed to disk; it is not live yet."""
    folder.mkdir(parents=True, exist_ok=True)
    # A folder that is renamed below is no longer there to be removed.
    with TemporaryDirectory(prefix=ASIDE, dir=folder, ignore_cleanup_errors=True) as temporary:
        aside = Path(temporary)
        meta = _write(aside, stored)
        state = folder / file_sha256(aside / "meta.json")[:DIGITS]
        # The live state may have this content: one that is whole is never touched.
        if not _is_whole(state, meta):
            shutil.rmtree(state, ignore_errors=True)
            aside.rename(state)
            _flush(folder)
    return replace(stored, meta=meta)


def _text(meta: IndexMeta) -> bytes:
    return json.dumps(asdict(meta), sort_keys=True, indent=1).encode()


def state_name(meta: IndexMeta) -> str:
    """The folder name of a state whose meta names the hashes of its files."""
    return hashlib.sha256(_text(meta)).hexdigest()[:DIGITS]


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
    (folder / "meta.json").write_bytes(_text(meta))
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
