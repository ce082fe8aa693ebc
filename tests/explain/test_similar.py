"""Tools like another one, under constraints, with their differences."""

from __future__ import annotations

import json

import pytest

from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.core.types import Filters
from retrieval.explain.similar import Neighbours, Wanted, alike
from retrieval.export.explanations import similar_json
from retrieval.fit.licence import group_of
from tests.fakes import HashingEncoder, make_candidate, make_tool, small_engine

ENGINE = small_engine()


def found(told):
    return [one.candidate.tool for one in told.neighbours]


@pytest.mark.model
@pytest.mark.parametrize(
    ("tool", "like"),
    [
        ("BET (FSL)", {"HD-BET", "3dSkullStrip"}),
        ("StarDist", {"Cellpose", "InstanSeg", "Omnipose", "CellSAM"}),
        ("TotalSegmentator", {"MOOSE", "VISTA3D (MONAI)", "Whole-body CT segmentation (MONAI)"}),
        ("Scrublet", {"DoubletFinder", "scDblFinder"}),
        ("dcm2niix", {"dicom2nifti", "dicm2nii", "dcmstack"}),
    ],
)
def test_the_first_neighbours_do_what_the_tool_does_and_it_is_not_among_them(judged, tool, like):
    told = judged.similar(tool)
    names = [t.name for t in found(told)]
    assert tool not in names
    assert like & set(names[:6]), names
    assert told.notes == ()


@pytest.mark.model
@pytest.mark.parametrize("tool", ["FSL", "TotalSegmentator", "StarDist", "FreeSurfer", "Fiji"])
def test_every_row_satisfies_every_constraint(judged, tool):
    wanted = Wanted(open_license=True, cpu=True, since="2024")
    for other in found(judged.similar(tool, wanted, 20)):
        assert group_of(other.license) == "open"
        assert other.gpu in {"none", "optional"}
        assert other.last_release >= "2024"


@pytest.mark.model
@pytest.mark.parametrize("tool", ["TotalSegmentator", "FreeSurfer"])
def test_what_is_wanted_lifts_no_neighbour(judged, tool):
    every = judged.similar(tool, limit=len(judged.catalog)).neighbours
    free = {one.candidate.tool.id: one.candidate.score for one in every}
    wanted = Wanted(open_license=True, cpu=True)
    for one in judged.similar(tool, wanted, 20).neighbours:
        assert one.candidate.score == free[one.candidate.tool.id]


@pytest.mark.model
def test_siblings_of_a_suite_are_marked(judged):
    told = judged.similar("BET (FSL)", limit=30)
    suite = {one.candidate.tool.suite == "FSL" for one in told.neighbours if one.same_suite}
    assert suite == {True}
    assert any(not one.same_suite for one in told.neighbours)


@pytest.mark.model
def test_the_scores_of_neighbours_fall_and_are_explained(judged):
    told = json.loads(json.dumps(similar_json(judged.similar("StarDist"))))
    scores = [row["score"] for row in told["similar"]]
    assert scores == sorted(scores, reverse=True)
    for row in told["similar"]:
        assert sum(c["value"] for c in row["contributions"]) == pytest.approx(row["score"])
        assert row["differences"]


def test_filters_hold_for_neighbours():
    wanted = Wanted(filters=Filters(modalities=frozenset({"CT"})))
    assert [t.id for t in found(ENGINE.similar("lungmask", wanted))] == ["nodules"]


def test_an_unknown_fact_satisfies_no_constraint():
    silent = make_tool("silent")
    assert Wanted().admits(silent)
    for wanted in (Wanted(open_license=True), Wanted(cpu=True), Wanted(since="1990")):
        assert not wanted.admits(silent)


@pytest.mark.parametrize(
    ("license", "gpu", "released", "admitted"),
    [
        ("MIT", "none", "2024-05-01", True),
        ("GPL-3.0-only", "optional", "2026", True),
        ("CC-BY-NC-4.0", "none", "2024-05-01", False),
        ("MIT", "required", "2024-05-01", False),
        ("MIT", "none", "2023-12-31", False),
    ],
)
def test_open_cpu_and_maintained_are_asked_of_stated_facts(license, gpu, released, admitted):
    tool = make_tool("t", license=license, gpu=gpu, last_release=released)
    assert Wanted(open_license=True, cpu=True, since="2024").admits(tool) is admitted


def test_differences_name_the_field_and_both_values_and_leave_out_what_is_equal():
    one = make_tool("a", license="MIT", gpu="required", tasks=("x", "y"))
    other = make_candidate("b", license="MIT", gpu="none", tasks=("y", "x"))
    told = alike(one, other)
    assert [(d.field, d.this, d.other) for d in told.differences] == [
        ("gpu", ("required",), ("none",))
    ]
    assert told.shared == ("tasks: x", "tasks: y")
    assert not told.same_suite


def test_without_vectors_facts_tell_and_the_note_says_so():
    told = ENGINE.similar("lungmask")
    assert found(told)[0].id in {"brainer", "nodules"}
    assert told.notes == ("not compared by meaning: this catalog has no vectors",)


def test_while_the_encoder_loads_the_note_gives_its_reason():
    class Late(HashingEncoder):
        def encode(self, texts, batch_size=32):
            raise StageUnavailable("the sentence encoder is still loading")

    class Store:
        ids = ()

        def search(self, *_):
            raise AssertionError("never reached")

    told = Neighbours(ENGINE.catalog, Late(), Store()).of(ENGINE.catalog["lungmask"], Wanted(), 3)
    assert "still loading" in told.notes[0]


def test_a_tool_that_is_not_there_is_refused_with_names_like_it():
    with pytest.raises(BadInput, match="is not in the catalog; did you mean lungmask"):
        ENGINE.similar("lungmaks")
