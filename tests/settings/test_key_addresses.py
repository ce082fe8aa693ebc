"""A key goes only to the address it was set with, and only named files give settings."""

from __future__ import annotations

import logging

import pytest
from pydantic_settings import InitSettingsSource

from retrieval.compat.memory_layer.llm.llm_provider import LLMProvider
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.net.permission import OutsideCalls
from retrieval.settings import ROOT, Settings, environment_file, read_settings, variable
from retrieval.settings.sources import KeepKeysHome
from retrieval.wiring.language import language_model

KEY = "sk-planted-key-1234"
PAIRS = [
    ("llm_api_key", "llm_base_url", "https://elsewhere.example/v1"),
    ("milvus_token", "milvus_uri", "https://elsewhere.example:19530"),
    ("milvus_password", "milvus_uri", "https://elsewhere.example:19530"),
    ("graph_password", "graph_uri", "bolt://elsewhere.example:7687"),
    ("oncokb_token", "oncokb_url", "https://elsewhere.example/api"),
    ("tavily_api_key", "tavily_url", "https://elsewhere.example/a"),
    ("serper_api_key", "serper_url", "https://elsewhere.example/b"),
    ("serpapi_api_key", "serpapi_url", "https://elsewhere.example/c"),
    ("ncbi_email", "pubmed_url", "https://elsewhere.example/d"),
]


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(variable(name), raising=False)
    for name in ("HF_TOKEN", "SCANSCOUT_ENV_FILE"):
        monkeypatch.delenv(name, raising=False)


def test_a_file_in_the_current_folder_is_not_read_and_that_is_logged(monkeypatch, tmp_path, caplog):
    (tmp_path / ".env").write_text("SCANSCOUT_LLM_BASE_URL=https://elsewhere.example/v1\n")
    monkeypatch.chdir(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert read_settings().llm_base_url == ""
    assert Settings().llm_base_url == ""
    assert "SCANSCOUT_ENV_FILE" in caplog.text


def test_the_file_of_the_project_is_read_unless_another_is_named(monkeypatch, tmp_path):
    assert environment_file() == ROOT / ".env"
    file = tmp_path / "mine.env"
    file.write_text("SCANSCOUT_TOP_K=4\n")
    monkeypatch.setenv("SCANSCOUT_ENV_FILE", str(file))
    assert read_settings().top_k == 4


def test_a_field_asked_for_alone_has_the_merged_value():
    places = {
        "arguments": InitSettingsSource(Settings, {"top_k": 4}),
        "the file": InitSettingsSource(Settings, {"top_k": 9, "per_list": 7}),
    }
    source = KeepKeysHome(Settings, places)
    for name, value in {"top_k": 4, "per_list": 7, "port": None}.items():
        field = Settings.model_fields[name]
        assert source.get_field_value(field, name) == (value, name, False)


def test_a_named_file_that_is_missing_is_an_error_that_names_the_variable(monkeypatch, tmp_path):
    monkeypatch.setenv("SCANSCOUT_ENV_FILE", str(tmp_path / "absent.env"))
    with pytest.raises(BadInput, match=r"^SCANSCOUT_ENV_FILE: "):
        read_settings()


@pytest.mark.parametrize(("key", "address", "url"), PAIRS)
def test_a_key_from_elsewhere_than_its_address_is_not_used(
    monkeypatch, tmp_path, caplog, key, address, url
):
    file = tmp_path / "mine.env"
    file.write_text(f"{variable(address)}={url}\n")
    monkeypatch.setenv(variable(key), KEY)
    settings = read_settings(file)
    assert getattr(settings, key).get_secret_value() == ""
    (notice,) = settings.withheld_keys
    assert variable(key) in notice
    assert variable(address) in notice
    assert notice in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize(("key", "address", "url"), PAIRS)
def test_a_key_set_beside_its_address_is_used(monkeypatch, tmp_path, key, address, url):
    file = tmp_path / "mine.env"
    file.write_text(f"{variable(address)}={url}\n{variable(key)}={KEY}\n")
    for settings in (read_settings(file), Settings(_env_file=None, **{key: KEY, address: url})):
        assert getattr(settings, key).get_secret_value() == KEY
        assert settings.withheld_keys == ()


def test_a_key_in_a_file_does_not_go_to_an_address_of_the_environment(monkeypatch, tmp_path):
    file = tmp_path / "mine.env"
    file.write_text(f"SCANSCOUT_LLM_API_KEY={KEY}\n")
    monkeypatch.setenv("SCANSCOUT_LLM_BASE_URL", "https://elsewhere.example/v1")
    assert read_settings(file).llm_api_key.get_secret_value() == ""


def test_a_key_in_the_environment_does_not_go_to_a_provider_of_a_file(monkeypatch, tmp_path):
    file = tmp_path / "mine.env"
    file.write_text("SCANSCOUT_LLM_PROVIDER=huggingface\n")
    monkeypatch.setenv("SCANSCOUT_LLM_API_KEY", KEY)
    assert read_settings(file).llm_api_key.get_secret_value() == ""


def test_a_key_without_another_address_stays_for_the_public_one(monkeypatch):
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    assert read_settings(None).tavily_api_key.get_secret_value() == KEY


def test_a_model_whose_key_is_withheld_gets_no_query_and_says_why(monkeypatch, tmp_path):
    file = tmp_path / "mine.env"
    file.write_text("SCANSCOUT_LLM_BASE_URL=http://127.0.0.1:9/v1\nSCANSCOUT_LLM_MODEL=tiny\n")
    monkeypatch.setenv("SCANSCOUT_LLM_API_KEY", KEY)
    model = language_model(read_settings(file), OutsideCalls())
    with pytest.raises(StageUnavailable, match="SCANSCOUT_LLM_BASE_URL"):
        model.complete("segment lungs")


def test_the_hub_token_goes_to_no_other_address_than_the_providers_own():
    told = {"llm_provider": "huggingface", "llm_model": "tiny", "hf_token": KEY}
    elsewhere = Settings(_env_file=None, llm_base_url="https://elsewhere.example/v1", **told)
    with pytest.raises(StageUnavailable, match="needs a key"):
        language_model(elsewhere, OutsideCalls()).complete("segment lungs")
    own = Settings(_env_file=None, **told)
    assert language_model(own, OutsideCalls()).host == "router.huggingface.co"


def test_a_provider_made_by_hand_gets_the_key_of_the_settings_for_their_address_alone(monkeypatch):
    monkeypatch.setenv("SCANSCOUT_LLM_API_KEY", KEY)
    monkeypatch.setenv("SCANSCOUT_LLM_BASE_URL", "https://mine.example/v1")
    own = LLMProvider("openai", "tiny", base_url="https://mine.example/v1")
    assert own.client() is not None
    for base_url in (None, "https://elsewhere.example/v1"):
        with pytest.raises(StageUnavailable, match="SCANSCOUT_LLM_API_KEY"):
            LLMProvider("openai", "tiny", base_url=base_url).client()


def test_a_provider_made_by_hand_gets_the_key_where_the_settings_name_no_address(monkeypatch):
    monkeypatch.setenv("SCANSCOUT_LLM_API_KEY", KEY)
    assert LLMProvider("openai", "tiny").client() is not None
    with pytest.raises(StageUnavailable, match="SCANSCOUT_LLM_API_KEY"):
        LLMProvider("openai", "tiny", base_url="https://elsewhere.example/v1").client()
