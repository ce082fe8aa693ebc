"""Agents sum up what they found where the caller wants it, and say why where they cannot."""

from __future__ import annotations

from retrieval.compat.biochatter.rag_agent import RagAgent
from retrieval.compat.biochatter.vectorstore_agent import VectorDatabaseAgentMilvus
from retrieval.compat.langchain.document import Document
from retrieval.core.errors import StageUnavailable
from retrieval.settings import ROOT
from tests.compat.biochatter.talk import Shapes
from tests.fakes import HashingEncoder

TEXT = "gantry tilt is corrected by shearing"
COMMAND = "docker compose up -d standalone"


def rag(tmp_path, model, **more) -> RagAgent:
    agent = RagAgent(
        mode="vectorstore",
        use_prompt=True,
        connection_args={"folder": tmp_path},
        embedding_func=HashingEncoder(),
        conversation_factory=lambda: model,
        **more,
    )
    agent.connect()
    assert isinstance(agent.agent, VectorDatabaseAgentMilvus)
    agent.agent.store_embeddings([Document(TEXT, {"name": "paper"})])
    return agent


def test_the_vector_agent_sums_its_pieces_up_before_them(tmp_path) -> None:
    model = Shapes(Summary={"answer": "By shearing."})
    responses = rag(tmp_path, model, summarise=True).generate_responses("gantry tilt")
    assert responses[0] == ("By shearing.", {"summary": True})
    assert responses[1][0] == TEXT
    assert TEXT in model.prompt("Summary")[0]


def test_pieces_stay_and_the_reason_is_told_where_no_model_sums_up(tmp_path) -> None:
    model = Shapes(Summary=StageUnavailable("nobody there"))
    agent = rag(tmp_path, model, summarise=True)
    assert [text for text, _ in agent.generate_responses("gantry tilt")] == [TEXT]
    assert agent.reason == "not summed up: nobody there"


def test_nothing_is_summed_up_that_was_not_asked_for(tmp_path) -> None:
    model = Shapes()
    assert len(rag(tmp_path, model).generate_responses("gantry tilt")) == 1
    assert model.prompts == []


def test_the_vector_agent_makes_up_an_answer_to_search_with(tmp_path) -> None:
    agent = rag(tmp_path, Shapes(ArtificialAnswer={"passage": "tilt is sheared away"})).agent
    assert isinstance(agent, VectorDatabaseAgentMilvus)
    assert agent.artificial_answer("what of tilt?") == "tilt is sheared away"


def test_the_command_that_starts_milvus_stands_on_its_page_and_in_the_reason() -> None:
    assert COMMAND in (ROOT / "docs" / "large-catalogs.md").read_text("utf-8")
    agent = VectorDatabaseAgentMilvus(HashingEncoder(), {"host": "127.0.0.1", "port": 9})
    agent.connect()
    assert agent.backend == "faiss"
    assert COMMAND in agent.reason
