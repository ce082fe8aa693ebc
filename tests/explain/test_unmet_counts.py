"""The number beside an unmet part is that of the records that state what it names."""

from __future__ import annotations

from retrieval.explain.request_parts import Part
from retrieval.explain.unmet.counts import unmet_of
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

TOOLS = (
    make_tool(
        "stiller", description="Corrects motion.", tasks=("motion correction",), modalities=("MRI",)
    ),
    make_tool("waves", description="Reads ultrasound.", tasks=("conversion",), modalities=("US",)),
)
JUDGE = gap_judge(TOOLS)


def count_of(part):
    return unmet_of(part, JUDGE.strictly(part), JUDGE.stated, JUDGE.labels).count


def test_a_number_of_a_concept_that_records_have_in_other_words_stands_beside_its_name():
    part = Part(
        kind="task",
        value="motion artefacts",
        concept="operation:motion correction",
        stems=("motion", "artifact"),
    )
    assert count_of(part) == "motion correction, as “motion artefacts” is read: 1"


def test_what_is_typed_as_the_records_have_it_needs_no_other_name():
    (part,) = JUDGE.parts("ultrasound")
    assert count_of(part) == "ultrasound: 1"


def test_records_for_something_wider_are_not_counted():
    (part,) = JUDGE.parts("transvaginal ultrasound")
    assert count_of(part) == "transvaginal ultrasound: 0"
