"""An answer as HTML: sentences with marks, refusals, evidence, steps, rows; all of it escaped."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from building import HOSTILE
from msgspec import structs

from components.panels.routes import ask_documents
from components.panels.routes.ask_events import _drawing
from components.render.questions import ask as render
from components.render.questions.ask import EXAMPLES
from retrieval import BadInput, DocumentFacts, Fact, Response, Rows
from retrieval.core.codes import Format
from retrieval.core.evidence import Sentence
from retrieval.settings import Settings
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine, open_question_engine
from tests.fakes import make_tool

TOOLS = (
    make_tool("dcm2niix", formats_in=(Format.DICOM,), formats_out=(Format.NIFTI,)),
    make_tool("nnunet", name="nnU-Net", formats_in=(Format.NIFTI, Format.NRRD)),
)


def asked(question: str = "What does nnU-Net read?") -> Response:
    return QuestionEngine(GraphParts.of(TOOLS)).ask(question)


def with_evidence(one: Response, **more) -> Response:
    state = structs.replace(one.result.state, evidence=structs.replace(one.evidence, **more))
    return replace(one, result=structs.replace(one.result, state=state))


def test_every_sentence_leads_to_the_facts_it_rests_on():
    html = render.answer_panel(asked())
    assert "nnU-Net reads NIfTI, NRRD." in html
    marks = re.findall(r'data-goto="(fact-\d+)"', html)
    assert marks == ["fact-1", "fact-2"]
    table = render.context_table(asked())
    assert all(f'id="{mark}"' in table for mark in marks)


def test_codes_of_a_sentence_are_shown_in_words():
    told = Sentence(text="StarDist works on SM. Its licence is LicenseRef-FSL.", evidence=("f",))
    facts = (Fact(id="f", text="StarDist images SM"),)
    html = render.answer_panel(with_evidence(asked(), facts=facts, answer=(told,)))
    assert "StarDist works on slide microscopy. Its licence is FSL (own terms)." in html


def test_many_marks_are_folded_and_none_is_lost():
    facts = tuple(Fact(id=f"f{n}", text=f"fact {n}") for n in range(30))
    told = Sentence(text="All.", evidence=tuple(fact.id for fact in facts))
    html = render.answer_panel(with_evidence(asked(), facts=facts, answer=(told,)))
    assert html.count('data-goto="fact-') == 30
    assert "<summary>22 more</summary>" in html


def test_a_refusal_is_told_with_its_reason_and_no_sentence():
    html = render.answer_panel(asked("What is the price of nnU-Net?"))
    assert "Answered from" not in html
    assert "Asked the catalog&#x27;s graph: " in html
    assert "notice-warn" in html
    assert "price" in html
    assert "class='said'" not in html


def test_the_heading_is_the_question_as_typed_and_what_it_was_read_as_stands_below():
    engine = QuestionEngine(GraphParts.of(TOOLS))
    html = render.answer_panel(
        engine.ask("Does it write  NIfTI?", before="What does dcm2niix read?")
    )
    assert "<h2>Does it write  NIfTI?</h2>" in html
    assert "Read as: Does dcm2niix write NIfTI?" in html
    assert "Read as" not in render.answer_panel(asked())


def test_at_most_twelve_records_have_buttons_and_the_rest_are_counted():
    tools = [make_tool(f"reader{n}", formats_in=(Format.DICOM,)) for n in range(20)]
    engine = QuestionEngine(GraphParts.of(tools))
    html = render.answer_panel(engine.ask("Which tools read DICOM?"))
    assert html.count('data-act="select"') == 12
    assert "and 8 more in the evidence below" in html


def test_a_refusal_leads_to_the_records_of_the_tools_that_the_question_names():
    html = render.answer_panel(asked("What is similar to nnU-Net?"))
    assert 'data-id="nnunet"' in html


def test_the_answerer_its_reason_and_the_others_are_told():
    one = asked()
    choice = replace(one.choice, alternatives=(("documents", "they speak of it"),))
    html = render.answer_panel(replace(one, choice=choice))
    assert "Answered from the catalog&#x27;s graph: no word" in html
    assert 'data-act="answerer" data-id="documents"' in html
    assert "Ask your documents" in html
    assert "they speak of it" in html


def test_every_step_has_a_state_a_time_and_its_note():
    html = render.trace(asked())
    assert "Names and relations of the question" in html
    assert "badge-unknown" in html
    assert "SCANSCOUT_LLM_BASE_URL" in html
    assert re.search(r"\d ms</td>", html)


def test_later_iterations_are_told_apart():
    path = "answerer/graph/iterations/round {}/strategies/paths"
    assert render.step_name(path.format(1)) == "Paths between the names"
    assert render.step_name(path.format(2)) == "Paths between the names (iteration 2)"


def test_rows_are_a_table_and_none_is_said_so():
    rows = Rows(language="Cypher", text="x", columns=("t",), rows=((HOSTILE,),), cut=True)
    html = render.rows_table(rows)
    assert "1 row from Cypher. More were left out." in html
    assert "<script" not in html
    assert "gave no row" in render.rows_table(replace(rows, rows=()))


def test_hostile_text_stays_text_everywhere():
    fact = Fact(id="x", text=HOSTILE, source=HOSTILE, nodes=(HOSTILE,))
    one = replace(asked(), question=HOSTILE, language=HOSTILE)
    one = with_evidence(one, facts=(fact,), answer=(Sentence(text=HOSTILE, evidence=("x",)),))
    choice = replace(one.choice, reason=HOSTILE, alternatives=((HOSTILE, HOSTILE),))
    one = replace(one, choice=choice)
    document = DocumentFacts(id=HOSTILE, name=HOSTILE)
    html = render.answer_panel(one) + render.context_table(one) + render.trace(one)
    html += render.documents_list([document], [HOSTILE])
    html += render.question_trouble(HOSTILE) + render.query_trouble(HOSTILE)
    html += render.answer_panel(with_evidence(one, answer=(), refusal=HOSTILE))
    assert "<script" not in html
    assert "<img" not in html
    assert HOSTILE not in html


def test_only_tools_of_an_answer_are_marked_as_such_in_the_graph():
    graph = asked().graph
    roles = dict.fromkeys(("seed", "added", "dropped", "link"), "part")
    answered = _drawing(graph, ["nnunet"], roles)["nodes"]
    found = _drawing(graph, (), roles)["nodes"]
    assert [n["look"] for n in answered if n["id"] == "nnunet"] == ["final"]
    assert "final" not in [n["look"] for n in found]
    assert all(n["far"] for n in found)


@pytest.fixture(scope="module")
def shipped():
    return open_question_engine(Settings(_env_file=None))


@pytest.mark.parametrize("question", EXAMPLES)
def test_every_example_has_an_answer_in_the_shipped_catalog(shipped, question):
    assert shipped.ask(question).evidence.answer


def test_a_document_that_is_refused_is_named_and_keeps_no_other_from_being_added(monkeypatch):
    class Desk:
        def __init__(self):
            self.names = []

        def add(self, visitor, path, name):
            if name.startswith("<bad>"):
                raise BadInput("document: it is damaged")
            self.names.append(name)
            return SimpleNamespace(notes=())

        def documents(self, visitor):
            return ()

    @contextmanager
    def stored(paths):
        yield [Path(path) for path in paths]

    monkeypatch.setattr(ask_documents, "stored_then_deleted", stored)
    desk = Desk()
    html, visitor = ask_documents.added(desk, ["<bad>.pdf", "b.txt", "<bad>2.pdf"], "me")
    assert (desk.names, visitor) == (["b.txt"], "me")
    assert "&lt;bad&gt;.pdf was not added." in html
    assert html.count("document: it is damaged") == 2
