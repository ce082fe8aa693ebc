"""Documents and databases stand beside the graph in *ask*: one choice, one trace, one last word."""

from __future__ import annotations

import pytest

from retrieval.core.errors import BadInput
from retrieval.documents.passages import Passage
from retrieval.documents.shelf import MemoryShelf
from retrieval.documents.store import DocumentStore
from retrieval.settings import Settings
from retrieval.wiring.databases import api_answerers, open_apis
from retrieval.wiring.documents import document_answerer
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from tests.compat.biochatter.talk import Shapes
from tests.databases.databases import BRAF
from tests.documents.papers import TILT
from tests.fakes import SMALL, HashingEncoder
from tests.web.loopback import says

MANUAL = "In the manual, is the gantry tilt corrected by shearing the volume?"


@pytest.fixture(scope="module")
def graph():
    return GraphParts.of(SMALL)


@pytest.fixture
def asking(graph, serving):
    store = DocumentStore(MemoryShelf(), HashingEncoder(dim=256), "visitor")
    store.add([Passage(text=text, page=n) for n, text in enumerate(TILT, 1)], {"name": "m.pdf"})

    def make(model=None, *, values=None, databases=True):
        server = serving(says(BRAF))
        told = Settings(databases=databases, oncokb_url=server.url, _env_file=None)
        others = {
            "documents": document_answerer(store, model),
            **api_answerers(open_apis(told), model, values=values),
        }
        return QuestionEngine(graph, model=model, others=others)

    return make


@pytest.mark.requirement("S2-08")
def test_a_question_about_a_manual_goes_to_the_documents(asking):
    asked = asking().ask(MANUAL)
    assert (asked.choice.answerer, asked.choice.by) == ("documents", "rules")
    assert "manual" in asked.choice.reason
    assert {name for name, _ in asked.choice.alternatives} == {
        "graph",
        "bio.tools",
        "blast",
        "oncokb",
    }
    told = asked.evidence.answer[0]
    assert told.text == TILT[0]
    assert [f.source for f in asked.evidence.facts if f.id in told.evidence] == ["m.pdf, page 1"]


@pytest.mark.requirement("S2-08")
def test_the_person_chooses_another_than_the_rules(asking):
    asked = asking().ask(MANUAL, answerer="graph")
    assert (asked.choice.answerer, asked.choice.by) == ("graph", "person")
    with pytest.raises(BadInput, match="documents"):
        asking().ask(MANUAL, answerer="crystal ball")


def test_a_database_answers_with_its_request_and_evidence(asking):
    values = {"hugoSymbol": "BRAF", "alteration": "V600E"}
    asked = asking(values=values).ask("What of BRAF?", answerer="oncokb")
    assert "rated: Oncogenic" in asked.evidence.answer[0].text
    assert "hugoSymbol=BRAF" in asked.query.text
    held = {fact.id for fact in asked.evidence.facts}
    assert all(set(one.evidence) <= held for one in asked.evidence.answer)


def test_a_database_that_is_off_is_no_answer_and_its_reason_is_in_the_trace(asking):
    asked = asking(databases=False).ask("What is the effect of BRAF V600E?", answerer="oncokb")
    assert asked.evidence.answer == ()
    assert asked.refused
    notes = " ".join(node.note for node in asked.result.walk())
    assert "SCANSCOUT_DATABASES" in notes


def test_a_model_words_the_answer_from_passages_alone(asking):
    model = Shapes(
        _Chosen={"answerer": "documents", "reason": "it names a manual"},
        Answered={"answer": [{"text": "By shearing.", "evidence": [1]}]},
    )
    asked = asking(model).ask(MANUAL)
    assert asked.choice.by == "language model"
    (told,) = asked.evidence.answer
    assert told.text == "By shearing."
    assert told.evidence == (asked.evidence.facts[0].id,)
