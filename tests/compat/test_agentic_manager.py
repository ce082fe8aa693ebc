"""S4-02, S4-06, S4-09, S4-14: the awaitable front over collections."""

from __future__ import annotations

import asyncio
import json
from datetime import date

import pytest

from retrieval.agentic.config import AgenticConfig
from retrieval.compat.agentic_layer import agentic_utils
from retrieval.compat.agentic_layer.memory_manager import MemoryManager
from retrieval.compat.memory_layer.llm.llm_provider import LLMProvider
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.wiring.collections import Collections
from tests.agentic.judging import ENOUGH, MORE, QUERIES
from tests.fakes import ScriptedModel
from tests.llm.faults import KEY, completion, says, serving

TOOLS = (
    {
        "id": "lungmask",
        "name": "lungmask",
        "description": "Segments the lungs on CT.",
        "tasks": ["segmentation"],
        "url": "https://example.org/lungmask",
        "license": "MIT",
        "last_release": "2026-10-05",
    },
    {
        "id": "airways",
        "name": "airways",
        "description": "Segments airways on CT.",
        "last_release": "2026-09",
    },
    {
        "id": "oldlung",
        "name": "oldlung",
        "description": "Segments lungs.",
        "last_release": "2019-01-02",
    },
    {"id": "undated", "name": "undated", "description": "Segments lungs, nobody knows since when."},
)
KEYS = ("event_id", "user_id", "group_id", "timestamp", "episode", "summary", "subject", "score")


@pytest.fixture
def manager(tmp_path, light_settings):
    catalog = tmp_path / "tools.jsonl"
    catalog.write_text("\n".join(map(json.dumps, TOOLS)), "utf-8")
    groups = tmp_path / "groups"
    (groups / "protocols" / "deep").mkdir(parents=True)
    (groups / "protocols" / "lung protocol.md").write_text("How to segment\nlungs on CT.", "utf-8")
    (groups / "protocols" / "deep" / "heart.txt").write_text("How to segment a heart.", "utf-8")
    (groups / "protocols" / "notes.bin").write_bytes(b"segment lungs")
    (groups / "mine.jsonl").write_text(json.dumps({**TOOLS[0], "id": "mylung"}), "utf-8")
    settings = light_settings.model_copy(update={"catalog": catalog})
    return MemoryManager(Collections(settings, groups), today=lambda: date(2026, 11, 1))


def agentic(manager, query="segment lungs on CT", **how):
    return asyncio.run(manager.retrieve_agentic(query=query, **how))


def ids_of(told):
    return [m["event_id"] for m in told["memories"]]


@pytest.mark.parametrize("use_reranker", [True, False])
@pytest.mark.parametrize("replies", [[ENOUGH], [MORE, QUERIES]], ids=["one round", "two rounds"])
@pytest.mark.requirement("S4-01")
def test_final_top_n_is_the_length_of_the_end_with_and_without_a_reranker(
    manager, use_reranker, replies
):
    config = AgenticConfig(final_top_n=2, use_reranker=use_reranker)
    result = agentic(manager, llm_provider=ScriptedModel(*replies), agentic_config=config)
    assert result["count"] == len(result["memories"]) == result["metadata"]["final_count"] == 2
    shorter = agentic(manager, llm_provider=ScriptedModel(*replies), agentic_config=config, top_k=1)
    assert shorter["count"] == 1


@pytest.mark.requirement("S4-02")
def test_the_call_gives_memories_count_and_metadata(manager):
    told = agentic(manager, llm_provider=ScriptedModel(ENOUGH))
    assert list(told) == ["memories", "count", "metadata"]
    assert told["count"] == len(told["memories"]) == told["metadata"]["final_count"] == 4
    json.dumps(told)


@pytest.mark.requirement("S4-01")
def test_temperature_and_answer_length_of_the_configuration_reach_the_server(manager):
    with serving(says(completion(ENOUGH))) as server:
        provider = LLMProvider("compatible", "tiny", KEY, server.url, temperature=0.9)
        config = AgenticConfig(llm_temperature=0.2, llm_max_tokens=123)
        told = agentic(manager, llm_provider=provider, agentic_config=config)
        agentic(manager, llm_provider=provider)
    sent = [(one.told["temperature"], one.told["max_tokens"]) for one in server.asked]
    assert sent == [(0.2, 123), (0.0, 500)]
    assert told["metadata"]["is_sufficient"] is True


@pytest.mark.requirement("S4-02")
def test_top_k_bounds_the_list(manager):
    told = agentic(manager, llm_provider=ScriptedModel(ENOUGH), top_k=2)
    assert told["count"] == 2


@pytest.mark.requirement("S4-06")
def test_every_item_has_the_eight_keys_and_null_where_one_means_nothing(manager):
    told = agentic(manager, llm_provider=ScriptedModel(ENOUGH))
    assert all(set(KEYS) <= set(m) for m in told["memories"])
    best = next(m for m in told["memories"] if m["event_id"] == "lungmask")
    assert best["user_id"] is best["group_id"] is None
    assert (best["timestamp"], best["subject"]) == ("2026-10-05", "segmentation")
    assert (best["summary"], best["episode"]) == ("lungmask", "Segments the lungs on CT.")
    assert best["tool"]["license"] == "MIT"
    undated = next(m for m in told["memories"] if m["event_id"] == "undated")
    assert (undated["timestamp"], undated["subject"]) == ("", None)
    scores = [m["score"] for m in told["memories"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.requirement("S4-09")
def test_without_a_provider_the_result_is_exactly_the_lightweight_one(manager):
    told = agentic(manager, llm_provider=None)
    plain = asyncio.run(manager.retrieve_lightweight("segment lungs on CT"))
    assert told["memories"] == plain["memories"]
    assert told["metadata"]["retrieval_mode"] == "agentic_fallback"
    assert told["metadata"]["fallback_reason"] == "llm_provider was not given"
    assert told["metadata"]["is_multi_round"] is False


@pytest.mark.requirement("S4-09")
def test_a_failing_provider_loses_nothing(manager):
    told = agentic(manager, llm_provider=ScriptedModel(StageUnavailable("quota")))
    assert told["metadata"]["fallback_reason"] == "LLM API call failed: quota"
    assert told["count"] == 4


def test_fallback_on_error_off_raises_the_reason(manager):
    config = AgenticConfig(fallback_on_error=False)
    with pytest.raises(StageUnavailable, match="quota"):
        agentic(
            manager, llm_provider=ScriptedModel(StageUnavailable("quota")), agentic_config=config
        )


@pytest.mark.parametrize("mode", ["keyword", "rrf"])
@pytest.mark.requirement("S4-14")
def test_the_light_modes_ask_no_model(manager, mode):
    told = asyncio.run(manager.retrieve_lightweight("segment lungs", retrieval_mode=mode))
    assert told["metadata"]["retrieval_mode"] == mode
    assert told["count"] > 0


@pytest.mark.requirement("S4-14")
def test_an_unknown_light_mode_names_the_others(manager):
    with pytest.raises(BadInput, match="keyword, vector, rrf"):
        asyncio.run(manager.retrieve_lightweight("segment", retrieval_mode="hybird"))


def test_a_group_is_a_catalog_or_a_folder_of_documents_and_nothing_else_is_searched(manager):
    mine = agentic(manager, llm_provider=ScriptedModel(ENOUGH), group_id="mine")
    assert ids_of(mine) == ["mylung"]
    assert mine["memories"][0]["group_id"] == "mine"
    papers = agentic(manager, llm_provider=ScriptedModel(MORE, QUERIES), group_id="protocols")
    assert set(ids_of(papers)) == {"lung-protocol", "deep-heart"}
    assert papers["memories"][0]["episode"] == "How to segment lungs on CT."


def test_a_group_that_does_not_exist_searches_the_catalog_and_says_so(manager):
    told = agentic(manager, llm_provider=None, group_id="../groups/mine")
    assert "mylung" not in ids_of(told)
    assert "no collection is named" in told["metadata"]["group_note"]
    assert agentic(manager, group_id="mine")["metadata"]["group_note"] is None


def test_time_range_days_keeps_what_was_released_since(manager):
    told = agentic(manager, time_range_days=60)
    assert set(ids_of(told)) == {"lungmask", "airways"}
    assert set(ids_of(agentic(manager, time_range_days=27))) == {"lungmask"}
    assert "oldlung" in ids_of(agentic(manager, time_range_days=4000))
    assert "undated" not in ids_of(agentic(manager, time_range_days=4000))
    with pytest.raises(BadInput, match="time_range_days"):
        agentic(manager, time_range_days=-1)


def test_an_empty_query_says_what_to_do(manager):
    with pytest.raises(BadInput, match="nothing to look for"):
        agentic(manager, query=" [NO_RERANK] ")


def test_calls_at_the_same_time_do_not_mix(manager):
    async def both():
        return await asyncio.gather(
            manager.retrieve_agentic("segment lungs", llm_provider=ScriptedModel(ENOUGH)),
            manager.retrieve_agentic("segment a heart", "protocols", ScriptedModel(ENOUGH)),
        )

    one, other = asyncio.run(both())
    assert "lungmask" in ids_of(one)
    assert ids_of(other)[0] == "deep-heart"


def test_the_prompts_of_the_module_are_those_that_the_model_is_asked_by(manager, monkeypatch):
    monkeypatch.setattr(agentic_utils, "JUDGE_PROMPT", "Enough for {task}? {tools} {data}")
    monkeypatch.setattr(agentic_utils, "REFINE_PROMPT", "Write {wanted} for {missing}.")
    model = ScriptedModel(MORE, QUERIES)
    report = agentic(manager, llm_provider=model)
    assert report["metadata"]["is_multi_round"]
    assert model.prompts[0].startswith('Enough for "segment lungs on CT"? {"')
    assert model.prompts[1].startswith("Write two to 3 searches for ")
    assert model.prompts[1].endswith(".")


def test_a_prompt_that_cannot_be_filled_in_names_its_fields(manager, monkeypatch):
    monkeypatch.setattr(agentic_utils, "JUDGE_PROMPT", "Enough for {memory}?")
    with pytest.raises(BadInput, match=r"'judge' cannot be filled in .*memory.*tools, data, task"):
        agentic(manager, llm_provider=ScriptedModel(ENOUGH))


class Waiting(ScriptedModel):
    """A model that notes how long each call may take."""

    def complete(self, prompt, **options):
        self.limits = [*getattr(self, "limits", ()), options.get("seconds")]
        return super().complete(prompt, **options)


@pytest.mark.parametrize(("timeout", "least", "most"), [(60, 45, 60), (5, 1, 5)])
def test_a_model_may_take_as_long_as_the_configuration_says(manager, timeout, least, most):
    model = Waiting(ENOUGH)
    config = AgenticConfig(timeout=timeout)
    asyncio.run(manager.retrieve_agentic("lungs", llm_provider=model, agentic_config=config))
    assert least < model.limits[0] <= most


def test_a_provider_ends_no_call_before_the_configuration_does():
    assert LLMProvider("openai", model="m", api_key=KEY).seconds >= AgenticConfig().timeout
