"""Settings: the environment, then .env; a wrong value names its variable."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from retrieval.core.errors import BadInput
from retrieval.settings import ROOT, Settings, read_settings, variable

NAMES = sorted(variable(name) for name in Settings.model_fields)


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    for name in (*NAMES, "BIOCORTEX_ENABLE_VECTOR_SEARCH"):
        monkeypatch.delenv(name, raising=False)


def test_everything_has_a_default():
    settings = read_settings(None)
    assert settings.catalog.is_file()
    assert (settings.per_list, settings.top_k, settings.graph_hops) == (50, 15, 2)
    assert (settings.expand_threshold, settings.expand_terms) == (0.75, 10)
    assert settings.llm_base_url == ""


@pytest.mark.requirement("S0-02")
def test_the_default_model_is_minilm():
    assert read_settings(None).encoder.endswith("all-MiniLM-L6-v2")


@pytest.mark.requirement("S1-15", "S1-23")
def test_the_plaza_preset_names_its_models():
    settings = read_settings(None)
    assert settings.plaza_encoder == "BAAI/bge-m3"
    assert settings.plaza_cross_encoder == "BAAI/bge-reranker-v2-m3"


def test_the_environment_comes_before_the_file(monkeypatch, tmp_path):
    file = tmp_path / ".env"
    file.write_text("SCANSCOUT_TOP_K=3\nSCANSCOUT_PER_LIST=7\n")
    monkeypatch.setenv("SCANSCOUT_TOP_K", "4")
    settings = read_settings(file)
    assert (settings.top_k, settings.per_list) == (4, 7)


@pytest.mark.parametrize("name", ["BIOCORTEX_ENABLE_VECTOR_SEARCH", "SCANSCOUT_VECTOR_SEARCH"])
@pytest.mark.requirement("S0-14")
def test_vector_search_is_switched_off_by_either_name(monkeypatch, name):
    assert read_settings(None).vector_search
    monkeypatch.setenv(name, "false")
    assert not read_settings(None).vector_search


def test_a_setting_can_be_given_by_its_field_name():
    assert not Settings(vector_search=False, _env_file=None).vector_search
    assert Settings(top_k=3, _env_file=None).top_k == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SCANSCOUT_TOP_K", "0"),
        ("SCANSCOUT_TOP_K", "51"),
        ("SCANSCOUT_TOP_K", "many"),
        ("SCANSCOUT_GRAPH_HOPS", "4"),
        ("SCANSCOUT_PORT", "70000"),
        ("SCANSCOUT_EXPAND_THRESHOLD", "2"),
        ("SCANSCOUT_QUERY_SECONDS", "0"),
        ("SCANSCOUT_VECTOR_SEARCH", "perhaps"),
    ],
)
def test_a_wrong_value_is_refused_naming_the_variable_and_not_the_value(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(BadInput, match=f"^{name}: ") as caught:
        read_settings(None)
    assert "\n" not in str(caught.value)


def test_an_empty_variable_is_the_default(monkeypatch):
    monkeypatch.setenv("SCANSCOUT_TOP_K", "")
    assert read_settings(None).top_k == 15


def test_a_key_is_not_shown():
    assert "sk-secret" not in repr(Settings(llm_api_key="sk-secret", _env_file=None))


def test_settings_cannot_be_changed():
    with pytest.raises(ValueError, match="frozen"):
        read_settings(None).top_k = 3


def test_the_example_file_lists_every_name_and_no_other():
    text = (ROOT / ".env.example").read_text("utf-8")
    assert sorted(re.findall(r"^#? ?([A-Z_]+)=", text, re.MULTILINE)) == NAMES


def test_the_example_file_can_be_used_as_it_is():
    assert read_settings(ROOT / ".env.example") == read_settings(None)


def test_settings_alone_reads_the_apps_names_from_the_environment():
    reads = re.compile(r"(environ|getenv)[^\n]*(SCANSCOUT|BIOCORTEX|_API_KEY)|dotenv")
    for room in ("retrieval", "components"):
        for path in (ROOT / room).rglob("*.py"):
            allowed = path.parent == ROOT / "retrieval" / "settings"
            assert allowed or not reads.search(path.read_text("utf-8")), path


def test_a_file_that_is_no_text_is_refused_by_name(monkeypatch, tmp_path):
    file = tmp_path / "settings"
    file.write_bytes("# café\n".encode("latin-1"))
    monkeypatch.setenv("SCANSCOUT_ENV_FILE", str(file))
    with pytest.raises(BadInput, match=r"SCANSCOUT_ENV_FILE: .* UTF-8"):
        read_settings()


@pytest.mark.parametrize("name", ["SESSION_MINUTES", "QUERY_SECONDS", "WEB_CACHE_HOURS"])
def test_no_time_is_without_an_end(monkeypatch, name):
    monkeypatch.setenv(f"SCANSCOUT_{name}", "inf")
    with pytest.raises(BadInput, match=f"SCANSCOUT_{name}"):
        read_settings(None)


def test_a_path_of_a_file_begins_at_home_where_it_says_so(tmp_path):
    file = tmp_path / "settings"
    file.write_text("SCANSCOUT_INDEX_DIR=~/idx\n", "utf-8")
    assert read_settings(file).index_dir == Path.home() / "idx"


def test_a_name_that_is_no_setting_is_warned_of_once(monkeypatch, tmp_path, caplog):
    file = tmp_path / ".env"
    file.write_text("SCANSCOUT_LLM_PROVDER=openai\n# SCANSCOUT_NOTE=1\nSCANSCOUT_TOP_K=3\n")
    monkeypatch.setenv("SCANSCOUT_NOSUCH", "1")
    for _ in range(2):
        read_settings(file)
    warnings = [one for one in caplog.messages if "is no setting" in one]
    assert len(warnings) == 2
    assert any(one.startswith("SCANSCOUT_NOSUCH is no setting") for one in warnings)
    assert any(one.endswith("did you mean SCANSCOUT_LLM_PROVIDER?") for one in warnings)


def test_no_setting_of_the_example_or_the_documentation_is_unknown(monkeypatch, caplog):
    read_settings(ROOT / ".env.example")
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    assert [one for one in caplog.messages if "is no setting" in one] == []
