"""S0-12 to S0-14: without vectors a language model reads the catalog, and without one BM25 does."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from retrieval.core.combine import FirstOf
from retrieval.core.errors import StageUnavailable
from retrieval.core.stage import finish, progress
from retrieval.core.types import Selection
from retrieval.dense.source import DenseSource
from retrieval.lexical.bm25 import Bm25Index, Bm25Source
from retrieval.llm.budget import Budget, Limits
from retrieval.llm.retriever import LanguageModelRetrieve
from tests.fakes import (
    SMALL,
    HashingEncoder,
    ScriptedModel,
    ids,
    make_state,
    make_tool,
    parts_of,
)

TOOLS = {t.id: t for t in SMALL}
OFF = "vector search is switched off by setting"


def answer(*rows):
    return json.dumps({"ids": list(rows)})


def stage1(model):
    dense = DenseSource(HashingEncoder(), None, TOOLS, absent=OFF)
    words = Bm25Source(Bm25Index(SMALL))
    return FirstOf("vector search", [dense, LanguageModelRetrieve(model, TOOLS, words), words])


def found(model, text="segment lungs", **fields):
    return finish(progress(stage1(model), make_state(text, **fields)))


def shown(prompt):
    return [json.loads(row)["id"] for row in prompt.splitlines() if row.startswith('{"id"')]


@pytest.mark.requirement("S0-12", "S0-14")
def test_without_vectors_the_model_finds_and_the_fallback_tells_its_name_and_reason():
    result = found(ScriptedModel(answer("nodules", "lungmask")))
    assert ids(result) == ["nodules", "lungmask"]
    assert result.status == "fallback"
    assert OFF in result.note
    parts = parts_of(result)
    assert parts["vector search/dense"].status == "skipped"
    assert parts["vector search/language model"].status == "ok"
    assert "vector search/bm25" not in parts
    scores = [c.score for c in result.state.candidates]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "model",
    [
        None,
        ScriptedModel(StageUnavailable("gone")),
        ScriptedModel("no idea"),
        ScriptedModel(answer()),
        ScriptedModel(answer("nnU-Net")),
    ],
    ids=["none", "gone", "prose", "empty", "invented"],
)
@pytest.mark.requirement("S0-12")
def test_with_no_model_or_no_answer_the_words_find(model):
    result = found(model)
    assert ids(result)[0] == "lungmask"
    assert result.status == "fallback"
    skipped = parts_of(result)["vector search/language model"]
    assert skipped.status == "skipped"
    assert skipped.note in result.note


@pytest.mark.requirement("S0-13")
def test_the_list_that_is_sent_is_capped_and_the_cut_is_told():
    many = {f"t{n:04}": make_tool(f"t{n:04}", domain=f"d{n % 7}") for n in range(10_000)}
    model = ScriptedModel(answer("t0000"))
    result = LanguageModelRetrieve(model, many).run(make_state("x"))
    sent = shown(model.prompts[0])
    assert len(sent) == 200
    assert sent == sorted(sent)
    assert result.note == "asked about 200 of 10000 tools; 9800 were cut to fit"
    assert result.metrics["unseen"] == 9800
    domains = [many[i].domain for i in sent]
    assert all(domains.count(f"d{n}") >= 28 for n in range(7))


@pytest.mark.requirement("S0-13")
def test_long_records_are_capped_by_tokens():
    many = {f"t{n:03}": make_tool(f"t{n:03}", description="word " * 200) for n in range(200)}
    model = ScriptedModel(answer("t000"))
    result = LanguageModelRetrieve(model, many, prompt_tokens=3000).run(make_state("x"))
    assert 10 < len(shown(model.prompts[0])) < 50
    assert len(model.prompts[0].encode()) < 3 * 3000 + 2000
    assert "were cut to fit" in result.note


@pytest.mark.requirement("S0-13")
def test_what_the_words_find_is_never_cut():
    many = {f"t{n:03}": make_tool(f"t{n:03}") for n in range(300)}
    many["zz-lungs"] = make_tool("zz-lungs", description="segments lungs")
    words = Bm25Source(Bm25Index(tuple(many.values())))
    model = ScriptedModel(answer("zz-lungs"))
    LanguageModelRetrieve(model, many, words, shown=20).run(make_state("segment lungs"))
    assert "zz-lungs" in shown(model.prompts[0])
    assert len(shown(model.prompts[0])) == 20


def test_w_3_6_a_query_in_another_language_still_sees_tools_of_every_domain():
    many = {f"{d}{n:03}": make_tool(f"{d}{n:03}", domain=d) for d in "abc" for n in range(100)}
    words = Bm25Source(Bm25Index(tuple(many.values())))
    model = ScriptedModel(answer("a000"))
    LanguageModelRetrieve(model, many, words, shown=30).run(make_state("分割肺部"))
    assert [sum(i.startswith(d) for i in shown(model.prompts[0])) for d in "abc"] == [10, 10, 10]
    assert "分割肺部" in model.prompts[0]


def test_invented_doubled_and_excluded_tools_do_not_come_out():
    model = ScriptedModel(answer("evil", "nodules", "nodules", "lungmask", 3, None, "cells"))
    drop = Selection(drop=frozenset({"lungmask"}))
    stage = LanguageModelRetrieve(model, TOOLS)
    result = stage.run(make_state("segment lungs", selection=drop))
    assert ids(result) == ["nodules", "cells"]
    assert "lungmask" not in shown(model.prompts[0])


def test_the_prompt_over_a_small_catalog_differs_only_in_its_last_part():
    model = ScriptedModel(answer("cells"), answer("cells"))
    stage = LanguageModelRetrieve(model, TOOLS, Bm25Source(Bm25Index(SMALL)))
    stage.run(make_state("segment lungs"))
    stage.run(make_state("count cells"))
    first, second = (p.split("\n<request>\n")[0] for p in model.prompts)
    assert first == second
    assert all(i in first for i in TOOLS)


def test_the_list_is_as_long_as_wanted_at_most():
    model = ScriptedModel(answer(*TOOLS))
    assert len(ids(LanguageModelRetrieve(model, TOOLS, k=3).run(make_state("x")))) == 3


def test_the_call_is_counted_and_the_budget_can_forbid_it():
    told = found(ScriptedModel("no idea"))
    assert parts_of(told)["vector search/language model"].metrics["llm_calls"] == 1
    model = ScriptedModel(answer("cells"))
    state = replace(make_state("count cells"), budget=Budget(Limits(calls=0)))
    result = finish(progress(stage1(model), state))
    assert model.prompts == []
    assert ids(result) == ["cells"]
    assert "budget" in result.note
