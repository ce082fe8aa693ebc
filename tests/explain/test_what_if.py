"""Each lever off, and what that does to the ranks."""

from __future__ import annotations

import json

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.errors import BadInput
from retrieval.core.types import ScanInfo
from retrieval.export.explanations import what_if_json
from tests.fakes import ids, small_engine

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
ENGINE = small_engine()


@pytest.mark.parametrize(
    "lever", ["tokens", "graph", "fit", "rerank", "expansion", "dense", "bm25", "late interaction"]
)
def test_the_ranks_before_and_after_are_those_of_the_two_searches(lever):
    answer = ENGINE.run("segment brain", scans=[CT])
    told = json.loads(json.dumps(what_if_json(ENGINE.what_if(answer, lever))))
    assert told["lever"] == lever
    assert list(told["before"]) == ids(answer.candidates)
    assert list(told["before"].values()) == list(range(1, len(answer.candidates) + 1))
    moved = {m["id"] for m in told["moved"]}
    every = told["before"].keys() | told["after"].keys()
    assert moved == {i for i in every if told["before"].get(i) != told["after"].get(i)}
    for move in told["moved"]:
        if move["before"] and move["after"]:
            assert move["change"] == move["before"] - move["after"]


def test_without_fit_a_tool_that_sank_rises_again():
    answer = ENGINE.run("segment brain volumes", scans=[CT])
    moves = {m.id: m for m in ENGINE.what_if(answer, "fit").moves}
    assert moves["brainer"].after < moves["brainer"].before


def test_without_the_graph_what_only_it_found_is_gone_or_lower():
    answer = ENGINE.run("segment brain volumes")
    after = ENGINE.run("segment brain volumes", off=["graph"])
    told = ENGINE.what_if(answer, "graph")
    assert {m.id: m.after for m in told.moves if m.after} == {
        i: n for n, i in enumerate(ids(after.candidates), 1)
    }


def test_without_tokens_the_search_text_holds_none():
    answer = ENGINE.run("segment", scans=[CT])
    told = ENGINE.what_if(answer, "tokens")
    plain = ENGINE.run("segment", scans=[CT], off=["tokens"])
    assert [m.id for m in sorted(told.moves, key=lambda m: m.after or 99) if m.after] == ids(
        plain.candidates
    )


def test_an_unknown_lever_names_itself_and_the_choices():
    answer = ENGINE.run("segment lungs")
    with pytest.raises(BadInput, match="unknown lever 'grpah'; choose one of: tokens, graph, fit"):
        ENGINE.what_if(answer, "grpah")
