"""Tokens as evidence of their own: nothing but the tool and the token decides what is added."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.fusion import spread
from retrieval.core.types import ScanInfo, format_token
from retrieval.fit.tokens import TokenStage, answered, for_anybody
from tests.fakes import ids, make_candidate, make_state, make_tool

CT = {"modalities": (Modality.CT,), "dimensions": (Dimension.D3,), "formats_in": (Format.NIFTI,)}


def run(*candidates, tokens=(), weight=0.2):
    return TokenStage(weight).run(make_state("x", *candidates, tokens=tokens, path="tokens"))


def test_a_tool_that_states_the_fact_rises_and_the_others_stay():
    result = run(
        make_candidate("a", 1.0),
        make_candidate("b", 0.9, **CT),
        make_candidate("c", 0.0),
        tokens=("format:CT",),
    )
    scores = {c.tool.id: c.score for c in result.state.candidates}
    assert scores == {"a": 1.0, "b": pytest.approx(1.1), "c": 0.0}
    assert ids(result) == ["b", "a", "c"]
    [why] = result.state.candidates[0].why
    assert (why.kind, why.stage, why.text, why.value) == ("token", "tokens", "format:CT", 0.2)


def test_every_token_adds_by_itself():
    tool = make_candidate("b", 0.5, **CT)
    one = run(tool, make_candidate("a", 0.0), tokens=("format:CT",))
    two = run(tool, make_candidate("a", 0.0), tokens=("format:CT", "format:3D"))
    assert two.state.candidates[0].score - one.state.candidates[0].score == pytest.approx(0.1)


def test_a_wider_kind_counts_half_and_a_narrower_one_nothing():
    wide = make_tool("a", modalities=(Modality.MRI,))
    assert [answered(wide, t) for t in ("format:MRI", "format:dMRI", "format:CT")] == [1, 0.5, 0]
    assert answered(make_tool("b", modalities=(Modality.DMRI,)), "format:MRI") == 0
    tiff = make_tool("c", formats_in=(Format.TIFF,))
    assert [answered(tiff, t) for t in ("format:TIFF", "format:OME-TIFF")] == [1, 0.5]
    assert answered(tiff, "format:nothing") == 0


@pytest.mark.parametrize("code", [*Format, *Modality, *Dimension])
def test_every_code_has_a_token_that_the_tool_stating_it_answers(code):
    field = {Format: "formats_in", Modality: "modalities", Dimension: "dimensions"}[type(code)]
    assert answered(make_tool("a", **{field: (code,)}), format_token(code)) == 1


def test_a_task_token_is_answered_by_the_tasks():
    tool = make_tool("a", tasks=("registration", "quality control"))
    assert answered(tool, "task:registration") == answered(tool, "task:quality_control") == 1
    assert answered(tool, "task:tracking") == 0


def test_without_a_token_the_list_is_as_it_came():
    result = run(make_candidate("b", 0.5, **CT), make_candidate("a", 0.4))
    assert (ids(result), result.listed, result.note) == (["b", "a"], False, "no token")


def test_one_tool_far_ahead_does_not_stretch_the_span():
    many = [make_candidate(f"t{n:02}", n / 20) for n in range(20)]
    assert spread([*many, make_candidate("named", 50.0)], "tokens") == pytest.approx(0.9)
    assert spread([make_candidate("a", 0.3), make_candidate("b", 0.3)], "tokens") == 1.0
    assert spread([], "tokens") == 1.0


def test_what_the_stage_itself_added_is_no_part_of_the_span():
    came = [make_candidate(f"t{n:02}", 0.0).scored("rank", n / 20) for n in range(21)]
    lifted = [c.scored("graph/tokens", c.score + 3.0 * (n % 2)) for n, c in enumerate(came)]
    assert spread(lifted, "tokens") == pytest.approx(spread(came, "tokens"))
    assert spread(lifted, "rank") != pytest.approx(spread(lifted, "tokens"))


CT_SCAN = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
VIEWER = {**CT, "tasks": ("viewing",), "domain": "radiology"}
PLANNER = {**CT, "tasks": ("conversion", "treatment planning"), "domain": "radiotherapy"}


def first_of(text="", **fields):
    tools = (make_candidate("planner", 1.0, **PLANNER), make_candidate("viewer", 0.9, **VIEWER))
    rest = make_candidate("rest", 0.0, **CT, tasks=("dose calculation",))
    return ids(TokenStage().run(make_state(text, *tools, rest, path="tokens", **fields)))[0]


def test_without_a_text_a_tool_for_any_image_of_the_kind_stands_above_one_of_a_special_field():
    tokens = ("format:DICOM", "format:CT")
    assert first_of(scans=(CT_SCAN,), tokens=tokens) == "viewer"
    assert first_of("plan a treatment", scans=(CT_SCAN,), tokens=tokens) == "planner"
    assert first_of(tokens=tokens) == "planner"


def test_what_is_of_a_field_s_own_kind_is_for_the_tools_of_the_field():
    plan = replace(CT_SCAN, modality=Modality.RTPLAN)
    tool = make_tool("p", domain="radiotherapy", tasks=("viewing",), modalities=(Modality.RTPLAN,))
    assert for_anybody(tool, (plan,))
    assert not for_anybody(tool, (CT_SCAN,))
    assert not for_anybody(make_tool("v", **{**VIEWER, "modalities": (Modality.MRI,)}), (CT_SCAN,))


def test_a_suggested_task_that_is_not_searched_lifts_nobody():
    tracker = make_candidate("b", 0.5, tasks=("tracking",))
    other = make_candidate("a", 1.0)
    fields = {"tokens": ("task:tracking",), "unsearched": frozenset({"task:tracking"})}
    result = TokenStage().run(make_state("x", other, tracker, path="tokens", **fields))
    assert {c.tool.id: c.score for c in result.state.candidates} == {"a": 1.0, "b": 0.5}
