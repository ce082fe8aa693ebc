"""Late interaction over stored token vectors (MaxSim; Khattab and Zaharia, SIGIR 2020)."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import BinaryIO

import numpy as np

from retrieval.catalog import places
from retrieval.core import Encoder, Scorer, StageUnavailable, State, Vectors, read_by
from retrieval.dense.int8_product import SIGN, products
from retrieval.dense.port import TokenStore
from retrieval.dense.source import ENCODER
from retrieval.storage import CacheFolder, Say, rebuilt, silent

BATCH = 64
WINDOW = 4_096
"""Records whose token vectors are in memory at once while they are made."""

CACHED_QUERIES = 8
"""Queries whose best cosines are cached: several stages ask for the same."""


class TokenFile:
    """Token vectors as memory-mapped int8 rows, each with its own scale."""

    def __init__(self, folder: Path) -> None:
        self.ids: tuple[str, ...] = tuple(json.loads((folder / "ids.json").read_text("utf-8")))
        mapped = np.load(folder / "rows.npy", mmap_mode="r", allow_pickle=False)
        # The same memory as a plain array, whose slices cost less. Turning the sign's bit makes
        # of a signed value v the unsigned one v + 128.
        self._rows = np.asarray(mapped).view(np.uint8)
        self._scales = np.load(folder / "scales.npy", allow_pickle=False)
        self._starts = np.load(folder / "starts.npy", allow_pickle=False)
        self._at = places(self.ids)
        self._cache: OrderedDict[int, _BestCosines] = OrderedDict()
        sizes = (len(self.ids) + 1, len(self._scales))
        if (len(self._starts), int(self._starts[-1])) != sizes or len(self._rows) != sizes[1]:
            raise ValueError("the token files do not belong together")

    def scores(self, query_tokens: Vectors, ids: Sequence[str]) -> list[float]:
        """Mean over the query's rows of the best cosine in the record; 0 for an unknown id.

        ``query_tokens`` is (rows, dim); the values are in the order of ``ids``, 0 for a query
        without rows. MaxSim sums instead; the mean does not depend on the length of the query.
        """
        if not len(query_tokens):
            return [0.0] * len(ids)
        means: list[float] = self.best(query_tokens, ids).mean(axis=0).tolist()
        return means

    def best(self, query_tokens: Vectors, ids: Sequence[str]) -> Vectors:
        """The best cosine of every query row (down) in every record (across); 0 for unknown ids.

        Results are cached by the identity of the array of query rows.
        """
        cached = self._cached(query_tokens)
        fresh = [i for i in dict.fromkeys(ids) if i in self._at and i not in cached.place]
        if fresh:
            cached = cached.with_more(fresh, self._cosines(query_tokens, fresh))
            self._cache[id(query_tokens)] = cached
        return cached.best.take([cached.place.get(i, 0) for i in ids], axis=1)

    def _cached(self, query_tokens: Vectors) -> _BestCosines:
        """What is known for an array of query rows, which is held so that its id stays its own."""
        cached = self._cache.get(id(query_tokens))
        if cached is not None:
            return cached
        while len(self._cache) >= CACHED_QUERIES:
            self._cache.popitem(last=False)
        nothing = np.zeros((len(query_tokens), 1), dtype=np.float32)
        return self._cache.setdefault(id(query_tokens), _BestCosines(query_tokens, {}, nothing))

    def _cosines(self, query_tokens: Vectors, ids: Sequence[str]) -> Vectors:
        at = np.array([self._at[i] for i in ids])
        first = self._starts[at]
        counts = self._starts[at + 1] - first
        cuts = np.cumsum(counts) - counts
        place = np.arange(counts.sum()) + np.repeat(first - cuts, counts)
        rows = self._rows.take(place, axis=0)
        rows ^= SIGN
        scales = self._scales.take(place)[:, None]
        best: Vectors = np.maximum.reduceat(products(rows, query_tokens) * scales, cuts, axis=0)
        return best.T


@dataclass(frozen=True, slots=True)
class _BestCosines:
    """The best cosines known of one array of query rows; column 0 is for records not held."""

    query_tokens: Vectors
    place: dict[str, int]
    best: Vectors

    def with_more(self, ids: Sequence[str], best: Vectors) -> _BestCosines:
        """The same with columns for these ids."""
        past = self.best.shape[1]
        place = {**self.place, **{i: past + n for n, i in enumerate(ids)}}
        return _BestCosines(self.query_tokens, place, np.concatenate([self.best, best], axis=1))


def token_key(model: str, texts: Mapping[str, str]) -> str:
    """The name of the token vectors of these texts under this model.

    The first 16 hexadecimal digits of a SHA-256 over the model and the texts sorted by id.
    """
    header = json.dumps([model, sorted(texts.items())], ensure_ascii=True)
    return hashlib.sha256(header.encode()).hexdigest()[:16]


def token_folder(root: Path, encoder: Encoder, texts: Mapping[str, str]) -> CacheFolder:
    """Where the token vectors of texts by id are kept."""
    return CacheFolder(root, token_key(encoder.id, texts))


def token_file(
    root: Path, encoder: Encoder, texts: Mapping[str, str], say: Say = silent
) -> TokenFile:
    """The token vectors of texts by id, read from the cache or made there (slow).

    Every file is checked; where one is not sound, ``say`` gets the reason and all are made again.
    """
    folder = token_folder(root, encoder, texts)
    write = partial(_write, encoder=encoder, texts=texts)
    return TokenFile(rebuilt(folder, "the token vectors are", write, say))


def _write(folder: Path, encoder: Encoder, texts: Mapping[str, str]) -> None:
    """Window after window to the file, so that memory holds one of them."""
    ids = sorted(texts)
    scales: list[np.ndarray] = []
    counts: list[int] = []
    with (folder / "rows.npy").open("wb") as handle:
        for start in range(0, len(ids), WINDOW):
            for rows, scale in _window(encoder, [texts[i] for i in ids[start : start + WINDOW]]):
                if not counts:
                    _head(handle, 0, rows.shape[1])
                handle.write(rows.tobytes())
                scales.append(scale)
                counts.append(len(rows))
        handle.seek(0)
        # The head keeps room for a longer number, so that it can be written again.
        _head(handle, sum(counts), rows.shape[1])
    np.save(folder / "scales.npy", np.concatenate(scales))
    np.save(folder / "starts.npy", np.cumsum([0, *counts]))
    (folder / "ids.json").write_text(json.dumps(ids), "utf-8")


def _head(handle: BinaryIO, rows: int, dim: int) -> None:
    header = {"descr": "|i1", "fortran_order": False, "shape": (rows, dim)}
    np.lib.format.write_array_header_1_0(handle, header)


def _window(encoder: Encoder, texts: Sequence[str]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Eight-bit rows and their scales in the order of the texts; batches are of equal length."""
    order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
    parts: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        for n, rows in zip(batch, encoder.encode_tokens([texts[b] for b in batch]), strict=True):
            scale = np.maximum(np.abs(rows).max(axis=1), 1e-12) / 127.0
            small = np.round(rows / scale[:, None]).astype(np.int8)
            parts[n] = (small, scale.astype(np.float32))
    return [parts[n] for n in range(len(texts))]


@dataclass(frozen=True)
class LateInteraction(Scorer):
    """Scores every candidate that is there by its token vectors; finds none."""

    encoder: Encoder
    tokens: Callable[[], TokenStore | None]
    name: str = "late interaction"
    text: Callable[[State], str] = attrgetter("query.english_text")
    kind = "phrase"

    def values(self, state: State) -> list[float]:
        """One MaxSim per candidate, in their order: a mean of cosines, 0 for an unknown record.

        Raises StageUnavailable while the token vectors are being made, or the encoder loads.
        """
        store = self.tokens()
        if store is None:
            raise StageUnavailable("warming up: token vectors are made once, in the background")
        rows = self.encoder.encode_tokens([read_by(state, ENCODER, self.text(state))])[0]
        return store.scores(rows, [c.tool.id for c in state.candidates])
