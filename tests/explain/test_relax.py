"""What one constraint costs, with exact counts; and tasks for a scan nobody named one for."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from msgspec import structs

from retrieval.core.codes import BodyPart, Dimension, Format, Modality
from retrieval.core.errors import BadInput
from retrieval.core.types import Filters, Fit, ScanInfo
from retrieval.dialogue.relax import blocks, concept_relaxations, lacking, relaxations, suggestions
from retrieval.export.serialise import to_json
from retrieval.query.parse import select
from tests.fakes import SMALL, make_candidate, make_query, make_tool, small_engine

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
ENGINE = small_engine()
TOOLS = (
    make_tool("a", license="MIT", gpu="none", modalities=(Modality.CT,)),
    make_tool("b", license="MIT", gpu="required", modalities=(Modality.CT,)),
    make_tool("c", license="GPL-3.0-only", gpu="none", modalities=(Modality.CT,)),
    make_tool("d", license="GPL-3.0-only", gpu="none", modalities=(Modality.CT,)),
    make_tool("e", license="GPL-3.0-only", gpu="required", modalities=(Modality.MRI,)),
)
ASKED = Filters(licenses=frozenset({"MIT"}), gpu=frozenset({"none"}), modalities=frozenset({"CT"}))


def admitted(query):
    chosen = select(TOOLS, query)
    return {t.id for t in TOOLS if chosen.admits(t.id)}


def test_each_filter_frees_exactly_what_dropping_it_alone_admits():
    query = make_query(filters=ASKED)
    told = {r.field: r.frees for r in relaxations(query, TOOLS, (), ())}
    for field in ("licenses", "gpu", "modalities"):
        freed = admitted(structs.replace(query, filters=replace(ASKED, **{field: frozenset()})))
        assert told.get(field, 0) == len(freed - admitted(query))
    assert told == {"licenses": 2, "gpu": 1}


def test_the_most_freeing_constraint_comes_first_with_the_nearest_examples():
    query = make_query(filters=ASKED)
    nearest = [make_candidate(i) for i in ("e", "d", "c")]
    first = relaxations(query, TOOLS, nearest, ())[0]
    assert (first.constraint, first.field, first.value) == ("filter", "licenses", "MIT")
    assert first.examples == ("d", "c")


def test_an_exclusion_frees_the_tool_it_names_and_no_other():
    told = relaxations(make_query(excluded=("B", "nothing")), TOOLS, (), ())
    assert [(r.constraint, r.field, r.frees) for r in told] == [("exclusion", "B", 1)]


def test_a_tool_kept_out_by_two_constraints_is_freed_by_none_alone():
    assert blocks(make_query(filters=ASKED), TOOLS[4]) == (
        ("filter", "licenses"),
        ("filter", "modalities"),
        ("filter", "gpu"),
    )


def test_a_scan_fact_frees_those_that_fail_it_and_nothing_else():
    def marked(id, **verdicts):
        fits = tuple(
            Fit(fact=f, verdict=v, scan="MRI" if f == "modality" else "2D", tool="x")
            for f, v in verdicts.items()
        )
        return structs.replace(make_candidate(id), fit=fits)

    told = relaxations(
        make_query(scans=(CT,)),
        TOOLS,
        (),
        [
            marked("a", modality="fail", dimension="pass"),
            marked("b", modality="fail", dimension="fail"),
            marked("c", modality="fail", dimension="unknown"),
            marked("d", modality="pass", dimension="fail"),
        ],
    )
    assert [(r.field, r.value, r.frees) for r in told] == [
        ("modality", "MRI", 2),
        ("dimension", "2D", 1),
    ]


def test_an_empty_answer_names_near_misses_and_what_to_relax():
    asked = Filters(licenses=frozenset({"Apache-2.0"}), modalities=frozenset({"CT"}))
    answer = ENGINE.run("segment lungs on chest CT", filters=asked)
    told = json.loads(json.dumps(to_json(answer)))
    assert told["candidates"] == []
    assert told["metadata"]["reason"] == "no_suitable_tool"
    relax = {r["field"]: r for r in told["relax"]}
    brings = {t.id for t in SMALL if "CT" in map(str, t.modalities)}
    assert relax["licenses"]["frees"] == len(brings)
    assert relax["licenses"]["examples"][0] == "lungmask"
    misses = {m["id"]: m for m in told["near_misses"]}
    assert misses["lungmask"]["relax"] == {"constraint": "filter", "field": "licenses"}
    assert misses["cells"]["relax"] is None


def test_an_answer_that_is_full_or_free_of_constraints_asks_for_nothing_to_be_let_go():
    for answer in (ENGINE.run("segment lungs"), ENGINE.run("segment lungs", scans=[CT])):
        assert answer.insight.relax == ()
        assert answer.insight.near_misses == ()


@pytest.mark.model
def test_liver_in_ultrasound_without_copyleft_on_a_cpu_names_what_blocks(judged):
    asked = Filters(
        licenses=frozenset({"MIT", "Apache-2.0", "BSD-3-Clause"}),
        gpu=frozenset({"none"}),
        modalities=frozenset({"US"}),
    )
    answer = judged.run("liver segmentation in ultrasound", filters=asked)
    assert answer.insight.near_misses
    for one in answer.insight.relax:
        freed = replace(asked, **{one.field: frozenset()})
        every = [t for t in judged.catalog.values() if freed.admits(t) and not asked.admits(t)]
        assert one.frees == len(every)


def test_a_refused_answer_marks_its_candidates_as_near_misses():
    told = to_json(small_engine(floor=0.99).run("segment lungs"))
    assert told["candidates"]
    assert all(c["near_miss"] for c in told["candidates"])


def test_an_empty_query_without_a_file_asks_for_a_task():
    with pytest.raises(BadInput, match="type a task or add a scan"):
        ENGINE.run("  ")


def test_suggestions_name_tasks_of_tools_that_fail_no_fact_of_the_scan():
    fit = (Fit(fact="modality", verdict="pass", scan="CT", tool="CT"),)
    no = (Fit(fact="modality", verdict="fail", scan="CT", tool="MRI"),)
    listed = [
        structs.replace(make_candidate("a", tasks=("segmentation", "viewing")), fit=fit),
        structs.replace(make_candidate("b", tasks=("segmentation", "viewing")), fit=fit),
        structs.replace(make_candidate("c", tasks=("viewing",)), fit=fit),
        structs.replace(make_candidate("d", tasks=("skull stripping",)), fit=no),
        structs.replace(make_candidate("e", tasks=("skull stripping",)), fit=no),
    ]
    scan = replace(CT, body_part=BodyPart.LUNG)
    told = suggestions(make_query("", scans=(scan,)), listed, {"viewing": 0.1})
    assert [(s.task, s.tools) for s in told] == [("viewing", 3), ("segmentation", 2)]
    assert told[1].text == "segmentation of lung CT"
    assert told[1].examples == ("a", "b")


@pytest.mark.model
@pytest.mark.parametrize(
    ("scan", "task", "tools"),
    [
        (CT, "segmentation", {"3D Slicer", "TotalSegmentator", "lungmask"}),
        (
            ScanInfo(
                format=Format.NIFTI,
                modality=Modality.MRI,
                dimension=Dimension.D3,
                body_part=BodyPart.BRAIN,
            ),
            "registration",
            {"3D Slicer", "FSL", "HD-BET"},
        ),
    ],
)
def test_a_scan_alone_gives_tools_that_read_it_and_tasks_to_choose(judged, scan, task, tools):
    answer = judged.run("", scans=[scan])
    assert tools & {c.tool.name for c in answer.candidates}
    assert {f.verdict for c in answer.candidates for f in c.fit if f.fact == "modality"} <= {
        "pass",
        "unknown",
    }
    told = json.loads(json.dumps(to_json(answer)))
    assert task in [s["task"] for s in told["suggestions"]]
    assert told["metadata"]["reason"] is None
    again = judged.run(told["suggestions"][0]["text"], scans=[scan])
    assert again.candidates
    assert not again.low_confidence


def test_leaving_out_a_concept_frees_exactly_the_tools_that_have_all_the_others():
    concepts = {
        "operation:denoising": frozenset("abc"),
        "data:signal": frozenset("ab"),
        "modality:audio data": frozenset(),
    }
    told = concept_relaxations(concepts, [make_candidate("b")])
    assert [(r.field, r.value, r.frees, r.examples) for r in told] == [
        ("modality", "audio data", 2, ("b", "a"))
    ]
    misses = lacking(concepts, [make_candidate("b"), make_candidate("c")])
    assert [m.blocked_by for m in misses] == [
        (("concept", "modality:audio data"),),
        (("concept", "data:signal"), ("concept", "modality:audio data")),
    ]


def test_where_one_tool_has_every_concept_none_is_to_be_left_out():
    concepts = {"operation:x": frozenset("ab"), "modality:y": frozenset("b")}
    assert concept_relaxations(concepts, []) == ()


@pytest.mark.model
def test_a_refused_task_names_the_concept_to_leave_out_and_what_that_frees(judged):
    told = json.loads(json.dumps(to_json(judged.run("denoise an audio recording"))))
    assert told["metadata"]["reason"] == "no_suitable_tool"
    first = told["relax"][0]
    assert (first["constraint"], first["value"]) == ("concept", "audio data")
    assert first["frees"] > 0
    single = [m for m in told["near_misses"] if m["relax"]]
    assert {m["relax"]["field"] for m in single} == {"modality:audio data"} or not single
