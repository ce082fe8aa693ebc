"""Documents searched by a made-up answer: off by default, by setting or by box, always visible."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.documents.shelf import MemoryShelf
from retrieval.documents.store import DocumentStore
from retrieval.settings import Settings
from retrieval.wiring.questions.desk import QuestionDesk
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import Response
from tests.compat.biochatter.talk import Shapes
from tests.fakes import SMALL, HashingEncoder

pytest.importorskip("semantic_text_splitter", reason="the extra `documents` is not installed")
QUESTION = "What does the manual say of the gantry?"
MADE_UP = "searched with an answer that the language model made up"
Ask = Callable[..., Response]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    parts = GraphParts.of(SMALL)

    def opened(settings: Settings, encoder: object) -> DocumentStore:
        return DocumentStore(MemoryShelf(), HashingEncoder())

    def asked(*, with_model: bool = True, made_up: bool | None = None, **told: bool) -> Response:
        model = Shapes(ArtificialAnswer={"passage": "The gantry tilt is 24 degrees."})
        asking = QuestionEngine(parts, model=model if with_model else None)
        settings = Settings(_env_file=None, **told)
        desk = QuestionDesk(settings, opening=lambda *_: asking, documents=opened)
        manual = tmp_path / "manual.txt"
        manual.write_text("The gantry tilt of the Zeta scanner is 24 degrees.")
        visitor = desk.visitor()
        desk.add(visitor, manual, "manual.txt")
        front = desk.question_engine(visitor, made_up=made_up)
        return front.ask(QUESTION, answerer="documents")

    return asked


def told(asked: Response) -> str:
    return " ".join(node.note for node in asked.result.walk())


@pytest.mark.requirement("S2-27")
def test_a_made_up_answer_is_off_unless_somebody_wants_it(ask: Ask) -> None:
    assert Settings(_env_file=None).documents_made_up is False
    assert MADE_UP not in told(ask())


@pytest.mark.requirement("S2-27")
def test_the_setting_switches_it_on_and_the_trace_says_so(ask: Ask) -> None:
    assert MADE_UP in told(ask(documents_made_up=True))


@pytest.mark.requirement("S2-27")
def test_a_visitor_chooses_otherwise_than_the_setting(ask: Ask) -> None:
    assert MADE_UP in told(ask(made_up=True))
    assert MADE_UP not in told(ask(made_up=False, documents_made_up=True))


@pytest.mark.requirement("S2-27")
def test_without_a_model_the_question_is_searched_with_and_it_is_said(ask: Ask) -> None:
    said = told(ask(with_model=False, made_up=True))
    assert "no language model to make up an answer" in said
