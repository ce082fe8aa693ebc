"""Index folders: one a state, checksummed, made live by a single rename of a pointer file.

``DIR/<hash>/index.faiss, meta.json, terms.json, terms.npy`` and ``DIR/CURRENT`` naming the hash.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import faiss
import numpy as np

from retrieval.core import StageUnavailable, Vectors
from retrieval.dense.inverted import FileStore, store_of
from retrieval.storage import alone_in

FORMAT = 1
POINTER = "CURRENT"
TRIES = 5
_NAME = re.compile(r"[0-9a-f]{16}")
_OURS = re.compile(rf"[0-9a-f]{{16}}|\.new-.*|\.{POINTER}-\d+")


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


def _sha256(path: Path) -> str:
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "not a file")
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


class IndexFolder:
    """Reads and writes the states of one index; readers never see half of one."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def live(self) -> str | None:
        """The name of the live state, or None where there is none."""
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
        _verify_name(folder / "meta.json", name)
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
            with self._aside() as aside:
                meta = self._write(aside, stored)
                name = self._place(aside, meta)
            self._point(name)
            self._tidy({name, before})
        return replace(stored, meta=meta)

    def clean(self) -> None:
        """Remove what killed writers left; the live state and the newest other stay."""
        if not self.root.is_dir():
            return
        with suppress(OSError), alone_in(self.root, seconds=0):
            states = [p for p in self.root.iterdir() if _NAME.fullmatch(p.name)]
            others = [p for p in states if p.name != self.live()]
            newest = max(others, key=lambda p: p.stat().st_mtime, default=None)
            self._tidy({self.live(), newest.name if newest else None})

    @contextmanager
    def _aside(self) -> Iterator[Path]:
        aside = Path(tempfile.mkdtemp(prefix=".new-", dir=self.root))
        try:
            yield aside
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _place(self, aside: Path, meta: IndexMeta) -> str:
        """Give a written state its name, unless it is there already and whole."""
        name = _sha256(aside / "meta.json")[:16]
        if not _intact(self.root / name, meta):
            shutil.rmtree(self.root / name, ignore_errors=True)
            aside.rename(self.root / name)
            _flush(self.root)
        return name

    def _write(self, aside: Path, stored: Stored) -> IndexMeta:
        # Not faiss.write_index: it does not say when the disk is full.
        _put(aside / "index.faiss", faiss.serialize_index(stored.store.index).data)
        _put(aside / "terms.json", json.dumps(list(stored.terms), ensure_ascii=False).encode())
        with (aside / "terms.npy").open("wb") as handle:
            np.save(handle, stored.term_vectors.astype(np.float16), allow_pickle=False)
        files = {n: _sha256(aside / n) for n in ("index.faiss", "terms.json", "terms.npy")}
        meta = replace(stored.meta, files=files)
        _put(aside / "meta.json", json.dumps(asdict(meta), sort_keys=True, indent=1).encode())
        for path in (*aside.iterdir(), aside):
            _flush(path)
        return meta

    def _point(self, name: str) -> None:
        waiting = self.root / f".{POINTER}-{os.getpid()}"
        _put(waiting, name.encode())
        _flush(waiting)
        waiting.replace(self.root / POINTER)
        _flush(self.root)

    def _tidy(self, current: set[str | None]) -> None:
        for path in self.root.iterdir():
            if path.name in current or not _OURS.fullmatch(path.name):
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _meta(path: Path) -> IndexMeta:
    try:
        raw = json.loads(path.read_text("utf-8"))
        meta = IndexMeta(**{**raw, "ids": tuple(raw["ids"])})
    except (OSError, ValueError, TypeError, KeyError) as exc:
        raise _damaged("meta.json") from exc
    if meta.format != FORMAT:
        raise StageUnavailable("the index is of another version; run: python -m retrieval sync")
    return meta


def _verify_name(path: Path, name: str) -> None:
    """A state is named by the hash of its meta.json, which holds the hashes of the rest."""
    try:
        if _sha256(path)[:16] == name:
            return
    except OSError as exc:
        raise _damaged(path.name) from exc
    raise _damaged(path.name)


def _intact(folder: Path, meta: IndexMeta) -> bool:
    """Whether a state of this content is there already and whole; the live one is never touched."""
    try:
        _verify_name(folder / "meta.json", folder.name)
        for file, digest in meta.files.items():
            _verify(folder / file, digest)
    except StageUnavailable:
        return False
    return True


def _verify(path: Path, digest: str) -> None:
    try:
        if _sha256(path) == digest:
            return
    except OSError as exc:
        raise _damaged(path.name) from exc
    raise _damaged(path.name)


def _damaged(file: str) -> StageUnavailable:
    return StageUnavailable(
        f"the index is damaged ({file} is not what was written); run: python -m retrieval sync"
    )


def _put(path: Path, data: bytes | memoryview) -> None:
    path.write_bytes(data)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def text_hash(text: str) -> str:
    """A short name of a text, by which its vector is known again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def rows_of(stored: Stored | None, hashes: Sequence[str]) -> dict[str, Vectors]:
    """Vectors of an earlier state by text hash, for texts that are wanted again."""
    if stored is None:
        return {}
    row = {h: n for n, i in enumerate(stored.meta.ids) if (h := stored.meta.texts.get(i))}
    vectors = stored.store.vectors
    return {h: vectors[row[h]] for h in hashes if h in row}
