"""The learned ranking of a catalog: its tables, and the stage over them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import cast

from retrieval.catalog import Annotator, ConceptAnnotator
from retrieval.core import Query, StageUnavailable, State, Tool, codes
from retrieval.dense import DenseSource, Loading, MeaningSignal, NeighbourSignal, PhraseSignal
from retrieval.explain import JudgedSignal
from retrieval.fit import written_for
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
from retrieval.planning import asked_conversion, asked_format
from retrieval.query import core_of
from retrieval.rerank import (
    ConceptOverlap,
    ConceptTable,
    ConversionStage,
    FeedbackTerms,
    IncomingScore,
    KnownWords,
    LearnedRank,
    OperationTable,
    Signal,
    StageScore,
    WordTable,
    everything,
    operations,
    read_weights,
    wider,
)
from retrieval.settings import ROOT
from retrieval.wiring.concepts import coverage, is_thing, lexicon
from retrieval.wiring.parts import Parts
from retrieval.wiring.shipped.facts import completed, shipped_namesakes
from retrieval.wiring.shipped.judged import known_requests

WEIGHTS = ROOT / "assets" / "ranker" / "weights.safetensors"
ASKED_WEIGHTS = WEIGHTS.with_name("asked.safetensors")
"""Learned for catalogs whose records tell how people ask for them; the others are equal."""

ASKED = 0.5
"""Share of the records from which on a catalog is one of these. On three without such words the
learned weights cost .002 to .05 nDCG@10."""

MANY = 20_000
"""Records above which the tables are not built: they would fill the memory."""

PREPARING = "the tables of the learned ranking are being made"
TOO_MANY = f"the learned ranking is off above {MANY:,} records"


COMMON = 0.05
"""Share of the records above which a format is a kind of data: AFNI's is stated by fewer."""

SAMPLE = 400
"""Descriptions that tell how much of a catalog the concepts cover."""

COVERED = 0.3
"""Share of the letters of the descriptions that lie in concepts, below which the graph's paths do
not count. It is .48 for the shipped catalog, .42 and .37 for two others of its fields, .23 for
packages of an operating system: there shared concepts are chance, and paths cost .03 nDCG@10."""

KINDS = frozenset({"operation", "anatomy", "modality", "disease", "data", "domain"})
"""Kinds of concepts that a task is made of; a method may be a tool."""

_LETTERS = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The tables of the learned ranking, built once per catalog."""

    grams: GramIndex
    mentions: MentionTable
    concepts: ConceptTable
    operations: ConceptTable
    names: NameIndex
    words: WordTable
    covered: float
    asked: float


Namesakes = Callable[[Sequence[Tool]], Mapping[str, Tool]]


def ranking_of(
    tools: Sequence[Tool], annotator: Annotator, namesakes: Namesakes = shipped_namesakes
) -> Ranking:
    """The tables of a catalog. Raises StageUnavailable for one that is too large.

    ``namesakes`` gives what is known elsewhere of some tools: evidence for their concepts and
    words. Pieces and mentions are of a record's own text alone.
    """
    if len(tools) > MANY:
        raise StageUnavailable(TOO_MANY)
    mentions = MentionTable(tools)
    shipped = namesakes(tools)
    completed_tools = [completed(tool, shipped.get(tool.id)) for tool in tools]
    concepts = ConceptTable(completed_tools, annotator, lexicon().parents)
    own = {tool.id: lexical_text(tool) for tool in tools}
    fields = (own, {tool_id: lexical_text(other) for tool_id, other in shipped.items()})
    return Ranking(
        grams=GramIndex(tools),
        mentions=mentions,
        names=NameIndex(tools, mentions, kinds_in(tools), is_thing),
        concepts=concepts,
        operations=OperationTable(concepts, completed_tools, {t.id for t in tools if t.tasks}),
        words=WordTable(list(own), fields, tokenise),
        covered=catalog_coverage(tools),
        asked=sum(bool(tool.asked_as) for tool in tools) / max(len(tools), 1),
    )


def catalog_coverage(tools: Sequence[Tool]) -> float:
    """How much of the descriptions, SAMPLE of them at even distances, the concepts cover."""
    sample = [tool.description for tool in tools[:: max(1, len(tools) // SAMPLE)]]
    letters = [sum(map(str.isalnum, text)) for text in sample]
    inside = sum(n * coverage(text) for n, text in zip(letters, sample, strict=True))
    return inside / max(sum(letters), 1)


def thin_graph(parts: Parts) -> str:
    """Why the graph's paths do not count in this catalog; empty where they do."""
    ranking = parts.ranking
    if not isinstance(ranking, Ranking) or ranking.covered >= COVERED:
        return ""
    share = f"{ranking.covered:.0%} of what the records say"
    return f"paths do not count: the concepts cover {share}, less than {COVERED:.0%}"


def kinds_in(tools: Sequence[Tool]) -> Callable[[str], bool]:
    """Whether a text names a kind and no tool, in a catalog of these tools.

    It is one when all of its letters lie in concepts: one kind of image ("FLAIR"), one format that
    COMMON of the records state ("DICOM", not "AFNI"), or a task or an image in several words
    ("multi organ segmentation").
    """
    annotator = cast(ConceptAnnotator, lexicon().annotator)
    formats = Counter(f.casefold() for tool in tools for f in (*tool.formats_in, *tool.formats_out))
    words = Counter(w for t in tools for w in set(_LETTERS.findall(t.description.casefold())))
    common = {w for w, n in (formats + words).items() if n > COMMON * len(tools)}

    def is_kind(text: str) -> bool:
        mentions = annotator.mentions(text)
        covered = {n for m in mentions for n in range(m.start, m.end)}
        if not mentions or any(c.isalnum() and n not in covered for n, c in enumerate(text)):
            return False
        kinds = {m.concept.split(":", 1)[0] for m in mentions}
        if " " in text.strip():
            return kinds <= KINDS
        return kinds == {"modality"} or (kinds == {"format"} and text.strip().casefold() in common)

    return is_kind


def learned_rank(parts: Parts) -> LearnedRank:
    """The stage over these parts; without tables, vectors or weights it says what it waits for."""
    ranking = parts.ranking
    if not isinstance(ranking, Ranking):
        return LearnedRank((), {}, absent=ranking or PREPARING)
    try:
        weights = read_weights(ASKED_WEIGHTS if ranking.asked >= ASKED else WEIGHTS)
    except StageUnavailable as exc:
        return LearnedRank((), {}, absent=str(exc))
    # One without a weight takes time and changes nothing.
    first, last = (
        tuple(signal for signal in every if weights.get(signal.name))
        for every in (signals(parts, ranking), later(ranking))
    )
    return LearnedRank(first, weights, later=last)


def texts_ahead(parts: Parts) -> Callable[[State], None]:
    """Begins to encode what the stages behind a query's first vector ask the encoder for.

    The core of a text differs from it in a quarter of requests, its English reading in those of
    other languages: beside the first pass, which reads the same weights, theirs costs no time
    where a second processor is free.
    """
    encoder, core = parts.encoder, core_of(cast(ConceptAnnotator, lexicon().annotator))

    def begin(state: State) -> None:
        query = state.query
        if isinstance(encoder, Loading) and LearnedRank.name not in query.off:
            for text in {query.english_text, core(state)} - {query.text}:
                encoder.begin(text)

    return begin


def conversion() -> ConversionStage:
    """The stage that orders tools by the conversion that is asked for, or by its goal alone."""

    def asked(query: Query) -> codes.Conversion | codes.Format | None:
        of = query.text, query.scans
        return asked_conversion(*of) or asked_format(*of)

    return ConversionStage(asked, written_for)


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
    overlaps = (
        (ranking.concepts, "concepts", everything),
        (ranking.operations, "operations", operations),
        (ranking.concepts, "wider concepts", wider),
    )
    return (
        StageScore(DenseSource.name),
        IncomingScore(),
        MeaningSignal(parts.encoder, store, core),
        NeighbourSignal(store),
        PhraseSignal(parts.encoder, parts.tokens, attrgetter("query.english_text")),
        PhraseSignal(parts.encoder, parts.tokens, core, name="core phrases"),
        Bm25Signal(parts.bm25, core),
        GramSignal(ranking.grams, core),
        *(ConceptOverlap(table, choose, name, coverage) for table, name, choose in overlaps),
        NamedByOthers(ranking.mentions),
        WellKnown(ranking.mentions),
        KnownWords(ranking.words, core),
        JudgedSignal(known_requests(parts), attrgetter("query.english_text")),
    )


def later(ranking: Ranking) -> tuple[Signal, ...]:
    """The signals that are computed from the scores of the others."""
    return (FeedbackTerms(ranking.words),)
