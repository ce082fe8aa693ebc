"""Many visitors of one page: one graph, opened late; the documents of each apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.documents.shelf import MemoryShelf
from retrieval.documents.store import DocumentStore
from retrieval.settings import Settings
from retrieval.wiring.questions.desk import QuestionDesk
from tests.fakes import HashingEncoder

pytest.importorskip("semantic_text_splitter", reason="the extra `documents` is not installed")
MANUAL = "The gantry tilt of the Zeta scanner is 24 degrees.\n\nClean it with a dry cloth."
QUESTION = "What does the manual say about the gantry tilt of the Zeta scanner?"


@pytest.fixture
def desk(tmp_path: Path, asking) -> QuestionDesk:
    def opened(settings: Settings, encoder: object) -> DocumentStore:
        return DocumentStore(MemoryShelf(), HashingEncoder())

    return QuestionDesk(Settings(_env_file=None), opening=lambda *_: asking, documents=opened)


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    path = tmp_path / "manual.txt"
    path.write_text(MANUAL)
    return path


def test_the_graph_is_opened_by_the_first_question_and_not_before(desk: QuestionDesk) -> None:
    assert not desk.ready
    assert desk.question_engine().ask("What does nnU-Net read?").evidence.answer
    assert desk.ready


def test_a_question_about_a_document_is_answered_from_it(desk: QuestionDesk, manual: Path) -> None:
    visitor = desk.visitor()
    desk.add(visitor, manual, "manual.txt")
    asked = desk.question_engine(visitor).ask(QUESTION)
    assert asked.choice.answerer == "documents"
    assert "24 degrees" in asked.evidence.answer[0].text
    assert [name for name, _ in asked.choice.alternatives] == ["graph"]


def test_one_visitors_documents_are_never_anothers(desk: QuestionDesk, manual: Path) -> None:
    mine, other = desk.visitor(), desk.visitor()
    document = desk.add(mine, manual, "manual.txt").id
    assert desk.documents(other) == desk.documents("") == ()
    assert "24 degrees" not in str(desk.question_engine(other).ask(QUESTION).evidence)
    assert not desk.remove(other, document)
    desk.forget(other)
    assert [one.id for one in desk.documents(mine)] == [document]


def test_what_is_removed_or_forgotten_never_returns(desk: QuestionDesk, manual: Path) -> None:
    mine = desk.visitor()
    first = desk.add(mine, manual, "manual.txt").id
    desk.add(mine, manual, "again.txt")
    assert desk.remove(mine, first)
    assert [one.name for one in desk.documents(mine)] == ["again.txt"]
    desk.forget(mine)
    assert desk.documents(mine) == ()
    assert "24 degrees" not in str(desk.question_engine(mine).ask(QUESTION).evidence)


def test_nothing_is_kept_under_no_name(desk: QuestionDesk, manual: Path) -> None:
    with pytest.raises(StageUnavailable):
        desk.add("", manual, "manual.txt")
    assert len({desk.visitor() for _ in range(50)}) == 50


def test_documents_that_a_question_goes_without_are_kept_and_not_asked(
    desk: QuestionDesk, manual: Path
) -> None:
    visitor = desk.visitor()
    desk.add(visitor, manual, "manual.txt")
    asked = desk.question_engine(visitor).ask(QUESTION, without=["documents"])
    assert asked.choice.answerer == "graph"
    assert asked.choice.alternatives == ()
    assert "24 degrees" not in str(asked.evidence)
    assert [one.name for one in desk.documents(visitor)] == ["manual.txt"]
