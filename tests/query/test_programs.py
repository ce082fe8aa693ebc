"""A program that a request says to use is a wish; a tool that is looked for by name is none."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.query import WishReader
from retrieval.settings import ROOT
from tests.fakes import make_query, make_tool

TOOLS = (
    make_tool("fsl", name="FSL"),
    make_tool("fsl_bet", name="BET", suite="FSL"),
    make_tool("fsl_fast", name="FAST", suite="FSL"),
    make_tool("spm", name="SPM"),
    *(make_tool(f"on_spm_{n}", requires_tool=("spm",)) for n in range(2)),
    make_tool("mrtrix3", name="MRtrix3"),
    *(make_tool(f"of_mrtrix_{n}", suite="MRtrix3") for n in range(2)),
    make_tool("lonely", name="Lonely"),
)
READER = WishReader(TOOLS, {"tool": 1.0, "host": 1.0})
LATE = [ROOT / "tests" / "data" / f"wishes_late_{half}.jsonl" for half in ("tuning", "kept")]
GAPS = ROOT / "tests" / "data" / "gaps_tuning.jsonl"


def wishes(text):
    return [(w.kind, w.value, w.strength) for w in READER.read(make_query(text)).wishes]


@pytest.mark.parametrize(
    ("text", "value", "strength"),
    [
        ("skull stripping with FSL", "FSL", "wanted"),
        ("skull stripping in SPM12", "SPM", "wanted"),
        ("tractography using MRtrix", "MRtrix3", "wanted"),
        ("skull stripping, FSL only", "FSL", "required"),
        ("align two brains, SPM preferred", "SPM", "wanted"),
        ("cortical thickness with an SPM toolbox", "SPM", "wanted"),
        ("extraction du cerveau avec FSL", "FSL", "wanted"),
        ("Traktographie mit MRtrix auf dem Server", "MRtrix3", "wanted"),
        ("用FSL做颅骨剥离", "FSL", "wanted"),
        ("das Gehirn mit FSL segmentieren", "FSL", "wanted"),
        ("skull stripping fsl please", "FSL", "wanted"),
        ("FSL: skull stripping", "FSL", "wanted"),
        ("cortical thickness, must be SPM", "SPM", "required"),
        ("an MRtrix3 command for denoising", "MRtrix3", "wanted"),
        ("a toolbox for SPM to measure thickness", "SPM", "wanted"),
        ("skull stripping, we cannot use FSL", "FSL", "unwanted"),
        ("segment tissue in FSL or SPM", "FSL or SPM", "wanted"),
    ],
)
def test_a_program_that_others_are_built_on_is_a_wish(text, value, strength):
    assert wishes(text) == [("tool", value, strength)]


@pytest.mark.parametrize(
    "text",
    [
        "FSL",
        "FSL BET",
        "compare FSL, SPM and MRtrix3",
        "FSL, SPM, MRtrix3",
        "convert tracks to MRtrix3",
        "what is FSL",
        "skull stripping with Lonely",
        "skull stripping with FSL BET",
        "view surfaces in SPM space",
        "measure cells segmented with SPM",
        "how good is an FSL-like registration",
    ],
)
def test_a_name_that_is_looked_for_or_describes_data_is_no_wish(text):
    assert wishes(text) == []


def test_the_name_of_a_program_leaves_the_text_that_is_searched():
    assert READER.read(make_query("skull stripping with FSL")).text == "skull stripping"


def test_a_program_that_is_wanted_leaves_no_tool_out():
    query = READER.read(make_query("skull stripping with FSL, not SPM"))
    assert READER.left_out(query) == ("SPM",)


def test_programs_of_fresh_requests_are_read_and_none_is_made_up():
    """Nine of ten programs are read; names alone and plain requests wish none."""
    reader = WishReader(load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl").tools)
    rows = [json.loads(line) for path in LATE for line in path.read_text("utf-8").splitlines()]
    labelled = {(row["query"], w["value"]) for row in rows for w in row["wishes"] if is_program(w)}
    got = {
        (row["query"], m.wish.value)
        for row in rows
        for m in reader.mentions(row["query"])
        if is_used(m.wish)
    }
    assert len(labelled & got) >= 0.9 * len(labelled)
    assert len(got - labelled) <= 1
    plain = [json.loads(line)["query"] for line in GAPS.read_text("utf-8").splitlines()]
    assert not [q for q in plain for m in reader.mentions(q) if is_used(m.wish)]


def is_used(wish):
    return wish.kind == "tool" and wish.strength != "unwanted"


def is_program(wish):
    return wish["field"] == "tool" and wish["strength"] != "unwanted"
