"""An answer tells what no record states, and what each listed record lacks of it."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from retrieval.core import Candidate, StageResult, Tool
from retrieval.engine.engine import Engine
from retrieval.engine.snapshot import Mode, Snapshot
from retrieval.export.serialise import to_json
from retrieval.export.table import table
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

KIDNEYS = make_tool(
    "kidneys",
    description="Segmentation of the kidneys.",
    tasks=("segmentation",),
    modalities=("CT",),
    anatomy=("kidney",),
)
PROBE = make_tool("probe", description="Measures ultrasound.", modalities=("US",))


@dataclass
class Listed:
    """A source of these tools, with falling scores."""

    name: str
    tools: tuple[Tool, ...]

    def run(self, state):
        listed = tuple(Candidate(tool=t, score=1 - n / 10) for n, t in enumerate(self.tools))
        return StageResult(name=self.name, state=replace(state, candidates=listed))


def searched(text, gaps=True):
    tools = (KIDNEYS, PROBE)
    snapshot = Snapshot(
        tools={t.id: t for t in tools},
        modes={"hybrid": Mode(name="hybrid", pipeline=Listed("bm25", tools), encoder="none")},
        catalog_sha256="s",
        gaps=gap_judge(tools) if gaps else None,
    )
    return Engine(snapshot).run(text)


def test_the_json_names_unmet_parts_and_what_each_record_lacks():
    told = to_json(searched("segment the kidney in ultrasound"))
    also = {"records": 1, "read_as": "", "is_phrased": True}
    assert told["metadata"]["unmet"] == [
        {"kind": "object", "value": "kidney", **also},
        {"kind": "modality", "value": "ultrasound", **also},
    ]
    # A kind of image that few records state is near by itself.
    assert told["metadata"]["gap"].endswith("Nearest by what the records state: kidneys, probe.")
    assert {c["id"]: c["lacks"] for c in told["candidates"]} == {
        "kidneys": ["ultrasound"],
        "probe": ["kidney"],
    }
    assert all(c["near_miss"] for c in told["candidates"])


def test_a_request_that_a_record_serves_has_nothing_unmet():
    told = to_json(searched("segment the kidneys on CT"))
    assert told["metadata"]["unmet"] == []
    assert told["metadata"]["gap"] is None
    assert all(c["lacks"] == [] and not c["near_miss"] for c in told["candidates"])


def test_the_terminal_tells_the_gap_before_the_tools():
    lines = table(searched("mammography of the kidney")).split("\n")
    assert lines[1] == (
        "gap: No record mentions mammography. Nearest by what the records state: kidneys."
    )


def test_a_record_that_shares_nothing_is_not_called_nearest():
    answer = searched("mammography of the kidney")
    assert [one.tool.id for one in answer.nearest] == ["kidneys"]


def test_without_a_judge_nothing_is_claimed():
    assert searched("mammography of the kidney", gaps=False).gap_words == ""


def test_the_gap_of_an_answer_without_tools_names_none_as_nearest():
    found = searched("mammography of the kidney")
    state = replace(found.result.state, candidates=())
    empty = replace(found, result=replace(found.result, state=state))
    assert empty.gap_words == "No record mentions mammography."


def test_the_nearest_tools_share_things_of_the_request_whatever_their_place():
    masses = make_tool(
        "masses",
        description="Finds the masses of peptides in mass spectrometry.",
        domain="proteomics",
        tasks=("peptide identification",),
    )
    breasts = make_tool(
        "breasts",
        description="Detects lesions of the breast.",
        modalities=("MRI",),
        anatomy=("breast",),
    )
    tools = (masses, PROBE, breasts)
    snapshot = Snapshot(
        tools={t.id: t for t in tools},
        modes={"hybrid": Mode(name="hybrid", pipeline=Listed("bm25", tools), encoder="none")},
        catalog_sha256="s",
        gaps=gap_judge(tools),
    )
    answer = Engine(snapshot).run("detect masses in mammography")
    assert answer.gap_words == (
        "No record mentions mammography. Nearest by what the records state: breasts."
    )


def test_the_parts_of_a_request_are_told_beside_its_wishes():
    understood = to_json(searched("segment the kidneys of a mouse in CT"))["query"]["understood"]
    read = {(part["kind"], part["value"], part["text"]) for part in understood}
    assert {("object", "kidney", "kidneys"), ("modality", "CT", "CT")} <= read
    assert any(kind == "task" and text == "segment" for kind, _, text in read)
    assert ("species", "mice", "mouse") in read


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Zellkerne in der Lunge", ("object", "nucleus", "Zellkerne")),
        ("Niere im Röntgenbild", ("modality", "XR", "Röntgenbild")),
    ],
)
def test_a_part_in_another_language_is_shown_as_typed(text, part):
    understood = to_json(searched(text))["query"]["understood"]
    assert part in {(one["kind"], one["value"], one["text"]) for one in understood}


def test_what_a_clause_sets_aside_is_not_wanted_and_no_gap():
    told = to_json(searched("segment the kidney on CT; registration we've sorted out ourselves"))
    strengths = {(w["value"], w["strength"]) for w in told["query"]["understood"]}
    assert {("kidney", "wanted"), ("registration", "unwanted")} <= strengths
    assert told["metadata"]["unmet"] == []
