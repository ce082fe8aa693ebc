"""A thing or task that records state on other kinds of image alone is told with true numbers."""

from __future__ import annotations

import pytest

from retrieval.explain.unmet.wrong_kind import on_wrong_kind
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

TOOLS = (
    make_tool(
        "seahorse",
        description="Outlines the hippocampus.",
        tasks=("segmentation",),
        modalities=("MRI",),
        anatomy=("hippocampus",),
    ),
    make_tool(
        "memory",
        description="Volumes of the hippocampus.",
        tasks=("segmentation",),
        modalities=("MRI",),
        anatomy=("hippocampus", "brain"),
    ),
    make_tool(
        "heads",
        description="Brain structures.",
        tasks=("segmentation",),
        modalities=("CT",),
        anatomy=("brain",),
    ),
    make_tool(
        "dots",
        description="Finds spots; measures the diffusion of molecules.",
        tasks=("spot detection",),
        modalities=("fluorescence microscopy",),
    ),
    make_tool(
        "stains",
        description="Stain normalisation.",
        tasks=("stain normalisation",),
        modalities=("SM",),
    ),
    make_tool("any", description="Skull stripping of any image.", tasks=("skull stripping",)),
)


@pytest.fixture(scope="module")
def judge():
    return gap_judge(TOOLS)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("hippocampus volume on CT", "hippocampus"),
        ("Hippocampus im CT", "hippocampus"),
        ("stain normalisation of CT", "stain normalisation"),
        ("spot detection in MRI", "spot detection"),
    ],
)
def test_what_every_record_does_on_other_images_is_told_with_its_kind(judge, text, thing):
    gap = judge.judge(text)
    assert gap.unmet[0].value == thing
    assert "together (records for" in gap.sentence


@pytest.mark.parametrize(
    "text",
    [
        "hippocampus volume on MRI",
        "hippocampus on T1-weighted MRI",
        "brain on CT",
        "skull stripping of ultrasound",  # a record that lists no kind of image may take any
        "spot detection on confocal microscopy",
        "registration of CT to MRI",
    ],
)
def test_what_a_record_does_on_such_images_or_on_any_is_not_told(judge, text):
    assert on_wrong_kind(judge.parts(text), judge.stated, judge.strictly) == []


def test_a_number_counts_what_states_the_part_itself_and_names_it(judge):
    gap = judge.judge("hippocampus volume on CT")
    assert gap.sentence == (
        "No record states hippocampus and CT together (records for hippocampus: 2; CT: 1)."
    )
