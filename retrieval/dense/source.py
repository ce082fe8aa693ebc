"""The dense stages: one finds, one gives true similarities to what others found."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
    Encoder,
    Scorer,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    Why,
    ranked,
    read_by,
)
from retrieval.dense.port import VectorStore
from retrieval.dense.server.failover import FailoverStore

logger = logging.getLogger("retriever.vector_index")

ENCODER = "sentence encoder"
"""Name of the reader in the record of calls."""

WARMING = "the sentence encoder is still loading; keyword search answers meanwhile"

NO_VECTORS = "the vectors of this catalog are still being made; keyword search answers meanwhile"


@dataclass(frozen=True)
class DenseSource:
    """The k records whose vectors are nearest to the query's (cosine, exact)."""

    encoder: Encoder
    store: VectorStore | None
    tools: Mapping[str, Tool]
    k: int = 50
    name: str = "dense"
    text: Callable[[State], str] = attrgetter("query.plain_text")
    absent: str = NO_VECTORS

    def run(self, state: State) -> StageResult:
        """Candidates with cosines to 6 decimals, best first; ids without a record are left out.

        Raises StageUnavailable where the visitor switched the stage off, and without an index, a
        loaded encoder or a text. A fallback, with the reason, where the store is on a server that
        does not answer and the one on this machine did.
        """
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        if self.store is None:
            raise StageUnavailable(self.absent)
        text = self.text(state)
        if not text:
            raise StageUnavailable("nothing to look for: no text and no token")
        vector = self.encoder.encode([read_by(state, ENCODER, text)])[0]
        hits = self.store.search(vector, state.depth or self.k, state.selection)
        candidates = ranked(
            _similar(self.tools[tool_id], state.path, score)
            for tool_id, score in hits
            if tool_id in self.tools
        )
        mean = sum(c.score for c in candidates) / len(candidates) if candidates else 0.0
        top = candidates[0].score if candidates else 0.0
        logger.info("Vector search: %d results, top_score=%.2f", len(candidates), top)
        logger.debug("query=%r", self.text(state))
        problem = self.store.problem if isinstance(self.store, FailoverStore) else ""
        return StageResult(
            name=self.name,
            state=replace(state, candidates=candidates),
            status="fallback" if problem else "ok",
            note=f"{problem}; the index on this machine answered" if problem else "",
            metrics={"hits": len(candidates), "mean_similarity": round(mean, 6)},
        )


def _similar(tool: Tool, stage: str, score: float) -> Candidate:
    score = round(score, 6)
    why = Why(kind="meaning", stage=stage, text="", value=score)
    return Candidate(tool=tool, score=score, scores={stage: score}, why=(why,))


@dataclass(frozen=True)
class DenseScorer(Scorer):
    """True cosines for the candidates that are there; nothing is found or lost."""

    encoder: Encoder
    store: VectorStore | None
    name: str = "similarity"
    text: Callable[[State], str] = attrgetter("query.english_text")
    absent: str = NO_VECTORS

    def values(self, state: State) -> list[float]:
        """One cosine per candidate, in their order; 0 for a record without a vector.

        Raises StageUnavailable without an index or a loaded encoder.
        """
        if self.store is None:
            raise StageUnavailable(self.absent or NO_VECTORS)
        vector = self.encoder.encode([read_by(state, ENCODER, self.text(state))])[0]
        return self.store.scores(vector, [c.tool.id for c in state.candidates])
