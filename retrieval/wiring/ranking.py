"""The learned ranking of a catalog: its tables, and the stage over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import cast

from retrieval.catalog import Annotator, ConceptAnnotator
from retrieval.core import StageUnavailable, Tool
from retrieval.dense import DenseSource, MeaningSignal, NeighbourSignal, PhraseSignal
from retrieval.lexical import (
    Bm25Signal,
    GramIndex,
    GramSignal,
    MentionTable,
    NamedByOthers,
    NameIndex,
    NameMatch,
    WellKnown,
    lexical_text,
    tokenise,
)
from retrieval.query import core_of
from retrieval.rerank import (
    ConceptOverlap,
    ConceptTable,
    FeedbackTerms,
    IncomingScore,
    KnownWords,
    LearnedRank,
    Signal,
    StageScore,
    WordTable,
    everything,
    operations,
    read_weights,
    wider,
)
from retrieval.settings import ROOT
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.parts import Parts
from retrieval.wiring.shipped_facts import completed, shipped_namesakes

WEIGHTS = ROOT / "assets" / "ranker" / "weights.safetensors"

MANY = 20_000
"""Records above which the tables are not built: they would fill the memory."""

PREPARING = "the tables of the learned ranking are being made"
TOO_MANY = f"the learned ranking is off above {MANY:,} records"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The tables of the learned ranking, built once per catalog."""

    grams: GramIndex
    mentions: MentionTable
    concepts: ConceptTable
    names: NameIndex
    words: WordTable


def ranking_of(tools: Sequence[Tool], annotator: Annotator) -> Ranking:
    """The tables of a catalog. Raises StageUnavailable for one that is too large."""
    if len(tools) > MANY:
        raise StageUnavailable(TOO_MANY)
    mentions = MentionTable(tools)
    shipped = shipped_namesakes(tools)
    completed_tools = [completed(tool, shipped.get(tool.id)) for tool in tools]
    own = {tool.id: lexical_text(tool) for tool in tools}
    fields = (own, {tool_id: lexical_text(other) for tool_id, other in shipped.items()})
    return Ranking(
        grams=GramIndex(completed_tools),
        mentions=mentions,
        names=NameIndex(tools, mentions),
        concepts=ConceptTable(completed_tools, annotator, lexicon().parents),
        words=WordTable(list(own), fields, tokenise),
    )


def learned_rank(parts: Parts) -> LearnedRank:
    """The stage over these parts; without tables, vectors or weights it says what it waits for."""
    ranking = parts.ranking
    if not isinstance(ranking, Ranking):
        return LearnedRank((), {}, absent=ranking or PREPARING)
    try:
        weights: Mapping[str, float] = read_weights(WEIGHTS)
    except StageUnavailable as exc:
        return LearnedRank((), {}, absent=str(exc))
    return LearnedRank(signals(parts, ranking), weights, later=later(ranking))


def name_match(parts: Parts) -> NameMatch:
    """The stage that puts tools named in the query first."""
    ranking = parts.ranking
    return NameMatch(ranking.names if isinstance(ranking, Ranking) else None, parts.tools)


def is_name(parts: Parts) -> Callable[[str], bool]:
    """Whether a text is a tool's or a suite's name and nothing else.

    Slips are forgiven where the tables of names are there; without them it is as written.
    """
    ranking = parts.ranking
    if not isinstance(ranking, Ranking):
        spellings = frozenset(n.casefold() for t in parts.tools.values() for n in (t.id, t.name))
        return lambda text: text.casefold().strip(" .?!") in spellings
    names = ranking.names

    def is_full_name(text: str) -> bool:
        match = names.find(text)
        return match is not None and match.extent == "whole"

    return is_full_name


def signals(parts: Parts, ranking: Ranking) -> tuple[Signal, ...]:
    """Every signal, the scores of earlier stages first."""
    core = core_of(cast(ConceptAnnotator, lexicon().annotator))
    store = parts.vectors
    overlaps = (("concepts", everything), ("operations", operations), ("wider concepts", wider))
    return (
        StageScore(DenseSource.name),
        IncomingScore(),
        MeaningSignal(parts.encoder, store, core),
        NeighbourSignal(store),
        PhraseSignal(parts.encoder, parts.tokens, attrgetter("query.english_text")),
        PhraseSignal(parts.encoder, parts.tokens, core, name="core phrases"),
        Bm25Signal(parts.bm25, core),
        GramSignal(ranking.grams, core),
        *(ConceptOverlap(ranking.concepts, relation, name) for name, relation in overlaps),
        NamedByOthers(ranking.mentions),
        WellKnown(ranking.mentions),
        KnownWords(ranking.words, core),
    )


def later(ranking: Ranking) -> tuple[Signal, ...]:
    """The signals that are computed from the scores of the others."""
    return (FeedbackTerms(ranking.words),)
