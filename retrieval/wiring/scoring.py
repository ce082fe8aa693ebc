"""A pair scorer for agentic retrieval: in batches, within a time limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.agentic import AgenticConfig, default_instruction
from retrieval.core import bounded
from retrieval.rerank import LazyScorer, PairScorer


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
    return LazyScorer(lambda: BatchedScorer(scorer.get(), size, seconds, instruction))
