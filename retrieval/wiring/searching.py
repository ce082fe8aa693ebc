"""The stages that modes share: reading, the two sources, and the scorers of what they found."""

from __future__ import annotations

from retrieval.core import Stage
from retrieval.dense import DenseScorer, DenseSource, LateInteraction
from retrieval.fit import WishStage
from retrieval.lexical import Bm25Scorer, Bm25Source
from retrieval.query import Enrich, Read, UsualVerbs
from retrieval.wiring.concepts import usual_verbs
from retrieval.wiring.parts import Parts, Sizes

FUSION = {DenseSource.name: 0.5, Bm25Source.name: 0.3, LateInteraction.name: 0.4}
"""Min-max weights; the best of those measured on the development sets."""


def enrich(parts: Parts) -> Enrich:
    """The stage that adds tokens and searches with the verbs that records use."""
    return Enrich(reworded=UsualVerbs(usual_verbs(), parts.english).reworded)


def read(parts: Parts) -> Read:
    """The stage that reads a query in another language."""
    return Read(parts.annotator, parts.english, parts.labels, lambda word: parts.bm25.knows(word))


def wishes(parts: Parts, sizes: Sizes) -> WishStage:
    """The stage that holds tools against the wishes of the text; judged runs hide none."""
    return WishStage(parts.stated, hides=sizes.final is not None)


def dense(parts: Parts, k: int) -> DenseSource:
    """The source that finds k tools by meaning."""
    return DenseSource(parts.encoder, parts.vectors, parts.tools, k=k, absent=parts.no_vectors)


def words(parts: Parts, k: int) -> Bm25Source:
    """The source that finds k tools by words."""
    return Bm25Source(parts.bm25, k=k)


def scorers(parts: Parts) -> tuple[Stage, ...]:
    """A scorer under the name of each source, so that it completes its list, and MaxSim."""
    return (
        DenseScorer(parts.encoder, parts.vectors, name=DenseSource.name),
        Bm25Scorer(parts.bm25, name=Bm25Source.name),
        LateInteraction(parts.encoder, parts.tokens),
    )
