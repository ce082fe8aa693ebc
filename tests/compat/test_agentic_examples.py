"""Every code example of the agentic source runs; only the package prefix is another."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
from pathlib import Path

import pytest

from retrieval.agentic.config import AgenticConfig
from retrieval.compat.memory_layer.llm.llm_provider import LLMProvider
from retrieval.llm.provider import ADDRESSES
from tests.agentic.judging import ENOUGH, MORE, QUERIES

FOLDER = Path(__file__).parent / "agentic"
BLOCKS = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.txt"))}
NOWHERE = "http://127.0.0.1:9"
OPENAI = "https://api.openai.com/v1"

FOODS = (
    {"id": "mapo", "name": "mapo tofu", "description": "A Sichuan food the user likes: tofu."},
    {"id": "peanut", "name": "peanut", "description": "A food the user must not eat."},
)
ELSEWHERE = ({"id": "secret", "name": "secret", "description": "A food of another group."},)


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    """Settings in the environment: a small catalog, a group of its own, and no way out."""
    groups = tmp_path / "collections"
    groups.mkdir()
    for name, rows in {"food_lovers_group": FOODS, "other": ELSEWHERE}.items():
        lines = "\n".join(json.dumps(row) for row in rows)
        (groups / f"{name}.jsonl").write_text(lines, "utf-8")
    (tmp_path / "tools.jsonl").write_text(json.dumps(ELSEWHERE[0]), "utf-8")
    told = {"CATALOG": tmp_path / "tools.jsonl", "INDEX_DIR": tmp_path / "index"}
    for name, value in {**told, "CACHE_DIR": tmp_path / "cache", "VECTOR_SEARCH": "false"}.items():
        monkeypatch.setenv(f"SCANSCOUT_{name}", str(value))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, NOWHERE)
    monkeypatch.chdir(tmp_path)


def moved(source):
    """The example under this package's prefix."""
    for package in ("agentic_layer", "memory_layer"):
        source = source.replace(f"from {package}.", f"from retrieval.compat.{package}.")
    return source


def run(*sources):
    """The names that the examples leave behind, run one after the other."""
    space = {"__name__": "__main__"}
    for source in sources:
        code = compile(moved(source), "example", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(eval(code, space))
        else:
            exec(code, space)
    return space


@pytest.fixture
def model_server(httpserver, monkeypatch):
    """Answers one chat completion after the other."""

    def answers(*texts):
        for text in texts:
            choice = {"index": 0, "message": {"role": "assistant", "content": text}}
            told = {"id": "1", "object": "chat.completion", "choices": [choice]}
            httpserver.expect_ordered_request("/v1/chat/completions").respond_with_json(told)
        url = httpserver.url_for("/v1")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
        monkeypatch.setitem(ADDRESSES, "openai", url)
        return url

    return answers


def test_the_first_example_runs_with_no_way_to_the_provider(at_home, capsys):
    result = run(BLOCKS["1-quick"])["result"]
    assert "Retrieved 2 memories" in capsys.readouterr().out
    assert {m["event_id"] for m in result["memories"]} == {"mapo", "peanut"}
    assert result["metadata"]["retrieval_mode"] == "agentic_fallback"
    assert result["metadata"]["fallback_reason"].startswith("LLM API call failed")


def test_the_first_example_runs_against_a_model(at_home, model_server, capsys):
    url = model_server(MORE, QUERIES)
    result = run(BLOCKS["1-quick"].replace(OPENAI, url))["result"]
    assert "Refined queries: ['register images" in capsys.readouterr().out
    assert result["metadata"]["retrieval_mode"] == "agentic"
    assert result["metadata"]["is_sufficient"] is False


def test_the_configured_example_runs_after_the_first(at_home, model_server):
    url = model_server(ENOUGH, ENOUGH)
    space = run(BLOCKS["1-quick"].replace(OPENAI, url), BLOCKS["2-configured"])
    assert space["result"]["metadata"]["is_sufficient"] is True
    assert space["config"].reranker_instruction.startswith("Rank based on")


def test_the_examples_of_a_cheaper_model_and_of_switches_run(at_home):
    space = run(BLOCKS["1-quick"], BLOCKS["3-cheaper"])
    assert (space["llm"].model, space["llm"].temperature) == ("gpt-4o-mini", 0.0)
    assert run(BLOCKS["1-quick"], BLOCKS["4-one-query"])["config"].enable_multi_query is False
    assert run(BLOCKS["1-quick"], BLOCKS["5-no-reranker"])["config"].use_reranker is False


@pytest.mark.parametrize("answers", [(), (ENOUGH,), (MORE, QUERIES)])
def test_the_whole_chat_example_runs(at_home, model_server, capsys, answers):
    if answers:
        model_server(*answers)
    run(BLOCKS["6-chat"])
    said = capsys.readouterr().out
    mode = "agentic" if answers else "agentic_fallback"
    assert f"Retrieval mode: {mode}\n" in said
    assert "Top 5 memories:" in said
    assert ("Entered Round 2" in said) == (len(answers) == 2)
    assert "secret" not in said


@pytest.mark.requirement("S4-01")
def test_the_configuration_has_exactly_these_names_and_defaults():
    from dataclasses import asdict

    told = asdict(AgenticConfig())
    assert told.pop("reranker_instruction")
    assert told == {
        "round1_emb_top_n": 50,
        "round1_bm25_top_n": 50,
        "round1_top_n": 20,
        "round1_rerank_top_n": 5,
        "llm_temperature": 0.0,
        "llm_max_tokens": 500,
        "enable_multi_query": True,
        "num_queries": 3,
        "round2_per_query_top_n": 50,
        "combined_total": 40,
        "final_top_n": 20,
        "use_reranker": True,
        "reranker_batch_size": 10,
        "reranker_timeout": 30,
        "fallback_on_error": True,
        "timeout": 60,
    }


@pytest.mark.requirement("S4-13")
def test_the_provider_has_this_surface():
    taken = inspect.signature(LLMProvider).parameters
    assert list(taken) == ["provider_type", "model", "api_key", "base_url", "temperature"]
    assert taken["temperature"].default == 0.0
