"""The agentic mode: rounds of search over the same parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Protocol, runtime_checkable

from retrieval.agentic import (
    Agentic,
    AgenticConfig,
    CoverageJudge,
    CoverageScorer,
    JudgePrompts,
    LanguageJudge,
    Rescore,
    default_instruction,
    merged_to,
)
from retrieval.catalog import Meaning
from retrieval.core import (
    Combine,
    Fuse,
    Pipeline,
    Rounds,
    Stage,
    bounded,
    reciprocal_rank_fusion,
    weighted,
)
from retrieval.fit import FitStage, TokenStage
from retrieval.llm import LanguageModel
from retrieval.rerank import (
    CrossEncoderRerank,
    KeepOrder,
    LazyScorer,
    PairScorer,
    RerankSwitch,
    Taste,
)
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.parts import Parts, Sizes
from retrieval.wiring.ranking import learned_rank, name_match
from retrieval.wiring.searching import (
    FUSION,
    dense,
    enrich,
    read,
    scorers,
    web_offer,
    wishes,
    words,
)

CONCEPTS = {CoverageScorer.name: 0.1}
"""Weight of the share of the query's concepts that a tool covers, beside those of the fusion."""


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
    config: AgenticConfig = field(default_factory=AgenticConfig)
    model_only: bool = False
    fusion: Combine = reciprocal_rank_fusion
    prompts: JudgePrompts = field(default_factory=JudgePrompts)

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
        weighing = (
            TokenStage(),
            FitStage(parts.bridge.chain),
            Taste(parts.tools),
            wishes(parts, self.sizes),
            web_offer(parts),
        )
        return Pipeline("agentic", [enrich(parts), read(parts), agentic, *weighing])

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
        # Under the names of source 004 its own time limit is the only one: models may be slow.
        seconds = config.timeout if self.model_only else self.sizes.llm_seconds
        return LanguageJudge(model, shown, config.queries, seconds, prompts=self.prompts)

    def _fused(self, by_meaning: int, by_words: int, limit: int) -> Fuse:
        sources = (dense(self.parts, by_meaning), words(self.parts, by_words))
        return Fuse("fused", sources, combine=self.fusion, limit=limit)

    def _rerank(self, limit: int) -> Sequence[Stage]:
        """The reranker, if one is wanted, in a list."""
        if not self.config.use_reranker:
            return ()
        config, cut = self.config, self._cut(limit)
        scorer = batched(self.parts.cross_encoder, config)
        plain = attrgetter("query.plain_text")
        cross = CrossEncoderRerank(scorer, limit=cut, text=plain)
        is_here = scorer is not None and scorer.is_here()
        return (RerankSwitch([cross], self._ranking(cut), configured=is_here),)

    def _ranking(self, cut: int | None) -> Pipeline:
        """The order without a cross-encoder: true scores, the learned ranking, names."""
        every = (*scorers(self.parts), CoverageScorer(self.meaning))
        return Pipeline(
            "ranking",
            [
                Rescore("score fusion", every, weighted({**FUSION, **CONCEPTS})),
                learned_rank(self.parts),
                name_match(self.parts),
                KeepOrder(limit=cut, name="cut", listed=False),
            ],
        )


@dataclass(frozen=True)
class BatchedScorer:
    """Another scorer, called with ``size`` texts at a time, for at most ``seconds`` in all.

    ``instruction`` is put before the query: some rerankers are trained with one.
    """

    scorer: PairScorer
    size: int
    seconds: float
    instruction: str = ""

    @property
    def id(self) -> str:
        """The model's name."""
        return self.scorer.id

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score per text, in their order. Raises StageUnavailable when time is up."""
        prompt = f"{self.instruction}\n{query}" if self.instruction else query

        def work() -> list[float]:
            batches = (texts[at : at + self.size] for at in range(0, len(texts), self.size))
            return [score for batch in batches for score in self.scorer.scores(prompt, batch)]

        return bounded(work, self.seconds, "the reranker")


def batched(scorer: LazyScorer | None, config: AgenticConfig) -> LazyScorer | None:
    """The scorer under the numbers of a configuration; loaded when it is first used.

    The instruction of the default configuration is what every reranker does: it is not sent.
    """
    if scorer is None:
        return None
    instruction = config.reranker_instruction
    instruction = "" if instruction == default_instruction() else instruction
    size, seconds = config.reranker_batch_size, config.reranker_timeout
    return LazyScorer(
        lambda: BatchedScorer(scorer.get(), size, seconds, instruction), scorer.is_here
    )
