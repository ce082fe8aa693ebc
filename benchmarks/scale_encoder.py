"""A stand-in encoder for large catalogs: the mean of the model's own vectors of the words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from retrieval import Settings
from retrieval.core import Encoder, Vectors
from retrieval.dense import OnnxEncoder, exported

WORD = re.compile(r"[a-z]{2,}")


class WordsEncoder:
    """Vectors of the same width and a similar distribution as the model's, in 1 % of its time.

    It has the id of the model, so that an index of it answers queries that the model encodes.
    """

    def __init__(self, words: Sequence[str], vectors: Vectors, id: str) -> None:
        self.id, self.dim = id, vectors.shape[1]
        self._row = {word: n for n, word in enumerate(words)}
        self._vectors = vectors
        self.encoded = 0

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """Shape (texts, dim), float32, rows of length 1; all ones, scaled, without a known word."""
        self.encoded += len(texts)
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for n, text in enumerate(texts):
            numbers = [self._row[w] for w in WORD.findall(text.lower()) if w in self._row]
            rows[n] = self._vectors[numbers].sum(axis=0) if numbers else 1.0
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """One array of shape (1, dim) per text; token vectors are off at this size."""
        return [self.encode([text]) for text in texts]


def model(settings: Settings) -> OnnxEncoder:
    """The encoder of the settings."""
    return OnnxEncoder.open(exported(settings.encoder, settings.cache_dir))


def words_encoder(catalog: Path, cache: Path, settings: Settings) -> WordsEncoder:
    """The stand-in for the words of a catalog; ``cache`` is the file of the model's vectors."""
    if not cache.exists():
        words = sorted(set(WORD.findall(catalog.read_text("utf-8").lower())))
        encoder: Encoder = model(settings)
        np.savez(cache, words=np.array(words), vectors=encoder.encode(words))
    with np.load(cache, allow_pickle=False) as arrays:
        return WordsEncoder(arrays["words"].tolist(), arrays["vectors"], settings.encoder)
