"""Storing, listing, searching and removing documents, over FAISS and a real milvus-lite file."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from retrieval.core.errors import BadInput, OutsideCallRefused, StageUnavailable
from retrieval.dense.server.milvus_link import MilvusAddress
from retrieval.documents.milvus import MilvusShelf
from retrieval.documents.passages import Passage
from retrieval.documents.shelf import FolderShelf, MemoryShelf
from retrieval.documents.store import DocumentStore, artificial_answer
from retrieval.net.permission import OutsideCalls
from tests.compat.biochatter.talk import Shapes
from tests.documents.papers import TILT
from tests.fakes import HashingEncoder

pytestmark = pytest.mark.process

LITE = find_spec("milvus_lite") is not None
KINDS = [
    "memory",
    "folder",
    pytest.param(
        "milvus",
        marks=pytest.mark.skipif(
            not LITE, reason="milvus-lite is not installed: pip install -e '.[milvus-lite]'"
        ),
    ),
]


class Place:
    """One kind of shelf that can be closed and opened again."""

    def __init__(self, kind, folder):
        self.kind, self.folder, self.shelf = kind, folder, None
        self.open()

    def open(self):
        if self.kind == "milvus":
            if self.shelf is not None:
                self.shelf.close()
            self.shelf = MilvusShelf(MilvusAddress(uri=str(self.folder / "d.db")), OutsideCalls())
        elif self.kind == "folder":
            self.shelf = FolderShelf(self.folder / "documents")
        elif self.shelf is None:
            self.shelf = MemoryShelf()
        return self

    def store(self, scope=""):
        return DocumentStore(self.shelf, HashingEncoder(), scope)


@pytest.fixture(params=KINDS)
def place(request, tmp_path):
    made = Place(request.param, tmp_path)
    yield made
    if made.kind == "milvus":
        made.shelf.close()


def passages(*texts):
    return [Passage(text=text, page=n) for n, text in enumerate(texts, 1)]


def texts(found):
    return [one.passage.text for one in found]


@pytest.mark.requirement("S2-25")
def test_a_stored_document_is_found_by_what_it_says(place):
    store = place.store()
    paper = store.add(passages(*TILT), {"name": "paper.pdf", "title": "Tilt"})
    other = store.add(passages("Cells are counted on slides."), {"name": "cells.txt"})
    (best,) = store.search("gantry tilt is corrected by shearing", 1)
    assert best.passage == Passage(text=TILT[0], page=1)
    assert (best.document.id, best.document.title) == (paper, "Tilt")
    assert 0 < best.score <= 1.000001
    assert len(store.search("gantry", 10)) == 4
    assert {one.id for one in store.documents()} == {paper, other}


@pytest.mark.requirement("S2-24")
def test_a_field_nobody_stated_is_unknown(place):
    store = place.store()
    store.add(passages("text"), {"name": "a.txt", "author": "", "colour": "red"})
    (one,) = store.documents()
    assert (one.name, one.author, one.modDate, one.isDeleted) == (
        "a.txt",
        "unknown",
        "unknown",
        False,
    )


@pytest.mark.requirement("S2-25")
def test_a_removed_document_never_returns(place):
    store = place.store()
    gone = store.add(passages(*TILT), {"name": "gone"})
    kept = store.add(passages(*TILT), {"name": "kept"})
    assert store.remove(gone) is True
    assert {one.document.id for one in store.search("gantry tilt", 10)} == {kept}
    assert [one.id for one in place.open().store().documents()] == [kept]
    assert {one.document.id for one in place.store().search("gantry tilt", 10)} == {kept}
    assert place.store().remove(gone) is False


@pytest.mark.requirement("S2-25")
def test_what_is_out_of_scope_is_not_searched_and_not_removed(place):
    store = place.store()
    one = store.add(passages("gantry tilt one"), {})
    two = store.add(passages("gantry tilt two"), {})
    assert texts(store.search("gantry tilt", 5, among=[two])) == ["gantry tilt two"]
    assert store.search("gantry tilt", 5, among=[]) == ()
    assert store.remove(one, among=[two]) is False
    assert len(store.documents()) == 2
    assert [d.id for d in store.documents([one, "nothing"])] == [one]


@pytest.mark.requirement("S2-04")
def test_one_visitors_documents_are_never_anothers(place):
    mine, theirs = place.store("visitor a"), place.store("visitor b")
    secret = mine.add(passages("my secret scanner"), {"name": "secret.txt"})
    assert theirs.search("my secret scanner", 10) == ()
    assert theirs.search("my secret scanner", 10, among=[secret]) == ()
    assert theirs.documents() == theirs.documents([secret]) == ()
    assert theirs.remove(secret) is False
    assert place.store().search("my secret scanner") == ()
    assert texts(mine.search("secret", 1)) == ["my secret scanner"]
    assert mine.clear() == 1
    assert mine.documents() == ()


@pytest.mark.parametrize("kind", KINDS[1:])
@pytest.mark.requirement("S2-23")
def test_documents_are_there_after_a_restart(kind, tmp_path):
    place = Place(kind, tmp_path)
    stored = place.store("v").add(passages(*TILT), {"name": "paper", "author": "A. Person"})
    before = place.store("v").search("slices of a series", 3)
    after = place.open().store("v").search("slices of a series", 3)
    assert after == before
    assert after[0].document.id == stored
    assert after[0].document.author == "A. Person"
    if kind == "milvus":
        place.shelf.close()


def test_hits_are_the_same_over_every_shelf(place):
    store = DocumentStore(place.shelf, HashingEncoder(), new_id=iter("abc").__next__)
    for _ in range(2):
        store.add(passages("twin text", "another text of scans"), {})
    plain = DocumentStore(MemoryShelf(), HashingEncoder(), new_id=iter("abc").__next__)
    for _ in range(2):
        plain.add(passages("twin text", "another text of scans"), {})
    found, wanted = store.search("twin text", 4), plain.search("twin text", 4)
    assert [one.id for one in found] == [one.id for one in wanted]
    assert [one.score for one in found] == pytest.approx([w.score for w in wanted], abs=2e-6)


def test_vectors_of_another_encoder_are_refused(place):
    place.store().add(passages("text"), {})
    wide = DocumentStore(place.shelf, HashingEncoder(dim=32))
    with pytest.raises(StageUnavailable, match="another encoder"):
        wide.add(passages("text"), {})


def test_documents_are_listed_in_the_order_added(place):
    names = ["c.txt", "a.txt", "b.txt"]
    for name in names:
        place.store().add(passages(name), {"name": name})
    assert [one.name for one in place.store().documents()] == names


def test_names_with_quotes_are_only_names(place):
    store = place.store('v" or id != "')
    stored = store.add(passages("quoted"), {"name": 'x" or "1" == "1'})
    assert store.remove('" or id != "') is False
    assert [one.id for one in store.documents()] == [stored]
    assert place.store("other").documents() == ()


def test_a_document_without_text_is_refused(place):
    with pytest.raises(BadInput, match="no text"):
        place.store().add(passages(" ", ""), {})


def test_a_passage_is_refused_rather_than_cut(place):
    with pytest.raises(BadInput, match="split it first"):
        place.store().add(passages("x" * 16_001), {})
    kept = place.store().add(passages("肺" * 16_000), {})
    (found,) = place.store().search("肺", 1)
    assert (found.document.id, found.passage.text) == (kept, "肺" * 16_000)


def test_a_visitor_keeps_so_many_documents_and_no_more(monkeypatch):
    from retrieval.documents import store as documents_store

    monkeypatch.setattr(documents_store, "MOST_DOCUMENTS", 2)
    store = DocumentStore(MemoryShelf(), HashingEncoder(), "one")
    store.add(passages("a"), {})
    store.add(passages("b"), {})
    with pytest.raises(BadInput, match="remove one first"):
        store.add(passages("c"), {})
    assert store.of("two").add(passages("c"), {})


def test_a_half_written_document_does_not_count(tmp_path):
    store = DocumentStore(FolderShelf(tmp_path), HashingEncoder())
    kept = store.add(passages("whole"), {})
    (tmp_path / "half.json").write_text('{"facts": {"id": "half"}, "passages": [{"te')
    (tmp_path / "alone.npy").write_bytes(b"")
    again = DocumentStore(FolderShelf(tmp_path), HashingEncoder())
    assert [one.id for one in again.documents()] == [kept]


def test_what_an_ended_process_left_is_removed_and_the_rest_stays(place):
    store = place.store()
    kept = store.add(passages("whole one"), {})
    gone = store.add(passages("half one"), {})
    if place.kind == "milvus":
        client = place.shelf._link.client
        client.delete("DocumentMetadata1", filter=f'id == "{gone}"')
        client.flush("DocumentMetadata1")
    elif place.kind == "folder":
        (place.folder / "documents" / f"{gone}.json").unlink()
        place.open()
    else:
        store.remove(gone)
    place.shelf.tidy()
    store = place.store()
    assert [one.document.id for one in store.search("one", 9)] == [kept]
    if place.kind == "milvus":
        rows = client.query("DocumentEmbeddings1", filter='id >= ""', output_fields=["document"])
        assert {row["document"] for row in rows} == {kept}
    elif place.kind == "folder":
        left = {path.stem for path in (place.folder / "documents").iterdir()}
        assert left == {kept}


def test_a_server_is_asked_only_when_that_is_switched_on():
    with pytest.raises(OutsideCallRefused):
        MilvusShelf(MilvusAddress(uri="http://127.0.0.1:9"), OutsideCalls())


@pytest.mark.requirement("S2-27")
def test_a_made_up_answer_is_searched_with_or_the_question_with_its_reason():
    made = Shapes(ArtificialAnswer={"passage": "Tilt is sheared away."})
    assert artificial_answer(made, "What of tilt?") == ("Tilt is sheared away.", "")
    text, note = artificial_answer(Shapes(ArtificialAnswer="no"), "What of tilt?")
    assert text == "What of tilt?"
    assert "question itself" in note
    gone = Shapes(ArtificialAnswer=StageUnavailable("nobody there"))
    assert artificial_answer(gone, "q")[1].endswith("nobody there")
