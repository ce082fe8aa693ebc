"""Answers of wrong types, other encodings and with markup: read as they are, or a reason."""

from __future__ import annotations

import json

import pytest

from tests.web import samples
from tests.web.alone import BODIES, QUICK, TEXT, alone
from tests.web.farming import SHOWN
from tests.web.loopback import by_path, says

WRONG = [
    [], {}, None, 5, "text", {"results": 5}, {"results": {"a": 1}}, {"results": [1, None, "x", []]},
    {"results": [{"title": 1, "url": None}], "organic": [{"link": {}}], "data": [{"title": []}]},
    {"organic_results": [{"link": ["x"]}], "resultList": {"result": [{"doi": 7, "title": {}}]}},
    {"esearchresult": {"idlist": "abc"}, "resultList": [], "data": "x", "organic": 3},
    {"esearchresult": [], "total": "many", "results": [{"url": "javascript:alert(1)"}]},
]  # fmt: skip


@pytest.mark.parametrize("name", [n for n in SHOWN if n not in {"duckduckgo", "arxiv"}])
def test_wrong_types_are_a_reason_and_never_a_defect(farm, name, caplog):
    farm.set(**{name: says("")})
    web = farm.keyed(**QUICK)
    for body in WRONG:
        farm.set(**{name: says(json.dumps(body))})
        answer = web.run(TEXT, SHOWN[name])
        assert answer.pages == ()
        assert answer.result.children[0].status == "skipped", answer.failures
    assert "failed" not in caplog.text


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"results":' * 50_000, "1" * 100_000, "NaN"])
def test_json_that_is_deep_or_odd_is_a_reason(farm, deep):
    assert "sent" in alone(farm, "tavily", says(deep)).failures[0][1]


@pytest.mark.parametrize("name", SHOWN)
def test_utf_16_is_read(farm, name):
    if name == "pubmed":
        told = {
            "esearch_fcgi": says(json.dumps(samples.ESEARCH).encode("utf-16")),
            "efetch_fcgi": says(
                samples.EFETCH.replace('"1.0"', '"1.0" encoding="utf-16"').encode("utf-16")
            ),
        }
        assert alone(farm, name, by_path(**told)).pages
    else:
        text = BODIES[name].replace('encoding="UTF-8"', 'encoding="UTF-16"')
        assert alone(farm, name, says(text.encode("utf-16"))).pages


def test_a_charset_that_does_not_exist_is_read_as_well_as_can_be(farm):
    answer = alone(
        farm, "duckduckgo", says(samples.DUCKDUCKGO, "Content-Type: text/html; charset=klingon")
    )
    assert answer.pages


def test_markup_stays_text_and_javascript_links_are_left_out(farm):
    rows = [
        {"title": "<script>alert(1)</script>", "url": "javascript:alert(1)", "content": "x"},
        {"title": "<img src=x onerror=alert(1)>", "url": "https://example.org/", "content": "<b>"},
        {"title": "x", "url": "data:text/html,<script>", "content": "x"},
        {"title": "x", "url": "https://user:pass@example.org/", "content": "x"},
    ]
    (page,) = alone(farm, "tavily", says({"results": rows})).pages
    assert (page.title, page.text) == ("<img src=x onerror=alert(1)>", "<b>")
    assert page.url == "https://example.org/"


def test_invisible_and_turning_characters_are_taken_out(farm):
    rows = [{"title": "a\u202egnp.exe\x00\u200b", "url": "https://example.org/", "content": ""}]
    (page,) = alone(farm, "tavily", says({"results": rows})).pages
    assert page.title == "a gnp.exe"
