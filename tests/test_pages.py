"""The README is short, links lead somewhere, and every cited requirement has its text."""

from __future__ import annotations

import re

import pytest

from retrieval.settings import ROOT

PAGES = (ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md")))
ID = re.compile(r"\b(S[0-4]-\d{2}|W\d{1,2})\b")


def test_the_readme_has_at_most_160_lines():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 160


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_to_a_file(page):
    links = re.findall(r"\]\((?!https?://|#|mailto:)([^)#]+)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page):
    text = page.read_text("utf-8")
    names = re.findall(r"`((?:tests|retrieval|components|benchmarks|locks)/[\w/]+\.\w+)`", text)
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_every_requirement_that_is_cited_has_its_text():
    text = (ROOT / "docs" / "requirements.md").read_text("utf-8")
    rows = set(re.findall(r"^\| (S[0-4]-\d{2}|W\d{1,2}) \|", text, re.MULTILINE))
    cited = {
        one
        for folder in ("tests", "retrieval", "components", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        for one in ID.findall(path.read_text("utf-8"))
    }
    assert cited - rows == set()
