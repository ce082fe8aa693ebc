"""Every mode as a pipeline of stages; a mode is a value, not a class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from retrieval.agentic import anchored_fusion
from retrieval.core import (
    FirstOf,
    Fuse,
    Pipeline,
    Rounds,
    Stage,
    reciprocal_rank_fusion,
    weighted,
)
from retrieval.dense import DenseScorer, DenseSource
from retrieval.engine import Mode
from retrieval.fit import FitStage, TokenStage
from retrieval.graph import ENTITIES, GraphExpand
from retrieval.llm import LanguageModelRerank, LanguageModelRetrieve
from retrieval.query import (
    Enrich,
    Expand,
    FewResults,
    LearnTerms,
    expanded_text,
)
from retrieval.rerank import (
    CrossEncoderRerank,
    KeepOrder,
    LazyScorer,
    PartsStage,
    RerankSwitch,
    Taste,
    ThenVerdicts,
    ThenWishes,
)
from retrieval.wiring.agentic import AgenticMode
from retrieval.wiring.parts import Notice, Parts, Sizes
from retrieval.wiring.ranking import conversion, learned_rank, name_match, texts_ahead, thin_graph
from retrieval.wiring.searching import (
    ENGLISH,
    FUSION,
    deeper,
    dense,
    enrich,
    fit,
    kind,
    kind_marks,
    read,
    scorers,
    sparing,
    web_offer,
    weighing,
    wishes,
    words,
)

RELEVANT = 0.1
"""Part of the best new path's score below which an expansion ends."""

FUSED_RELEVANT = 0.3
"""The same in `hybrid`. Of 0, .1, .3, .5 and .7 each gives nDCG@10 of .545 to .547 on the imaging
set of development; at .3 the expansion ends before the number of nodes in 7 of 10 requests."""

PATHS = 0.2
"""Weight of the graph's own list beside FUSION."""

PLAZA_LIST, PLAZA_FINAL, PLAZA_RETRIES = 20, 8, 2

LIGHT = ("keyword", "vector", "rrf", "anchored")
"""Modes that ask no language model (S4-14)."""

FUSIONS = {"rrf": reciprocal_rank_fusion, "anchored": anchored_fusion}
"""How one list is made of what vectors and words found: by mode, in `agentic` by setting."""

NAMES = ("hybrid", "biocortex", "plaza", *LIGHT, "agentic")
"""Every mode, in the order in which they are offered."""


def all_modes(parts: Parts, sizes: Sizes) -> dict[str, Mode]:
    """Every mode by name, in the order in which they are offered."""
    pipelines = (
        _hybrid(parts, sizes),
        _biocortex(parts, sizes),
        _plaza(parts, sizes),
        _light("keyword", [words(parts, sizes.per_list)], parts, sizes),
        _light("vector", [dense(parts, sizes.per_list, ENGLISH)], parts, sizes),
        _light("rrf", _both(parts, sizes), parts, sizes),
        _light("anchored", _both(parts, sizes), parts, sizes),
        AgenticMode(parts=parts, sizes=sizes, fusion=FUSIONS[sizes.agentic_fusion]).pipeline(),
    )
    return {p.name: _mode(p, parts) for p in pipelines}


def modes_with(
    parts: Parts, sizes: Sizes, notices: tuple[Notice, ...], changes: Mapping[str, int]
) -> dict[str, Mode]:
    """Every mode with other sizes, by the names of their settings, and with more notices."""
    fields = {"per_list": "per_list", "graph_hops": "hops", "graph_nodes": "nodes"}
    changed = {fields[name]: size for name, size in changes.items()}
    modes = all_modes(parts, replace(sizes, **changed))  # type: ignore[arg-type]
    return {name: replace(mode, notices=(*mode.notices, *notices)) for name, mode in modes.items()}


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


def _expand(parts: Parts, sizes: Sizes, *, searched: bool) -> Expand:
    threshold, limit = sizes.expand_threshold, sizes.expand_terms
    absent = parts.no_vectors
    return Expand(parts.encoder, parts.terms, threshold, limit, searched=searched, absent=absent)


def _rerank(
    parts: Parts,
    sizes: Sizes,
    retrieval: Stage,
    keep: KeepOrder,
    verdicts: Stage | None = None,
    *,
    in_parts: bool = False,
) -> RerankSwitch:
    """The models that may rerank, or what is kept; ``verdicts`` have the last word over a model."""
    asking = {**_asking(sizes), "in_parts": in_parts}
    models: list[Stage] = [
        LanguageModelRerank(parts.language_model, limit=keep.limit, **asking),
        CrossEncoderRerank(parts.cross_encoder, limit=keep.limit, uncut=verdicts is not None),
    ]
    if verdicts is not None:
        models = [ThenVerdicts(m.name, m, verdicts, limit=keep.limit) for m in models]
    elif sizes.final is not None:
        last = Pipeline("verdicts", weighing(parts, sizes)[1:])
        models = [ThenWishes(m.name, m, last) for m in models]
    is_set = parts.language_model is not None or _is_here(parts.cross_encoder)
    return RerankSwitch(models, keep, retrieval.name, configured=is_set)


def _is_here(scorer: LazyScorer | None) -> bool:
    return scorer is not None and scorer.is_here()


def _asking(sizes: Sizes) -> dict[str, Any]:
    """Limits of a call to the language model: seconds, and tokens of the prompt."""
    return {"seconds": sizes.llm_seconds, "prompt_tokens": sizes.llm_prompt_tokens}


def _hybrid(parts: Parts, sizes: Sizes) -> Pipeline:
    found_by = (dense(parts, sizes.per_list), words(parts, sizes.per_list))
    scored_by = scorers(parts)
    spared = sparing(weighted(FUSION), sizes.per_list)
    fused = Fuse("fused", found_by, scored_by, combine=spared, limit=sizes.per_list)
    widened = weighted({**FUSION, "paths": PATHS})
    return Pipeline(
        "hybrid",
        [
            enrich(parts),
            read(parts),
            replace(_expand(parts, sizes, searched=False), begin=texts_ahead(parts)),
            deeper(fused, parts, sizes),
            GraphExpand(
                parts.graph,
                parts.tools,
                scored_by,
                widened,
                sizes.hops,
                sizes.nodes,
                annotator=parts.annotator,
                thin=thin_graph(parts),
                relevant=FUSED_RELEVANT,
            ),
            learned_rank(parts),
            PartsStage(parts.shortfalls),
            conversion(),
            name_match(parts),
            TokenStage(),
            fit(parts),
            kind(parts),
            Taste(parts.tools),
            wishes(parts, sizes),
            # Scores after a model are 0 to 1, so that a penalty of 1 puts a failing tool last.
            _rerank(
                *(parts, sizes, fused, KeepOrder(limit=sizes.final)),
                verdicts=Pipeline(
                    "verdicts",
                    [replace(fit(parts), span=1.0), kind(parts), wishes(parts, sizes)],
                ),
            ),
            web_offer(parts),
        ],
    )


def _biocortex(parts: Parts, sizes: Sizes) -> Pipeline:
    similarity = DenseScorer(parts.encoder, parts.vectors, absent=parts.no_vectors)
    expansion = GraphExpand(
        parts.graph,
        parts.tools,
        [similarity],
        weighted({similarity.name: 1.0, "entities": ENTITIES}),
        sizes.hops,
        sizes.nodes,
        name="KG expansion",
        annotator=parts.annotator,
        relevant=RELEVANT,
        entity_links=True,
    )
    # Where no model reranks, the list is cut in the order of similarity that the expansion gave,
    # as tokens, scan and wishes have changed it since; tools of the graph can survive.
    keep = KeepOrder(limit=sizes.final, name="stage-1 similarity")
    by_words = words(parts, sizes.per_list)
    shown = LanguageModelRetrieve(
        parts.language_model, parts.tools, by_words, k=sizes.per_list, **_asking(sizes)
    )
    search = FirstOf("vector search", [dense(parts, sizes.per_list, ENGLISH), shown, by_words])
    return Pipeline(
        "biocortex",
        [
            enrich(parts),
            read(parts),
            deeper(search, parts, sizes),
            expansion,
            *weighing(parts, sizes, kind_marks(parts)),
            # A line for every tool of the expansion, as source 000 sends it.
            _rerank(parts, sizes, search, keep, in_parts=True),
            web_offer(parts),
        ],
    )


def _plaza(parts: Parts, sizes: Sizes) -> Pipeline:
    # Judged runs measure whole lists, so that the lengths of the source system do not apply.
    judged = sizes.final is None
    k = sizes.per_list if judged else PLAZA_LIST
    final = None if judged else PLAZA_FINAL
    by_meaning = DenseSource(
        parts.plaza_encoder,
        parts.plaza_vectors,
        parts.tools,
        k=k,
        text=lambda state: expanded_text(state.query),
        absent=parts.no_vectors,
    )
    first_source = FirstOf("found", [by_meaning, words(parts, k)])
    expand = _expand(parts, sizes, searched=True)
    learn = LearnTerms(parts.encoder, parts.terms, parts.tools, absent=parts.no_vectors)
    rounds = Rounds(
        "retrieval",
        first=Pipeline("search", [expand, learn, first_source]),
        again=first_source,
        judge=FewResults(parts.encoder, parts.terms, sizes.floor, absent=parts.no_vectors),
        max_rounds=1 + PLAZA_RETRIES,
        top_k=k,
    )
    scorer = parts.plaza_cross_encoder
    wish_stage = wishes(parts, sizes)
    model: Stage = CrossEncoderRerank(scorer, limit=final)
    if not judged:
        model = ThenWishes(model.name, model, wish_stage)
    rerank = RerankSwitch(
        [model],
        KeepOrder(limit=final, name="dense order"),
        configured=_is_here(scorer),
    )
    # As in the source system: tokens are part of the text, and what fits is for the reader to see.
    badges = FitStage(parts.bridge.named_chain, penalty=0.0)
    weighed: list[Stage] = [badges, kind_marks(parts), wish_stage, rerank]
    source = deeper(rounds, parts, sizes)
    return Pipeline("plaza", [Enrich(in_text=True), read(parts), source, *weighed])


def _both(parts: Parts, sizes: Sizes) -> list[Stage]:
    return [dense(parts, sizes.per_list, ENGLISH), words(parts, sizes.per_list)]


def _light(name: str, sources: Sequence[Stage], parts: Parts, sizes: Sizes) -> Pipeline:
    combine, limit = FUSIONS.get(name, reciprocal_rank_fusion), sizes.per_list
    source = sources[0]
    if len(sources) > 1:
        source = Fuse("fused", sources, combine=combine, limit=limit)
    cut = KeepOrder(limit=sizes.final, name="cut", listed=False)
    search = deeper(source, parts, sizes)
    return Pipeline(name, [enrich(parts), read(parts), search, *weighing(parts, sizes), cut])
