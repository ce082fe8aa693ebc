"""A replay as HTML, and the panel that reads one uploaded file and deletes it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from building import HOSTILE, answer, candidate, stage, tool
from gradio.utils import get_upload_folder

from components.panels.results.exports import MOST_BYTES, _replayer
from components.render.results.replay import changed_name, replay_panel
from retrieval import Changed, Rank, Replayed
from retrieval.engine.answer import Limit
from retrieval.export.replay import MAX_BYTES, replay_of
from retrieval.export.serialise import to_json
from tests.fakes import small_engine

SAME = Replayed(same=True, changed=(), ranks=(Rank(id="a", was=1, now=1),))
CATALOG = {"a": tool("a"), "b": tool("b")}


def test_the_same_ranks_are_said_in_one_sentence_without_tables():
    html = replay_panel(SAME, CATALOG)
    assert "Identical: 1 tool" in html
    assert 'data-same="true"' in html
    assert "<table" not in html


def test_the_search_that_was_replayed_is_shown_with_a_way_to_search_for_it_again():
    found = answer(stage("bm25", candidate(tool("a"))), text="segment lungs", tokens=("format:CT",))
    html = replay_panel(replace(SAME, answer=found), CATALOG)
    assert "“segment lungs”" in html
    assert "with CT" in html
    assert 'href="./?q=segment+lungs&amp;t=format%3ACT"' in html
    assert 'data-id="a"' in html
    hostile = answer(stage("bm25", candidate(tool("a"))), text=HOSTILE, excluded=(HOSTILE,))
    assert "<script" not in replay_panel(replace(SAME, answer=hostile), CATALOG)


def test_a_replay_of_a_file_gives_the_answer_it_found():
    engine = small_engine()
    saved = to_json(engine.run("segment lungs"))
    again = replay_of(engine, saved)
    assert again.answer is not None
    assert [c.tool.id for c in again.answer.candidates] == [one.id for one in again.ranks]


def test_a_limit_that_the_search_reached_stands_below_the_sentence():
    limit = Limit(code="kinds-left-out", left_out=7, text=f"of 207 kinds 200 {HOSTILE}")
    html = replay_panel(replace(SAME, limits=(limit,)), CATALOG)
    assert "Limit" in html
    assert "of 207 kinds 200" in html
    assert "<script" not in html


def test_what_changed_is_named_with_both_values_and_moved_tools_with_both_ranks():
    told = Replayed(
        same=False,
        changed=(
            Changed(what="catalog_sha256", was="e" * 64, now="f" * 64),
            Changed(what="settings.per_list", was="50", now="20"),
            Changed(what="query.tokens", was=None, now="[]"),
            Changed(what="stage fused/dense", was="ok", now="skipped"),
        ),
        ranks=(Rank(id="a", was=1, now=2), Rank(id="gone", was=2, now=None)),
    )
    html = replay_panel(told, CATALOG)
    assert "Not identical: 2 tools" in html
    for words in ("The catalog", "Setting: per list", "Question: tokens", "Stage Meaning"):
        assert words in html
    assert "not stated" in html
    assert 'data-tool="a"' in html
    assert 'data-tool="gone"' not in html
    assert "not in the catalog" in html


def test_ranks_that_differ_for_no_told_reason_are_said_to():
    told = Replayed(same=False, changed=(), ranks=(Rank(id="a", was=1, now=2),))
    assert "Nothing that the file states is different" in replay_panel(told, CATALOG)


def test_hostile_values_of_a_file_are_text():
    told = Replayed(
        same=False,
        changed=(Changed(what=HOSTILE, was=HOSTILE, now=HOSTILE),),
        ranks=(Rank(id=HOSTILE, was=1, now=None),),
    )
    html = replay_panel(told, CATALOG)
    assert "<script" not in html
    assert "<img" not in html
    assert changed_name("query.off") == "Question: off"


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Puts bytes where the web server stores an upload."""
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))

    def put(data: bytes):
        folder = tmp_path / "hash"
        folder.mkdir(exist_ok=True)
        assert str(tmp_path) == get_upload_folder()
        file = folder / "saved.json"
        file.write_bytes(data)
        return file

    return put


def test_an_uploaded_file_is_replayed_and_gone_afterwards(stored):
    import json

    engine = small_engine()
    file = stored(json.dumps(to_json(engine.run("segment lungs"))).encode())
    assert "Identical" in _replayer(engine)(str(file))
    assert not file.exists()


@pytest.mark.parametrize("data", [b"", b"words", b"{}", b" " * (MAX_BYTES + 5)])
def test_a_file_that_is_no_saved_search_is_refused_in_words_and_gone_afterwards(stored, data):
    file = stored(data)
    assert "file: " in _replayer(small_engine())(str(file))
    assert not file.exists()


def test_a_path_of_the_server_is_not_read(stored, tmp_path_factory):
    stored(b"{}")
    other = tmp_path_factory.mktemp("other") / "secret.json"
    other.write_text("{}")
    assert "a folder or path of the server is not taken" in _replayer(small_engine())(str(other))
    assert other.exists()


def test_the_page_reads_as_much_of_a_file_as_the_library_takes():
    assert MOST_BYTES == MAX_BYTES
