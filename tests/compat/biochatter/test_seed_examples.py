"""Every code block of the BioChatter source runs; only the package prefix is another.

The page it comes from lost indentation, and writes ``import DocumentReader()``, which no Python
takes; names that a block uses and never sets are given by the test.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from retrieval.compat.biochatter.api_agent.base.agent_abc import BaseInterpreter
from retrieval.compat.biochatter.api_agent.base.api_agent import APIAgent

from retrieval.compat.biochatter.llm_connect import Conversation, GptConversation
from retrieval.compat.langchain.chain import (
    ChatPromptTemplate,
    StrOutputParser,
    create_structured_output_runnable,
)
from retrieval.core.errors import StageUnavailable
from tests.compat.biochatter.talk import INFO
from tests.databases.databases import BRAF
from tests.documents.papers import TILT, pdf
from tests.fakes import HashingEncoder
from tests.web.loopback import Loopback, says

FOLDER = Path(__file__).parent / "seed"
BLOCKS = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.txt"))}
QUERY = "MATCH (g:Gene)-[:PERTURBED_IN]->(d:Disease) RETURN g.name"
RULES = [
    {"shape": "Entities", "answer": {"entities": ["Gene", "Disease"]}},
    {"shape": "Relationships", "answer": {"relationships": ["GeneToPhenotypeAssociation"]}},
    {"shape": "PropertyChoice", "answer": {"properties": {"Disease": ["name"]}}},
    {"shape": "WrittenQuery", "contains": ["sort"], "answer": {"query": f"{QUERY} LIMIT 10"}},
    {"shape": "WrittenQuery", "answer": {"query": QUERY}},
    {"shape": "Explanation", "answer": {"explanation": "It looks for genes."}},
    {
        "shape": "OncoKBQueryParameters",
        "answer": {"hugoSymbol": "BRAF", "alteration": "V600E"},
    },
    {"shape": "Summary", "answer": {"answer": "BRAF V600E is oncogenic."}},
    {
        "shape": "NewAPIQueryParameters",
        "answer": {"endpoint": "genes", "param1": "BRAF"},
    },
    {"answer": "The new API says so."},
]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder with the schema, and a scripted language model in the settings."""
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "schema_info.yaml").write_text(INFO.read_text("utf-8"), "utf-8")
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"rules": RULES}), "utf-8")
    monkeypatch.setenv("SCANSCOUT_LLM_SCRIPT", str(script))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def moved(source):
    for package in ("biochatter", "langchain"):
        source = source.replace(f"from {package}.", f"from retrieval.compat.{package}.")
    return source


def run(*names, **given):
    space = {"__name__": "__main__", **given}
    for name in names:
        exec(compile(moved(BLOCKS[name]), name, "exec"), space)
    return space


def test_there_are_no_blocks_that_are_not_run():
    assert [name[:2] for name in BLOCKS] == [f"{n:02}" for n in range(1, 16)]


def test_the_blocks_of_the_prompt_engine_run(home):
    space = run("01-setup", "02-query")
    assert space["query"] == QUERY
    space = run("01-setup", "03-entities")
    engine = space["prompt_engine"]
    assert space["success"] is True
    assert engine._select_relationships() is True
    assert engine._select_properties() is True
    assert run("01-setup", "04-parts")["query"] == QUERY


def test_the_blocks_of_the_query_handler_run(home):
    names = {name: name for name in ("entities", "relationships", "properties")}
    space = run("05-handler", "06-update", query=QUERY, **names)
    assert space["explanation"].endswith("LIMIT 10")
    assert space["query_handler"].explain_query() == "It looks for genes."


class OpenAIEmbeddings:
    """Embeddings in LangChain's manner that need no key."""

    def embed_documents(self, texts):
        return HashingEncoder().encode(texts).tolist()


def test_the_blocks_of_the_vector_store_run(home):
    path = home / "paper.pdf"
    path.write_bytes(pdf(*TILT))
    given = {
        "OpenAIEmbeddings": OpenAIEmbeddings,
        "_HOST": "127.0.0.1",
        "_PORT": 9,
        "EMBEDDING_NAME": "DocumentEmbeddings1",
        "METADATA_NAME": "DocumentMetadata1",
        "pdf_path": path,
        "chunk_size": 60,
        "chunk_overlap": 0,
    }
    space = run("07-connect", "08-embed", **given)
    space = run("09-store", dbHost=space["dbHost"], splitted_docs=space["split_text"])
    store = space["dbHost"]
    assert store.backend == "faiss"
    (best,) = store.similarity_search("gantry tilt", k=1)
    assert best.metadata["id"] == space["doc_id"]
    assert store.get_all_documents()[0]["name"] == "paper.pdf"
    assert store.remove_document(space["doc_id"]) is True
    assert store.similarity_search("gantry tilt") == []


def test_the_oncokb_block_runs(home, monkeypatch, capsys):
    server = Loopback(says(BRAF))
    monkeypatch.setenv("SCANSCOUT_DATABASES", "true")
    monkeypatch.setenv("SCANSCOUT_ONCOKB_URL", server.url)
    space = run("10-oncokb")
    server.close()
    assert space["result"] == "BRAF V600E is oncogenic."
    assert "BRAF V600E is oncogenic." in capsys.readouterr().out
    assert server.asked[0].params["alteration"] == "V600E"


def test_the_oncokb_block_runs_with_no_way_out(home, capsys):
    space = run("10-oncokb")
    assert "SCANSCOUT_DATABASES" in space["oncokb_agent"].error
    assert space["result"] == f"No answer: {space['oncokb_agent'].error}"
    assert capsys.readouterr().out.strip() == space["result"]


def test_the_blocks_of_a_new_api_make_an_agent(home):
    given = {
        "Callable": Callable,
        "Conversation": Conversation,
        "create_structured_output_runnable": create_structured_output_runnable,
        "uuid": uuid,
        "results_response": SimpleNamespace(text="raw"),
        "BaseInterpreter": BaseInterpreter,
        "ChatPromptTemplate": ChatPromptTemplate,
        "StrOutputParser": StrOutputParser,
    }
    space = run(*list(BLOCKS)[10:], **given)
    agent = APIAgent(
        conversation_factory=GptConversation,
        query_builder=space["NewAPIQueryBuilder"](),
        fetcher=space["NewAPIFetcher"](),
        interpreter=space["NewAPIInterpreter"](),
    )
    assert agent.execute("What of BRAF?") == "The new API says so."
    assert (agent.parameters.endpoint, agent.parameters.param1) == ("genes", "BRAF")
    assert agent.parameters.question_uuid


def test_a_conversation_speaks_and_remembers(home):
    talk = GptConversation(model_name="gpt-4", prompts={}, correct=False)
    talk.append_system_message("You are brief.")
    answer, usage, correction = talk.query("Hello?")
    assert answer == "The new API says so."
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 0
    assert correction is None
    assert [role for role, _ in talk.messages] == ["system", "user", "assistant"]
    talk.reset()
    assert talk.messages == []


def test_a_conversation_may_look_over_its_answers():
    class Says:
        id = "says"

        def __init__(self, *answers):
            self.answers = list(answers)

        def complete(self, prompt, **_):
            return self.answers.pop(0)

    made = GptConversation("m", {}, correct=True, model=Says("2 + 2 is 5", "It is 4."))
    assert made.query("2 + 2?")[2] == "It is 4."
    fine = GptConversation("m", {}, correct=True, model=Says("2 + 2 is 4", "OK"))
    assert fine.query("2 + 2?")[2] is None


def test_without_a_language_model_it_is_told_how_to_get_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StageUnavailable, match="SCANSCOUT_LLM_MODEL"):
        GptConversation("gpt-4", {}, False).query("Hello?")
