"""Answers from documents by meaning, on the packaged weights."""

from __future__ import annotations

import pytest

from retrieval.documents.passages import Passage
from retrieval.documents.shelf import MemoryShelf
from retrieval.documents.stage import DocumentAnswers
from retrieval.documents.store import DocumentStore
from tests.documents.papers import TILT
from tests.fakes import make_state

pytestmark = pytest.mark.model

MORE = (
    "The licence of the software is Apache 2.0 and it runs on Linux.",
    "Patients were scanned at 120 kVp with a slice thickness of 1 mm.",
    "Cells are counted on fluorescence slides after thresholding.",
)


@pytest.fixture(scope="module")
def answers(sentence_encoder):
    store = DocumentStore(MemoryShelf(), sentence_encoder)
    texts = (*TILT, *MORE)
    store.add([Passage(text=text, page=n) for n, text in enumerate(texts, 1)], {"name": "m.pdf"})
    return DocumentAnswers(store)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What does the manual I uploaded say about gantry tilt?", TILT[0]),
        ("how are slices ordered?", TILT[1]),
        ("on what data was the model trained", TILT[2]),
        ("Which licence does it have?", MORE[0]),
        ("what slice thickness was used", MORE[1]),
    ],
)
def test_a_question_is_answered_by_the_sentence_that_means_it(answers, question, sentence):
    evidence = answers.run(make_state(question)).state.evidence
    assert sentence in [one.text for one in evidence.answer]


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of France?",
        "Who won the world cup in 2014?",
        "How do I bake bread?",
        "what is the oncogenic potential of BRAF V600E",
        "Does it need a GPU?",
    ],
)
def test_a_question_that_no_sentence_touches_is_refused(answers, question):
    evidence = answers.run(make_state(question)).state.evidence
    assert evidence.answer == ()
    assert evidence.refusal
