"""``use_prompt``: which agents a conversation and a selector ask, and which they leave out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from retrieval.compat.biochatter.llm_connect import GptConversation
from retrieval.compat.biochatter.rag_agent import RagAgent
from retrieval.compat.biochatter.selector_agent import RagAgentSelector
from retrieval.compat.langchain.document import Document
from retrieval.core.errors import StageUnavailable
from tests.compat.biochatter.talk import Shapes
from tests.fakes import HashingEncoder

QUESTION = "What of gantry tilt?"
PASSAGE = "gantry tilt is corrected"


class Listening:
    """A model that keeps what it is sent."""

    id = "listening"

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def complete(self, prompt: str, **options: Any) -> str:
        self.prompts.append(prompt)
        return "By shearing."


def agent_with_a_passage(folder: Path, *, use_prompt: bool) -> RagAgent:
    agent = RagAgent(
        mode="vectorstore",
        embedding_func=HashingEncoder(),
        connection_args={"folder": folder},
        use_prompt=use_prompt,
    )
    agent.connect()
    agent.agent.store_embeddings([Document(PASSAGE, {})])
    return agent


@pytest.mark.requirement("S2-04")
@pytest.mark.parametrize("on", [True, False])
def test_a_conversation_reads_an_agent_that_is_on_and_none_that_is_off(
    tmp_path: Path, on: bool
) -> None:
    model = Listening()
    conversation = GptConversation(model=model)
    conversation.set_rag_agent(agent_with_a_passage(tmp_path, use_prompt=on))
    assert conversation.query(QUESTION)[0] == "By shearing."
    assert (PASSAGE in model.prompts[0]) is on
    assert QUESTION in model.prompts[0]


def test_the_prompts_of_the_caller_stand_before_what_an_agent_says(tmp_path: Path) -> None:
    model = Listening()
    prompts = {"rag_agent_prompts": ["You read manuals.", "They say: {statements}"]}
    conversation = GptConversation(prompts=prompts, model=model)
    conversation.set_rag_agent(agent_with_a_passage(tmp_path, use_prompt=True))
    conversation.query(QUESTION)
    assert f"system: You read manuals.\n\nsystem: They say: {PASSAGE}" in model.prompts[0]


def test_an_agent_of_a_mode_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    conversation = GptConversation(model=Listening())
    first, second = (RagAgent(mode="api_blast", use_prompt=on) for on in (True, False))
    conversation.set_rag_agent(first)
    conversation.set_rag_agent(agent_with_a_passage(tmp_path, use_prompt=True))
    conversation.set_rag_agent(second)
    assert conversation.find_rag_agent("api_blast") == (0, second)
    assert conversation.find_rag_agent("kg") == (-1, None)
    assert len(conversation.rag_agents) == 2


@pytest.mark.requirement("S2-03")
def test_a_graph_server_that_is_down_is_no_statement_for_the_model() -> None:
    class Down:
        language = "Cypher"

        def run(self, query: str, parameters: Any = None) -> None:
            raise StageUnavailable("the graph server does not answer")

    schema = {"is_schema_info": True, "gene": {"is_relationship": False, "properties": {}}}
    steps = Shapes(
        Entities={"entities": ["Gene"]}, WrittenQuery={"query": "MATCH (g:Gene) RETURN g"}
    )
    graph = RagAgent(
        mode="kg",
        connection_args={"store": Down()},
        schema_config_or_info_dict=schema,
        conversation_factory=lambda: steps,
        use_prompt=True,
        summarise=True,
    )
    model = Listening()
    conversation = GptConversation(model=model)
    conversation.set_rag_agent(graph)
    conversation.query(QUESTION)
    assert graph.last_response == [("the graph server does not answer", "error")]
    assert graph.reason == "the graph server does not answer"
    assert "server" not in model.prompts[0]


@pytest.mark.requirement("S2-08")
def test_a_selector_does_not_offer_an_agent_that_is_off(tmp_path: Path) -> None:
    model = Shapes(AgentChoice={"agent": "api_blast", "reason": "it fits"}, Summary={"answer": "x"})
    on = agent_with_a_passage(tmp_path, use_prompt=True)
    off = RagAgent(mode="api_blast", use_prompt=False)
    result = RagAgentSelector([on, off], conversation_factory=lambda: model).execute(QUESTION)
    assert (result.choice.answerer, result.choice.alternatives) == ("vectorstore", ())
    assert result.tool_result[0][0] == PASSAGE


@pytest.mark.requirement("S2-08")
def test_a_selector_whose_agents_are_all_off_answers_nothing_and_says_why() -> None:
    off = RagAgent(mode="api_blast", use_prompt=False)
    result = RagAgentSelector([off], conversation_factory=lambda: Shapes()).execute(QUESTION)
    assert (result.answer, result.tool_result) == ("", [])
    assert "use_prompt=True" in result.reason
