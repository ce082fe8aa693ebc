"""``RagAgent`` by its modes, and the choice between agents."""

from __future__ import annotations

import inspect

import pytest

from retrieval.ask.routing import Answerer, Selector
from retrieval.compat.biochatter.rag_agent import RagAgent, RagAgentModeEnum
from retrieval.compat.biochatter.selector_agent import RagAgentSelector
from retrieval.compat.langchain.document import Document
from retrieval.core.errors import StageUnavailable
from retrieval.core.stage import StageResult
from retrieval.graph.build import build_graph
from retrieval.graph.facts import catalog_facts
from retrieval.graphdb.prompt_agent import Reflexion
from retrieval.graphdb.schema import schema_info
from tests.compat.biochatter.talk import Shapes
from tests.fakes import SMALL, HashingEncoder

SCHEMA = {"is_schema_info": True, "gene": {"is_relationship": False}}


def documents(tmp_path, **told):
    made = RagAgent(
        mode="vectorstore",
        embedding_func=HashingEncoder(),
        connection_args={"folder": tmp_path},
        **{"use_prompt": True, **told},
    )
    made.connect()
    return made


def stored(agent, *texts):
    return [agent.agent.store_embeddings([Document(text, {})]) for text in texts]


@pytest.mark.requirement("S2-01")
def test_the_constructor_has_the_named_arguments_and_defaults():
    told = inspect.signature(RagAgent).parameters
    assert list(told)[:10] == [
        "mode",
        "model_name",
        "connection_args",
        "n_results",
        "use_prompt",
        "schema_config_or_info_dict",
        "conversation_factory",
        "embedding_func",
        "documentids_workspace",
        "agent_desc",
    ]
    assert (told["n_results"].default, told["use_prompt"].default) == (3, False)
    assert told["use_reflexion"].default is False
    assert "model_provider" in told


@pytest.mark.requirement("S2-02")
def test_the_modes_are_named_and_another_is_refused():
    assert {"kg", "vectorstore", "api_blast", "api_oncokb"} <= set(RagAgentModeEnum)
    with pytest.raises(ValueError, match=r"kg.*api_blast"):
        RagAgent(mode="crystal ball")


@pytest.mark.requirement("S2-03")
def test_answers_are_texts_with_what_is_known_of_them_and_are_kept(tmp_path):
    agent = documents(tmp_path)
    stored(agent, "gantry tilt is corrected", "cells are counted")
    told = agent.generate_responses("gantry tilt")
    assert told == agent.last_response == agent.get_query_results("gantry tilt")
    text, metadata = told[0]
    assert text == "gantry tilt is corrected"
    assert metadata["id"]
    assert agent.similarity_search("cells")[0].page_content == "cells are counted"
    assert "vector store" in agent.get_description()


@pytest.mark.requirement("S2-03")
def test_only_documents_have_a_similarity_search():
    with pytest.raises(ValueError, match="vectorstore"):
        RagAgent(mode="api_blast").similarity_search("x")


@pytest.mark.requirement("S2-04")
def test_an_agent_that_is_off_gives_nothing_and_says_so(tmp_path):
    agent = documents(tmp_path, use_prompt=False)
    stored(agent, "gantry tilt is corrected")
    assert agent.generate_responses("gantry tilt") == []
    assert "use_prompt=True" in agent.reason


@pytest.mark.requirement("S2-04")
def test_a_workspace_limits_the_search(tmp_path):
    agent = documents(tmp_path)
    _, second = stored(agent, "gantry tilt one", "gantry tilt two")
    agent.documentids_workspace = [second]
    assert [text for text, _ in agent.generate_responses("gantry tilt")] == ["gantry tilt two"]


@pytest.mark.parametrize(
    ("told", "missing"),
    [
        ({"mode": "kg", "schema_config_or_info_dict": SCHEMA}, "connection_args"),
        ({"mode": "kg", "connection_args": {"host": "h"}}, "schema_config_or_info_dict"),
        ({"mode": "vectorstore", "embedding_func": HashingEncoder()}, "connection_args"),
        ({"mode": "vectorstore", "connection_args": {"host": "h"}}, "embedding_func"),
    ],
)
@pytest.mark.requirement("S2-05")
def test_what_a_mode_lacks_is_named(told, missing):
    with pytest.raises(ValueError, match=missing):
        RagAgent(**told)


@pytest.mark.requirement("S2-07")
def test_a_description_that_is_given_goes_before_the_automatic_one():
    assert RagAgent(mode="api_blast", agent_desc="mine").get_description() == "mine"
    assert len(RagAgent(mode="api_blast", agent_desc="x" * 5000).get_description()) == 1000
    assert "BLAST" in RagAgent(mode="api_blast").get_description()
    told = RagAgent(
        mode="kg", connection_args={"host": "h"}, schema_config_or_info_dict=SCHEMA
    ).get_description()
    assert "Gene" in told


def test_3_3_a_graph_is_described_by_its_schema_and_no_query_is_sent():
    class Nobody:
        language = "Cypher"

        def run(self, query, parameters=None):
            raise AssertionError(query)

    agent = RagAgent(
        mode="kg", connection_args={"store": Nobody()}, schema_config_or_info_dict=SCHEMA
    )
    agent.connect()
    assert agent.get_description().startswith("A knowledge graph with these entities: Gene")


def chooser(name, **more):
    return Shapes(AgentChoice={"agent": name, "reason": "it fits"}, **more)


def selecting(tmp_path, model):
    agent = documents(tmp_path)
    stored(agent, "gantry tilt is corrected")
    blast = RagAgent(mode="api_blast", use_prompt=True)
    return RagAgentSelector([agent, blast], conversation_factory=lambda: model)


@pytest.mark.requirement("S2-08")
def test_the_agent_is_chosen_by_question_and_descriptions(tmp_path):
    model = chooser("vectorstore", Summary={"answer": "By shearing."})
    found = selecting(tmp_path, model).execute("What of gantry tilt?")
    assert found.answer == "By shearing."
    assert found.tool_result[0][0] == "gantry tilt is corrected"
    assert (found.choice.answerer, found.choice.reason) == ("vectorstore", "it fits")
    assert [name for name, _ in found.choice.alternatives] == ["api_blast"]
    (asked,) = model.prompt("AgentChoice")
    assert "It finds sequences" in asked
    assert "gantry tilt is corrected" in model.prompt("Summary")[0]


@pytest.mark.parametrize("said", ["crystal ball", ""])
@pytest.mark.requirement("S2-08")
def test_an_unknown_choice_gives_an_empty_result_and_no_crash(tmp_path, said):
    found = selecting(tmp_path, chooser(said)).execute("What of gantry tilt?")
    assert (found.answer, found.tool_result, found.choice.answerer) == ("", [], "")
    assert "not there" in found.reason
    assert len(found.choice.alternatives) == 2


@pytest.mark.requirement("S2-08")
def test_a_model_that_does_not_answer_leaves_its_reason(tmp_path):
    model = Shapes(AgentChoice=StageUnavailable("nobody there"))
    found = selecting(tmp_path, model).execute("What of gantry tilt?")
    assert found.tool_result == []
    assert "nobody there" in found.reason


@pytest.mark.requirement("S2-08")
def test_the_person_may_choose_and_the_model_is_not_asked(tmp_path):
    model = Shapes(Summary=StageUnavailable("nobody there"))
    selector = selecting(tmp_path, model)
    found = selector.execute("What of gantry tilt?", wanted="vectorstore")
    assert found.choice.by == "person"
    assert model.prompt("AgentChoice") == []
    assert found.answer == "gantry tilt is corrected"
    assert "nobody there" in found.reason
    with pytest.raises(ValueError, match="crystal ball"):
        selector.execute("q", wanted="crystal ball")


@pytest.mark.requirement("S2-08")
def test_an_agent_that_found_nothing_says_why(tmp_path):
    found = selecting(tmp_path, chooser("api_blast")).execute("What is like ATGC?")
    assert found.answer == ""
    [(text, kind)] = found.tool_result
    assert kind == "error"
    assert text.startswith("No answer: ")
    assert found.reason


@pytest.mark.requirement("S2-08")
def test_a_reflexion_has_its_fields_and_a_score_up_to_ten():
    assert set(Reflexion.model_fields) == {"answer", "reflection", "revised_answer", "score"}
    assert Reflexion(score=10).score == 10
    for wrong in (-1, 11):
        with pytest.raises(ValueError, match="score"):
            Reflexion(score=wrong)


class Knows:
    name = "knows"

    def run(self, state):
        return StageResult(name=self.name, state=state, note=f"asked {state.query.text}")


def test_the_choice_is_a_route_in_the_trace():
    agents = {n: Answerer(name=n, description=n, stage=Knows()) for n in ("one", "two")}
    done = Selector(agents, chooser("two")).run("q")
    assert done.result.note == "two"
    assert [node.note for node in done.result.children] == ["asked q"]
    nobody = Selector(agents).run("q")
    assert nobody.result.status == "skipped"
    assert nobody.choice.reason.startswith("no language model")


@pytest.mark.requirement("S2-05")
def test_a_graph_agent_answers_through_the_same_calls(tmp_path):
    pytest.importorskip("ladybug", reason="ladybug is not installed: pip install -e '.[cypher]'")
    from retrieval.graphdb.cypher import CypherStore

    base = catalog_facts(SMALL, build_graph(SMALL))
    store = CypherStore.fill(base, tmp_path / "graph.db")
    model = Shapes(
        Entities={"entities": ["Tool"]},
        Relationships={"relationships": []},
        PropertyChoice={"properties": {"Tool": ["name"]}},
        WrittenQuery={"query": "MATCH (t:Tool) RETURN t.name ORDER BY t.name"},
    )
    agent = RagAgent(
        mode="kg",
        connection_args={"store": store},
        schema_config_or_info_dict=schema_info(base),
        conversation_factory=lambda: model,
        use_prompt=True,
        n_results=2,
    )
    told = agent.generate_responses("Which tools are there?")
    assert len(told) == 2
    assert told[0][1]["cypher_query"].startswith("MATCH")
