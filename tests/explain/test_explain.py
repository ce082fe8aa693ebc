"""Why a tool stands where it stands, and where one went that is not there."""

from __future__ import annotations

import json
from dataclasses import replace
from time import process_time

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import Candidate, Filters, ScanInfo, Why
from retrieval.explain.fate import contributions, like, matched, named_tool, ranks
from retrieval.export.explanations import explained_json
from retrieval.export.serialise import to_json
from retrieval.wiring.parts import Sizes
from tests.fakes import ids, make_tool, parts_of, small_engine

MODES = ("hybrid", "biocortex", "plaza", "keyword", "vector", "rrf")
CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
ENGINE = small_engine()
SHORT = small_engine(Sizes(per_list=2, final=2))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", ["segment lungs", "segment brain [NO_RERANK]", "cells"])
@pytest.mark.parametrize("scans", [(), (CT,)])
def test_contributions_add_up_to_the_score_in_every_mode(mode, text, scans):
    answer = ENGINE.run(text, mode, scans=scans)
    assert answer.candidates
    for candidate in answer.candidates:
        total = sum(s.value for s in contributions(candidate))
        assert total == pytest.approx(candidate.score, abs=1e-6), (mode, candidate.tool.id)


def test_the_shares_of_the_lists_and_the_penalty_of_fit_are_told_apart():
    answer = ENGINE.run("segment brain", scans=[CT])
    found = {c.tool.id: contributions(c) for c in answer.candidates}
    fit = [s.value for s in found["brainer"] if s.stage == "fit"]
    assert len(fit) == 1
    assert fit[0] < 0
    assert not [s for s in found["lungmask"] if s.stage == "fit"]
    assert len(found["lungmask"]) >= 3


def test_a_rerankers_score_is_all_there_is():
    tool = make_tool("a")
    shares = (Why(kind="share", stage="fused", text="fused/dense", value=0.5),)
    found = Candidate(tool=tool, score=0.0).scored("fused", 0.5, *shares)
    told = contributions(found.scored("rerank/cross-encoder", 7.25))
    assert [(s.stage, s.value) for s in told] == [("rerank/cross-encoder", 7.25)]
    assert [(s.stage, s.value) for s in contributions(found)] == [("fused/dense", 0.5)]


def test_rounding_of_many_small_shares_is_made_good():
    shares = [Why(kind="share", stage="f", text=str(n), value=0.333333) for n in range(6)]
    found = Candidate(tool=make_tool("a"), score=0.0).scored("f", 2.0, *shares)
    told = contributions(found)
    assert len(told) == 6
    assert sum(s.value for s in told) == pytest.approx(2.0, abs=1e-9)


def test_ranks_are_those_of_every_list_that_has_the_tool():
    answer = ENGINE.run("segment lungs", scans=[CT])
    told = ranks(answer.result)
    for name, node in parts_of(answer.result).items():
        if node.ran and node.listed:
            for rank, tool_id in enumerate(ids(node), start=1):
                assert told[tool_id][name] == rank


def test_matched_words_and_concepts_are_those_the_tool_has():
    found = {c.tool.id: c for c in ENGINE.run("segment lungs on chest CT").candidates}
    concepts = {"anatomy:lung": frozenset(["lungmask"]), "modality:CT": frozenset(["other"])}
    told = matched(found["lungmask"], concepts)
    assert set(told.terms) >= {"segments", "lungs", "chest", "CT"}
    assert told.concepts == ("anatomy:lung",)


def test_the_json_of_a_candidate_holds_contributions_matches_and_ranks():
    answer = ENGINE.run("segment lungs", scans=[CT])
    for row in json.loads(json.dumps(to_json(answer)))["candidates"]:
        assert sum(c["value"] for c in row["contributions"]) == pytest.approx(row["score"])
        assert row["ranks"]["rerank"] == row["rank"]
        assert set(row["matched"]) == {"terms", "concepts"}
        assert row["near_miss"] is False


def fate(engine, text, tool, **how):
    answer = engine.run(text, **how)
    return engine.explain(answer, tool)


def test_a_tool_in_the_list_is_kept_with_its_rank():
    told = fate(ENGINE, "segment lungs", "lungmask")
    assert (told.fate, told.rank, told.stage) == ("kept", 1, None)


def test_a_tool_is_found_by_its_name_whatever_the_case():
    assert fate(ENGINE, "segment lungs", "LUNGMASK").fate == "kept"


def test_a_tool_that_is_not_in_the_catalog_says_so_and_offers_names_like_it():
    told = fate(ENGINE, "segment lungs", "lungmaks")
    assert told.fate == "not_in_catalog"
    assert told.did_you_mean[0] == "lungmask"


@pytest.mark.parametrize(
    "asked", ["Lung-Mask", "lung mask", " LUNG_MASK ", "mask lung", "ｌｕｎｇｍａｓｋ"]
)
def test_blanks_marks_wide_letters_and_the_order_of_words_do_not_hide_a_make_tool(asked):
    tools = {
        "lung_mask": make_tool("lung_mask", name="Lung Mask"),
        "lungmask": make_tool("lungmask"),
    }
    assert named_tool(asked, tools) is not None
    assert named_tool("---", tools) is None


def test_a_word_of_a_longer_name_is_offered_before_names_spelt_like_it():
    tools = [
        make_tool("fsl_bet", name="BET (FSL)"),
        make_tool("bat", name="BAT"),
        make_tool("hd_bet", name="HD-BET"),
    ]
    assert like("bet", tools) == ("HD-BET", "BET (FSL)", "BAT")


def test_a_name_without_anything_in_common_is_not_offered():
    tools = [make_tool("scvi", name="scvi-tools"), make_tool("bet", name="BET")]
    assert like("nosuchtool", tools) == ()
    assert like("bat", tools) == ("BET",)


def test_an_excluded_tool_says_so():
    told = fate(ENGINE, "segment lungs [EXCLUDE:LungMask]", "lungmask")
    assert (told.fate, told.reasons) == ("excluded", ("exclusion",))


def test_a_filtered_tool_names_each_filter_that_refused_it():
    asked = Filters(licenses=frozenset({"MIT"}), dimensions=frozenset({"2D"}))
    told = fate(ENGINE, "segment lungs", "lungmask", filters=asked)
    assert (told.fate, told.reasons) == ("filtered_out", ("dimensions",))
    told = fate(ENGINE, "segment lungs", "brainer", filters=asked)
    assert told.reasons == ("licenses", "dimensions")


def test_a_tool_no_source_found_shows_its_rank_behind_each_sources_end():
    told = fate(SHORT, "segment lungs chest CT volumes", "cells", mode="vector")
    assert told.fate == "never_found"
    place = told.places[0]
    assert place.stage == "dense"
    assert place.rank > place.length == 2
    assert place.score < place.cut_off


def test_a_tool_cut_when_lists_were_joined_shows_rank_and_score_against_the_last():
    answer = SHORT.run("what lungmask does brain", "rrf")
    lists = parts_of(answer.result)
    found = {*ids(lists["fused/dense"]), *ids(lists["fused/bm25"])} - set(ids(lists["fused"]))
    told = SHORT.explain(answer, sorted(found)[0])
    place = next(p for p in told.places if p.stage == "fused")
    assert (told.fate, told.stage) == ("cut_when_fused", "fused")
    assert place.rank > place.length == 2
    assert place.score <= place.cut_off


def test_a_tool_cut_at_the_end_names_the_last_stage():
    engine = small_engine(Sizes(final=1))
    answer = engine.run("segment lungs")
    second = ids(parts_of(answer.result)["fused"])[-1]
    assert engine.explain(answer, second).fate in {"cut_at_the_end", "lost"}


def test_a_tool_that_sank_for_its_fit_names_the_facts():
    engine = small_engine(Sizes(final=2))
    ultrasound = replace(CT, modality=Modality.US)
    answer = engine.run("finds lung nodules on chest CT volumes", scans=[ultrasound])
    told = engine.explain(answer, "nodules")
    assert told.fate == "sunk_by_fit", told
    assert told.stage == "fit"
    assert "modality" in told.reasons


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_of_the_catalog_has_a_fate_in_every_mode(mode):
    answer = SHORT.run("segment lungs", mode, scans=[CT])
    kept = ids(answer.candidates)
    for tool in SHORT.catalog:
        told = json.loads(json.dumps(explained_json(SHORT.explain(answer, tool))))
        assert (told["fate"] == "kept") == (tool in kept)
        assert told["stage"] or told["fate"] == "kept"


@pytest.mark.model
def test_explaining_costs_the_ordinary_query_less_than_a_fifth_of_it(judged):
    judged.run("segment lungs on chest CT")

    def spent(work):
        def once():
            start = process_time()
            work()
            return process_time() - start

        return min(once() for _ in range(7))

    answer = judged.run("segment lungs on chest CT")
    scope, shown = judged.current().scope, ids(answer.candidates)
    query = spent(lambda: judged.run("segment lungs on chest CT"))
    extra = spent(lambda: (ranks(answer.result), [contributions(c) for c in answer.candidates]))
    extra += spent(lambda: scope.concepts("segment lungs on chest CT", shown))
    assert extra < 0.004 or extra < query / 5
