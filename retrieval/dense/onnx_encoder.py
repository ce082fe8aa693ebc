"""The same encoder on ONNX Runtime: a third of the time, a fifth of the memory, no torch."""

from __future__ import annotations

import json
import math
import os
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from retrieval.core import StageUnavailable, Vectors, begun
from retrieval.dense.encoder import token_rows
from retrieval.dense.loading import text_key

WEIGHTS_FOLDER = "session.model_external_initializers_file_folder_path"
"""ONNX Runtime's name for the folder in which it finds the files that a graph names."""

BATCH = 8
CACHED_TEXTS = 64
"""Single texts whose states are cached: a query's vector and its token rows are one pass."""

Both = tuple[Vectors, Vectors]


class ProcessEnding(StageUnavailable):
    """The interpreter ends and begins no more work in threads."""


class OnnxEncoder:
    """Vectors of a mean-pooling BERT, L2-normalised; one thread per pass."""

    def __init__(
        self,
        graph: Path,
        tokenizer: Path,
        *,
        id: str,
        dim: int,
        max_tokens: int,
        weights: Mapping[str, NDArray[Any]] | None = None,
        weights_folder: Path | None = None,
    ) -> None:
        """Of a graph without weights: some as arrays by name, and the folder of others' files."""
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_mem_pattern = False  # every length of text would plan its memory anew
        if weights:
            values = [ort.OrtValue.ortvalue_from_numpy(array) for array in weights.values()]
            options.add_external_initializers(list(weights), values)
        if weights_folder:
            options.add_session_config_entry(WEIGHTS_FOLDER, str(weights_folder))
        # The folder is looked at only for a graph that comes as bytes.
        model = graph.read_bytes() if weights_folder else str(graph)
        self._session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(max_tokens)
        self._tokenizer.enable_padding()
        self.id, self.dim = id, dim
        self._cache: OrderedDict[bytes, Future[Both]] = OrderedDict()

    @classmethod
    def open(cls, folder: Path) -> OnnxEncoder:
        """The encoder that ``retrieval.dense.export`` wrote."""
        meta = json.loads((folder / "meta.json").read_text("utf-8"))
        return cls(
            folder / "model.onnx",
            folder / "tokenizer.json",
            id=meta["model"],
            dim=meta["dim"],
            max_tokens=meta["tokens"],
        )

    def encode(self, texts: Sequence[str], batch_size: int = BATCH) -> Vectors:
        """Rows (n, dim) float32 with norm 1, in the order of the texts.

        Texts of similar length share a batch; a single text is cached with its token rows.
        Raises ProcessEnding for more than one text once the interpreter ends.
        """
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        return np.stack([pooled for pooled, _ in self._both(texts, batch_size)])

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text its word pieces as (pieces, dim) float32, each row with norm 1.

        The markers at both ends are left out unless the text has no piece of its own.
        """
        return [rows for _, rows in self._both(texts, BATCH)]

    def _both(self, texts: Sequence[str], batch_size: int) -> list[Both]:
        if len(texts) == 1:
            return [self._one(texts[0])]
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        size = min(batch_size, BATCH)
        batches = [order[i : i + size] for i in range(0, len(order), size)]
        done: dict[int, Both] = {}
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            runs = self._begun(pool, [[texts[n] for n in batch] for batch in batches])
            for batch, results in zip(batches, runs, strict=True):
                done.update(zip(batch, results, strict=True))
        return [done[n] for n in range(len(texts))]

    def _begun(self, pool: ThreadPoolExecutor, batches: list[list[str]]) -> Iterator[list[Both]]:
        """The passes of the batches, in their order; all are queued when this returns."""
        try:
            return pool.map(self._run, batches)
        except RuntimeError as exc:
            # Loading in the background outlives the main thread; pools end with that one.
            if "interpreter shutdown" in str(exc):
                raise ProcessEnding("the process ends") from exc
            raise

    def begin(self, text: str) -> None:
        """Begin to encode a text in a thread of its own; who asks for it next waits for that."""
        if text_key(text) not in self._cache:
            begun(partial(self._one, text), "encoder")

    def _one(self, text: str) -> Both:
        """The states of one text; a pass that another thread has begun is waited for."""
        key, own = text_key(text), Future[Both]()
        future = self._cache.setdefault(key, own)
        if future is own:
            try:
                own.set_result(self._pass(text))
            finally:
                # After a failed pass the text is free to be tried again; nobody waits for it.
                if own.cancel():
                    self._cache.pop(key, None)
            while len(self._cache) > CACHED_TEXTS:
                self._cache.popitem(last=False)
        return future.result()

    def _pass(self, text: str) -> Both:
        (encoding,) = self._tokenizer.encode_batch_fast([text])  # without places in the text
        ids = np.array([encoding.ids], dtype=np.int64)
        return _pooled(self._states(ids, np.ones_like(ids))[0])

    def _run(self, texts: Sequence[str]) -> list[Both]:
        encodings = self._tokenizer.encode_batch_fast(list(texts))
        ids = np.array([f.ids for f in encodings], dtype=np.int64)
        mask = np.array([f.attention_mask for f in encodings], dtype=np.int64)
        states = self._states(ids, mask)
        return [_pooled(rows[: int(m.sum())]) for rows, m in zip(states, mask, strict=True)]

    def _states(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> Vectors:
        (states,) = self._session.run(None, {"input_ids": ids, "attention_mask": mask})
        rows: Vectors = states
        return rows


def _pooled(rows: Vectors) -> Both:
    mean = rows.mean(axis=0)
    unit: Vectors = mean / np.float32(max(math.sqrt(float(mean @ mean)), 1e-12))
    return unit, token_rows(rows)
