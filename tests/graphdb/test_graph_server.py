"""The Neo4j driver's path against a graph server that speaks Bolt: ArcadeDB, from PyPI.

``ARCADEDB_PACKAGE`` names the Python of an environment of its own with ``arcadedb-embedded``.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.core.types import Tool
from retrieval.graph.querying import Refused
from retrieval.graphdb.cypher_guard import Bounds
from retrieval.graphdb.neo4j import PURPOSE, Neo4jStore
from retrieval.net.permission import OutsideCalls
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.schema_steps import StepTexts
from tests.compat.biochatter.talk import Shapes
from tests.fakes import SMALL, ScriptedModel

PYTHON = os.environ.get("ARCADEDB_PACKAGE", "")
PASSWORD = "playwithdata"
STATEMENTS = (
    "CREATE (:Tool {id: 'lungmask', name: 'lungmask'})-[:performs]->"
    "(:Operation {id: 'seg', name: 'segmentation'})",
    "CREATE (:Tool {id: 'converter', name: 'converter'})",
)

pytest.importorskip("neo4j", reason="the package neo4j is not installed")
pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        not PYTHON,
        reason="no graph server: pip install arcadedb-embedded into an environment of its own, "
        "and name its Python in ARCADEDB_PACKAGE",
    ),
]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, port = tmp_path_factory.mktemp("arcade"), free_port()
    script = Path(__file__).with_name("arcade_process.py")
    command = [PYTHON, str(script), str(folder / "server"), str(port), str(free_port()), PASSWORD]
    with (folder / "printed").open("wb") as log:
        server = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("\n".join((*STATEMENTS, "", "")))
        server.stdin.flush()
        assert any(line == "ready\n" for line in server.stdout), (folder / "printed").read_text()[
            -500:
        ]
        yield f"bolt://127.0.0.1:{port}"
        server.kill()
        server.wait()


@pytest.fixture
def store(address: str) -> Neo4jStore:
    return reader(address)


def reader(address: str, password: str = PASSWORD, **bounds: float) -> Neo4jStore:
    return Neo4jStore(
        address,
        user="root",
        password=password,
        guard=OutsideCalls(frozenset({PURPOSE})),
        database="tools",
        bounds=Bounds(**bounds) if bounds else None,  # type: ignore[arg-type]
    )


def test_rows_of_a_reading_query_come_back(store):
    rows = store.run("MATCH (t:Tool) RETURN t.name AS name ORDER BY name")
    assert (rows.columns, rows.rows) == (("name",), (("converter",), ("lungmask",)))


def test_parameters_go_beside_the_text(store):
    rows = store.run("MATCH (t:Tool {id: $id}) RETURN t.name AS name", {"id": "lungmask"})
    assert rows.rows == (("lungmask",),)


def test_the_schema_is_read_by_queries(store):
    lines = store.schema().splitlines()
    assert "(:Tool)" in lines
    assert any("performs" in line for line in lines)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) DETACH DELETE n",
        "CREATE (:Tool {id: 'x'})",
        "MATCH (t:Tool) SET t.name = 'x'",
        "CALL db.labels()",
    ],
)
def test_what_writes_or_calls_is_refused_before_the_server(store, query):
    with pytest.raises(Refused):
        store.run(query)
    assert len(store.run("MATCH (t:Tool) RETURN t.id AS id").rows) == 2


def test_more_rows_than_allowed_are_cut(address):
    rows = reader(address, rows=1).run("MATCH (t:Tool) RETURN t.id AS id")
    assert (len(rows.rows), rows.cut) == (1, True)


LOGIN = "refused user and password .*Unauthorized.*SCANSCOUT_GRAPH_PASSWORD"


def test_a_wrong_password_names_the_settings_and_not_itself(address):
    with pytest.raises(StageUnavailable, match=LOGIN) as refused:
        reader(address, password="a wrong one").run("MATCH (t:Tool) RETURN t.id AS id")
    assert "a wrong one" not in str(refused.value)


def test_a_question_runs_its_query_on_the_server(store):
    tools: tuple[Tool, ...] = tuple(SMALL)
    query = "<opencypher>MATCH (t:Tool) RETURN t.name AS name</opencypher>"
    model = ScriptedModel(*[query] * 12)
    response = QuestionEngine(GraphParts.of(tools, server=store), model=model).ask("Which tools?")
    assert response.query is not None
    ran = {n.name.rsplit("/", 1)[-1]: n.status for n in response.result.walk()}
    assert ran["query"] == "ok"


READS = "MATCH (t:Tool)-[:performs]->(o:Operation) WHERE o.name = 'segmentation' RETURN t.name"
CHOSEN = {
    "Entities": {"entities": ["Tool", "Operation"]},
    "Relationships": {"relationships": ["ToolPerformsOperation"]},
    "PropertyChoice": {"properties": {"Operation": ["name"]}},
}
ASKED = "Which tools segment?"


def steps_over(server: Neo4jStore, **said: object) -> QuestionEngine:
    given = {**CHOSEN, "Answered": "", "text": "<task-completion>FINISH</task-completion>", **said}
    return QuestionEngine(GraphParts.of(SMALL, server=server), model=Shapes(**given))


def test_the_steps_choose_from_the_schema_of_the_server(store):
    schema = store.classes()
    assert set(schema.entities) == {"Tool", "Operation"}
    assert set(schema.entities["Tool"].properties) == {"id", "name"}
    one = schema.relationships["ToolPerformsOperation"]
    assert (one.label, one.sources, one.targets) == ("performs", ("Tool",), ("Operation",))


def test_a_question_goes_through_every_step_on_the_server(store):
    response = steps_over(store, WrittenQuery={"query": READS}).ask(ASKED, answerer="schema")
    names = [n.name.rpartition("/")[2] for n in response.result.walk() if not n.children]
    wanted = ["schema", "entities", "relationships", "properties", "query", "submit"]
    assert names[:6] == wanted
    assert [fact.text for fact in response.evidence.facts] == ["t.name: lungmask"]
    assert "lungmask" in response.evidence.answer[0].text


def test_a_query_that_the_server_cannot_run_is_written_again(store):
    wrong = {"query": "MATCH (t:Tool) RETURN nosuchfunction(t.name)"}
    advice = {"score": 1, "reflection": "no such function", "revised_answer": "return the name"}
    engine = steps_over(store, WrittenQuery=[wrong, {"query": READS}], Reflexion=advice)
    assert "lungmask" in engine.ask(ASKED, answerer="schema").evidence.answer[0].text


def test_a_step_is_changed_the_query_run_explained_and_updated_on_the_server(store):
    written = [{"query": READS}, {"query": f"{READS} LIMIT 1"}]
    engine = steps_over(store, WrittenQuery=written, Explanation={"explanation": "It segments."})
    *_, last = engine.steps.go_on(StepTexts(question=ASKED, entities="tool, operation"), "entities")
    assert (last.relationships, last.query) == ("ToolPerformsOperation", READS)
    assert engine.run_query(last.query)[0].rows == (("lungmask",),)
    assert engine.steps.explain(last) == "It segments."
    assert engine.steps.update(last, "only one").query.endswith("LIMIT 1")
    with pytest.raises(BadInput, match="the schema has no Format"):
        list(engine.steps.go_on(StepTexts(question=ASKED, entities="Format"), "entities"))


@pytest.mark.parametrize("answerer", ["schema", "graph"])
def test_ask_says_that_the_server_refused_the_password(address, answerer):
    query = "<opencypher>MATCH (t:Tool) RETURN t.name AS name</opencypher>"
    engine = steps_over(reader(address, password="a wrong one"), text=query)
    response = engine.ask(ASKED, answerer=answerer)
    notes = " ".join(node.note for node in response.result.walk())
    assert re.search(LOGIN, notes), notes
    assert "a wrong one" not in notes
