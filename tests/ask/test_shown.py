"""What the page says of an answer: tools, sources, requests, and parts without an answer."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from msgspec import structs

from components.render.questions import ask as render
from components.render.questions import ask_forms
from retrieval.core.codes import Format
from retrieval.core.evidence import StoreQuery
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import Response
from tests.fakes import ScriptedModel, make_pairs, make_tool

TOOLS = (
    make_tool(
        "dcm2niix",
        formats_in=(Format.DICOM,),
        formats_out=(Format.NIFTI,),
        converts=make_pairs("DICOM > NIfTI"),
    ),
    make_tool("nifti_py", name="NIfTI", formats_out=(Format.NIFTI,)),
    make_tool("nnunet", name="nnU-Net", formats_in=(Format.NIFTI,)),
)


@pytest.fixture(scope="module")
def asking() -> QuestionEngine:
    return QuestionEngine(GraphParts.of(TOOLS))


def with_evidence(one: Response, **more: object) -> Response:
    state = structs.replace(one.result.state, evidence=structs.replace(one.evidence, **more))
    return replace(one, result=structs.replace(one.result, state=state))


def test_a_tool_of_the_answer_is_listed_although_its_name_is_a_format_too(
    asking: QuestionEngine,
) -> None:
    asked = asking.ask("Which tools write NIfTI?")
    assert set(render.tools_of(asked)) == {"dcm2niix", "nifti_py"}


def test_a_tool_that_is_only_asked_about_is_not_listed(asking: QuestionEngine) -> None:
    asked = asking.ask("Which tools turn DICOM into something nnU-Net reads?")
    assert set(render.tools_of(asked)) == {"dcm2niix"}
    assert set(render.tools_of(asking.ask("What does nnU-Net read?"))) == {"nnunet"}


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("graph: question", "catalog record"),
        ("graph: walk", "catalog record, met on a walk"),
        ("description: question", "description of a tool"),
        ("manual.pdf, page 3", "manual.pdf, page 3"),
    ],
)
def test_where_a_fact_is_from_is_told_in_words(source: str, told: str) -> None:
    assert render.source_name(source) == told


def test_without_a_tool_there_is_no_column_for_records(asking: QuestionEngine) -> None:
    asked = asking.ask("What does nnU-Net read?")
    assert "Records" in render.context_table(asked)
    plain = with_evidence(asked, facts=tuple(replace(f, nodes=()) for f in asked.evidence.facts))
    assert "Records" not in render.context_table(plain)


def test_a_part_without_an_answer_is_told_beside_the_answer(asking: QuestionEngine) -> None:
    asked = asking.ask("Which tools read DICOM, and which of them cost a zloty?")
    html = render.answer_panel(asked)
    assert "dcm2niix" in html
    assert "A part of the question has no answer." in html
    assert "zloty" in html


def test_a_request_that_was_sent_is_told_as_text(asking: QuestionEngine) -> None:
    sent = StoreQuery(language="OncoKB request", text="GET http://host/?a=<b>")
    html = render.answer_panel(with_evidence(asking.ask("What does nnU-Net read?"), query=sent))
    assert "Sent to OncoKB: <code class='sent'>GET http://host/?a=&lt;b&gt;</code>" in html


def test_forms_say_whether_they_can_be_sent_and_what_is_wrong() -> None:
    assert "switched off" in ask_forms.switched("databases are off (SCANSCOUT_DATABASES=true)")
    assert "SCANSCOUT_DATABASES=true" in ask_forms.switched("off (SCANSCOUT_DATABASES=true)")
    assert "notice" not in ask_forms.switched("")
    assert "Nothing was sent yet." in ask_forms.request("GET x", "OncoKB")
    assert "hugoSymbol: missing" in ask_forms.form_trouble("hugoSymbol: missing")
    assert "our side" in ask_forms.form_trouble(None)


def test_an_answer_without_evidence_is_refused_in_the_language_of_the_question() -> None:
    invented = json.dumps({"answer": [{"text": "Glaub mir.", "evidence": [99]}]})
    model = ScriptedModel("<task-completion>FINISH</task-completion>", invented)
    asked = QuestionEngine(GraphParts.of(TOOLS), model=model).ask("Was liest nnU-Net?")
    assert asked.evidence.answer == ()
    assert asked.refused.startswith("Die Antwort des Modells stützt sich auf keinen Beleg")


def test_two_tools_one_after_the_other_are_told_as_a_way() -> None:
    ways = (("one", Format.TIFF, Format.NIFTI), ("two", Format.NIFTI, Format.MGH))
    tools = [
        make_tool(name, converts=make_pairs(f"{first} > {last}"), tasks=("conversion",))
        for name, first, last in ways
    ]
    asked = QuestionEngine(GraphParts.of(tools)).ask("Which tools convert TIFF to MGH?")
    assert [one.text for one in asked.evidence.answer] == ["In two steps: one → NIfTI → two."]
    assert [fact.kind for fact in asked.evidence.facts] == ["path"]
