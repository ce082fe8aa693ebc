"""The imaging agent's pipeline: enhance, expand, embed, search, rerank; the mode ``plaza``."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from retrieval.compat.retriever.reranker import FINAL
from retrieval.compat.retriever.software_doc import Row, candidate_row
from retrieval.core import ScanInfo, Term
from retrieval.engine import Answer, Engine
from retrieval.export import to_json
from retrieval.query import parse_query, with_tokens
from retrieval.settings import read_settings
from retrieval.wiring import open_engine

logger = logging.getLogger("retriever.pipeline")
MODE = "plaza"


class ControlTags(NamedTuple):
    """What the tags of a text say, and the text without them."""

    clean_query: str
    excluded_tools: list[str]
    skip_rerank: bool
    force_clarification: bool


def process_control_tags(query: str) -> ControlTags:
    """``[EXCLUDE:a|b]``, ``[NO_RERANK]`` and ``[REFINE]`` taken out of a text."""
    parsed_query = parse_query(query)
    return ControlTags(
        parsed_query.text, list(parsed_query.excluded), not parsed_query.rerank, parsed_query.refine
    )


def enhance_query(query: str, scans: Sequence[ScanInfo]) -> str:
    """The text with the tokens of its files: format, modality, dimensions, each once."""
    parsed_query = with_tokens(parse_query(query, scans=scans))
    return " ".join((parsed_query.text, *parsed_query.tokens)).strip()


class RetrievalPipeline:
    """Searches the catalog as the imaging agent does; no language model is called.

    Without an engine one is opened over the settings at the first query. A catalog that ``sync``
    changed is taken up by the next query, without a restart.
    """

    def __init__(self, engine: Engine | None = None) -> None:
        self._engine = engine
        self.answer: Answer | None = None

    @property
    def engine(self) -> Engine:
        """The engine; every stage is ready once this returns the first time."""
        if self._engine is None:
            self._engine = open_engine(read_settings())
            self._engine.wait()
        return self._engine

    def retrieve(self, query: str, files: Sequence[Path | str] = (), k: int = FINAL) -> list[Row]:
        """Candidates, best first; tags in the text and facts of the files count.

        Raises BadInput for a text without words, and for files that cannot be read at all.
        """
        scans: Sequence[ScanInfo] = ()
        tokens: Sequence[str] = ()
        if files:
            upload = self.engine.read_scans([Path(file) for file in files], preview=False)
            scans, tokens = upload.scans, upload.search_tokens
        muted = {token for scan in scans for token in scan.tokens} - set(tokens)
        self.answer = self.engine.run(
            query, MODE, scans=scans, tokens=tokens, muted_tokens=muted, top_k=k
        )
        rows = [candidate_row(c.tool, c.score) for c in self.answer.candidates]
        mean = sum(row["retrieval_score"] for row in rows) / len(rows) if rows else 0.0
        logger.info("Final candidates: %d, avg_score=%.2f", len(rows), mean)
        return rows

    @property
    def expansion(self) -> tuple[Term, ...]:
        """The catalog terms that the last query was searched with, each with its similarity."""
        # Every round of a search has its own query, and the first one has the terms.
        nodes = (*self.answer.result.walk(), self.answer.result) if self.answer else ()
        return max((node.state.query.expansion for node in nodes), key=len, default=())

    @property
    def metrics(self) -> dict[str, Any]:
        """Of the last query: candidates, similarity, change by reranking, number of terms."""
        return dict(to_json(self.answer)["metadata"]["metrics"]) if self.answer else {}
