"""The parts that modes are built from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from retrieval.core import StageUnavailable, Tool

if TYPE_CHECKING:
    from retrieval.catalog import Annotator
    from retrieval.core import Encoder
    from retrieval.dense import Loading, TokenStore, VectorStore
    from retrieval.graph import GraphStore
    from retrieval.lexical import Bm25Index
    from retrieval.llm import LanguageModel
    from retrieval.planning import FormatBridge
    from retrieval.query import TermIndex
    from retrieval.rerank import LazyScorer, Shortfalls
    from retrieval.wiring.ranking import Ranking

Notice = tuple[str, str, str]
"""A stage, what it uses, and why it is not what the mode names."""

WARMING = "warming up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of one snapshot; None where one is missing or not loaded yet.

    ``no_vectors`` and ``web`` say why there are no vectors and why the web may not be asked.
    """

    tools: Mapping[str, Tool]
    encoder: Encoder
    bm25: Bm25Index
    graph: GraphStore | None
    plaza_encoder: Encoder
    bridge: FormatBridge
    annotator: Annotator | None = None
    english: Annotator | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    vectors: VectorStore | None = None
    plaza_vectors: VectorStore | None = None
    terms: TermIndex | None = None
    stated: Mapping[str, float] = field(default_factory=dict)
    tokens: Callable[[], TokenStore | None] = lambda: None
    cross_encoder: LazyScorer | None = None
    plaza_cross_encoder: LazyScorer | None = None
    language_model: LanguageModel | None = None
    no_vectors: str = ""
    plaza_notices: tuple[Notice, ...] = ()
    ranking: Ranking | str = ""
    shortfalls: Shortfalls | str = WARMING
    web: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How long lists are; ``final`` None means that nothing is cut (judged runs)."""

    per_list: int = 50
    final: int | None = 15
    hops: int = 2
    nodes: int = 150
    expand_threshold: float = 0.75
    expand_terms: int = 10
    floor: float = 0.36
    llm_seconds: float = 8.0
    llm_prompt_tokens: int = 30_000
    agentic_fusion: Literal["rrf", "anchored"] = "rrf"


def missing(parts: Parts, encoder: Loading) -> dict[str, str]:
    """By part of a search, why it is not up; empty where it is."""
    return {
        "words": "",
        "encoder": "" if encoder.ready else encoder.problem or WARMING,
        "vectors": "" if parts.vectors else parts.no_vectors,
        "plaza vectors": "" if parts.plaza_vectors else parts.no_vectors,
        "late interaction": _no_tokens(parts),
        "graph": str(getattr(parts.graph, "reason", "")),
        "ranking": parts.ranking if isinstance(parts.ranking, str) else "",
    }


def _no_tokens(parts: Parts) -> str:
    try:
        return "" if parts.tokens() else WARMING
    except StageUnavailable as exc:
        return str(exc)
