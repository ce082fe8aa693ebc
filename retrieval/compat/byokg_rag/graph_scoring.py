"""Triples within some hops, ranked by a model that scores pairs of texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from retrieval.compat.byokg_rag.graph_retrievers import GTraversal, TripletGVerbalizer
from retrieval.rerank import PairScorer
from retrieval.settings import read_settings
from retrieval.wiring import cross_encoder

DEFAULT_MODEL = "BAAI/bge-reranker-base"
"""The source's own re-ranker."""


class LocalGReranker:
    """Texts by relevance to the question, best first; ties stay in order.

    Without a scorer a cross-encoder is loaded at the first text: ``model_name``, else that of
    SCANSCOUT_WALK_CROSS_ENCODER (BYOKG_RERANKING_MODEL), else the source's.
    """

    def __init__(
        self, scorer: PairScorer | None = None, topk: int = 10, *, model_name: str = ""
    ) -> None:
        self._scorer, self._topk, self._name = scorer, topk, model_name

    @property
    def model_name(self) -> str:
        """The id or folder of the weights that are loaded where no scorer was given."""
        return self._name or read_settings().walk_cross_encoder or DEFAULT_MODEL

    def rerank(self, query: str, texts: Sequence[str], topk: int | None = None) -> list[str]:
        """The ``topk`` most relevant texts; scores are rounded to six decimals, ties keep order.

        Raises StageUnavailable, with how to fetch it, where the cross-encoder is not here.
        """
        if self._scorer is None:
            lazy = cross_encoder(self.model_name, read_settings())
            assert lazy is not None
            self._scorer = lazy.get()
        scores = self._scorer.scores(query, texts)
        order = sorted(range(len(texts)), key=lambda n: -round(scores[n], 6))
        return [texts[n] for n in order[: self._topk if topk is None else topk]]


class GraphScoringRetriever:
    """Relations first, then triples, each cut to its limit by relevance."""

    def __init__(
        self,
        graph_traversal: GTraversal,
        graph_verbalizer: TripletGVerbalizer,
        graph_reranker: LocalGReranker,
        hops: int = 2,
        max_num_relations: int = 20,
        max_num_triplets: int = 100,
        **unused: Any,  # noqa: ANN401 - arguments of the source that say nothing here
    ) -> None:
        self._traversal, self._verbalizer = graph_traversal, graph_verbalizer
        self._reranker, self._hops = graph_reranker, hops
        self._relations, self._triplets = max_num_relations, max_num_triplets

    def retrieve(self, query: str, source_nodes: Iterable[str]) -> list[str]:
        """The most relevant triples as text."""
        steps = self._traversal.multi_hop_expand(source_nodes, self._hops)
        names = list(dict.fromkeys(relation for _, relation, _ in steps))
        relations = set(self._reranker.rerank(query, names, self._relations)) if names else set()
        texts = self._verbalizer.verbalize(step for step in steps if step[1] in relations)
        unique = list(dict.fromkeys(texts))
        return self._reranker.rerank(query, unique, self._triplets) if unique else []
