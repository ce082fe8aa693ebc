"""Words that no fact has are looked for in the texts of the records before they count as absent."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine

ABSENT = "nothing in it speaks of"


def with_word(word: str, shipped: Mapping[str, Tool]) -> set[str]:
    """The tools of the catalog with a word in name, description or keywords."""
    pattern = re.compile(rf"(?<![^\W_]){re.escape(word)}s?(?![^\W_])", re.IGNORECASE)
    return {
        tool.id
        for tool in shipped.values()
        if any(map(pattern.search, (tool.name, tool.description, *tool.keywords)))
    }


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Which tools support mouse brain registration to the Allen atlas?", "Allen"),
        ("Which tools work with connectomics data from Google?", "Google"),
        ("Which tools were made at Harvard?", "Harvard"),
    ],
)
def test_a_word_of_the_texts_is_not_called_absent(
    question: str, word: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    asked = asking.ask(question)
    assert ABSENT not in asked.evidence.refusal
    (fact,) = [f for f in asked.evidence.facts if f.id == f"text | {word.casefold()}"]
    assert set(fact.nodes) == with_word(word, shipped)
    assert shipped[fact.nodes[0]].name in asked.evidence.refusal


def test_records_that_meet_the_rest_of_the_question_are_named_first(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    refused = asking.ask("Which tools register mouse brains to the Allen atlas?").evidence.refusal
    named = re.sub(r".*: ", "", refused.partition(". The first")[0]).split(", ")
    fits = [
        "registration" in " ".join(t.tasks) for n in named for t in shipped.values() if t.name == n
    ]
    assert fits[0]
    assert fits == sorted(fits, reverse=True)


@pytest.mark.parametrize("word", ["flibbertigibbet", "Xyzzyq", "notochordal"])
def test_a_word_that_no_text_has_is_still_absent(
    word: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    assert not with_word(word, shipped)
    assert f"{ABSENT} {word}" in asking.ask(f"Which tools segment {word}?").evidence.refusal
