"""Questions to a real embedded graph by its schema, and talking about the query."""

from __future__ import annotations

import json

import pytest

from retrieval.compat.biochatter.database_agent import DatabaseAgent
from retrieval.compat.biochatter.kg_langgraph_agent import KGQueryReflexionAgent
from retrieval.compat.biochatter.prompts import BioCypherPromptEngine
from retrieval.compat.biochatter.query_interaction import BioCypherQueryHandler
from retrieval.core.errors import StageUnavailable
from retrieval.graph.build import build_graph
from retrieval.graph.facts import catalog_facts
from retrieval.graph.querying import QueryFailed
from retrieval.graphdb.schema import schema_info
from retrieval.wiring.questions.store import FilledStore, fact_base, save_schema
from tests.compat.biochatter.talk import QUESTION, Shapes
from tests.fakes import SMALL

pytest.importorskip("ladybug", reason="ladybug is not installed: pip install -e '.[cypher]'")

ASKED = "Which tools read DICOM?"
READS = "MATCH (t:Tool)-[:accepts]->(f:Format) WHERE f.name = 'DICOM' RETURN t.name"
KG = {
    "entities": ["Gene", "Disease"],
    "relationships": ["GeneToDiseaseAssociation"],
    "properties": {"Disease": ["name"]},
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    from retrieval.graphdb.cypher import CypherStore

    base = catalog_facts(SMALL, build_graph(SMALL))
    store = CypherStore.fill(base, tmp_path_factory.mktemp("graph") / "graph.db")
    return {"connection_args": {"store": store}, "schema_config_or_info_dict": schema_info(base)}


def saying(*queries, **more):
    return Shapes(
        Entities={"entities": ["Tool", "Format"]},
        Relationships={"relationships": ["ToolAcceptsFormat"]},
        PropertyChoice={"properties": {"Tool": ["name"], "Format": ["name"]}},
        WrittenQuery=[{"query": query} for query in queries],
        **more,
    )


def agent(graph, model, **told):
    return DatabaseAgent(model_name="any", conversation_factory=lambda: model, **graph, **told)


@pytest.mark.requirement("S2-09")
def test_the_steps_run_in_the_named_order(graph):
    model = saying(READS)
    made = agent(graph, model)
    made.connect()
    found = made.get_query_results(ASKED, k=3)
    names = [name for name, _ in made.steps]
    assert names == ["schema", "entities", "relationships", "properties", "query", "submit"]
    shapes = [shape for shape, _ in model.prompts]
    assert shapes == ["Entities", "Relationships", "PropertyChoice", "WrittenQuery"]
    assert "lungmask" in found[0].page_content


@pytest.mark.requirement("S2-09")
def test_at_most_k_results_are_given(graph):
    query = "MATCH (t:Tool) RETURN t.name"
    assert len(agent(graph, saying(query)).get_query_results(ASKED, k=2)) == 2
    assert len(agent(graph, saying(query)).get_query_results(ASKED)) == 3


@pytest.mark.requirement("S2-09")
def test_a_summary_is_optional(graph):
    model = saying(READS, Summary={"answer": "Two tools do."})
    made = agent(graph, model)
    assert made.summarise(ASKED, made.get_query_results(ASKED)) == "Two tools do."
    assert "lungmask" in model.prompt("Summary")[0]


@pytest.mark.requirement("S2-09")
def test_the_graph_of_the_configured_catalog_can_be_asked(tmp_path, monkeypatch):
    row = {"id": "a", "name": "Sorter", "description": "Sorts slices.", "license": "MIT"}
    (tmp_path / "tools.jsonl").write_text(json.dumps(row), "utf-8")
    monkeypatch.setenv("SCANSCOUT_CATALOG", str(tmp_path / "tools.jsonl"))
    monkeypatch.chdir(tmp_path)
    model = Shapes(
        Entities={"entities": ["Tool"]},
        Relationships={"relationships": []},
        PropertyChoice={"properties": {"Tool": ["license"]}},
        WrittenQuery={"query": "MATCH (t:Tool) RETURN t.name, t.license"},
    )
    made = DatabaseAgent(connection_args={"host": "embedded"}, conversation_factory=lambda: model)
    (only,) = made.get_query_results("Which licences are there?")
    assert "Sorter" in only.page_content
    assert "MIT" in only.page_content
    assert "ToolHasLicenseLicense" in made.get_description()


def test_a_query_written_by_our_own_schema_file_runs_on_our_own_graph(tmp_path):
    path = save_schema(SMALL, tmp_path)
    model = saying(READS)
    engine = BioCypherPromptEngine(path, conversation_factory=lambda: model)
    query = engine.generate_query(ASKED)
    assert "(:Tool)-[:accepts]->(:Format)" in model.prompt("WrittenQuery")[0]
    rows = FilledStore(fact_base(SMALL)).required().run(query).rows
    assert ("lungmask",) in rows


@pytest.mark.requirement("S2-10")
def test_a_document_holds_the_result_and_its_query(graph):
    found = agent(graph, saying(READS)).get_query_results(ASKED)
    query = found[0].metadata["cypher_query"]
    assert query.startswith("MATCH")
    assert query in found[0].page_content


@pytest.mark.requirement("S2-10")
def test_no_result_says_so_and_shows_the_query(graph):
    nothing = READS.replace("DICOM", "Parchment")
    (only,) = agent(graph, saying(nothing)).get_query_results(ASKED)
    assert "found nothing" in only.page_content
    assert "Parchment" in only.page_content
    assert "Parchment" in only.metadata["cypher_query"]
    assert "error" not in only.metadata


@pytest.mark.requirement("S2-21")
def test_reflexion_asks_again_in_the_light_of_the_result(graph):
    wrong = READS.replace("DICOM", "dicom files")
    bad = {"answer": "", "reflection": "no row", "revised_answer": "use 'DICOM'", "score": 1}
    good = {"answer": "lungmask", "reflection": "", "revised_answer": "", "score": 9}
    model = saying(wrong, READS, Reflexion=[bad, good])
    made = agent(graph, model, use_reflexion=True)
    found = made.get_query_results(ASKED)
    assert "lungmask" in found[0].page_content
    assert "use 'DICOM'" in model.prompt("WrittenQuery")[1]
    assert "dicom files" in model.prompt("WrittenQuery")[1]
    assert "found nothing" in model.prompt("Reflexion")[0]
    assert len(model.prompt("Entities")) == 1


@pytest.mark.requirement("S2-21")
def test_rows_of_an_earlier_query_are_not_told_as_the_last_ones(graph):
    wide = "MATCH (t:Tool) RETURN t.name"
    poor = {"reflection": "all tools", "revised_answer": "filter", "score": 2}
    model = saying(wide, READS, Reflexion=[poor, {"score": 10}])
    made = KGQueryReflexionAgent(lambda: model, **graph)
    told = "\n".join(one.page_content for one in made.execute(ASKED))
    assert "lungmask" in told
    assert "converter" not in told


@pytest.mark.requirement("S2-21")
def test_reflexion_ends_after_its_rounds(graph):
    poor = {"reflection": "still wrong", "revised_answer": "again", "score": 0}
    model = saying(*[READS] * 5, Reflexion=poor)
    agent(graph, model, use_reflexion=True).get_query_results(ASKED)
    assert len(model.prompt("WrittenQuery")) == 3


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (t:Tool) DETACH DELETE t",
        "CREATE (t:Tool {id: 'x'})",
        "COPY (MATCH (t:Tool) RETURN t) TO 'stolen.csv'",
        "CALL db.labels()",
        "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
    ],
)
@pytest.mark.requirement("S2-22")
def test_a_query_that_is_no_reading_never_runs(graph, query, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (only,) = agent(graph, saying(query)).get_query_results(ASKED)
    assert "query:" in only.page_content
    assert query in only.page_content
    assert list(tmp_path.iterdir()) == []
    still = agent(graph, saying("MATCH (t:Tool) RETURN t.name")).get_query_results(ASKED, k=50)
    assert len(still) == len(SMALL)


def test_3_3_an_irrelevant_question_gets_a_plain_answer_and_no_error(graph):
    (only,) = agent(graph, Shapes(Entities={"entities": []})).get_query_results("Is it raining?")
    assert "nothing in the schema" in only.page_content
    assert only.metadata == {"cypher_query": ""}


def test_a_model_that_is_not_there_is_told_as_such_and_not_as_no_result(graph):
    model = Shapes(Entities=StageUnavailable("the language model did not answer"))
    (only,) = agent(graph, model).get_query_results(ASKED)
    assert only.page_content == "the language model did not answer"


class Failing:
    """A store whose every query ends in one error."""

    language = "Cypher"

    def __init__(self, error):
        self.error = error

    def run(self, query, parameters=None):
        raise self.error


FAILURES = (
    StageUnavailable("the graph server does not answer"),
    QueryFailed("query: no such label"),
)


@pytest.mark.parametrize("error", FAILURES, ids=["no server", "failed query"])
@pytest.mark.parametrize("use_reflexion", [False, True])
@pytest.mark.requirement("S2-10")
def test_a_server_or_query_that_fails_is_an_error_and_no_empty_result(graph, error, use_reflexion):
    broken = {**graph, "connection_args": {"store": Failing(error)}}
    poor = {"reflection": "wrong", "revised_answer": "again", "score": 1}
    made = agent(broken, saying(*[READS] * 3, Reflexion=poor), use_reflexion=use_reflexion)
    (only,) = made.get_query_results(ASKED)
    assert made.error == only.metadata["error"] == str(error)
    assert "found nothing" not in only.page_content
    with pytest.raises(StageUnavailable, match="nothing that could be summed up"):
        made.summarise(ASKED, [only])


def test_a_graph_without_a_schema_or_an_address_is_refused():
    with pytest.raises(ValueError, match="schema_config_or_info_dict"):
        DatabaseAgent(connection_args={"host": "h"}).connect()
    schema = {"is_schema_info": True, "gene": {"is_relationship": False}}
    with pytest.raises(ValueError, match="connection_args"):
        DatabaseAgent(schema_config_or_info_dict=schema).connect()


def test_an_empty_question_is_refused_and_no_defect(graph):
    with pytest.raises(ValueError, match="empty"):
        agent(graph, Shapes()).get_query_results(" ")


def handler(model, **told):
    return BioCypherQueryHandler(
        query="MATCH (g:Gene) RETURN g",
        query_lang="Cypher",
        kg_selected=told.pop("kg_selected", KG),
        question=QUESTION,
        conversation_factory=lambda: model,
        **told,
    )


@pytest.mark.requirement("S2-20")
def test_missing_parts_of_the_graph_are_named():
    with pytest.raises(ValueError, match="relationships, properties missing"):
        handler(Shapes(), kg_selected={"entities": []})


@pytest.mark.requirement("S2-20")
def test_a_query_is_explained():
    model = Shapes(Explanation={"explanation": "It lists all genes."})
    assert handler(model).explain_query() == "It lists all genes."
    assert "MATCH (g:Gene) RETURN g" in model.prompts[0][1]


@pytest.mark.requirement("S2-20")
def test_a_query_is_updated_over_the_whole_graph_where_it_is_given():
    model = Shapes(WrittenQuery={"query": "MATCH (g:Gene) RETURN g LIMIT 10"})
    wide = {**KG, "entities": ["Gene", "Disease", "CellType"]}
    assert handler(model, kg=wide).update_query("Only 10").endswith("LIMIT 10")
    assert handler(model).update_query("Only 10").endswith("LIMIT 10")
    first, second = model.prompt("WrittenQuery")
    assert "CellType" in first
    assert "CellType" not in second
    assert "Only 10" in first


@pytest.mark.requirement("S2-20")
def test_an_answer_that_cannot_be_used_is_told():
    with pytest.raises(StageUnavailable, match="empty"):
        handler(Shapes(WrittenQuery="")).update_query("Only 10")
