"""*ask* beside a running engine: its tools, its encoder, and its catalog after a change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from retrieval.core.codes import Format
from retrieval.core.ports import Encoder
from retrieval.core.types import Tool
from retrieval.documents.shelf import MemoryShelf
from retrieval.documents.store import DocumentStore
from retrieval.settings import Settings
from retrieval.wiring.questions.desk import QuestionDesk
from retrieval.wiring.questions.question_engine import QuestionEngine, open_question_engine
from tests.fakes import HashingEncoder, make_tool

QUESTION = "What does Zorbscan read?"
ADDED = make_tool("zorbscan", name="Zorbscan", formats_in=(Format.NRRD,))
ENCODER = HashingEncoder()


@dataclass
class Running:
    """Stands for an engine: what it serves can be changed, and it is asked every time."""

    tools: dict[str, Tool] = field(default_factory=lambda: {"bet": make_tool("bet")})
    encoder: Encoder | None = ENCODER
    address: str = "https://before.example"

    def source(self, tool: str, relation: str) -> str:
        return self.address

    @property
    def catalog_sha256(self) -> str:
        return ",".join(self.tools)

    def current(self) -> Running:
        return self


@pytest.fixture
def running() -> Running:
    return Running()


@pytest.fixture
def opened() -> list[Encoder | None]:
    return []


@pytest.fixture
def desk(running: Running, opened: list[Encoder | None], tmp_path) -> QuestionDesk:
    def opening(
        settings: Settings,
        tools: Sequence[Tool] | None = None,
        encoder: Encoder | None = None,
        source: Callable[[str, str], str] = lambda tool, relation: "",
    ) -> QuestionEngine:
        opened.append(encoder)
        return open_question_engine(settings, tools, encoder, source)

    def documents(settings: Settings, encoder: Encoder | None) -> DocumentStore:
        opened.append(encoder)
        assert encoder is not None
        return DocumentStore(MemoryShelf(), encoder)

    settings = Settings(_env_file=None, cache_dir=tmp_path)
    return QuestionDesk(settings, running, opening=opening, documents=documents)


def test_a_tool_that_a_sync_added_is_answered_about(desk: QuestionDesk, running: Running) -> None:
    assert "Zorbscan" in desk.question_engine().ask(QUESTION).refused
    running.tools = {**running.tools, ADDED.id: ADDED}
    assert desk.question_engine().ask(QUESTION).evidence.answer[0].text == "Zorbscan reads NRRD."
    running.tools = {"bet": make_tool("bet")}
    assert "Zorbscan" in desk.question_engine().ask(QUESTION).refused


def test_a_fact_cites_the_address_of_the_catalog_of_the_moment(
    desk: QuestionDesk, running: Running
) -> None:
    running.tools = {ADDED.id: ADDED}
    for address in ("https://before.example", "https://after.example"):
        running.address, running.tools = address, {**running.tools, address: make_tool(address)}
        assert address in desk.question_engine().ask(QUESTION).evidence.facts[0].source


def test_the_graph_is_read_once_for_one_catalog(desk: QuestionDesk, opened: list[object]) -> None:
    assert desk.question_engine() is desk.question_engine("somebody")
    assert opened == [ENCODER]


def test_documents_are_over_the_encoder_of_the_engine(
    desk: QuestionDesk, opened: list[object], tmp_path
) -> None:
    pytest.importorskip("semantic_text_splitter", reason="the extra `documents` is not installed")
    manual = tmp_path / "manual.txt"
    manual.write_text("The gantry tilt is 24 degrees.")
    desk.add(desk.visitor(), manual, "manual.txt")
    assert opened == [ENCODER]


def test_a_query_that_is_run_again_sees_the_catalog_of_the_moment(
    desk: QuestionDesk, running: Running
) -> None:
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    query = "MATCH (t:Tool) RETURN t.name"
    assert desk.question_engine().run_query(query)[0].rows == (("bet",),)
    running.tools = {ADDED.id: ADDED}
    assert desk.question_engine().run_query(query)[0].rows == (("Zorbscan",),)
