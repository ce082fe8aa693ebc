"""What every stage of every mode obeys."""

from __future__ import annotations

import json

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import Filters, ScanInfo
from retrieval.export.serialise import to_json
from tests.fakes import ids, small_engine

ENGINE = small_engine()
MODES = ENGINE.modes
CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
REORDERS = ("rerank", "KG expansion/stage-1 similarity")
"""Stages that cut or keep an order and give no score of their own."""


@pytest.fixture(params=MODES)
def mode(request):
    return request.param


@pytest.fixture(
    params=["segment lungs", "finds lung nodules [REFINE]", "brain", "xyzzy", "", "分割肺部CT"]
)
def answers(request, mode):
    return list(ENGINE.stream(request.param, mode, scans=[CT], excluded=["airways"]))


def test_an_excluded_tool_is_absent_at_every_step_of_every_stage(answers):
    for answer in answers:
        assert "airways" not in ids(answer.candidates)
        for node in answer.result.walk():
            assert "airways" not in ids(node)
            if node.graph:
                assert "airways" not in {n.id for n in node.graph.nodes}


def test_every_list_is_ranked_with_ties_by_id(answers):
    for node in answers[-1].result.walk():
        # The last stages order by a model or by stage 1, and the web leaves that order as it is.
        if node.ran and not node.name.startswith(("rerank", "web")):
            rows = [(-c.score, c.tool.id) for c in node.state.candidates]
            assert rows == sorted(rows), node.name


def test_no_list_holds_a_tool_twice(answers):
    for node in answers[-1].result.walk():
        assert len(ids(node)) == len(set(ids(node)))


def test_names_are_unique_paths(answers):
    for answer in answers:
        names = [node.name for node in answer.result.walk()]
        assert len(names) == len(set(names))


def test_scores_are_rounded_to_six_decimals(answers):
    for candidate in answers[-1].candidates:
        assert all(s == round(s, 6) for s in candidate.scores.values())


def test_every_step_can_be_written_as_json(answers):
    for answer in answers:
        written = to_json(answer)
        assert json.loads(json.dumps(written, allow_nan=False)) == written


def test_no_stage_fails(answers):
    assert all(node.status != "failed" for node in answers[-1].result.walk())


def test_times_are_told_and_a_part_takes_no_longer_than_the_whole(answers):
    for node in answers[-1].result.walk():
        assert node.elapsed_ms >= 0
        assert sum(c.elapsed_ms for c in node.children) <= node.elapsed_ms + 1


def test_a_filter_holds_at_every_stage(mode):
    answer = ENGINE.run("segment volumes", mode, filters=Filters(modalities=frozenset({"CT"})))
    assert all(set(ids(node)) <= {"lungmask", "nodules"} for node in answer.result.walk())


@pytest.mark.parametrize(
    "off", ["tokens", "expand", "dense", "bm25", "late interaction", "graph", "fit"]
)
def test_a_stage_that_is_switched_off_says_so_and_the_rest_answers(off):
    answer = ENGINE.run("segment lungs", "hybrid", scans=[CT], off=[off])
    names = {"tokens": "enrich"}
    stages = [n for n in answer.result.walk() if n.name.rsplit("/", 1)[-1] == names.get(off, off)]
    assert stages
    assert all(n.status == "skipped" and "switched off" in n.note for n in stages)
    assert "lungmask" in ids(answer.candidates)[:3]
