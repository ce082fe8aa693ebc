"""Every variable of BYOKG-RAG's configuration changes what runs, not only what was read."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from retrieval.compat.byokg_rag.byokg_query_engine import ByoKGQueryEngine
from retrieval.compat.byokg_rag.config import SETTINGS, ByoKGConfig
from retrieval.compat.byokg_rag.graph_scoring import DEFAULT_MODEL, LocalGReranker
from retrieval.compat.byokg_rag.graphstore import LocalKGStore
from retrieval.core import BadInput, StageUnavailable
from retrieval.net import OutsideCalls
from retrieval.settings import ROOT, Settings, read_settings, variable
from retrieval.wiring.language import SCRIPTED, language_model, language_model_told
from retrieval.wiring.models import CutEncoder, names_encoder, triple_scorer
from tests.compat.byokg_parts import TRIPLES
from tests.fakes import HashingEncoder
from tests.llm.fault_list import ERROR
from tests.llm.faults import completion, says, serving

pytestmark = pytest.mark.requirement("S3-19")
VARIABLES = {
    "BYOKG_LLM_MODEL": "llm_model",
    "BYOKG_REGION": "llm_region",
    "BYOKG_EMBED_MODEL": "names_encoder",
    "BYOKG_EMBED_DIMENSIONS": "names_dimensions",
    "BYOKG_RERANKING_MODEL": "walk_cross_encoder",
    "BYOKG_MAX_TOKENS": "llm_answer_tokens",
    "BYOKG_MAX_RETRIES": "llm_retries",
}
SAID = completion("yes")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No file of settings of this machine, and nothing set in the one configuration."""
    (tmp_path / "none.env").touch()
    monkeypatch.setenv("SCANSCOUT_ENV_FILE", str(tmp_path / "none.env"))
    ByoKGConfig.reset()


def test_all_seven_have_a_row_and_our_own_name_comes_first(monkeypatch) -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(BYOKG_\w+)` \| `(SCANSCOUT_\w+)` \|", page, re.MULTILINE))
    assert rows == {name: variable(field) for name, field in VARIABLES.items()}
    assert sorted(SETTINGS.values()) == sorted(VARIABLES.values())
    monkeypatch.setenv("BYOKG_LLM_MODEL", "theirs")
    assert read_settings().llm_model == "theirs"
    monkeypatch.setenv("SCANSCOUT_LLM_MODEL", "ours")
    assert read_settings().llm_model == "ours"


@pytest.mark.process
def test_the_model_and_the_tokens_of_an_answer_are_those_of_the_request(monkeypatch) -> None:
    monkeypatch.setenv("BYOKG_LLM_MODEL", "a.model-v1")
    monkeypatch.setenv("BYOKG_MAX_TOKENS", "4096")
    with serving(says(SAID)) as server:
        monkeypatch.setenv("SCANSCOUT_LLM_BASE_URL", server.url)
        assert ByoKGConfig.to_generator().generate("who?") == "yes"
    told = server.asked[0].told
    assert told["model"] == "a.model-v1"
    assert 4096 in (told.get("max_tokens"), told.get("max_completion_tokens"))


@pytest.mark.process
@pytest.mark.parametrize(("retries", "requests"), [("0", 1), ("4", 5)])
def test_a_call_is_made_again_as_often_as_the_variable_says(
    monkeypatch, retries: str, requests: int
) -> None:
    monkeypatch.setenv("BYOKG_LLM_MODEL", "m")
    monkeypatch.setenv("BYOKG_MAX_RETRIES", retries)
    monkeypatch.setenv("SCANSCOUT_LLM_SECONDS", "30")
    with serving(says(ERROR, 503, Retry_After="0")) as server:
        monkeypatch.setenv("SCANSCOUT_LLM_BASE_URL", server.url)
        with pytest.raises(StageUnavailable, match="HTTP 503"):
            ByoKGConfig.to_generator().generate("who?")
    assert len(server.asked) == requests


def test_the_region_is_the_address_of_the_model_and_needs_its_key(monkeypatch) -> None:
    monkeypatch.setenv("BYOKG_LLM_MODEL", "a.model-v1")
    monkeypatch.setenv("BYOKG_REGION", "eu-central-1")
    host = "bedrock-runtime.eu-central-1.amazonaws.com"
    assert language_model_told(read_settings()) == f"a.model-v1 at {host}"
    with pytest.raises(StageUnavailable, match="bedrock needs a key"):
        ByoKGConfig.to_generator().generate("who?")
    monkeypatch.setenv("SCANSCOUT_LLM_API_KEY", "k" * 20)
    model = language_model(read_settings(), OutsideCalls())
    assert getattr(model, "base_url", "") == f"https://{host}/openai/v1"
    monkeypatch.setenv("SCANSCOUT_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    assert language_model_told(read_settings()) == "a.model-v1 at 127.0.0.1"
    monkeypatch.setenv("BYOKG_REGION", "evil.example/#")
    with pytest.raises(BadInput, match=r"SCANSCOUT_LLM_REGION.* is no region"):
        read_settings()


def test_the_key_of_another_place_does_not_follow_a_region(monkeypatch, tmp_path) -> None:
    file = tmp_path / "own.env"
    file.write_text("SCANSCOUT_LLM_REGION=us-west-2\nSCANSCOUT_LLM_MODEL=m\n")
    monkeypatch.setenv("SCANSCOUT_LLM_API_KEY", "k" * 20)
    monkeypatch.setenv("SCANSCOUT_ENV_FILE", str(file))
    assert read_settings().llm_api_key.get_secret_value() == ""


def test_bedrock_without_a_region_says_which_setting_is_empty() -> None:
    told = Settings(_env_file=None, llm_provider="bedrock", llm_model="m", llm_api_key="k" * 20)
    with pytest.raises(StageUnavailable, match="SCANSCOUT_LLM_REGION: empty"):
        language_model(told, OutsideCalls()).complete("x")  # type: ignore[union-attr]
    assert SCRIPTED not in language_model_told(told)


def test_the_embedding_model_is_the_one_that_links_a_question(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("BYOKG_EMBED_MODEL", "cohere.embed-english-v3")
    engine = ByoKGQueryEngine(LocalKGStore(TRIPLES), direct_query_linking=True)
    engine.query("what comes after B")
    assert "cohere.embed-english-v3" in engine.linking_gap
    assert names_encoder(read_settings(), HashingEncoder()).id == "cohere.embed-english-v3"
    monkeypatch.delenv("BYOKG_EMBED_MODEL")
    assert names_encoder(read_settings(), HashingEncoder()).id == "hashing"


def test_vectors_are_cut_to_the_numbers_of_the_variable(monkeypatch) -> None:
    monkeypatch.setenv("BYOKG_EMBED_DIMENSIONS", "16")
    whole, cut = HashingEncoder(64), names_encoder(read_settings(), HashingEncoder(64))
    rows = cut.encode(["lungs", "brain"])
    assert (cut.dim, rows.shape) == (16, (2, 16))
    expected = whole.encode(["lungs", "brain"])[:, :16]
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(rows, expected, rtol=1e-6)
    assert cut.id != "hashing"
    assert CutEncoder(whole, 1024).dim == 64
    np.testing.assert_allclose(
        CutEncoder(whole, 1024).encode(["lungs"]), whole.encode(["lungs"]), rtol=1e-6
    )


def test_the_reranking_model_is_the_one_of_the_reranker_and_of_the_scored_walk(monkeypatch) -> None:
    assert LocalGReranker().model_name == DEFAULT_MODEL == "BAAI/bge-reranker-base"
    monkeypatch.setenv("BYOKG_RERANKING_MODEL", "some/reranker")
    assert ByoKGConfig.to_reranker().model_name == LocalGReranker().model_name == "some/reranker"
    remedy = "some/reranker is not on this machine: python -m retrieval models fetch some/reranker"
    with pytest.raises(StageUnavailable, match=remedy):
        LocalGReranker().rerank("q", ["a", "b"])
    with pytest.raises(StageUnavailable, match=remedy):
        triple_scorer(read_settings(), HashingEncoder())


def test_a_value_set_in_the_program_counts_until_it_is_reset(monkeypatch) -> None:
    monkeypatch.setenv("BYOKG_RERANKING_MODEL", "some/reranker")
    ByoKGConfig.reranking_model = "another/one"
    assert ByoKGConfig.reranking_model == "another/one"
    assert ByoKGConfig.to_reranker().model_name == "another/one"
    ByoKGConfig.reset()
    assert ByoKGConfig.reranking_model == "some/reranker"
    with pytest.raises(AttributeError, match="not one of"):
        ByoKGConfig.temperature = 1
