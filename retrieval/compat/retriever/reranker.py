"""The cross-encoder of the imaging agent: query and description read together."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from retrieval.core import StageUnavailable
from retrieval.rerank import PairScorer
from retrieval.settings import read_settings
from retrieval.wiring import cross_encoder, usable_device

logger = logging.getLogger("retriever.reranker")

FINAL = 8
"""Candidates that the source hands on."""


class CrossEncoderReranker:
    """A cross-encoder by name, id or folder; SCANSCOUT_PLAZA_CROSS_ENCODER names the default one.

    ``note`` says why the processor computes, where the device is not on this machine. The weights
    are loaded at the first pair. Raises StageUnavailable then, with how to fetch them,
    where they are not on this machine.
    """

    def __init__(
        self,
        model_name: str | None = None,
        device: str | None = None,
        *,
        scorer: PairScorer | None = None,
    ) -> None:
        settings = read_settings()
        if device:
            settings = settings.model_copy(update={"device": device})
        self.note = usable_device(settings.device)[1]
        self._lazy = cross_encoder(model_name or settings.plaza_cross_encoder, settings)
        self._scorer = scorer

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """A score a pair (query, text), higher is better, in the order given."""
        return [self._model().scores(query, [text])[0] for query, text in pairs]

    def rerank(
        self, query: str, texts: Sequence[str], top_k: int = FINAL
    ) -> list[tuple[int, float]]:
        """Places in ``texts`` with their scores, best first; ties keep their order."""
        scores = self._model().scores(query, texts)
        order = sorted(range(len(texts)), key=lambda n: -scores[n])
        if order:
            change = scores[order[0]] - scores[0]
            logger.info("Reranking %d candidates, top_score_change=%+.2f", len(texts), change)
        return [(n, scores[n]) for n in order[:top_k]]

    def rerank_candidates(
        self, query: str, candidates: Sequence[Mapping[str, Any]], top_k: int = FINAL
    ) -> list[dict[str, Any]]:
        """Candidates by their descriptions, best first, with the new ``retrieval_score``."""
        best = self.rerank(query, [str(one["description"]) for one in candidates], top_k)
        return [{**candidates[n], "retrieval_score": score} for n, score in best]

    def _model(self) -> PairScorer:
        if self._scorer is None:
            if self._lazy is None:
                raise StageUnavailable("no cross-encoder is set; name one by model_name")
            self._scorer = self._lazy.get()
        return self._scorer
