"""Late interaction over stored token vectors (MaxSim; Khattab and Zaharia, SIGIR 2020)."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from retrieval.core.errors import StageUnavailable
from retrieval.core.ports import Encoder, TokenStore, Vectors
from retrieval.core.stage import StageResult
from retrieval.core.types import State, Why, ranked

logger = logging.getLogger(__name__)

BATCH = 64


class TokenFile:
    """Token vectors as memory-mapped int8 rows, each with its own scale."""

    def __init__(self, folder: Path) -> None:
        self.ids: tuple[str, ...] = tuple(json.loads((folder / "ids.json").read_text("utf-8")))
        self._rows = np.load(folder / "rows.npy", mmap_mode="r", allow_pickle=False)
        self._scales = np.load(folder / "scales.npy", allow_pickle=False)
        self._starts = np.load(folder / "starts.npy", allow_pickle=False)
        self._at = {tool_id: n for n, tool_id in enumerate(self.ids)}
        sizes = (len(self.ids) + 1, len(self._scales))
        if (len(self._starts), int(self._starts[-1])) != sizes or len(self._rows) != sizes[1]:
            raise ValueError("the token files do not belong together")

    def scores(self, query_tokens: Vectors, ids: Sequence[str]) -> list[float]:
        """Mean over the query's rows of the best cosine in the record; 0 for an unknown id."""
        held = [i for i in ids if i in self._at]
        if not held or not len(query_tokens):
            return [0.0] * len(ids)
        spans = [(self._starts[self._at[i]], self._starts[self._at[i] + 1]) for i in held]
        rows = np.concatenate([self._rows[a:b] for a, b in spans]).astype(np.float32)
        scales = np.concatenate([self._scales[a:b] for a, b in spans])
        cosines = (query_tokens @ rows.T) * scales
        cuts = np.cumsum([0, *(b - a for a, b in spans)])[:-1]
        best = np.maximum.reduceat(cosines, cuts, axis=1).mean(axis=0)
        by_id = dict(zip(held, best.tolist(), strict=True))
        return [by_id.get(i, 0.0) for i in ids]


def token_key(model: str, texts: Mapping[str, str]) -> str:
    """The name of the token vectors of these texts under this model."""
    told = json.dumps([model, sorted(texts.items())], ensure_ascii=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def token_file(root: Path, encoder: Encoder, texts: Mapping[str, str]) -> TokenFile:
    """The token vectors of texts by id, read from the cache or made there (slow)."""
    folder = root / token_key(encoder.id, texts)
    if (folder / "ids.json").is_file():
        try:
            return TokenFile(folder)
        except (OSError, ValueError, EOFError):
            logger.warning("the saved token vectors are damaged and are made again")
    root.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".new-", dir=root))
    _write(aside, encoder, texts)
    shutil.rmtree(folder, ignore_errors=True)
    aside.replace(folder)
    return TokenFile(folder)


def _write(folder: Path, encoder: Encoder, texts: Mapping[str, str]) -> None:
    order = sorted(texts, key=lambda i: (len(texts[i]), i))
    parts: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        for i, rows in zip(batch, encoder.encode_tokens([texts[b] for b in batch]), strict=True):
            scale = np.maximum(np.abs(rows).max(axis=1), 1e-12) / 127.0
            small = np.round(rows / scale[:, None]).astype(np.int8)
            parts[i] = (small, scale.astype(np.float32))
    ids = sorted(texts)
    np.save(folder / "rows.npy", np.concatenate([parts[i][0] for i in ids]))
    np.save(folder / "scales.npy", np.concatenate([parts[i][1] for i in ids]))
    np.save(folder / "starts.npy", np.cumsum([0, *(len(parts[i][0]) for i in ids)]))
    (folder / "ids.json").write_text(json.dumps(ids), "utf-8")


def _search_text(state: State) -> str:
    return state.query.search_text


@dataclass(frozen=True)
class LateInteraction:
    """Scores every candidate that is there by its token vectors; finds none."""

    encoder: Encoder
    tokens: Callable[[], TokenStore | None]
    name: str = "late interaction"
    text: Callable[[State], str] = _search_text

    def run(self, state: State) -> StageResult:
        """The same candidates with MaxSim scores; skipped while the vectors are being made."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        store = self.tokens()
        if store is None:
            raise StageUnavailable("warming up: token vectors are made once, in the background")
        rows = self.encoder.encode_tokens([self.text(state)])[0]
        scores = store.scores(rows, [c.tool.id for c in state.candidates])
        why = Why(kind="phrase", stage=state.path, text="")
        found = ranked(
            c.scored(state.path, score, replace(why, value=round(score, 6)))
            for c, score in zip(state.candidates, scores, strict=True)
        )
        return StageResult(name=self.name, state=replace(state, candidates=found))
