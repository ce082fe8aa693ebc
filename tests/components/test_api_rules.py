"""Exclusions, filters, requirements and no re-ranking model, by the endpoints."""

import json

import gradio as gr
import pytest

from components.api import Api
from components.api_arguments import agent_schemas

pytestmark = pytest.mark.model
RULES = ["exclude", "filters", "require", "rerank"]
TEXT = "segment lungs on CT"


@pytest.fixture(scope="module")
def api(engine):
    return Api(engine)


def ids(answer):
    return [tool["id"] for tool in answer["candidates"]]


def test_16_5_each_rule_changes_the_answer_as_the_option_does(api, engine):
    usual = api.recommend(TEXT)
    first = ids(usual)[0]
    assert first not in ids(api.recommend(TEXT, exclude=[engine.catalog[first].name]))
    licensed = ids(api.recommend(TEXT, filters=["licence=MIT"]))
    assert licensed
    assert {engine.catalog[one].license for one in licensed} == {"MIT"}
    wished = api.recommend(TEXT, require=["language=Python"])
    strengths = {(w["kind"], w["value"], w["strength"]) for w in wished["query"]["understood"]}
    assert ("language", "Python", "required") in strengths
    silent = api.recommend(TEXT, rerank=False)
    assert (usual["query"]["rerank"], silent["query"]["rerank"]) == (True, False)


def test_16_5_the_short_answer_for_agents_obeys_the_rules_too(api):
    usual = json.loads(api.find_tools(TEXT))["tools"]
    other = json.loads(api.find_tools(TEXT, exclude=[usual[0]["id"]]))["tools"]
    assert usual[0]["id"] not in [tool["id"] for tool in other]


def test_16_5_a_rule_of_one_call_is_gone_in_the_next(api):
    before = ids(api.recommend(TEXT))
    api.recommend(TEXT, exclude=before[:3], filters=["licence=MIT"], rerank=False)
    assert ids(api.recommend(TEXT)) == before


def test_16_5_an_exclusion_of_nothing_is_told_with_the_nearest_names(api):
    answer = api.recommend(TEXT, exclude=["lungmaks"])
    assert "lungmask" in answer["query"]["unmatched"]["lungmaks"]


def test_16_3_the_short_answer_for_agents_has_every_remark_of_the_long_one(api):
    text = "сегментация лёгких lungs in Python [EXCLUDE:lungmaks]"
    short, whole = json.loads(api.find_tools(text)), api.recommend(text)
    assert short["unmatched"] == whole["query"]["unmatched"] == {"lungmaks": ["lungmask"]}
    kept = ("reason", "low_confidence", "gap", "unmet", "notes", "limits", "wishes")
    assert {key: short[key] for key in kept} == {key: whole["metadata"][key] for key in kept}
    assert any("Cyrillic" in note for note in short["notes"])
    verdicts = [tool["verdict"] for tool in short["tools"]]
    assert verdicts == [one["verdict"] for one in whole["candidates"]][: len(verdicts)]
    assert all(verdict["text"] for verdict in verdicts)


def test_16_5_a_filter_that_no_tool_states_is_refused_with_what_there_is(api):
    with pytest.raises(gr.Error, match="filter: "):
        api.recommend(TEXT, filters=["licence=nonesuch"])
    with pytest.raises(gr.Error, match="write KIND=VALUE"):
        api.recommend(TEXT, filters=["colour=red"])


def test_16_5_agents_are_shown_every_rule():
    for name in ("recommend", "find_tools", "recommend_files"):
        assert list(agent_schemas(["hybrid"])[name]["properties"])[-5:-1] == RULES
