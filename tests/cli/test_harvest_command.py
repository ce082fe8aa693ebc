"""``catalog harvest`` over the command line."""

from __future__ import annotations

import json

import pytest

from retrieval.cli import main

RECORD = {"id": "lungcut", "name": "LungCut", "description": "Cuts lungs.", "license": "MIT"}


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "lungcut"
    folder.mkdir()
    (folder / "setup.cfg").write_text("[metadata]\nname = lungcut\nlicense = Apache-2.0\n")
    return folder


@pytest.fixture
def catalog(tmp_path):
    path = tmp_path / "catalog.jsonl"
    path.write_text(json.dumps(RECORD))
    return path


def test_text_shows_the_stated_fact_beside_the_proposed_one(checkout, catalog, capsys):
    args = ["--record", "lungcut", "--catalog", str(catalog)]
    assert main(["catalog", "harvest", str(checkout), *args]) == 0
    line = "differs   license: Apache-2.0  [setup.cfg:3]; the record states MIT"
    assert line in capsys.readouterr().out.splitlines()
    assert json.loads(catalog.read_text()) == RECORD


def test_json_is_one_proposal_per_line(checkout, capsys):
    assert main(["catalog", "harvest", str(checkout), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    licence = next(row for row in rows if row["field"] == "license")
    assert (licence["value"], licence["file"], licence["line"]) == ("Apache-2.0", "setup.cfg", 3)
    assert (licence["stated"], licence["standing"], licence["hint"]) == (None, "new", False)


def test_a_missing_folder_and_an_unknown_record_are_one_line_each(checkout, catalog, capsys):
    assert main(["catalog", "harvest", str(checkout / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    args = ["--record", "other", "--catalog", str(catalog)]
    assert main(["catalog", "harvest", str(checkout), *args]) == 2
    assert capsys.readouterr().err == "--record: 'other' is no id of the catalog\n"
