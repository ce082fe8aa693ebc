"""The stages that modes share: reading, the two sources, and the scorers of what they found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from heapq import nlargest
from operator import attrgetter
from typing import TypeVar

from retrieval.catalog import kind_of, task_token
from retrieval.core import (
    BodyPart,
    Candidate,
    Column,
    Combine,
    Lists,
    Modality,
    Query,
    Stage,
    State,
)
from retrieval.dense import DenseScorer, DenseSource, LateInteraction
from retrieval.explain import is_story
from retrieval.fit import (
    Deeper,
    FitStage,
    KindStage,
    Request,
    TokenStage,
    WishStage,
)
from retrieval.lexical import Bm25Scorer, Bm25Source
from retrieval.planning import asked_format, other_format, unread_format
from retrieval.query import (
    Enrich,
    Read,
    UsualVerbs,
    without_asides,
    without_denied,
    without_set_aside,
    without_unweighed,
)
from retrieval.web import WebOffer
from retrieval.wiring.concepts import (
    english,
    every_language,
    field_slips,
    implied_images,
    in_english,
    lexicon,
    usual_verbs,
)
from retrieval.wiring.parts import Parts, Sizes

Code = TypeVar("Code")

FUSION = {DenseSource.name: 0.5, Bm25Source.name: 0.3, LateInteraction.name: 0.4}
"""Min-max weights; the best of those measured on the development sets."""

HEAD = 10
"""Places of a list that a visitor would see first, were it the only one."""


KINDS = {f"modality:{code}": code for code in Modality}
"""Kinds of image by the concept that a text names."""


PAIRED = {
    **{"PET": Modality.PET, "SPECT": Modality.SPECT},
    **{"CT": Modality.CT, "MR": Modality.MRI, "MRI": Modality.MRI},
}
"""The images of a scanner that takes two: PET/CT, SPECT-CT, PET/MR. Other words may hide the first
one from the concepts, as the tracer of "FDG PET/CT" does."""

FIELD_KINDS = {
    "domain:pathology": (Modality.SM, Modality.GM, Modality.TEXT),
    "domain:ophthalmology": (Modality.OP, Modality.OPT, Modality.OCT),
    "domain:radiology": (
        *(Modality.CT, Modality.MRI, Modality.XR, Modality.US, Modality.PET, Modality.NM),
        *(Modality.XA, Modality.MG, Modality.SR, Modality.TEXT),
    ),
}
"""Kinds of data of a field, for a text that names it alone: no kind of image, and nothing that the
images show ("pathology of the spine" is a disease). Of 77 records for pathology 76 state SM."""

FIELDS = {kinds: domain.partition(":")[2] for domain, kinds in FIELD_KINDS.items()}

SHOWN = frozenset({"anatomy", "disease"})
"""Kinds of concepts that images show."""

_JOINED = re.compile(r"\b(PET|SPECT)[/-](CT|MRI?)\b", re.IGNORECASE)


BODY_PARTS = {f"anatomy:{part}": part for part in BodyPart}
"""Parts of the body by the concept that a text names."""

SEGMENTATION = "operation:segmentation"

AS_TYPED = attrgetter("query.plain_text")
ENGLISH = attrgetter("query.english_text")
"""The text of a search by meaning: as typed where scores of the English reading follow it."""


def sparing(combine: Combine, limit: int) -> Combine:
    """What ``combine`` gives, with the first HEAD of every list among its first ``limit``.

    They take the last of those places, in their order: fusion may bury what one list alone finds,
    and a stage that ranks better comes after the cut.
    """

    def combined(stage: str, lists: Lists) -> tuple[Candidate, ...]:
        every = combine(stage, lists)
        heads = {tool_id for _, listed in lists for tool_id in _head(listed)}
        late = [c for c in every[limit:] if c.tool.id in heads]
        if not late:
            return every
        room = limit - sum(c.tool.id in heads for c in every[:limit]) - len(late)
        others = [c.tool.id for c in every if c.tool.id not in heads]
        stay = heads.union(others[: max(room, 0)])
        first = tuple(c for c in every if c.tool.id in stay)
        return (*first, *(c for c in every if c.tool.id not in stay))

    return combined


def _head(listed: Sequence[Candidate]) -> Iterable[str]:
    if not isinstance(listed, Column):
        return (c.tool.id for c in listed[:HEAD])
    pairs = zip(listed.candidates, listed.values, strict=True)
    best = nlargest(HEAD, ((value, c.tool.id) for c, value in pairs if value == value))
    return (tool_id for _, tool_id in best)


def enrich(parts: Parts) -> Enrich:
    """The stage that adds tokens and searches with the verbs that records use."""
    annotator = english() if parts.english else None
    verbs = UsualVerbs(usual_verbs(), annotator, lexicon().parents)
    slips = field_slips(parts.bm25, parts.encoder)

    def reworded(text: str) -> str:
        weighed = without_unweighed(slips.reworded(text))
        wanted = without_denied(without_asides(weighed), every_language())
        usual = verbs.reworded(without_set_aside(wanted, every_language().mentions))
        return implied_images().reworded(usual)

    def tasks(text: str) -> set[str]:
        named = parts.annotator.concepts(text) if parts.annotator else ()
        return {task_token(one.partition(":")[2]) for one in _with_wider(named) if _is_task(one)}

    return Enrich(reworded=reworded, tasks=tasks)


def _is_task(concept: str) -> bool:
    return concept.startswith("operation:")


def _with_wider(concepts: Iterable[str]) -> frozenset[str]:
    """Concepts and all wider ones of theirs."""
    level, every = set(concepts), set[str]()
    while level:
        every |= level
        level = {wider for one in level for wider in lexicon().parents.get(one, ())} - every
    return frozenset(every)


def read(parts: Parts) -> Read:
    """The stage that reads a query in another language."""
    return Read(
        parts.annotator,
        parts.english,
        parts.labels,
        lambda word: parts.bm25.knows(word),
        lambda text: in_english(text, parts.bm25.written),
    )


def wishes(parts: Parts, sizes: Sizes) -> WishStage:
    """The stage that holds tools against the wishes of the text; judged runs hide none."""
    shortfalls = parts.shortfalls

    def beside(text: str, ids: Sequence[str]) -> Sequence[str]:
        lacks = () if isinstance(shortfalls, str) else [s.beside for s in shortfalls(text, ids)]
        unread = [unread_format(text, parts.tools[one]) for one in ids]
        return [a or b for a, b in zip(lacks or unread, unread, strict=True)]

    hides = sizes.final is not None
    return WishStage(parts.stated, hides=hides, beside=beside, is_story=is_story)


def deeper(stage: Stage, parts: Parts, sizes: Sizes) -> Stage:
    """The stage, going deeper where few of its tools state a wish; judged runs measure it alone."""
    return stage if sizes.final is None else Deeper(stage, parts.tools)


def weighing(parts: Parts, sizes: Sizes, kinds: KindStage | None = None) -> tuple[Stage, ...]:
    """Tokens, scan and wishes, in the modes that show few stages: each is there where it counts.

    ``kinds`` takes the place of the stage that lowers tools for other kinds of image.
    """
    return TokenStage(), replace(fit(parts), quiet=True), kinds or kind(parts), wishes(parts, sizes)


def fit(parts: Parts) -> FitStage:
    """The stage that holds tools against the files, with what the request asks of them."""
    annotator = parts.annotator

    def requested(query: Query) -> Request:
        text = " ".join((query.text, *query.reading))
        named = annotator.concepts(text) if annotator and text else ()
        operations = [one for one in named if one.startswith("operation:")]
        return Request(
            parts=tuple(filter(None, map(body_parts_of, named))),
            tasks=frozenset(one.partition(":")[2] for one in operations),
            segments=bool(operations) and all(map(_is_segmentation, operations)),
            goal=str(asked_format(query.text, query.scans) or ""),
        )

    return FitStage(parts.bridge.named_chain, requested)


def _nearest(concept: str, codes: Mapping[str, Code]) -> tuple[Code, ...]:
    """The codes of a concept, or else those of its nearest wider concepts, by concept id."""
    level = {concept}
    while level and level.isdisjoint(codes):
        level = {wider for one in level for wider in lexicon().parents.get(one, ())}
    return tuple(codes[one] for one in sorted(level) if one in codes)


@cache
def body_parts_of(concept: str) -> frozenset[BodyPart]:
    """The parts of the body that a concept is, or else lies in by its nearest wider concepts."""
    return frozenset(_nearest(concept, BODY_PARTS))


@cache
def kinds_of(concept: str) -> tuple[Modality, ...]:
    """The kinds of image that a concept is, or is a kind of: MRI for one weighted by T1."""
    return _nearest(concept, KINDS) if kind_of(concept) == "modality" else ()


@cache
def _is_segmentation(operation: str) -> bool:
    wider = lexicon().parents.get(operation, ())
    return operation == SEGMENTATION or any(map(_is_segmentation, wider))


def kind(parts: Parts) -> KindStage:
    """The stage that holds tools against the kind of image that the text names."""
    annotator = parts.annotator

    def kinds(text: str) -> tuple[Modality, ...]:
        named = annotator.concepts(text) if annotator and text else ()
        if KINDS.keys().isdisjoint(named):
            fields = [FIELD_KINDS[concept] for concept in named if concept in FIELD_KINDS]
            return fields[0] if len(fields) == 1 and SHOWN.isdisjoint(map(kind_of, named)) else ()
        # What a text names as narrower too ("angiography ... dose report") only lets more tools
        # pass: alone it lowers none, which filled 978 of 1,159 places of tools with the wishes of
        # 468 requests instead of 984.
        of_words = [kind for concept in named for kind in kinds_of(concept)]
        both = [PAIRED[match.upper()] for pair in _JOINED.findall(text) for match in pair]
        return tuple(dict.fromkeys((*of_words, *both)))

    return KindStage(
        kinds,
        names=FIELDS,
        other_format=lambda text, tool: other_format(text, tool, parts.bridge.named_chain),
    )


def kind_marks(parts: Parts) -> KindStage:
    """The same where the order is that of a source system (S0-30): nobody is moved."""
    return replace(kind(parts), weight=0.0)


def web_offer(parts: Parts) -> WebOffer:
    """The stage that picks web search where words ask for it; off until a setting allows it."""
    return WebOffer(parts.tools, off=parts.web)


def dense(parts: Parts, k: int, text: Callable[[State], str] = AS_TYPED) -> DenseSource:
    """The source that finds k tools by the meaning of a text."""
    absent = parts.no_vectors
    return DenseSource(parts.encoder, parts.vectors, parts.tools, k=k, text=text, absent=absent)


def words(parts: Parts, k: int) -> Bm25Source:
    """The source that finds k tools by words."""
    return Bm25Source(parts.bm25, k=k)


def scorers(parts: Parts) -> tuple[Stage, ...]:
    """A scorer under the name of each source, so that it completes its list, and MaxSim."""
    return (
        DenseScorer(parts.encoder, parts.vectors, name=DenseSource.name, absent=parts.no_vectors),
        Bm25Scorer(parts.bm25, name=Bm25Source.name),
        LateInteraction(parts.encoder, parts.tokens),
    )
