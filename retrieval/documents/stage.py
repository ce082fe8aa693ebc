"""Passages of a visitor's documents as evidence, and an answer in the documents' own sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from retrieval.core import Encoder, Fact, Sentence, StageResult, StageUnavailable, State
from retrieval.documents.passages import PassageHit
from retrieval.documents.store import DocumentStore, artificial_answer
from retrieval.llm import Budget, LanguageModel

NEAR = 0.3
"""Cosine under which a sentence says nothing of the question."""

SENTENCES, SHARE = 3, 0.65
"""Most sentences of an answer, and how near each is at least, as a share of the nearest."""
MOST_TEXT, MOST_SENTENCE = 1500, 400
NO_DOCUMENTS = "there is no document of yours; add a PDF or text file first"
MADE_UP = "searched with an answer that the language model made up"
NO_MODEL = "no language model to make up an answer; the question itself was searched with"
NOTHING_NEAR = "Nothing in your documents is near the question."

_END = re.compile(r"(?<=[.!?。])\s+|\n{2,}")


@dataclass(frozen=True)
class DocumentAnswers:
    """Finds passages; with ``made_up`` it searches by an artificial answer of the model.

    The answer is the nearest sentences, each tied to its passage; passages that hold none are
    shown to a model alone, which may still say that they do not answer.
    """

    store: DocumentStore
    k: int = 5
    made_up: bool = False
    model: LanguageModel | None = None
    budget: Budget | None = None
    near: float = NEAR
    name: str = "documents"

    def run(self, state: State) -> StageResult:
        """Facts and sentences, or why there are none. StageUnavailable without a document."""
        if not self.store.documents():
            raise StageUnavailable(NO_DOCUMENTS)
        text, note = state.query.text, ""
        if self.made_up and self.model is None:
            note = NO_MODEL
        elif self.made_up and self.model is not None:
            text, note = artificial_answer(self.model, text, self.budget, state.deadline)
            note = note or MADE_UP
        hits = self.store.search(text, self.k)
        facts = tuple(
            Fact(
                id=hit.id,
                text=" ".join(hit.passage.text.split())[:MOST_TEXT],
                kind="passage",
                source=hit.document.name
                + (f", page {hit.passage.page}" if hit.passage.page else ""),
            )
            for hit in hits
        )
        sentences = nearest_sentences(self.store.encoder, state.query.text, hits, self.near)
        visible_facts = facts if sentences or self.model is not None else ()
        evidence = state.evidence.with_facts(visible_facts)
        evidence = replace(evidence, answer=sentences, refusal="" if sentences else NOTHING_NEAR)
        noted = "; ".join(n for n in (f"{len(hits)} passages", note) if n)
        return StageResult(name=self.name, state=replace(state, evidence=evidence), note=noted)


def nearest_sentences(
    encoder: Encoder, question: str, hits: tuple[PassageHit, ...], near: float = NEAR
) -> tuple[Sentence, ...]:
    """The sentences nearest to a question, in the order of their passages.

    At most SENTENCES, none with a cosine below ``near`` or below SHARE of the best one. A sentence
    that stands in several passages is tied to the first. One that only repeats words of the
    question, as a title may, is left out where a near one says more.
    """
    parts = ((part, hit.id) for hit in hits for part in _END.split(hit.passage.text))
    cut = ((" ".join(part.split())[:MOST_SENTENCE], passage) for part, passage in parts)
    sentences = [(text, passage) for text, passage in cut if len(text) > 1]
    if not sentences:
        return ()
    rows = encoder.encode([question, *(text for text, _ in sentences)])
    # Rounded, so that ties do not depend on the processor; rows are of length 1.
    scores = np.round(rows[1:] @ rows[0], 6)
    order = sorted(range(len(sentences)), key=lambda n: (-float(scores[n]), n))
    question_words = set(_words(question))
    near_ones = [n for n in order if scores[n] >= near]
    telling = [n for n in near_ones if not question_words.issuperset(_words(sentences[n][0]))]
    order = (telling or order)[:SENTENCES]
    least = max(near, SHARE * float(scores[order[0]]))
    near_rows = sorted(n for n in order if scores[n] >= least)
    # Reversed, so that the first passage of a repeated sentence is the one that stays.
    texts = {sentences[n][0]: sentences[n][1] for n in reversed(near_rows)}
    passage_of = {text: texts[text] for text in (sentences[n][0] for n in near_rows)}
    return tuple(Sentence(text=text, evidence=(passage,)) for text, passage in passage_of.items())


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
