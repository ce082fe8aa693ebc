"""The learned ranking of a catalog: its tables, and the stage made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from retrieval.catalog import Annotator, ConceptAnnotator
from retrieval.core import StageUnavailable, State, Tool
from retrieval.dense import MeaningSignal, NeighbourSignal, PhraseSignal
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
from retrieval.wiring.shipped_facts import completed, told_elsewhere

WEIGHTS = ROOT / "assets" / "ranker" / "weights.safetensors"

MANY = 20_000
"""Records above which the tables are not made: they would fill the memory."""

PREPARING = "the tables of the learned ranking are being made"
TOO_MANY = f"the learned ranking is off above {MANY:,} records"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What the learned ranking knows of a catalog; made once for it."""

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
    known = told_elsewhere(tools)
    whole = [completed(tool, known.get(tool.id)) for tool in tools]
    own = {tool.id: lexical_text(tool) for tool in tools}
    fields = (own, {tool_id: lexical_text(other) for tool_id, other in known.items()})
    return Ranking(
        grams=GramIndex(whole),
        mentions=mentions,
        names=NameIndex(tools, mentions),
        concepts=ConceptTable(whole, annotator, lexicon().parents),
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
    """The stage that knows the names of the catalog."""
    ranking = parts.ranking
    return NameMatch(ranking.names if isinstance(ranking, Ranking) else None, parts.tools)


def is_name(parts: Parts) -> Callable[[str], bool]:
    """Whether a text is a tool's or a suite's name and nothing else.

    Slips are forgiven where the tables of names are there; without them it is as written.
    """
    ranking = parts.ranking
    if not isinstance(ranking, Ranking):
        known = frozenset(n.casefold() for t in parts.tools.values() for n in (t.id, t.name))
        return lambda text: text.casefold().strip(" .?!") in known
    names = ranking.names

    def whole(text: str) -> bool:
        found = names.find(text)
        return found is not None and found.extent == "whole"

    return whole


def _finder() -> ConceptAnnotator:
    found = lexicon().annotator
    if not isinstance(found, ConceptAnnotator):
        raise TypeError("the concept layer tells no places in a text")
    return found


def signals(parts: Parts, ranking: Ranking) -> tuple[Signal, ...]:
    """Every signal, the scores of earlier stages first."""
    core = core_of(_finder())
    store = parts.vectors.store if parts.vectors else None
    meant: Callable[[State], str] = lambda state: state.query.english_text  # noqa: E731
    overlaps = (("concepts", everything), ("operations", operations), ("wider concepts", wider))
    return (
        StageScore("dense", ("graph/dense", "fused/dense")),
        IncomingScore(),
        MeaningSignal(parts.encoder, store, core),
        NeighbourSignal(store),
        PhraseSignal(parts.encoder, parts.tokens, meant),
        PhraseSignal(parts.encoder, parts.tokens, core, name="core phrases"),
        Bm25Signal(parts.bm25, core),
        GramSignal(ranking.grams, core),
        *(ConceptOverlap(ranking.concepts, asked, name) for name, asked in overlaps),
        NamedByOthers(ranking.mentions),
        WellKnown(ranking.mentions),
        KnownWords(ranking.words, core),
    )


def later(ranking: Ranking) -> tuple[Signal, ...]:
    """The signals that build on what the others find."""
    return (FeedbackTerms(ranking.words),)
