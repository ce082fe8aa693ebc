"""Every mode as a pipeline of stages; a mode is a value, not a class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrieval.core import FirstOf, Fuse, Pipeline, Rounds, Stage, weighted
from retrieval.dense import DenseScorer, DenseSource, LateInteraction
from retrieval.engine import Mode
from retrieval.fit import FitStage, TokenStage
from retrieval.graph import GraphExpand
from retrieval.lexical import Bm25Scorer, Bm25Source
from retrieval.llm import LanguageModelRerank, LanguageModelRetrieve
from retrieval.query import Enrich, Expand, FewResults, Read, expanded_text
from retrieval.rerank import CrossEncoderRerank, KeepOrder, RerankSwitch, Taste, by_score
from retrieval.web import WebOffer
from retrieval.wiring.agentic import AgenticMode
from retrieval.wiring.parts import Parts, Sizes
from retrieval.wiring.ranking import learned_rank, name_match

FUSION = {"dense": 0.5, "bm25": 0.3, "late interaction": 0.4}
"""Min-max weights; the best of those measured on the development sets."""

PATHS = 0.2
"""Weight of the graph's own list beside FUSION."""

PLAZA_LIST, PLAZA_FINAL, PLAZA_RETRIES = 20, 8, 2

LIGHT = ("keyword", "vector", "rrf")
"""Modes that ask no language model (S4-14)."""

NAMES = ("hybrid", "biocortex", "plaza", *LIGHT, "agentic")
"""Every mode, in the order in which they are offered."""


def all_modes(parts: Parts, sizes: Sizes) -> dict[str, Mode]:
    """Every mode by name, in the order in which they are offered."""
    pipelines = (
        _hybrid(parts, sizes),
        _biocortex(parts, sizes),
        _plaza(parts, sizes),
        _light("keyword", [_bm25(parts, sizes)], sizes),
        _light("vector", [_dense(parts, sizes)], sizes),
        _light("rrf", [_dense(parts, sizes), _bm25(parts, sizes)], sizes),
        AgenticMode(parts=parts, sizes=sizes, weights=FUSION).pipeline(),
    )
    return {p.name: _mode(p, parts) for p in pipelines}


def _mode(pipeline: Stage, parts: Parts) -> Mode:
    plaza = pipeline.name == "plaza"
    encoder = parts.plaza_encoder if plaza else parts.encoder
    notices = parts.plaza_notices if plaza else ()
    return Mode(
        name=pipeline.name,
        pipeline=pipeline,
        encoder=encoder.id,
        notices=notices,
        quiet=pipeline.name in LIGHT,
    )


def _dense(parts: Parts, sizes: Sizes) -> DenseSource:
    store = parts.vectors.store if parts.vectors else None
    return DenseSource(parts.encoder, store, parts.tools, k=sizes.per_list, absent=parts.no_vectors)


def _bm25(parts: Parts, sizes: Sizes) -> Bm25Source:
    return Bm25Source(parts.bm25, k=sizes.per_list)


def _similarity(parts: Parts, name: str) -> DenseScorer:
    store = parts.vectors.store if parts.vectors else None
    return DenseScorer(parts.encoder, store, name=name)


def _expand(parts: Parts, sizes: Sizes, *, searched: bool) -> Expand:
    threshold, limit = sizes.expand_threshold, sizes.expand_terms
    return Expand(parts.encoder, parts.terms, threshold, limit, searched=searched)


def _rerank(parts: Parts, sizes: Sizes, retrieval: str, keep: KeepOrder) -> RerankSwitch:
    options: list[Stage] = [
        LanguageModelRerank(parts.language_model, limit=keep.limit, **_asking(sizes)),
        CrossEncoderRerank(parts.cross_encoder, limit=keep.limit),
        keep,
    ]
    return RerankSwitch(FirstOf("rerank", options), retrieval, limit=keep.limit)


def _asking(sizes: Sizes) -> dict[str, Any]:
    """Limits of a call to the language model: seconds, and tokens of the prompt."""
    return {"seconds": sizes.llm_seconds, "prompt_tokens": sizes.llm_prompt_tokens}


def _hybrid(parts: Parts, sizes: Sizes) -> Pipeline:
    late = LateInteraction(parts.encoder, parts.tokens)
    sources: list[Stage] = [_dense(parts, sizes), _bm25(parts, sizes)]
    words = Bm25Scorer(parts.bm25, name="bm25")
    scorers: list[Stage] = [_similarity(parts, "dense"), words, late]
    widened = weighted({**FUSION, "paths": PATHS})
    return Pipeline(
        "hybrid",
        [
            Enrich(),
            Read(parts.annotator, parts.english, parts.labels, lambda w: parts.bm25.knows(w)),
            _expand(parts, sizes, searched=False),
            Fuse("fused", sources, scorers, combine=weighted(FUSION), limit=sizes.per_list),
            GraphExpand(
                parts.graph,
                parts.tools,
                scorers,
                widened,
                sizes.hops,
                sizes.nodes,
                annotator=parts.annotator,
            ),
            learned_rank(parts),
            name_match(parts),
            TokenStage(),
            FitStage(parts.bridge.chain),
            Taste(parts.tools),
            _rerank(parts, sizes, "fused", KeepOrder(limit=sizes.final)),
            WebOffer(parts.tools, limit=sizes.final),
        ],
    )


def _biocortex(parts: Parts, sizes: Sizes) -> Pipeline:
    stage1, stage2, similar = "vector search", "KG expansion", "similarity"
    expansion = GraphExpand(
        parts.graph,
        parts.tools,
        [_similarity(parts, similar)],
        weighted({similar: 1.0}),
        sizes.hops,
        sizes.nodes,
        name=stage2,
    )
    order = by_score(f"{stage2}/{similar}")
    keep = KeepOrder(limit=sizes.final, order=order, name="stage-1 similarity")
    words = _bm25(parts, sizes)
    shown = LanguageModelRetrieve(
        parts.language_model, parts.tools, words, k=sizes.per_list, **_asking(sizes)
    )
    sources: list[Stage] = [_dense(parts, sizes), shown, words]
    return Pipeline(
        "biocortex",
        [
            Enrich(),
            FirstOf(stage1, sources),
            expansion,
            TokenStage(),
            _rerank(parts, sizes, stage1, keep),
        ],
    )


def _plaza(parts: Parts, sizes: Sizes) -> Pipeline:
    judged = sizes.final is None
    k = sizes.per_list if judged else PLAZA_LIST
    final = None if judged else PLAZA_FINAL
    dense = DenseSource(
        parts.plaza_encoder,
        parts.plaza_vectors.store if parts.plaza_vectors else None,
        parts.tools,
        k=k,
        text=lambda state: expanded_text(state.query),
        absent=parts.no_vectors,
    )
    found_by: list[Stage] = [dense, Bm25Source(parts.bm25, k=k)]
    first_source = FirstOf("found", found_by)
    rounds = Rounds(
        "retrieval",
        first=Pipeline("search", [_expand(parts, sizes, searched=True), first_source]),
        again=first_source,
        judge=FewResults(parts.encoder, parts.terms, sizes.floor),
        max_rounds=1 + PLAZA_RETRIES,
        top_k=k,
    )
    options: list[Stage] = [
        CrossEncoderRerank(parts.plaza_cross_encoder, limit=final),
        KeepOrder(limit=final, name="dense order"),
    ]
    rerank = RerankSwitch(FirstOf("rerank", options), "", limit=final)
    return Pipeline("plaza", [Enrich(), rounds, TokenStage(), rerank])


def _light(name: str, sources: Sequence[Stage], sizes: Sizes) -> Pipeline:
    source = sources[0] if len(sources) == 1 else Fuse("fused", sources, limit=sizes.per_list)
    cut = KeepOrder(limit=sizes.final, name="cut", listed=False)
    return Pipeline(name, [Enrich(), source, TokenStage(), cut])
