"""The visitor's answer to "which kind of image?" is a fact that tools are held against."""

from __future__ import annotations

import pytest

from retrieval.core.codes import Format, Modality
from retrieval.core.types import Candidate, ScanInfo, State
from retrieval.dialogue.clarify import clarify
from retrieval.export import to_json
from retrieval.fit import FitStage
from retrieval.query import parse_query
from tests.fakes import make_query, make_tool, small_engine

CT_ONLY = make_tool("ct_only", modalities=("CT",), tasks=("segmentation",))
MRI_ONLY = make_tool("mri_only", modalities=("MRI",), tasks=("segmentation",))
NONE = make_tool("none", modalities=(), tasks=("segmentation",))


def listed(*tools):
    return tuple(Candidate(tool=tool, score=1 - n / 10) for n, tool in enumerate(tools))


def verdicts(query):
    state = State(query=query, candidates=listed(MRI_ONLY, NONE, CT_ONLY))
    result = FitStage().run(state).state.candidates
    return {c.tool.id: f.verdict for c in result for f in c.fit or () if f.fact == "modality"}


def test_a_kind_that_a_token_states_is_held_against_every_tool_without_a_scan():
    told = verdicts(parse_query("segment lungs format:CT"))
    assert told == {"ct_only": "pass", "none": "unknown", "mri_only": "fail"}
    assert list(told)[-1] == "mri_only"


@pytest.mark.parametrize(
    "change",
    [{"muted_tokens": ["format:CT"]}, {"off": ["tokens"]}, {"tokens": ["format:MRI"]}],
)
def test_a_token_that_is_off_or_not_alone_states_no_kind(change):
    query = parse_query("segment mouse lungs format:CT", **change)
    assert verdicts(query) == {}


def test_a_scan_that_does_not_say_its_kind_is_of_the_one_that_is_stated():
    unsaid = ScanInfo(format=Format.NIFTI)
    query = parse_query("segment lungs format:CT", scans=[unsaid])
    assert query.scans[0].modality == Modality.CT
    assert "format:CT" in query.tokens


def test_what_another_scan_states_is_said_of_that_one_alone():
    scans = [ScanInfo(format=Format.DICOM, modality=Modality.CT), ScanInfo(format=Format.NIFTI)]
    query = parse_query("lungs", scans=scans, tokens=[t for s in scans for t in s.tokens])
    assert [scan.modality for scan in query.scans] == [Modality.CT, None]


def test_an_answer_of_the_question_back_states_the_kind_as_a_token():
    tools = (CT_ONLY, MRI_ONLY, make_tool("us", modalities=("US",), tasks=("segmentation",)))
    options = clarify(make_query("lungs"), listed(*tools)).options
    by_label = {option.label: option.query for option in options}
    assert set(by_label) >= {"CT", "MRI", "US"}
    query = parse_query(by_label["CT"])
    assert (query.text, query.tokens) == ("lungs CT", ("format:CT",))
    assert verdicts(query)["mri_only"] == "fail"


def test_the_json_has_the_answer_among_tokens_and_verdicts():
    told = to_json(small_engine().run("segment lungs CT format:CT"))
    assert "format:CT" in told["query"]["tokens"]
    facts = [fit for c in told["candidates"] for fit in c["fit"] or () if fit["fact"] == "modality"]
    assert facts
    assert {fit["scan"] for fit in facts} == {"CT"}
