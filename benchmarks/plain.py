"""A plain composition of well-known parts: the reference of the speed comparison."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import faiss
import networkx as nx
import numpy as np
from rank_bm25 import BM25Okapi

from retrieval.core import Tool, Vectors
from retrieval.dense import SentenceEncoder, packaged_weights

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

SEEDS, NODES, RERANKED = 50, 150, 50


class PlainSearch:
    """sentence-transformers, IndexFlatIP, rank_bm25, a bounded walk in networkx, then RRF."""

    def __init__(self, tools: Sequence[Tool], vectors: Vectors, graph: nx.MultiDiGraph) -> None:
        self._encoder = SentenceEncoder()
        self._ids = [t.id for t in tools]
        self._tool = frozenset(self._ids)
        self._texts = {t.id: t.description for t in tools}
        self._dense = faiss.IndexFlatIP(vectors.shape[1])
        self._dense.add(np.ascontiguousarray(vectors))
        self._words = BM25Okapi([_words(f"{t.name} {t.description}") for t in tools])
        self._near = graph.to_undirected(as_view=True)

    def encode(self, text: str) -> Vectors:
        """The vector of a query, shape (1, dim), float32."""
        return self._encoder.encode([text])

    def search(self, text: str) -> list[str]:
        """Ids, best first."""
        _, rows = self._dense.search(self.encode(text), SEEDS)
        dense = [self._ids[r] for r in rows[0].tolist()]
        bm25 = self._words.get_scores(_words(text))
        words = [self._ids[r] for r in np.argsort(-bm25)[:SEEDS].tolist()]
        scores: dict[str, float] = {}
        for ids in (dense, words):
            for rank, id in enumerate(ids, start=1):
                # Reciprocal rank fusion with k = 60 (Cormack and others, SIGIR 2009).
                scores[id] = scores.get(id, 0.0) + 1 / (60 + rank)
        fused = sorted(scores, key=lambda id: (-scores[id], id))[:SEEDS]
        return [*fused, *self._walked(fused)][:NODES]

    def _walked(self, seeds: Sequence[str]) -> list[str]:
        met: dict[str, None] = {}
        for seed in seeds:
            if seed in self._near:
                met.update(
                    dict.fromkeys(nx.single_source_shortest_path_length(self._near, seed, 2))
                )
        return [node for node in met if node in self._tool and node not in seeds]

    def reranked(self, text: str, scorer: CrossEncoder) -> list[str]:
        """The same, its first 50 read again by a cross-encoder."""
        ids = self.search(text)[:RERANKED]
        scores = scorer.predict([(text, self._texts[i]) for i in ids], show_progress_bar=False)
        return [i for _, i in sorted(zip((-scores).tolist(), ids, strict=True))]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def cross_encoder() -> CrossEncoder:
    """A cross-encoder of MiniLM's size; its head is untrained, which does not change its time."""
    from sentence_transformers import CrossEncoder
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    source = packaged_weights()
    with tempfile.TemporaryDirectory() as folder:
        model = AutoModelForSequenceClassification.from_pretrained(source, num_labels=1)
        model.save_pretrained(folder)
        AutoTokenizer.from_pretrained(source).save_pretrained(folder)
        scorer: CrossEncoder = CrossEncoder(str(Path(folder)), device="cpu", max_length=256)
        return scorer
