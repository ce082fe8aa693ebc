"""Whatever a language model answers, the list is made of the tools shown, each once."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.core.combine import FirstOf
from retrieval.core.stage import finish, progress
from retrieval.llm.cards import sentence
from retrieval.llm.reranker import LanguageModelRerank
from retrieval.llm.retriever import LanguageModelRetrieve
from retrieval.rerank.switch import KeepOrder
from tests.fakes import ScriptedModel, ids, make_candidate, make_state

SHOWN = tuple(make_candidate(i, 1 - n / 10) for n, i in enumerate("abcde"))
NAMES = frozenset("abcde")

words = st.one_of(st.sampled_from("abcdefgh"), st.text(max_size=30))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), words),
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.dictionaries(st.sampled_from(["tools", "id", "ids", "why", "after", "x"]), inner),
    ),
    max_leaves=25,
)
picks = st.fixed_dictionaries({"id": words}, optional={"why": values, "after": values})
answers = st.one_of(
    st.text(max_size=200),
    values.map(json.dumps),
    st.lists(st.one_of(picks, values), max_size=12).map(lambda rows: json.dumps({"tools": rows})),
    st.lists(values, max_size=12).map(lambda rows: json.dumps({"ids": rows})),
)


def run(stage):
    return finish(progress(stage, make_state("segment lungs", *SHOWN)))


@settings(max_examples=300, deadline=None)
@given(answers)
@pytest.mark.requirement("S0-29", "S0-30")
def test_a_rerank_is_a_cut_of_the_tools_shown_whatever_the_answer(answer):
    stage = FirstOf("rerank", [LanguageModelRerank(ScriptedModel(answer), limit=4), KeepOrder(4)])
    result = run(stage)
    assert len(ids(result)) == len(set(ids(result))) == 4
    assert set(ids(result)) <= NAMES
    assert result.children[0].status in ("ok", "skipped")
    assert (result.status == "fallback") == (result.children[0].status == "skipped")
    for candidate in result.state.candidates:
        for why in candidate.why:
            why.text.encode("utf-8")
            assert len(why.text) <= 200
            assert "<" not in why.text


@settings(max_examples=200, deadline=None)
@given(answers)
@pytest.mark.requirement("S0-12")
def test_only_tools_of_the_catalog_are_found_whatever_the_answer(answer):
    stage = LanguageModelRetrieve(ScriptedModel(answer), {c.tool.id: c.tool for c in SHOWN})
    result = run(stage)
    assert result.status in ("ok", "skipped")
    if result.status == "ok":
        assert len(ids(result)) == len(set(ids(result))) > 0
        assert set(ids(result)) <= NAMES


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=900))
def test_a_reason_is_one_short_line_without_markup_whatever_the_text(text):
    shown = sentence(text)
    assert len(shown) <= 200
    assert not any(c in shown for c in "<>`\n\r\t\x00")
    assert sentence(text) == shown
