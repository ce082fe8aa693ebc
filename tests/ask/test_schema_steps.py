"""A question through the steps over the schema: in Ask, by the page's events, and by command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import gradio as gr
import pytest

from components.panels.routes.ask_events import Wiring
from components.render.questions import ask as render
from retrieval.cli import main
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import response_json
from retrieval.wiring.questions.schema_steps import StepTexts
from tests.compat.biochatter.talk import Shapes
from tests.fakes import SMALL

pytest.importorskip("ladybug", reason="ladybug is not installed: pip install -e '.[cypher]'")

ASKED = "Which tools read DICOM?"
READS = "MATCH (t:Tool)-[:accepts]->(f:Format) WHERE f.name = 'DICOM' RETURN t.name"
WRONG = "MATCH (t:Tool)-[:swallows]->(f:Format) RETURN t.name"
PARTS = GraphParts.of(SMALL)
CHOSEN = {
    "Entities": {"entities": ["Tool", "Format"]},
    "Relationships": {"relationships": ["ToolAcceptsFormat"]},
    "PropertyChoice": {"properties": {"Format": ["name"]}},
}
NO_WORDS = {"Answered": "", "text": "<task-completion>FINISH</task-completion>"}


def asking(*queries: str, **more: Any) -> tuple[QuestionEngine, Shapes]:
    said: dict[str, Any] = {
        **CHOSEN,
        **NO_WORDS,
        "WrittenQuery": [{"query": query} for query in queries],
    }
    model = Shapes(**{**said, **more})
    return QuestionEngine(PARTS, model=model), model


def steps_of(response: Any) -> list[str]:
    return [node.name.rpartition("/")[2] for node in response.result.walk() if not node.children]


def test_a_question_goes_through_every_step_and_its_rows_are_the_evidence() -> None:
    engine, model = asking(READS, Answered={"answer": [{"text": "lungmask.", "evidence": [1]}]})
    response = engine.ask(ASKED, answerer="schema")
    wanted = ["schema", "entities", "relationships", "properties", "query", "submit"]
    assert steps_of(response)[:6] == wanted
    assert response.evidence.facts[0].kind == "query"
    assert "lungmask" in response.evidence.facts[0].text
    assert [one.text for one in response.evidence.answer] == ["lungmask."]
    assert response.query is not None
    assert "`name` = 'DICOM'" in response.query.text
    assert "Reflexion" not in [shape for shape, _ in model.prompts]


def test_the_rows_are_the_answer_where_the_model_words_none() -> None:
    engine, _ = asking(READS, Answered={"answer": "not a list"})
    response = engine.ask(ASKED, answerer="schema")
    assert "lungmask" in response.evidence.answer[0].text
    assert response.evidence.answer[0].evidence == tuple(f.id for f in response.evidence.facts)


def test_a_query_that_fails_is_reviewed_and_written_again() -> None:
    advice = {"score": 2, "reflection": "no such relationship", "revised_answer": "use accepts"}
    engine, model = asking(WRONG, READS, Reflexion=advice)
    response = engine.ask(ASKED, answerer="schema")
    assert [shape for shape, _ in model.prompts].count("Reflexion") == 1
    assert "use accepts" in model.prompt("WrittenQuery")[-1]
    assert "lungmask" in response.evidence.answer[0].text


def test_without_a_model_the_graph_answers_and_the_steps_say_what_is_missing() -> None:
    engine = QuestionEngine(PARTS)
    assert engine.ask(ASKED).choice.answerer == "graph"
    assert "schema" not in dict(engine.ask(ASKED).choice.alternatives)
    assert "SCANSCOUT_LLM_BASE_URL" in engine.ask(ASKED, answerer="schema").refused
    with pytest.raises(StageUnavailable, match="SCANSCOUT_LLM_BASE_URL"):
        list(engine.steps.go_on(StepTexts(question=ASKED)))


def test_with_a_model_the_steps_are_offered_and_chosen_by_setting() -> None:
    engine, _ = asking(READS)
    assert "schema" in dict(engine.ask(ASKED).choice.alternatives)
    chosen = QuestionEngine(PARTS, model=asking(READS)[1], by_schema=True).ask(ASKED).choice
    assert (chosen.answerer, chosen.by) == ("schema", "setting")
    assert "graph" in dict(chosen.alternatives)


def test_a_changed_step_is_gone_on_from_and_the_steps_before_it_are_not_asked_again() -> None:
    engine, model = asking(READS)
    texts = StepTexts(question=ASKED, entities="tool; Format", relationships="toolacceptsformat")
    *_, last = engine.steps.go_on(texts, "relationships")
    assert last.entities == "Tool, Format"
    assert last.properties == "Format: name"
    assert last.query == READS
    assert [shape for shape, _ in model.prompts] == ["PropertyChoice", "WrittenQuery"]


@pytest.mark.parametrize(
    ("step", "typed", "named"),
    [
        ("entities", "Tool, Spaceship", "Spaceship"),
        ("relationships", "ToolEatsFormat", "ToolEatsFormat"),
        ("properties", "Tool: colour", "colour"),
    ],
)
def test_a_name_that_the_schema_lacks_is_refused_by_name(step: str, typed: str, named: str) -> None:
    engine, _ = asking(READS)
    texts = StepTexts(**{"question": ASKED, "entities": "Tool", step: typed})
    with pytest.raises(BadInput, match=f"{step}: the schema has no {named}"):
        list(engine.steps.go_on(texts, "entities"))


def test_a_query_is_explained_and_changed_but_not_without_one() -> None:
    engine, model = asking(
        f"{READS} LIMIT 1", Explanation={"explanation": "It lists tools that read DICOM."}
    )
    texts = StepTexts(question=ASKED, entities="Tool, Format", query=READS)
    assert engine.steps.explain(texts) == "It lists tools that read DICOM."
    assert engine.steps.update(texts, "only one").query == f"{READS} LIMIT 1"
    assert "only one" in model.prompt("WrittenQuery")[0]
    with pytest.raises(BadInput, match="there is none yet"):
        engine.steps.explain(StepTexts(question=ASKED))


def test_a_query_that_would_write_is_refused_and_the_graph_stays() -> None:
    engine, _ = asking("MATCH (t:Tool) DELETE t", Reflexion={"score": 9})
    response = engine.ask(ASKED, answerer="schema")
    assert not response.evidence.answer
    assert engine.run_query(READS)[0].rows


class Desk:
    """The part of a desk that the steps' events ask."""

    has_model = True
    ready = True

    def __init__(self, engine: QuestionEngine) -> None:
        self._engine = engine

    def question_engine(self, *_: object, **__: object) -> QuestionEngine:
        return self._engine


@pytest.fixture
def page(light_settings) -> Any:
    """The panel of a built page, with its events over another desk."""
    from components.panels.routes import ask as route
    from retrieval import QuestionDesk

    with gr.Blocks():
        return route.layout(QuestionDesk(light_settings))


def last_of(updates: Any) -> Mapping[Any, Any]:
    merged: dict[Any, Any] = {}
    for update in updates:
        merged |= update
    return merged


def test_the_page_shows_the_steps_of_an_answer_and_goes_on_from_a_changed_one(page) -> None:
    engine, _ = asking(READS, READS)
    wiring = Wiring(page, Desk(engine))  # type: ignore[arg-type]
    asked = engine.ask(ASKED, answerer="schema")
    shown = wiring._final(asked)
    assert shown[page.steps.boxes["entities"]] == "Tool, Format"
    assert shown[page.steps.boxes["properties"]] == "Format: name"
    assert "`name` = 'DICOM'" in shown[page.query]
    html = render.trace(asked)
    assert "Kinds of node that the question is about" in html
    assert "Rows of the query" in html
    events = wiring._steps()
    again = last_of(events._going_on("entities")(ASKED, "Tool, Format", "", "", ""))
    assert again[page.query] == READS
    assert "lungmask" in again[page.rows]
    assert "The query ran." in again[page.status]


def test_the_page_hands_the_last_question_to_one_of_them_alone(page) -> None:
    engine, _ = asking()
    wiring = Wiring(page, Desk(engine))  # type: ignore[arg-type]
    papers = ("", False, False)
    first = last_of(wiring.ask(None, ASKED, *papers))[page.last]
    both = last_of(wiring.ask(first, "which of them run on Linux?", *papers))[page.last]
    assert both.question == f"{ASKED[:-1]}? which of them run on Linux?"
    alone = last_of(wiring.ask(None, "which of them run on Linux?", *papers))[page.last]
    assert alone.refused
    # What follows a refusal has nothing to go on with.
    again = last_of(wiring.ask(alone, "which of them run on Linux?", *papers))[page.last]
    assert again.question == "which of them run on Linux?"


def test_the_page_says_which_name_is_wrong_and_how_the_query_reads_in_words(page) -> None:
    engine, _ = asking(READS, Explanation={"explanation": "It lists <tools>."})
    events = Wiring(page, Desk(engine))._steps()  # type: ignore[arg-type]
    wrong = last_of(events._going_on("entities")(ASKED, "Spaceship", "", "", ""))
    assert "the schema has no Spaceship" in wrong[page.steps.note]
    words = events.explain(ASKED, "Tool", "", "", READS)
    assert "It lists &lt;tools&gt;." in words[page.steps.note]
    changed = events.change(ASKED, "Tool", "", "", READS, "as it is")
    assert changed[page.query] == READS


def test_the_command_explains_and_changes_the_query(tmp_path, monkeypatch, capsys) -> None:
    rules = [{"shape": shape, "answer": answer} for shape, answer in CHOSEN.items()]
    rules += [
        {
            "shape": "WrittenQuery",
            "contains": ["only one"],
            "answer": {"query": f"{READS} LIMIT 1"},
        },
        {"shape": "WrittenQuery", "answer": {"query": READS}},
        {"shape": "Explanation", "answer": {"explanation": "It lists readers of DICOM."}},
    ]
    (tmp_path / "script.json").write_text(json.dumps({"rules": rules}))
    (tmp_path / "tools.jsonl").write_text(
        '{"id": "reader", "name": "Reader", "description": "reads", "formats_in": ["DICOM"]}\n'
        '{"id": "other", "name": "Other", "description": "reads", "formats_in": ["DICOM"]}'
    )
    told = {"LLM_SCRIPT": tmp_path / "script.json", "CATALOG": tmp_path / "tools.jsonl"}
    told |= {"INDEX_DIR": tmp_path / "index", "CACHE_DIR": tmp_path / "c", "VECTOR_SEARCH": "false"}
    for name, value in told.items():
        monkeypatch.setenv(f"SCANSCOUT_{name}", str(value))
    assert main(["ask", ASKED, "--explain", "--update", "only one", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["chosen"]["answerer"] == "schema"
    assert data["steps"]["relationships"] == "ToolAcceptsFormat"
    assert data["explanation"] == "It lists readers of DICOM."
    assert len(data["rows"]) == 1


def test_the_steps_of_an_answer_stand_in_its_json() -> None:
    engine, _ = asking(READS)
    data = response_json(engine.ask(ASKED, answerer="schema"))
    assert data["steps"]["entities"] == "Tool, Format"
    assert response_json(QuestionEngine(PARTS).ask(ASKED))["steps"] is None
