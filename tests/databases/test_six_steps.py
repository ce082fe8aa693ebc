"""The document of the six steps is followed to the letter, against a server on this machine."""

from __future__ import annotations

import json
import re

import pytest

from retrieval.settings import ROOT
from tests.web.loopback import says

TEXT = (ROOT / "assets" / "pages" / "new-api.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
RULES = [
    {"shape": "OrganParameters", "answer": {"name": "lung"}},
    {"shape": "Summary", "answer": {"answer": "In the chest."}},
]


@pytest.fixture
def home(tmp_path, monkeypatch):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"rules": RULES}), "utf-8")
    monkeypatch.setenv("SCANSCOUT_LLM_SCRIPT", str(script))
    monkeypatch.setenv("SCANSCOUT_DATABASES", "true")
    monkeypatch.chdir(tmp_path)


def follow(url):
    space = {"__name__": "__main__"}
    for number, block in enumerate(BLOCKS, 1):
        code = block.replace("https://atlas.example.org", url)
        exec(compile(code, f"step {number}", "exec"), space)
    return space


@pytest.mark.requirement("S2-33")
def test_the_document_has_six_steps_and_six_blocks():
    assert re.findall(r"^\*\*(\d)\. (\w+)\.\*\*", TEXT, re.MULTILINE) == [
        ("1", "Parameters"),
        ("2", "Prompts"),
        ("3", "Builder"),
        ("4", "Fetcher"),
        ("5", "Interpreter"),
        ("6", "Integrate"),
    ]
    assert len(BLOCKS) == 6
    for gap in ("{question}", "{context}"):
        assert gap in BLOCKS[1]


@pytest.mark.requirement("S2-33")
def test_a_new_api_made_by_the_six_steps_answers(home, serving, capsys):
    server = serving(says({"organ": "lung", "place": "chest"}))
    follow(server.url)
    assert capsys.readouterr().out.strip() == "In the chest."
    assert server.asked[0].path == "/api/organs"
    assert server.asked[0].params == {"name": "lung", "species": "human"}


@pytest.mark.requirement("S2-33")
def test_a_new_api_that_fails_is_not_summed_up(home, serving, capsys):
    server = serving(says("down", status=500))
    follow(server.url)
    assert capsys.readouterr().out.strip() == "No answer: the atlas of organs: answered HTTP 500"


@pytest.mark.requirement("S2-33")
def test_a_new_api_is_not_asked_while_databases_are_off(home, serving, capsys, monkeypatch):
    monkeypatch.setenv("SCANSCOUT_DATABASES", "false")
    server = serving(says({}))
    follow(server.url)
    assert "SCANSCOUT_DATABASES" in capsys.readouterr().out
    assert server.asked == []
