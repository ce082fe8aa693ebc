"""The query under a list of tools gives just these tools, negations and alternatives included."""

from __future__ import annotations

import pytest

from retrieval.wiring.questions.graph_parts import CYPHER, SPARQL
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.starting_query import starting_queries

pytestmark = pytest.mark.process

ASKED = [
    "Which tools read CZI but not ND2?",
    "Which tools run inside QuPath?",
    "Which tools read CZI or LIF but not both?",
    "Which tools need Docker?",
    "Which tools accept ND2 and nothing else?",
    "Welche Programme laufen nur unter Windows?",
    "Which open tools read CZI?",
    "Which tools require napari?",
    "How many tools have no licence stated?",
]


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize(
    ("language", "package"), [(CYPHER, "ladybug"), (SPARQL, "pyoxigraph")], ids=[CYPHER, SPARQL]
)
def test_the_query_gives_as_many_tools_as_the_answer_counts(
    asking: QuestionEngine, question: str, language: str, package: str
) -> None:
    pytest.importorskip(package, reason=f"the package {package} is not installed")
    asked = asking.ask(question)
    rows, _ = asking.run_query(starting_queries(asked)[language], language)
    assert len(rows.rows) == int(asked.evidence.answer[0].text.split()[0])


@pytest.mark.parametrize(
    "question",
    ["Which tools segment liver?", "Which tools convert TIFF to MGH?", "What does nnU-Net read?"],
)
def test_where_links_are_mentions_or_ways_no_query_stands_for_the_set(
    asking: QuestionEngine, question: str
) -> None:
    asked = asking.ask(question)
    assert asked.evidence.answer
    assert not asked.set_queries


@pytest.mark.parametrize("language", [CYPHER, SPARQL])
def test_a_comparison_is_fetched_by_the_names_of_its_tools(
    asking: QuestionEngine, language: str
) -> None:
    pytest.importorskip({CYPHER: "ladybug", SPARQL: "pyoxigraph"}[language])
    query = starting_queries(asking.ask("Compare ANTs and elastix"))[language]
    rows, _ = asking.run_query(query, language)
    assert {"ants", "elastix"} <= set(rows.nodes)
