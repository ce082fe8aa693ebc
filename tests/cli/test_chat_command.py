"""The command ``chat``: turns over one search, its rounds and its memory."""

from __future__ import annotations

import io
import json

import pytest

from retrieval import open_engine
from retrieval.cli import main

pytestmark = pytest.mark.process


@pytest.fixture
def chat(shared_engines, monkeypatch, capsys):
    """Says lines to the command, without weights."""

    def say(*lines, args=(), code=0):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
        assert main(["chat", "--top-k", "3", *args]) == code
        return capsys.readouterr()

    return say


def turns(told):
    return [json.loads(line) for line in told.out.splitlines()]


def test_a_second_line_changes_the_search_of_the_first(chat):
    first, second = turns(chat("segment lungs with U-Net on CT", "not lungmask", args=["--json"]))
    assert "lungmask" in [one["id"] for one in first["candidates"]]
    assert "lungmask" not in [one["id"] for one in second["candidates"]]
    assert second["understood"]
    assert "lungs" in second["query"]["text"]


def test_undo_and_start_over_give_earlier_answers_again(chat):
    lines = ("segment lungs with U-Net on CT", "not lungmask", "not MONAI", "undo", "start over")
    *_, before, _, undone, afresh = turns(chat(*lines, args=["--json"]))
    assert undone["query"]["excluded"] == before["query"]["excluded"] != []
    assert afresh["query"]["excluded"] == []
    assert afresh["understood"] == ["undone: 1 of the lines before"]


def test_each_turn_shows_its_rounds_and_how_they_were_judged(chat):
    (turn,) = turns(chat("segment lungs", args=["--json"]))
    assert turn["rounds"]["round1_count"] >= 3
    assert "round 1: " in chat("segment lungs").out


def test_a_turn_tells_what_no_record_states_together(chat):
    out = chat("detect polyps in colonoscopy and count cells in histology").out
    assert "gap: No record states count cells and polyps together" in out
    assert "all that was asked for" not in out


def test_a_turn_prints_the_remarks_and_verdicts_of_a_search(chat):
    text = "segment lungs [EXCLUDE:nosuchtool] in COBOL"
    out = chat(text, "only CT", "not lungmask", args=["--mode", "keyword"]).out
    first, last = out.split("search: ")[1], out.split("search: ")[-1]
    assert "wish: language COBOL (wanted): in COBOL" in first
    assert "note: No record of the catalog states the language COBOL." in first
    assert "not excluded: no tool is called 'nosuchtool'" in first
    assert "[fail] Not in COBOL" in first
    assert "filter: modalities CT" in last
    assert "left out: nosuchtool, lungmask" in last


def test_the_memory_is_shown_and_emptied_and_a_wrong_command_ends_nothing(chat):
    lines = (
        "segment lungs",
        "/memory",
        "/nonsense",
        "/new",
        "/memory",
        "count cells",
        "/quit",
        "x",
    )
    told = chat(*lines)
    assert "search: segment lungs" in told.err
    assert "/nonsense: no such command" in told.err
    assert "the memory is empty" in told.err
    assert [line for line in told.out.splitlines() if line.startswith("search")] == [
        "search: segment lungs",
        "search: count cells",
    ]


def test_the_memory_holds_what_each_turn_changed(chat):
    told = chat("segment lungs", "only open source", "/memory", "/new", "/memory")
    remembered = told.err.split("search: segment lungs\n", 1)[1]
    assert "licence: only open ones" in remembered
    assert remembered.rstrip().endswith("the memory is empty")


def test_the_mode_is_changed_by_name_and_an_unknown_one_is_refused(chat):
    told = chat("/mode keyword", "/mode hybird", "segment lungs", args=["--json"])
    assert turns(told)[0]["metadata"]["mode"] == "keyword"
    assert turns(told)[0]["rounds"] is None
    assert "hybird" in told.err
    assert "hybird" in chat("x", args=["--mode", "hybird"], code=2).err


def test_without_a_model_the_same_lines_give_the_same_answers(chat, monkeypatch):
    lines = ("segment lungs", "in MRI instead", "only open source")
    over_the_shared_engine = chat(*lines).out
    monkeypatch.setattr("retrieval.open_engine", open_engine)
    assert chat(*lines).out == over_the_shared_engine
