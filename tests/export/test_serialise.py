"""The JSON of contract.md: keys, types, completeness (S1-25, S1-30)."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from msgspec import structs

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import PARTLY_READ, ScanInfo
from retrieval.engine.answer import REASONS
from retrieval.engine.sizes import SIZES
from retrieval.export.serialise import to_json
from retrieval.export.table import table
from retrieval.export.uploads import scan_json
from retrieval.scans.upload import Partial
from retrieval.settings import ROOT
from tests.fakes import SMALL, make_candidate, small_engine

MODES = ("hybrid", "biocortex", "plaza", "keyword", "vector", "rrf")
CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
ENGINE = small_engine()
FULL = to_json(ENGINE.run("segment lungs [EXCLUDE:cells]", scans=[CT]))

CANDIDATE = {
    "rank": int,
    "id": str,
    "name": str,
    "description": str,
    "url": (str, type(None)),
    "keywords": list,
    "license": (str, type(None)),
    "supporting_data": dict,
    "retrieval_score": float,
    "fused_score": float,
    "why": list,
    "fit": (list, type(None)),
}
METADATA = {
    "mode": str,
    "catalog_sha256": str,
    "encoder": str,
    "total_latency_ms": float,
    "load_ms": float,
    "fallbacks": list,
    "reason": (str, type(None)),
    "low_confidence": bool,
    "metrics": dict,
}
QUERY = {
    "raw": str,
    "text": str,
    "search_text": str,
    "tokens": list,
    "excluded": list,
    "rerank": bool,
    "refine": bool,
    "expansion": list,
}
STAGE = {"name": str, "status": str, "note": str, "elapsed_ms": float, "candidates": list}


def holds(told, shape):
    assert shape.keys() <= told.keys()
    for key, kind in shape.items():
        assert isinstance(told[key], kind), (key, told[key])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", ["segment lungs", "segment [REFINE] [NO_RERANK]", "xyzzy"])
def test_every_key_of_the_contract_is_there_with_its_type(mode, text):
    told = json.loads(json.dumps(to_json(ENGINE.run(text, mode))))
    holds(
        told, {"query": dict, "stages": list, "candidates": list, "graph": dict, "metadata": dict}
    )
    holds(told["query"], QUERY)
    holds(told["metadata"], METADATA)
    for stage in told["stages"]:
        holds(stage, STAGE)
        assert stage["status"] in {"ok", "skipped", "fallback", "failed"}
    for candidate in told["candidates"]:
        holds(candidate, CANDIDATE)
    assert told["metadata"]["reason"] in {None, *REASONS}


@pytest.mark.parametrize("mode", MODES)
def test_stage_names_are_unique_and_ranks_run_from_one(mode):
    told = to_json(ENGINE.run("segment lungs", mode))
    names = [s["name"] for s in told["stages"]]
    assert len(names) == len(set(names))
    for listed in (told["candidates"], *(s["candidates"] for s in told["stages"])):
        assert [c["rank"] for c in listed] == list(range(1, len(listed) + 1))


@pytest.mark.parametrize("mode", MODES)
def test_a_stage_that_did_not_run_shows_no_list_and_why(mode):
    for stage in to_json(ENGINE.run("segment lungs", mode))["stages"]:
        if stage["status"] in {"skipped", "failed"}:
            assert stage["candidates"] == []
            assert stage["note"]


def test_scores_fall_with_rank_inside_every_stage_that_gives_scores():
    for stage in FULL["stages"]:
        if stage["name"] != "rerank":
            rows = [(-c["score"], c["id"]) for c in stage["candidates"]]
            assert rows == sorted(rows), stage["name"]


def test_the_query_tells_clean_text_tokens_and_what_was_excluded():
    query = FULL["query"]
    assert query["raw"] == "segment lungs [EXCLUDE:cells]"
    assert query["text"] == "segment lungs"
    assert query["search_text"] == "segment lungs format:DICOM format:CT format:3D"
    assert query["tokens"] == ["format:DICOM", "format:CT", "format:3D"]
    assert query["excluded"] == ["cells"]


@pytest.mark.requirement("S1-25")
def test_a_candidate_has_every_key_null_where_nobody_stated_the_fact():
    found = {c["id"]: c for c in FULL["candidates"]}
    assert found["lungmask"]["supporting_data"] == {
        "modalities": ["CT"],
        "dimensions": ["3D"],
        "formats": ["DICOM", "NIfTI"],
        "demo_url": "https://example.org/demo",
    }
    bare = found["converter"]
    assert (bare["url"], bare["license"], bare["keywords"]) == (None, None, [])
    assert set(bare["supporting_data"].values()) == {None}
    assert set(bare["supporting_data"]) == {"modalities", "dimensions", "formats", "demo_url"}


def test_the_fused_score_is_the_one_before_reranking():
    fused = {
        c["id"]: c["score"] for s in FULL["stages"] if s["name"] == "fused" for c in s["candidates"]
    }
    for candidate in FULL["candidates"]:
        if candidate["id"] in fused:
            assert candidate["fused_score"] == fused[candidate["id"]]


def test_the_reasons_of_a_candidate_have_their_four_keys_and_name_stages_of_the_answer():
    names = {s["name"] for s in FULL["stages"]}
    for candidate in FULL["candidates"]:
        assert candidate["why"]
        for why in candidate["why"]:
            assert list(why) == ["kind", "stage", "text", "value"]
            assert any(f"{why['stage']}/".startswith(f"{name}/") for name in names)


def test_contributions_of_a_candidate_add_up_to_its_fused_score():
    fused = next(s for s in FULL["stages"] if s["name"] == "fused")
    scores = {c["id"]: c["score"] for c in fused["candidates"]}
    for candidate in FULL["candidates"]:
        shares = [
            w["value"] for w in candidate["why"] if (w["kind"], w["stage"]) == ("share", "fused")
        ]
        if candidate["id"] in scores:
            assert sum(shares) == pytest.approx(scores[candidate["id"]], abs=1e-6)


def test_fit_is_null_without_a_scan_and_has_its_keys_with_one():
    assert all(c["fit"] is None for c in to_json(ENGINE.run("segment lungs"))["candidates"])
    for candidate in FULL["candidates"]:
        for fit in candidate["fit"]:
            assert list(fit) == ["fact", "verdict", "scan", "tool", "asked"]
            assert fit["verdict"] in {"pass", "fail", "unknown"}


def test_a_tools_node_in_the_graph_is_its_id():
    nodes = {n["id"]: n for n in FULL["graph"]["nodes"]}
    assert {i for i, n in nodes.items() if n["kind"] == "tool"} <= {t.id for t in SMALL}
    assert all(list(n) == ["id", "label", "kind", "role"] for n in nodes.values())
    for edge in FULL["graph"]["edges"]:
        assert list(edge) == ["source", "target", "kind", "weight"]
        assert {edge["source"], edge["target"]} <= nodes.keys()


def test_every_fallback_says_stage_what_was_used_and_why():
    told = to_json(small_engine(vectors=None, no_vectors="no weights").run("segment lungs"))
    fused = next(f for f in told["metadata"]["fallbacks"] if f["stage"] == "fused")
    assert "bm25" in fused["used"]
    assert "no weights" in fused["reason"]


@pytest.mark.requirement("S1-30")
def test_the_figures_of_the_query_are_told():
    metrics = FULL["metadata"]["metrics"]
    assert metrics["candidates"] == len(FULL["candidates"])
    assert metrics["few_candidates"] is (len(FULL["candidates"]) < 8)
    assert isinstance(metrics["average_similarity"], float)
    assert metrics["rerank_top_score_change"] is None
    assert metrics["expansion_terms"] == len(FULL["query"]["expansion"])


def test_a_lone_surrogate_in_the_text_can_be_written():
    written = json.dumps(to_json(ENGINE.run("segment \ud800 lungs")), ensure_ascii=False)
    assert b"segment" in written.encode("utf-8")


def test_a_clarification_has_the_keys_of_the_contract_or_is_null():
    told = to_json(ENGINE.run("segment [REFINE]"))["clarification"]
    assert list(told)[:3] == ["question", "context", "options"]
    assert FULL["clarification"] is None


def test_what_files_are_has_exactly_the_keys_of_the_contract():
    scan = ScanInfo(format=Format.NIFTI, shape=(2, 3, 4), spacing=(1.0, 1.0, 2.0), notes=("x",))
    refusal = SimpleNamespace(index=2, member=None, reason="The file is empty.")
    told = scan_json(
        SimpleNamespace(
            tokens=("format:NIfTI",), scans=(scan, CT), refused=(refusal,), partial=None
        )
    )
    assert json.loads(json.dumps(told)) == {
        "tokens": ["format:NIfTI"],
        "scans": [
            {
                "format": "NIfTI",
                "modality": None,
                "dimension": None,
                "body_part": None,
                "sequence": None,
                "shape": [2, 3, 4],
                "spacing": [1.0, 1.0, 2.0],
                "files": 1,
                "notes": ["x"],
            },
            {
                "format": "DICOM",
                "modality": "CT",
                "dimension": "3D",
                "body_part": None,
                "sequence": None,
                "shape": [],
                "spacing": None,
                "files": 1,
                "notes": [],
            },
        ],
        "refused": [{"index": 2, "member": None, "reason": "The file is empty."}],
    }


def test_a_reading_cut_short_is_told_in_numbers_and_words():
    cut = Partial(read=12, of=37, cause="time")
    told = scan_json(SimpleNamespace(tokens=(), scans=(), refused=(), partial=cut))
    said = "The time was used up after 12 of 37 files; what was read is used."
    assert told["partial"] == {"read": 12, "of": 37, "cause": "time", "text": said}


def test_an_answer_for_a_scan_read_in_part_names_it_among_the_fallbacks():
    cut = replace(CT, notes=(PARTLY_READ,))
    told = to_json(ENGINE.run("segment lungs", scans=(cut,)))
    assert [f["used"] for f in told["metadata"]["fallbacks"] if f["stage"] == "scan"] == [
        "the files that were read"
    ]


def test_candidates_that_were_not_checked_in_time_are_no_sign_that_nothing_suits_the_scan():
    xa = ScanInfo(format=Format.DICOM, modality=Modality.XA, dimension=Dimension.D3)
    answer = ENGINE.run("segment lungs on CT", scans=[xa])
    failing = [c for c in answer.candidates if ("modality", "fail") in _verdicts(c)]
    assert failing
    whole = structs.replace(answer, result=_ending_in(answer.result, failing))
    assert whole.reason == "no_modality_match"
    unchecked = make_candidate("later")
    assert (
        structs.replace(answer, result=_ending_in(answer.result, [*failing, unchecked])).reason
        is None
    )


def _verdicts(candidate):
    return [(f.fact, f.verdict) for f in candidate.fit or ()]


def _ending_in(result, candidates):
    return structs.replace(
        result, state=structs.replace(result.state, candidates=tuple(candidates))
    )


def test_a_search_with_too_many_kinds_of_series_says_so_in_json_and_in_the_terminal():
    volume = {"format": Format.NIFTI, "modality": Modality.CT, "dimension": Dimension.D3}
    scans = [ScanInfo(**volume, shape=(9, 9, n)) for n in range(1, 302)]
    answer = ENGINE.run("segment lungs", scans=scans)
    told = to_json(answer)
    [limit] = told["metadata"]["limits"]
    assert (limit["code"], limit["left_out"]) == ("kinds-left-out", 101)
    [fallback] = [f for f in told["metadata"]["fallbacks"] if f["stage"] == "fit"]
    assert fallback["used"] == "the part that was compared"
    assert f"limit: {limit['text']}" in table(answer)
    assert FULL["metadata"]["limits"] == []


def test_every_size_of_one_search_is_described_with_its_range():
    page = (ROOT / "docs" / "results.md").read_text("utf-8")
    assert "`metadata.sizes`" in page
    for name, (_, least, most) in SIZES.items():
        assert f"`{name}` ({least} to {most})" in page
