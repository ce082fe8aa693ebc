"""Questions over the shipped catalog whose answers the records give."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import Response
from tests.ask.gold import Row, gold, questions

MOST_TRIPLES, PRECISION, SHARE = 40, 0.5, 0.9


def _found(asking: QuestionEngine, asked: Response, row: Row, wanted: frozenset[str]) -> set[str]:
    """What the context names beside the question itself: tools, or values of a tool."""
    nodes = {node for fact in asked.evidence.facts for node in fact.nodes}
    if "of" in row:
        values = nodes - {row["of"]}
        return {
            asking.graph.base.label(n)
            for n in values
            if asking.graph.base.kind(n) != "license_class"
        }
    tools = {node for node in nodes if asking.graph.base.kind(node) == "tool"}
    return tools - (set(asked.evidence.linked) - wanted)


def _right(asking: QuestionEngine, tools: Mapping[str, Tool], row: Row) -> bool:
    asked, wanted = asking.ask(row["question"]), gold(row, tools)
    found = _found(asking, asked, row, wanted)
    precision = len(found & wanted) / len(found) if found else 0.0
    return len(asked.evidence.facts) <= MOST_TRIPLES and wanted <= found and precision >= PRECISION


def test_there_are_forty_questions_and_twenty_that_cannot_be_answered() -> None:
    assert len(questions("tuning")) >= 20
    assert len(questions("held out")) >= 20
    assert len(questions("unanswerable")) == 20


@pytest.mark.parametrize("kind", ["tuning", "held out"])
def test_every_question_has_an_answer_in_the_records(
    kind: str, shipped: Mapping[str, Tool]
) -> None:
    assert [row["id"] for row in questions(kind) if not gold(row, shipped)] == []


@pytest.mark.parametrize("kind", ["tuning", "held out"])
@pytest.mark.requirement("S3-14")
def test_without_a_model_the_right_things_are_in_a_small_context(
    kind: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    rows = questions(kind)
    wrong = [row["id"] for row in rows if not _right(asking, shipped, row)]
    assert len(wrong) <= (1 - SHARE) * len(rows), wrong


@pytest.mark.parametrize("row", questions("unanswerable"), ids=lambda row: row["id"])
def test_what_the_catalog_cannot_answer_is_refused_with_a_reason(
    row: Row, asking: QuestionEngine
) -> None:
    asked = asking.ask(row["question"])
    assert asked.evidence.answer == ()
    assert asked.refused


def test_the_context_of_every_question_is_at_most_forty_facts(asking: QuestionEngine) -> None:
    for kind in ("tuning", "unanswerable"):
        for row in questions(kind)[:15]:
            assert len(asking.ask(row["question"]).evidence.facts) <= MOST_TRIPLES


def test_every_sentence_rests_on_facts_of_the_context(asking: QuestionEngine) -> None:
    for row in questions("tuning")[:20]:
        asked = asking.ask(row["question"])
        ids = {fact.id for fact in asked.evidence.facts}
        for sentence in asked.evidence.answer:
            assert sentence.evidence
            assert set(sentence.evidence) <= ids
