"""``VectorIndex`` of the imaging agent: a flat FAISS index with a file of candidates beside it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, overload

import faiss
import numpy as np
from numpy.typing import NDArray

from retrieval.compat.retriever.software_doc import Row, candidate_row, indexed_text, tools_of
from retrieval.compat.retriever.text_embedder import TextEmbedder
from retrieval.core import BadInput, Tool, Vectors
from retrieval.storage import write_whole

logger = logging.getLogger("retriever.vector_index")

INDEX, META = "index.faiss", "meta.json"
TEMPLATE = "{name} {description} {keywords}"
Hits = tuple[Vectors, NDArray[np.int64]]


class VectorIndex:
    """Exact search by inner product over normalised vectors (``IndexFlatIP``).

    It needs no argument: the encoder is loaded with the first text, and an index that is searched
    with vectors alone loads none.
    """

    def __init__(self, embedder: TextEmbedder | None = None) -> None:
        self._embedder = embedder
        self.candidates: list[Row] = []
        self.index: faiss.Index | None = None
        self._model = ""

    @property
    def embedder(self) -> TextEmbedder:
        """The encoder; made at its first use."""
        if self._embedder is None:
            self._embedder = TextEmbedder()
        return self._embedder

    @property
    def ids(self) -> list[str]:
        """Ids by row; empty for rows that were added as bare vectors."""
        return [str(row.get("id", "")) for row in self.candidates]

    def __len__(self) -> int:
        return 0 if self.index is None else int(self.index.ntotal)

    def add(self, entries: Vectors | Iterable[Tool | Mapping[str, Any]]) -> None:
        """Append vectors, (dim,) or (n, dim), or tools and candidates, which are embedded here.

        Vectors are expected normalised, as FAISS expects them. Raises BadInput for another width.
        """
        if isinstance(entries, np.ndarray):
            rows = np.ascontiguousarray(np.atleast_2d(entries), dtype=np.float32)
            self._append(rows, [{} for _ in rows])
            return
        tools: list[Tool] = []
        for entry in entries:
            tools += [entry] if isinstance(entry, Tool) else tools_of([entry])
        if tools:
            rows = self.embedder.embed_corpus([indexed_text(tool) for tool in tools])
            self._model = self.embedder.model_name
            self._append(rows, [candidate_row(tool, 0.0) for tool in tools])

    def _append(self, vectors: Vectors, candidates: list[Row]) -> None:
        if self.index is None:
            self.index = faiss.IndexFlatIP(vectors.shape[1])
        if vectors.shape[1] != self.index.d:
            raise BadInput(f"vectors: {vectors.shape[1]} wide, but the index is {self.index.d}")
        self.index.add(vectors)
        self.candidates += candidates

    @overload
    def search(self, query: str, k: int = 20) -> list[Row]: ...

    @overload
    def search(self, query: Vectors, k: int = 20) -> Hits: ...

    @overload
    def search(self, query: list[str] | tuple[str, ...], k: int = 20) -> list[list[Row]]: ...

    def search(
        self, query: str | list[str] | tuple[str, ...] | Vectors, k: int = 20
    ) -> list[Row] | list[list[Row]] | Hits:
        """The ``k`` nearest, best first; fewer where the index holds fewer.

        A text gives candidates, several texts a list of them each. Vectors, (dim,) or (n, dim),
        give FAISS's scores and row numbers, each (n, k). Raises BadInput before anything is added
        or loaded, and StageUnavailable where a text is given and no encoder can be loaded.
        """
        if isinstance(query, np.ndarray):
            return self._nearest(np.atleast_2d(query), k)
        texts = [query] if isinstance(query, str) else list(query)
        if not texts:
            return []
        indexed, using = self._model, self.embedder.model_name
        if indexed and indexed != using:
            raise BadInput(
                f"index: made with {indexed}, but the encoder is {using}; build it again"
            )
        scores, rows = self._nearest(self.embedder.embed_queries(texts), k)
        hits_of_texts = [
            [
                {**self.candidates[row], "retrieval_score": score}
                for score, row in zip(*hits, strict=True)
            ]
            for hits in zip(scores.tolist(), rows.tolist(), strict=True)
        ]
        for text, text_hits in zip(texts, hits_of_texts, strict=True):
            top = text_hits[0]["retrieval_score"] if text_hits else 0.0
            logger.info(
                'FAISS search: query="%s", results=%d, top_score=%.2f', text, len(text_hits), top
            )
        return hits_of_texts[0] if isinstance(query, str) else hits_of_texts

    def _nearest(self, vectors: Vectors, k: int) -> Hits:
        if self.index is None:
            raise BadInput("index: nothing is in it; call add(...) or load(folder) first")
        if vectors.shape[1] != self.index.d:
            raise BadInput(f"query: {vectors.shape[1]} wide, but the index is {self.index.d}")
        if k < 1:
            raise BadInput(f"k: {k} were asked for; choose 1 or more")
        rows = np.ascontiguousarray(vectors, dtype=np.float32)
        scores, places = self.index.search(rows, min(k, len(self)))
        return scores, places

    def save(self, folder: Path | str) -> None:
        """Write ``index.faiss`` and ``meta.json``, each whole. Raises OSError."""
        if self.index is None:
            raise BadInput("index: nothing is in it to save")
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        meta = {
            "config": {"model": self._model, "dim": self.index.d, "text": TEMPLATE},
            "tool_ids": self.ids,
            "candidates": self.candidates,
        }
        write_whole(place / INDEX, bytes(faiss.serialize_index(self.index).data))
        write_whole(place / META, json.dumps(meta, ensure_ascii=False, indent=1).encode())

    def load(self, folder: Path | str) -> None:
        """Read both files; what was loaded before stays where they do not fit each other.

        Raises BadInput naming the file that is missing or is none of this layout.
        """
        place = Path(folder)
        try:
            meta = json.loads((place / META).read_text("utf-8"))
            index = faiss.deserialize_index(np.fromfile(place / INDEX, dtype=np.uint8))
            candidates = [dict(row) for row in meta["candidates"]]
            model, wide = str(meta["config"]["model"]), int(meta["config"]["dim"])
        except OSError as exc:
            name = Path(str(exc.filename)).name
            raise BadInput(f"index: {name} cannot be read; run the sync command first") from exc
        except (ValueError, KeyError, TypeError, RuntimeError) as exc:
            raise BadInput("index: a file is damaged; run the sync command again") from exc
        if (index.d, index.ntotal) != (wide, len(candidates)):
            raise BadInput("index: index.faiss and meta.json are of different builds; sync again")
        self.index, self.candidates, self._model = index, candidates, model
