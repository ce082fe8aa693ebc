"""A visitor's documents leave no byte on the disk; what a user stored in Milvus stays theirs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from retrieval.compat.biochatter.vectorstore_agent import VectorDatabaseAgentMilvus
from retrieval.compat.langchain.document import Document
from retrieval.core.errors import BadInput
from retrieval.dense.server.milvus_link import MilvusAddress
from retrieval.documents.milvus import MilvusShelf
from retrieval.documents.passages import Passage
from retrieval.documents.shelf import MemoryShelf
from retrieval.documents.store import DocumentStore
from retrieval.net.permission import OutsideCalls
from retrieval.settings import ROOT, Settings
from retrieval.wiring.index.sync import sync
from retrieval.wiring.questions.desk import QuestionDesk
from tests.fakes import HashingEncoder

pytestmark = pytest.mark.process

needs_lite = pytest.mark.skipif(
    find_spec("milvus_lite") is None,
    reason="milvus-lite is not installed: pip install -e '.[milvus-lite]'",
)
PLANTED = ("quenchvortexalpha", "quenchvortexbeta")


class Page:
    """A process with a page's documents, and the only folders that it may write."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def send(self, command: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return self.line()

    def line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def end(self, number: int) -> None:
        self._process.send_signal(number)
        self._process.wait(30)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("tmp", "home", "uploads"):
        (tmp_path / "tree" / name).mkdir(parents=True)
    return tmp_path / "tree"


@contextmanager
def page(tree: Path, **extra: str) -> Iterator[Page]:
    places = {
        "HOME": tree / "home",
        "XDG_CACHE_HOME": tree / "home" / "cache",
        "XDG_DATA_HOME": tree / "home" / "data",
        "TMPDIR": tree / "tmp",
        "GRADIO_TEMP_DIR": tree / "uploads",
        "SCANSCOUT_INDEX_DIR": tree / "index",
        "SCANSCOUT_CACHE_DIR": tree / "cache",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.documents.visiting"],
        cwd=ROOT,
        env={**os.environ, **{name: str(path) for name, path in places.items()}, **extra},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        one = Page(process)
        assert one.line() == "open"
        yield one
    finally:
        process.kill()
        process.communicate(timeout=30)


def holding(tree: Path, word: str) -> list[str]:
    """The files below a folder with the word in their bytes or name."""
    return [
        str(path.relative_to(tree))
        for path in tree.rglob("*")
        if word in path.name or (path.is_file() and word.encode() in path.read_bytes())
    ]


@pytest.mark.parametrize("milvus", ["", "own.db"])
def test_no_file_holds_a_visitors_words_after_adding_removing_and_stopping(
    tree: Path, tmp_path: Path, milvus: str
) -> None:
    uri = {"SCANSCOUT_MILVUS_URI": str(tree / milvus)} if milvus else {}
    for word in PLANTED:
        (tmp_path / f"{word}.txt").write_text(f"The {word} scanner tilts. " * 40)
    with page(tree, **uri) as one:
        assert one.send(f"add {tmp_path / PLANTED[0]}.txt") == "1"
        assert one.send(f"add {tmp_path / PLANTED[1]}.txt") == "2"
        assert [holding(tree, word) for word in PLANTED] == [[], []]
        assert one.send("remove") == "0"
        assert [holding(tree, word) for word in PLANTED] == [[], []]
        one.send(f"add {tmp_path / PLANTED[1]}.txt")
        one.end(signal.SIGTERM)
    assert [holding(tree, word) for word in PLANTED] == [[], []]
    with page(tree, **uri) as again:
        again.send(f"add {tmp_path / PLANTED[0]}.txt")
        assert again.send("exit").startswith("end")
    assert [holding(tree, word) for word in PLANTED] == [[], []]


def test_what_an_earlier_edition_kept_of_visitors_goes_at_the_start(tmp_path: Path) -> None:
    index = tmp_path / "index"
    left = index / "documents"
    for name in ("0123456789ab", "0123456789ab.db"):
        (left / name).mkdir(parents=True)
        (left / name / "one.parquet").write_text(PLANTED[0])
    (left / ".0123456789ab.db.lock").write_text("")
    (index / "notes.txt").write_text(PLANTED[0])
    QuestionDesk(Settings(index_dir=index, _env_file=None))
    assert holding(index, PLANTED[0]) == ["notes.txt"]
    assert not left.exists()


def test_a_milvus_file_that_the_user_named_there_is_left_at_the_start(tmp_path: Path) -> None:
    own = tmp_path / "index" / "documents" / "0123456789ab.db"
    own.parent.mkdir(parents=True)
    own.write_text(PLANTED[0])
    QuestionDesk(Settings(index_dir=tmp_path / "index", milvus_uri=str(own), _env_file=None))
    assert own.read_text() == PLANTED[0]


class Engine:
    """Stands for a running engine; the encoder is the only part that documents need."""

    def __init__(self) -> None:
        self.tools: dict[str, object] = {}
        self.catalog_sha256, self.encoder = "", HashingEncoder()

    def current(self) -> Engine:
        return self


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    path = tmp_path / "manual.txt"
    path.write_text("The gantry tilt is 24 degrees.")
    return path


def opened(tmp_path: Path, **more: object) -> QuestionDesk:
    settings = Settings(index_dir=tmp_path / "index", _env_file=None)
    return QuestionDesk(settings, Engine(), **more)  # type: ignore[arg-type]


def test_documents_go_by_themselves_once_their_time_is_over(tmp_path: Path, manual: Path) -> None:
    desk = opened(tmp_path, document_seconds=0.2)
    visitor = desk.visitor()
    desk.add(visitor, manual, "manual.txt")
    store = desk._documents
    assert store is not None
    for _ in range(200):
        if not store.shelf.documents:
            break
        time.sleep(0.05)
    assert store.shelf.documents == ()
    assert desk.documents(visitor) == ()


def test_an_hour_is_what_a_visitors_documents_have(tmp_path: Path) -> None:
    assert opened(tmp_path).document_seconds == 3600


def test_a_visitor_cannot_fill_the_memory_of_the_page() -> None:
    store = DocumentStore(MemoryShelf(most=3), HashingEncoder(), "one")
    store.add([Passage(text="a"), Passage(text="b")], {})
    with pytest.raises(BadInput, match="memory for documents is full"):
        store.of("two").add([Passage(text="a"), Passage(text="b")], {})
    assert store.of("two").documents() == ()
    assert store.of("two").add([Passage(text="a")], {})


def used_by_a_page(tmp_path: Path, own: Path, manual: Path) -> None:
    """Open a page over the user's Milvus, add and forget a visitor's document, end it."""
    settings = Settings(index_dir=tmp_path / "index", milvus_uri=str(own), _env_file=None)
    desk = QuestionDesk(settings, Engine())  # type: ignore[arg-type]
    visitor = desk.visitor()
    desk.add(visitor, manual, "manual.txt")
    desk.forget(visitor)


@needs_lite
def test_what_the_library_stored_in_the_users_milvus_stays_until_it_is_removed_there(
    tmp_path: Path, manual: Path
) -> None:
    own = tmp_path / "own.db"

    def shelf() -> MilvusShelf:
        return MilvusShelf(MilvusAddress(uri=str(own)), OutsideCalls())

    first = shelf()
    stored = DocumentStore(first, HashingEncoder(), "team").add([Passage(text=PLANTED[0])], {})
    first.close()
    used_by_a_page(tmp_path, own, manual)
    again = shelf()
    store = DocumentStore(again, HashingEncoder(), "team")
    assert [one.passage.text for one in store.search(PLANTED[0], 3)] == [PLANTED[0]]
    assert store.remove(stored)
    again.close()
    last = shelf()
    assert last.documents == ()
    last.close()


@needs_lite
def test_what_compat_stored_in_the_users_milvus_stays_until_it_is_removed_there(
    tmp_path: Path, manual: Path
) -> None:
    own = tmp_path / "own.db"

    def agent() -> VectorDatabaseAgentMilvus:
        one = VectorDatabaseAgentMilvus(HashingEncoder(), {"uri": str(own)})
        one.connect()
        assert one.backend == "milvus"
        return one

    first = agent()
    stored = first.store_embeddings([Document(PLANTED[0], {"title": "Paper"})])
    first._store.shelf.close()  # type: ignore[union-attr]
    used_by_a_page(tmp_path, own, manual)
    again = agent()
    assert [one.page_content for one in again.similarity_search(PLANTED[0])] == [PLANTED[0]]
    assert again.remove_document(stored)
    assert again.get_all_documents() == []
    again._store.shelf.close()  # type: ignore[union-attr]


@needs_lite
def test_what_the_command_line_stored_in_the_users_milvus_stays_after_a_page(
    tmp_path: Path, manual: Path
) -> None:
    from pymilvus import MilvusClient

    own, catalog = tmp_path / "own.db", tmp_path / "tools.jsonl"
    catalog.write_text('{"name": "T", "description": "segments lungs"}\n')
    settings = Settings(
        _env_file=None, catalog=catalog, index_dir=tmp_path / "index", milvus_uri=str(own)
    )
    sync(settings, HashingEncoder())

    def collections() -> list[str]:
        client = MilvusClient(str(own))
        names = sorted(client.list_collections())
        client.close()
        return names

    before = collections()
    assert len(before) == 2
    used_by_a_page(tmp_path, own, manual)
    assert collections() == before
