"""The page's panel: what is offered, shown and sent, and that nothing in it is live."""

from __future__ import annotations

import json

import pytest

from components.panels.search.web import FILES, followed, papers, pressed
from components.render.search.web import offered, web_answer
from tests.fakes import make_tool
from tests.web import samples
from tests.web.farming import KEYS, SHOWN
from tests.web.loopback import says

TEXT = "latest papers on lung segmentation"
BAD = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'"


def last(views):
    return list(views)[-1]


@pytest.mark.parametrize("on", [False, True])
def test_while_web_search_is_off_it_is_offered_and_nothing_is_sent(farm, on):
    web = farm.web(web_search=False)
    for views in (
        followed(web, TEXT, on=on),
        pressed(web, TEXT, "web", on=on),
        papers(web, make_tool("x"), on=on),
    ):
        html, answer = last(views)
        assert answer is None
        assert html
    for views in (followed(web, TEXT, on=on), papers(web, make_tool("x"), on=on)):
        html = last(views)[0]
        assert "Web search is off on this page" in html
        assert "href='about'" in html
        assert "SCANSCOUT" not in html
    assert farm.count == 0


def test_picked_means_offered_until_the_person_switches_it_on(farm):
    web = farm.web()
    html, answer = last(followed(web, TEXT, on=False))
    assert answer is None
    assert "This asks for literature (“papers”)" in html
    assert "<dd>lung segmentation</dd>" in html
    assert all(f"<dt>{name}</dt>" in html for name in list(SHOWN.values())[4:])
    assert farm.count == 0


def test_once_switched_on_it_runs_by_itself_when_picked(farm):
    busy, shown = list(followed(farm.web(), TEXT, on=True))
    assert "Asking PubMed, bioRxiv, Semantic Scholar, arXiv" in busy[0]
    assert len(shown[1].pages) == 4


def test_once_switched_on_a_plain_task_still_sends_nothing(farm):
    assert list(followed(farm.web(), "segment lungs", on=True)) == [("", None)]
    assert farm.count == 0


def test_search_again_with_another_service(farm):
    html, answer = last(pressed(farm.keyed(), "segment lungs", "Tavily", on=True))
    assert answer.used == ("Tavily",)
    assert "You chose this service." in html
    assert farm.asked("tavily")[0].data["query"] == "segment lungs"


def test_search_again_while_switched_off_shows_what_it_would_send(farm):
    html, answer = last(pressed(farm.keyed(), "segment lungs", "Tavily", on=False))
    assert answer is None
    assert "<dd>segment lungs" in html
    assert farm.count == 0


def test_papers_of_a_card(farm):
    tool = make_tool("x", name="Lungs by transformers", citation="10.1186/s41747-020-00173-2")
    html, answer = last(papers(farm.web(), tool, on=True))
    assert "Papers about Lungs by transformers" in html
    assert answer.pages[0].doi == tool.citation


def test_source_badges_dates_citations_and_why_this_service(farm):
    farm.set(tavily=says("", status=500), serper=says(samples.SERPER))
    html = web_answer(farm.keyed().run(TEXT, "web"))
    assert '<span class="badge badge-licence" title="Found by">Serper</span>' in html
    assert ">2026-03-03</span>" in html
    assert "Tried first without success: Tavily." in html
    assert "<td>answered HTTP 500</td>" in html
    papers_html = web_answer(farm.keyed().run(TEXT, "literature"))
    assert ">412 citations</span>" in papers_html
    assert "<b>METHODS</b>" in papers_html
    assert "through Europe PMC&#x27;s preprint index" in papers_html


@pytest.mark.requirement("S0-42")
def test_a_readable_reason_when_all_fail(farm):
    farm.set(**dict.fromkeys(SHOWN, says("", status=500)))
    html = web_answer(farm.keyed().run(TEXT, "web"))
    assert "Nothing was found." in html
    for name in SHOWN.values():
        assert f"{name}: answered HTTP 500" in html


def test_markup_in_titles_and_abstracts_is_shown_literally_and_only_web_links_work(farm):
    row = {"title": BAD, "content": BAD * 20, "url": "https://example.org/"}
    paper = {
        "title": BAD,
        "abstract": BAD,
        "venue": BAD,
        "url": "javascript:alert(1)",
        "authors": [{"name": BAD}],
        "externalIds": {"DOI": "10.1000/x'onclick=alert(1)"},
        "openAccessPdf": {"url": "javascript:alert(1)"},
    }
    farm.set(tavily=says({"results": [row]}))
    farm.set(semantic_scholar=says(json.dumps({"data": [paper]})))
    web = farm.keyed()
    for preset in ("Tavily", "Semantic Scholar"):
        answer = web.run(TEXT, preset)
        assert answer.pages
        html = web_answer(answer)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
        assert "<script" not in html
        assert "<img" not in html
        assert 'href="javascript' not in html
        assert "onclick=" not in html.replace("x&#x27;onclick=", "")


def test_what_is_offered_is_escaped(farm):
    web = farm.web()
    html = offered(web.offer(f"latest papers on {BAD}"), allowed=True)
    assert "<script" not in html


def test_keys_are_not_on_the_page(farm):
    farm.set(**dict.fromkeys(("tavily", "serper", "serpapi"), says(" ".join(KEYS.values()))))
    html = web_answer(farm.keyed().run(TEXT, "web"))
    assert not any(value in html for value in KEYS.values())


def test_pages_are_kept_as_markdown_and_bibtex(farm):
    pages = farm.web().run(TEXT, "literature").pages
    assert FILES["md"][1](pages).startswith("1. [Automatic lung segmentation")
    assert FILES["bib"][1](pages).startswith("@article{hofmanninger2025automatic,")


def test_papers_stand_in_the_report_and_the_bibtex_of_the_answer(farm):
    from components.panels.results.exports import MAKERS
    from tests.fakes import small_engine

    answer = small_engine().run("segment lungs")
    pages = farm.web().run(TEXT, "literature").pages
    report, entries = (MAKERS[name][2](answer, (), pages) for name in ("report", "bibtex"))
    assert "## Papers\n\n1. [Automatic lung segmentation" in report
    assert "412 citations" in report
    assert "@article{hofmanninger2025automatic," in entries
    assert "## Papers" not in MAKERS["report"][2](answer, (), ())
