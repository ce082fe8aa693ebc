"""Query and description read together by a cross-encoder (Nogueira and Cho, 2019)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Protocol

from msgspec.structs import replace

from retrieval.core import StageResult, StageUnavailable, State, list_size, ranked, read_by

logger = logging.getLogger("retriever.reranker")
HOW = "set SCANSCOUT_CROSS_ENCODER to a model folder or id"


class PairScorer(Protocol):
    """Relevance of each text to the query, higher is better, in the order given."""

    @property
    def id(self) -> str:
        """The model's name."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text."""
        ...


class SentencePairScorer:
    """Any sentence-transformers CrossEncoder, by folder or by the id of one on this machine."""

    def __init__(self, model: str, *, device: str = "cpu") -> None:
        from sentence_transformers import CrossEncoder

        try:
            # Nothing is fetched, and no code of a model folder runs.
            self._model = CrossEncoder(
                model, device=device, trust_remote_code=False, local_files_only=True
            )
        except (OSError, ValueError) as exc:
            raise StageUnavailable(f"the cross-encoder {model!r} is not here; {HOW}") from exc
        self._id = model

    @property
    def id(self) -> str:
        """The model's name."""
        return self._id

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, in the order given; higher is better."""
        pairs = [(query, text) for text in texts]
        return [float(s) for s in self._model.predict(pairs, show_progress_bar=False)]


class LazyScorer:
    """A scorer that is loaded at its first use, once, and remembers why it could not be.

    ``is_here`` tells whether there is something to load, without loading it.
    """

    def __init__(
        self, load: Callable[[], PairScorer], is_here: Callable[[], bool] = lambda: True
    ) -> None:
        self.is_here = is_here
        self._load, self._lock = load, threading.Lock()
        self._scorer: PairScorer | None = None
        self._problem: str | None = None

    def get(self) -> PairScorer:
        """The scorer; raises StageUnavailable with the same reason every time."""
        with self._lock:
            if self._problem is not None:
                raise StageUnavailable(self._problem)
            if self._scorer is None:
                try:
                    self._scorer = self._load()
                except StageUnavailable as exc:
                    self._problem = str(exc)
                    raise
            return self._scorer


@dataclass(frozen=True)
class CrossEncoderRerank:
    """Orders the candidates by a pair score; cut to size, unless ``uncut``.

    ``text`` is what each description is read with: by default the text with all tokens.
    """

    scorer: LazyScorer | None
    limit: int | None = 15
    name: str = "cross-encoder"
    text: Callable[[State], str] = attrgetter("query.search_text")
    uncut: bool = False

    def run(self, state: State) -> StageResult:
        """The best candidates by (query, description); skipped when there is no model."""
        if self.scorer is None:
            raise StageUnavailable(f"no model chosen; {HOW}")
        texts = [c.tool.description for c in state.candidates]
        scorer = self.scorer.get()
        scores = scorer.scores(read_by(state, "cross-encoder", self.text(state)), texts)
        pairs = zip(state.candidates, scores, strict=True)
        ordered = ranked(c.scored(state.path, score) for c, score in pairs)
        candidates = ordered if self.uncut else ordered[: list_size(state, self.limit)]
        moved = round(ordered[0].score - scores[0], 6) if ordered else 0.0
        logger.info("Reranking %d candidates, top_score_change=%+.2f", len(ordered), moved)
        return StageResult(
            name=self.name,
            state=replace(state, candidates=candidates),
            metrics={"top_score_change": moved},
        )
