"""SPARQL that a language model writes: it runs over the graph, only reads, and is shown."""

from __future__ import annotations

import json

import gradio as gr
import pytest

from components.panels.routes import ask as route
from components.panels.routes.ask_events import Wiring
from retrieval import QuestionDesk
from retrieval.cli import main
from retrieval.wiring.questions import graph_parts
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import Response
from tests.fakes import SMALL, ScriptedModel
from tests.llm.faults import completion, says, serving

pytest.importorskip("pyoxigraph", reason="pyoxigraph is not installed: pip install -e '.[rdf]'")
pytestmark = pytest.mark.process

ASKED = "Tell me of the frobnicator."
READS = 'SELECT ?t WHERE { ?t a k:tool ; r:accepts ?f . ?f rdfs:label "DICOM" }'
STOP = "<task-completion>FINISH</task-completion>"
SAID = json.dumps({"answer": [{"text": "lungmask does.", "evidence": [1]}]})
PARTS = GraphParts.of(SMALL)


def sparql(query: str) -> str:
    return f"<sparql>\n{query}\n</sparql>"


def answered(*replies: str, written: str = graph_parts.SPARQL) -> tuple[Response, ScriptedModel]:
    model = ScriptedModel(*replies)
    parts = GraphParts(PARTS.base, PARTS.reader, PARTS.linker, PARTS.stores, written=written)
    return QuestionEngine(parts, model=model).ask(ASKED, answerer="graph"), model


def notes_of(response: Response) -> str:
    return "\n".join(f.text for f in response.evidence.facts if f.kind == "note")


@pytest.mark.requirement("S3-09")
def test_the_rows_of_a_sparql_query_are_evidence_and_the_query_is_shown() -> None:
    response, model = answered(sparql(READS), STOP, SAID)
    (row,) = [fact for fact in response.evidence.facts if fact.kind == "query"]
    assert (row.text, row.nodes) == ("t: lungmask", ("lungmask",))
    assert response.evidence.answer[0].evidence == (row.id,)
    assert response.query is not None
    assert response.query.language == "SPARQL"
    assert "?t a k:tool" in response.query.text
    assert "PREFIX r: <urn:scanscout:relation:>" in model.prompts[0]
    assert "<sparql>" in model.prompts[0]
    assert "<opencypher>" not in model.prompts[0]


def test_the_page_shows_the_sparql_query_in_its_language(light_settings) -> None:
    with gr.Blocks():
        page = route.layout(QuestionDesk(light_settings))
    response, _ = answered(sparql(READS), STOP, SAID)
    shown = Wiring(page, QuestionDesk(light_settings))._final(response)
    assert shown[page.language] == "SPARQL"
    assert shown[page.query] == response.query.text


@pytest.mark.parametrize(
    "query",
    [
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "DELETE WHERE { ?a ?b ?c }",
        "SELECT ?a WHERE { SERVICE <http://127.0.0.1:9/sparql> { ?a ?b ?c } }",
        "SELECT ?a FROM <file:///etc/passwd> WHERE { ?a ?b ?c }",
        "SELECT ?a WHERE { ?a r:accepts+ ?b }",
    ],
)
@pytest.mark.requirement("S3-15")
def test_a_models_sparql_that_does_more_than_read_is_not_run(query: str) -> None:
    response, model = answered(sparql(query), sparql(READS), STOP, SAID)
    assert "The sparql query was not run. query:" in notes_of(response)
    assert "The sparql query was not run." in model.prompts[1]
    assert [f.text for f in response.evidence.facts if f.kind == "query"] == ["t: lungmask"]


def test_sparql_is_run_where_cypher_was_asked_for_and_rows_have_their_own_numbers() -> None:
    pytest.importorskip("ladybug", reason="ladybug is not installed: pip install -e '.[cypher]'")
    both = (
        "<opencypher>\nMATCH (t:Tool {id: 'lungmask'})-[:accepts]->(f) RETURN f.name\n"
        f"</opencypher>\n{sparql(READS)}"
    )
    response, _ = answered(both, STOP, SAID, written=graph_parts.CYPHER)
    rows = [fact for fact in response.evidence.facts if fact.kind == "query"]
    assert {fact.text for fact in rows} >= {"t: lungmask", "f.name: DICOM"}
    assert len({fact.id for fact in rows}) == len(rows)


def test_a_query_of_each_language_may_fail_and_be_written_again() -> None:
    broken = sparql("SELECT ?t WHERE { ?t r:accepts }")
    response, _ = answered(broken, sparql(READS), STOP, SAID)
    assert "The sparql query failed. query:" in notes_of(response)
    assert "t: lungmask" in [fact.text for fact in response.evidence.facts]


def test_the_command_asks_a_server_for_sparql_by_setting(tmp_path, monkeypatch, capsys) -> None:
    tools = tmp_path / "tools.jsonl"
    tools.write_text(
        '{"id": "lungmask", "name": "lungmask", "description": "Lung segmentation in CT.",'
        ' "formats_in": ["DICOM"], "url": "https://example.org/lungmask"}\n'
    )
    acts = [says(completion(text)) for text in (sparql(READS), STOP, SAID)]
    with serving(*acts) as server:
        settings = {"LLM_BASE_URL": server.url, "LLM_MODEL": "tiny", "ASK_QUERY": "sparql"}
        settings |= {"CATALOG": str(tools), "VECTOR_SEARCH": "false", "LLM_SECONDS": "20"}
        settings |= {"CACHE_DIR": str(tmp_path / "cache"), "INDEX_DIR": str(tmp_path / "index")}
        for name, value in settings.items():
            monkeypatch.setenv(f"SCANSCOUT_{name}", value)
        assert main(["ask", ASKED, "--answerer", "graph", "--json"]) == 0
    given = json.loads(capsys.readouterr().out)
    assert given["query"]["language"] == "SPARQL"
    assert [one["sentence"] for one in given["answer"]] == ["lungmask does."]
    assert "t: lungmask" in [one["text"] for one in given["context"]]
