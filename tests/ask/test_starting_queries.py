"""The query that stands ready under an answer: it runs and gives what the answer says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from retrieval.core.evidence import StoreQuery
from retrieval.wiring.questions.graph_parts import CYPHER, SPARQL, GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.starting_query import starting_queries
from tests.fakes import make_tool

pytestmark = pytest.mark.process

TURNS = "Which tools turn my DICOM into something nnU-Net reads, and which of them are open?"
TWO_STEPS = "Which tools convert TIFF to MGH?"
ASKED = [TWO_STEPS, "What does nnU-Net read?", TURNS, "What must be installed before fMRIPrep?"]


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize(
    ("language", "package"), [(CYPHER, "ladybug"), (SPARQL, "pyoxigraph")], ids=[CYPHER, SPARQL]
)
def test_the_query_gives_the_things_that_the_answer_names(
    asking: QuestionEngine, question: str, language: str, package: str
) -> None:
    pytest.importorskip(package, reason=f"the package {package} is not installed")
    asked = asking.ask(question)
    rows, _ = asking.run_query(starting_queries(asked)[language], language)
    labels = {asking.graph.base.label(node) for node in rows.nodes}
    named = [label for label in labels if label in asked.evidence.answer[0].text]
    assert len(named) >= 4


def test_a_query_that_was_run_stands_as_it_was(asking: QuestionEngine) -> None:
    asked = asking.ask(ASKED[0])
    ran = StoreQuery(language=CYPHER, text="MATCH (t:Tool) RETURN t LIMIT 1")
    state = structs.replace(asked.result.state, evidence=structs.replace(asked.evidence, query=ran))
    asked = replace(asked, result=structs.replace(asked.result, state=state))
    assert starting_queries(asked)[CYPHER] == ran.text
    assert starting_queries(asked)[SPARQL].startswith("SELECT")


@pytest.mark.parametrize("question", ["hello", "What is the price of MATLAB?"])
def test_without_an_answer_there_is_a_query_that_runs_all_the_same(
    asking: QuestionEngine, question: str
) -> None:
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    rows, _ = asking.run_query(starting_queries(asking.ask(question))[CYPHER])
    assert rows.rows
    assert asking.run_query(starting_queries()[CYPHER])[0].rows


def test_a_name_that_would_need_an_escape_is_not_written_into_a_query() -> None:
    tool = make_tool("odd", name="O'Hara' DETACH DELETE", formats_in=("DICOM",))
    asking = QuestionEngine(GraphParts.of([tool]))
    asked = asking.ask("What does O'Hara' DETACH DELETE read?")
    assert all("O'Hara" not in text for text in starting_queries(asked).values())
