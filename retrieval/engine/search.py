"""One search under way: the answer as its pipeline grows, and as it is when all is said."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from msgspec.structs import replace

from retrieval.core import Query, Stage, State, progress
from retrieval.engine.answer import Answer
from retrieval.engine.insight import completed
from retrieval.engine.snapshot import Snapshot
from retrieval.query import with_tokens
from retrieval.rerank import RETRIEVAL

logger = logging.getLogger("retriever.pipeline")


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A query on one snapshot; ``empty`` is its answer before the first stage of ``pipeline``.

    ``start`` is when it began (perf_counter); ``called``, how many calls had gone out until then.
    The count is shared by all queries: what is added from then on is reported with this one.
    """

    snapshot: Snapshot
    pipeline: Stage
    state: State
    empty: Answer
    start: float
    called: int

    def answers(self) -> Iterator[Answer]:
        """The answer after each stage, none of them done."""
        for part in progress(self.pipeline, self.state, root=True):
            query = _as_typed(part.state.query, self.empty.query)
            yield self._timed(replace(self.empty, query=query, result=part))

    def complete(self, last: Answer) -> Answer:
        """The last of the answers with its remarks, done."""
        _log(last)
        return self._timed(completed(last, self.snapshot, self.state))

    def _timed(self, answer: Answer) -> Answer:
        spent = (perf_counter() - self.start) * 1000
        outside = tuple(self.snapshot.outside.since(self.called))
        return replace(answer, total_ms=spent, outside=outside)


def _as_typed(searched: Query, query: Query) -> Query:
    """The query as it was searched, with the text as typed; without tokens where they are off."""
    return query if "tokens" in query.off else replace(with_tokens(searched), text=query.text)


def _log(answer: Answer) -> None:
    candidates = answer.candidates
    scores = [c.scores.get(RETRIEVAL, c.score) for c in candidates]
    mean = sum(scores) / len(scores) if scores else 0.0
    logger.info("Final candidates: %d, avg_score=%.2f", len(candidates), mean)
    logger.debug("query=%r", answer.query.text)
    if len(candidates) < 8:
        logger.info("Fewer than 8 candidates: %d", len(candidates))
