"""The scope estimator and the finder of similar tools, over the parts of one snapshot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TypedDict, cast

from retrieval.catalog import Concept, ConceptAnnotator, load_concepts, stems_of
from retrieval.core import Encoder, Tool
from retrieval.dense import template_text
from retrieval.explain import (
    Calibration,
    Costs,
    FieldEvidence,
    GapJudge,
    KnownRequests,
    Neighbours,
    OutOfScopeExamples,
    OwnWords,
    ScopeEstimator,
    ScoreScale,
    ScoreWeights,
    ShortfallReader,
    StatedFacts,
    ThingWords,
    read_calibration,
    read_costs,
    read_general,
    read_score_weights,
)
from retrieval.rerank import Shortfalls
from retrieval.settings import ROOT
from retrieval.wiring.concepts import (
    CONCEPTS,
    CachedMentions,
    coverage,
    english,
    every_language,
    field_slips,
    is_whole_word,
    lexicon,
    lexicon_of,
    thing_stems,
)
from retrieval.wiring.index.indexes import HYBRID
from retrieval.wiring.parts import Parts
from retrieval.wiring.ranking import is_name
from retrieval.wiring.shipped.judged import gap_model, known_requests

CALIBRATION = ROOT / "assets" / "honesty" / "calibration.json"
EVERYDAY = ROOT / "assets" / "honesty" / "everyday.npy"

STATED = 0.5
"""Share of the records that must state a task before what a record does not state counts as
lacking: over descriptions alone that cost .009 nDCG@10 on 1,156 imaging tools and .003 on 595
programs of another field."""

GAP_COSTS = ROOT / "assets" / "honesty" / "gaps.json"
SCORE = ROOT / "assets" / "honesty" / "score.json"
GENERAL = ROOT / "assets" / "concepts" / "general.txt"


@cache
def calibrated() -> tuple[Calibration, OutOfScopeExamples]:
    """The shipped weights and contrast, read once."""
    weights = read_calibration(CALIBRATION)
    return weights, OutOfScopeExamples.read(EVERYDAY, weights.encoder)


@cache
def around() -> dict[str, tuple[str, ...]]:
    """Every concept's narrower ones at any depth and its next wider ones, in order of id."""
    parents = lexicon().parents
    near = {concept: set(wider) for concept, wider in parents.items()}
    for concept in parents:
        level = set(parents[concept])
        while level:
            for wider in level:
                near.setdefault(wider, set()).add(concept)
            level = {p for one in level for p in parents.get(one, ())} - {concept}
    return {concept: tuple(sorted(related)) for concept, related in near.items()}


@cache
def field_evidence() -> FieldEvidence:
    """The shipped concepts without those that other fields name as well, read once."""
    return FieldEvidence(every_language(), read_general(GENERAL))


def scope_estimator(parts: Parts, own_words: OwnWords | None = None) -> ScopeEstimator | None:
    """The scope estimator of the parts.

    None while vectors, terms or concepts are missing, or where the encoder is not the one of the
    calibration: cosines of two encoders are on different scales.
    """
    if parts.vectors is None or parts.terms is None or parts.annotator is None:
        return None
    calibration, out_of_scope = calibrated()
    if calibration.encoder != parts.encoder.id:
        return None
    return ScopeEstimator(
        encoder=parts.encoder,
        store=parts.vectors,
        terms=parts.terms.highest,
        calibration=calibration,
        everyday=out_of_scope,
        coverage=coverage,
        words=parts.bm25.best_share,
        annotator=parts.annotator,
        graph=parts.graph,
        is_name=is_name(parts),
        field_evidence=field_evidence(),
        asks_for_record=partial(asks_for_record, parts.encoder, own_words),
        served=partial(likest_served, known_requests(parts)),
        around=around(),
    )


def asks_for_record(encoder: Encoder, own_words: OwnWords | None, text: str) -> bool:
    """Whether people ask for a record in these words.

    A single word that the encoder has whole may be any word.
    """
    return own_words is not None and own_words.ask(text, partial(is_whole_word, encoder))


def likest_served(known: KnownRequests | None, text: str) -> float:
    """The cosine of the nearest request that a loaded record was judged to serve; 0 for none."""
    return max(known.served_like(text)[0].values(), default=0.0) if known else 0.0


@cache
def score_weights() -> ScoreWeights:
    """The shipped weights of the score, read once."""
    return read_score_weights(SCORE)


def score_scale(parts: Parts) -> ScoreScale:
    """The scale of scores over the parts; by words alone without vectors of its encoder."""
    weights = score_weights()
    store = parts.vectors if parts.encoder.id == weights.encoder else None

    def cosines(text: str, ids: Sequence[str]) -> Sequence[float] | None:
        return None if store is None else store.scores(parts.encoder.encode([text])[0], ids)

    def shares(text: str, ids: Sequence[str]) -> Sequence[float]:
        return parts.bm25.shares(text, ids)

    return ScoreScale(weights=weights, cosines=cosines, shares=shares)


@cache
def thing_words() -> ThingWords:
    """The shipped stems of words that name a thing, read once."""
    return ThingWords(thing_stems())


@cache
def gap_costs() -> Costs:
    """The shipped costs of lacking a part, read once."""
    return read_costs(GAP_COSTS)


def gap_judge(tools: Sequence[Tool], concepts: Sequence[Concept] = ()) -> GapJudge:
    """The judge of gaps over these records; it reads them when it is first asked.

    ``concepts`` stand in place of the shipped ones.
    """
    words = lexicon_of(concepts) if concepts else lexicon()
    annotator = cast(ConceptAnnotator, words.annotator)
    return GapJudge(
        stated=StatedFacts(tools, annotator, words.parents),
        finder=CachedMentions(annotator),
        english=annotator.english() if concepts else english(),
        labels=words.labels,
        narrower=frozenset(
            stems_of(spelling)
            for concept in concepts or load_concepts(CONCEPTS)
            for spelling in concept.narrower
        ),
        things=thing_words(),
        costs=gap_costs(),
        model=gap_model(),
    )


def shortfalls_of(judge: GapJudge) -> Shortfalls | str:
    """What records lack of a request, or why that is not told: where few state their task."""
    tools = judge.stated.tools
    share = sum(bool(tool.tasks) for tool in tools) / max(len(tools), 1)
    if share >= STATED:
        return ShortfallReader(judge)
    return f"only {share:.0%} of the records state what their tool does"


def neighbours_of(parts: Parts) -> Neighbours:
    """The finder of similar tools; parts that are missing leave out their list."""
    return Neighbours(
        tools=parts.tools,
        encoder=parts.encoder,
        store=parts.vectors,
        graph=parts.graph,
        text=lambda tool: template_text(HYBRID, tool),
    )


class Explainers(TypedDict):
    """What remarks on a finished list, under the names that a snapshot has for them."""

    scope: ScopeEstimator | None
    scale: ScoreScale
    known: KnownRequests | None
    neighbours: Neighbours
    spelled: Callable[[str], str]


def explainers(parts: Parts, own_words: OwnWords) -> Explainers:
    """All that explains a list of these parts, whose records have these words."""
    return Explainers(
        scope=scope_estimator(parts, own_words),
        scale=score_scale(parts),
        known=known_requests(parts),
        neighbours=neighbours_of(parts),
        spelled=field_slips(parts.bm25, parts.encoder).reworded,
    )
