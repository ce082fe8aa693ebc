"""Passages of a visitor's documents as evidence, and an answer in the documents' own sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from retrieval.core import Encoder, Fact, Sentence, StageResult, StageUnavailable, State
from retrieval.documents.passages import Found
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
        asked, note = state.query.text, ""
        if self.made_up and self.model is None:
            note = NO_MODEL
        elif self.made_up and self.model is not None:
            asked, note = artificial_answer(self.model, asked, self.budget, state.deadline)
            note = note or MADE_UP
        found = self.store.search(asked, self.k)
        facts = tuple(_fact(one) for one in found)
        told = nearest_sentences(self.store.encoder, state.query.text, found, self.near)
        shown = facts if told or self.model is not None else ()
        known = state.known.with_facts(shown)
        known = replace(known, answer=told, refusal="" if told else NOTHING_NEAR)
        noted = "; ".join(n for n in (f"{len(found)} passages", note) if n)
        return StageResult(name=self.name, state=replace(state, known=known), note=noted)


def _fact(found: Found) -> Fact:
    page = f", page {found.passage.page}" if found.passage.page else ""
    text = " ".join(found.passage.text.split())[:MOST_TEXT]
    return Fact(id=found.id, text=text, kind="passage", source=f"{found.document.name}{page}")


def nearest_sentences(
    encoder: Encoder, question: str, found: tuple[Found, ...], near: float = NEAR
) -> tuple[Sentence, ...]:
    """The sentences nearest to a question, in the order of their passages; none below ``near``."""
    held = [(sentence, one.id) for one in found for sentence in _sentences(one.passage.text)]
    if not held:
        return ()
    rows = encoder.encode([question, *(text for text, _ in held)])
    scores = np.round(rows[1:] @ rows[0], 6)
    order = sorted(range(len(held)), key=lambda n: (-float(scores[n]), n))[:SENTENCES]
    least = max(near, SHARE * float(scores[order[0]]))
    kept = sorted(n for n in order if scores[n] >= least)
    texts = {held[n][0]: held[n][1] for n in reversed(kept)}
    told = {text: texts[text] for text in (held[n][0] for n in kept)}
    return tuple(Sentence(text=text, evidence=(passage,)) for text, passage in told.items())


def _sentences(text: str) -> list[str]:
    parts = (" ".join(part.split())[:MOST_SENTENCE] for part in _END.split(text))
    return [part for part in parts if len(part) > 1]
