"""Which queries say too little: few are, and no specific one is asked about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.dialogue.dialogue import Dialogue
from retrieval.settings import ROOT
from tests.dialogue.talking import CT, DIALOGUE, meaning
from tests.fakes import make_query

QUERIES = Path(__file__).parents[1] / "data" / "in_scope.jsonl"


@pytest.mark.parametrize(
    "text",
    ["help", "segmentation", "Segment", "MRI", "best software for MRI", "image analysis", "分割",
     "I need help with my images", "what is a good tool?", "registration tool", ""],
)  # fmt: skip
def test_a_query_that_names_nothing_or_one_thing_of_many_is_vague(text):
    assert DIALOGUE.is_vague(make_query(text))


@pytest.mark.parametrize(
    "text",
    ["segment lungs", "brain MRI", "skull stripping", "count cells", "tractography", "lungmask",
     "FSL", "ants", "DICOM to NIfTI", "glioma", "zebrafish", "anonymise", "cell segmentation",
     "ezrin", "asdfgh", "segmentation of the left putamen", "分割肺部CT", "細胞を数える"],
)  # fmt: skip
def test_a_query_that_names_enough_or_something_unknown_is_not_vague(text):
    assert not DIALOGUE.is_vague(make_query(text))


def test_a_scan_says_what_the_data_are_but_not_what_to_do():
    assert not DIALOGUE.is_vague(make_query("segment", scans=(CT,)))
    assert DIALOGUE.is_vague(make_query("help", scans=(CT,)))
    assert DIALOGUE.is_vague(make_query("", scans=(CT,)))
    assert DIALOGUE.is_vague(make_query("CT", scans=(CT,)))


@pytest.mark.requirement("S1-07")
def test_of_many_real_queries_only_those_that_say_too_little_are_vague():
    rows = [json.loads(line) for line in QUERIES.read_text("utf-8").splitlines()]
    shipped = load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl").tools
    dialogue = Dialogue(meaning(), {tool.id: tool for tool in shipped})
    vague = [r["group"] for r in rows if dialogue.is_vague(make_query(r["text"]))]
    assert set(vague) <= {"vague", "short tasks", "plain words", "x-ray and ultrasound"}
    assert len(vague) <= 0.02 * len(rows)
