"""The agentic mode: rounds of search over the same parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Protocol, runtime_checkable

from retrieval.agentic import (
    Agentic,
    AgenticConfig,
    CoverageJudge,
    CoverageScorer,
    LanguageJudge,
    Rescore,
    merged_to,
)
from retrieval.catalog import Meaning
from retrieval.core import (
    Combine,
    FirstOf,
    Fuse,
    Pipeline,
    Rounds,
    Stage,
    reciprocal_rank_fusion,
    weighted,
)
from retrieval.dense import DenseScorer, DenseSource, LateInteraction
from retrieval.fit import FitStage, TokenStage
from retrieval.lexical import Bm25Scorer, Bm25Source
from retrieval.llm import LanguageModel
from retrieval.query import Enrich, Read
from retrieval.rerank import CrossEncoderRerank, KeepOrder, RerankSwitch, StageScore, Taste
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.parts import Parts, Sizes
from retrieval.wiring.ranking import learned_rank, name_match
from retrieval.wiring.scoring import batched

CONCEPTS = {"concepts": 0.1}
"""Weight of the share of the query's concepts that a tool covers, beside those of the fusion."""


DENSE = tuple(
    f"rounds/{place}/rerank/ranking/score fusion/dense" for place in ("round 2", "round 1/search")
)
"""Where the learned ranking finds the similarity to the query, the later round first."""


@runtime_checkable
class Tunable(Protocol):
    """A language model whose temperature and answer length can be set."""

    def tuned(self, *, temperature: float, max_tokens: int) -> LanguageModel:
        """The same model with this temperature and answer length."""
        ...


def meaning_of(parts: Parts) -> Meaning:
    """The concept layer of the parts, with the wider concepts of each."""
    words = lexicon()
    return Meaning(parts.annotator or words.annotator, parts.labels or words.labels, words.parents)


@dataclass(frozen=True, kw_only=True)
class AgenticMode:
    """Builds the pipeline of one configuration.

    With ``model_only`` there are no rounds without a model (the interface of source 004);
    else the concepts of the query judge in its place. ``fusion`` makes one list of what vectors
    and words found.
    """

    parts: Parts
    sizes: Sizes
    weights: Mapping[str, float]
    config: AgenticConfig = field(default_factory=AgenticConfig)
    model_only: bool = False
    fusion: Combine = reciprocal_rank_fusion

    @cached_property
    def meaning(self) -> Meaning:
        """The concept layer that judges and scores."""
        return meaning_of(self.parts)

    def pipeline(self) -> Pipeline:
        """Tokens and reading, the rounds or the plain search, the scan's verdicts, taste."""
        parts, config = self.parts, self._sized()
        light = self._fused(config.round1_emb_top_n, config.round1_bm25_top_n, config.round1_top_n)
        no_model = self.model_only and parts.language_model is None
        agentic = Agentic(
            rounds=self._rounds(light, config),
            light=light,
            seconds=config.timeout,
            limit=self._cut(config.final_top_n),
            fallback=config.fallback_on_error,
            missing="llm_provider was not given" if no_model else "",
        )
        read = Read(parts.annotator, parts.english, parts.labels, lambda w: parts.bm25.knows(w))
        weighing = (TokenStage(), FitStage(parts.bridge.chain), Taste(parts.tools))
        return Pipeline("agentic", [Enrich(), read, agentic, *weighing])

    def _sized(self) -> AgenticConfig:
        """The configuration; in judged runs its lists are as long as the run asks."""
        if self.sizes.final is not None:
            return self.config
        k = self.sizes.per_list
        return replace(
            self.config,
            round1_emb_top_n=k,
            round1_bm25_top_n=k,
            round1_top_n=k,
            round2_per_query_top_n=k,
        )

    def _cut(self, number: int) -> int | None:
        return None if self.sizes.final is None else number

    def _rounds(self, light: Stage, config: AgenticConfig) -> Rounds:
        every = config.round2_per_query_top_n
        first = [light, *self._rerank(config.round1_top_n)]
        closing = self._rerank(config.final_top_n)
        return Rounds(
            "rounds",
            first=Pipeline("search", first),
            again=self._fused(every, every, every),
            judge=self._judge(config),
            merge=merged_to(self._cut(config.combined_total)),
            closing=closing[0] if closing else None,
        )

    def _judge(self, config: AgenticConfig) -> Stage:
        model, shown = self.parts.language_model, config.round1_rerank_top_n
        if model is None:
            return CoverageJudge(self.meaning, shown, config.queries)
        if isinstance(model, Tunable):
            temperature, tokens = config.llm_temperature, config.llm_max_tokens
            model = model.tuned(temperature=temperature, max_tokens=tokens)
        return LanguageJudge(model, shown, config.queries, self.sizes.llm_seconds)

    def _fused(self, dense: int, words: int, limit: int) -> Fuse:
        parts = self.parts
        store = parts.vectors.store if parts.vectors else None
        sources: list[Stage] = [
            DenseSource(parts.encoder, store, parts.tools, k=dense, absent=parts.no_vectors),
            Bm25Source(parts.bm25, k=words),
        ]
        return Fuse("fused", sources, combine=self.fusion, limit=limit)

    def _rerank(self, limit: int) -> Sequence[Stage]:
        """The reranker, if one is wanted, in a list."""
        if not self.config.use_reranker:
            return ()
        config, cut = self.config, self._cut(limit)
        scorer = batched(self.parts.cross_encoder, config)
        plain = attrgetter("query.plain_text")
        cross = CrossEncoderRerank(scorer, limit=cut, text=plain)
        options: list[Stage] = [cross, self._ranking(cut)]
        return (RerankSwitch(FirstOf("rerank", options), "", limit=cut),)

    def _ranking(self, cut: int | None) -> Pipeline:
        """The order without a cross-encoder: true scores, the learned ranking, names."""
        learned = learned_rank(self.parts)
        signals = (
            StageScore("dense", DENSE) if isinstance(s, StageScore) else s for s in learned.signals
        )
        return Pipeline(
            "ranking",
            [
                Rescore("score fusion", self._scorers(), weighted({**self.weights, **CONCEPTS})),
                replace(learned, signals=tuple(signals)),
                name_match(self.parts),
                KeepOrder(limit=cut, name="cut", listed=False),
            ],
        )

    def _scorers(self) -> Sequence[Stage]:
        parts = self.parts
        store = parts.vectors.store if parts.vectors else None
        return (
            DenseScorer(parts.encoder, store, name="dense"),
            Bm25Scorer(parts.bm25, name="bm25"),
            LateInteraction(parts.encoder, parts.tokens),
            CoverageScorer(self.meaning),
        )
