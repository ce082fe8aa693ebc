"""The cache, one work out of several pages, and what can be kept of an answer."""

from __future__ import annotations

import sqlite3
import stat

import pytest

from retrieval.core.evidence import Page
from retrieval.web.bibtex import bibtex
from retrieval.web.cache import PageCache, age_words
from retrieval.web.merge import name_of, surname, together, works
from retrieval.web.writing import evidence_markdown, web_json, web_table
from tests.damage import WAYS
from tests.fakes import make_tool
from tests.web.loopback import says

PAGE = Page(
    title="Lungs & more: a <b>study</b>",
    url="https://example.org/a_(b)",
    text="# not a heading\n[x](javascript:alert(1))",
    sources=("PubMed", "arXiv"),
    authors=("Jane Doe", "Roe RR", "Max Müller", "Ann Other"),
    date="2025-03-04",
    venue="Journal_of 100% Scans",
    citations=7,
    doi="10.1000/x_y",
    pmid="123456",
    sections=(("AIM", "To see."), ("RESULT", "Seen.")),
)


class Clock:
    def __init__(self):
        self.time = 1_000_000.0

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


def test_an_answer_is_kept_whole_with_its_age(tmp_path, clock):
    cache = PageCache(tmp_path / "web.sqlite", 3600, now=clock)
    assert cache.get("a", 1) is None
    cache.put((PAGE,), "a", 1)
    clock.time += 120
    kept = cache.get("a", 1)
    assert (kept.pages, kept.age_s) == ((PAGE,), 120)
    assert cache.get("a", 2) is None
    clock.time += 3600
    assert cache.get("a", 1) is None


def test_the_file_is_its_owners_alone_and_holds_no_words_of_the_question(tmp_path):
    file = tmp_path / "deep" / "web.sqlite"
    PageCache(file).put((PAGE,), "PubMed", "my secret question")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"secret question" not in file.read_bytes()


def test_only_so_many_answers_are_kept_the_newest(tmp_path, clock):
    cache = PageCache(tmp_path / "web.sqlite", 1e9, most=5, now=clock)
    for number in range(8):
        clock.time += 1
        cache.put((PAGE,), number)
    with sqlite3.connect(tmp_path / "web.sqlite") as base:
        assert base.execute("SELECT count(*) FROM answers").fetchone() == (5,)
    assert cache.get(0) is None
    assert cache.get(7) is not None


def test_a_broken_file_costs_a_request_and_is_made_anew(tmp_path, caplog):
    file = tmp_path / "web.sqlite"
    file.write_bytes(b"no database at all" * 100)
    cache = PageCache(file)
    assert cache.get("a") is None
    assert "is damaged" in caplog.text
    cache.put((PAGE,), "a")
    assert cache.get("a").pages == (PAGE,)


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_file_never_gives_another_answer_and_keeps_again(tmp_path, way):
    file = tmp_path / "web.sqlite"
    cache = PageCache(file)
    for number in range(40):
        cache.put((PAGE,), number)
    WAYS[way](file)
    assert {kept.pages for n in range(40) if (kept := cache.get(n))} <= {(PAGE,)}
    for _ in range(2):  # the first may meet the damage
        cache.put((PAGE,), "new")
    assert cache.get("new").pages == (PAGE,)


def test_a_flipped_byte_in_any_row_is_no_answer(tmp_path):
    file = tmp_path / "web.sqlite"
    PageCache(file).put((PAGE,), "a")
    data = file.read_bytes()
    place = data.index(b"a <b>study</b>")
    file.write_bytes(data[:place] + b"A" + data[place + 1 :])
    assert PageCache(file).get("a") is None


@pytest.mark.parametrize("row", ["null", "[1]", '[{"title": 1}]', "{", '[{"nothing": 2}]', ""])
def test_a_row_of_another_shape_is_no_answer(tmp_path, row):
    file = tmp_path / "web.sqlite"
    cache = PageCache(file)
    cache.put((PAGE,), "a")
    with sqlite3.connect(file) as base:
        base.execute("UPDATE answers SET pages = ?", (row,))
    assert cache.get("a") is None


def test_the_second_search_is_answered_from_the_cache_and_says_how_old_it_is(farm):
    web = farm.web(web_cache_hours=1)
    first = web.run("latest papers on lungs", "literature")
    asked = farm.count
    second = web.run("latest papers on lungs", "literature")
    assert farm.count == asked
    assert second.pages == first.pages
    assert all("kept from just now" in c.note for c in second.result.children)
    told = web_json(second)
    assert [s["age_s"] for s in told["stages"]] == [0, 0, 0, 0]


def test_what_failed_is_not_kept(farm):
    farm.set(tavily=says("", status=500))
    web = farm.web(web_cache_hours=1, tavily_api_key="key-1234")
    web.run("x", "Tavily")
    web.run("x", "Tavily")
    assert len(farm.asked("tavily")) == 2


def test_nothing_is_kept_when_keeping_is_off(farm):
    farm.web(web_cache_hours=0).run("x", "arXiv")
    assert not list(farm.folder.rglob("*.sqlite"))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(3, "just now"), (300, "5 min ago"), (7200, "2 h ago"), (200_000, "2 days ago")],
)
def test_an_age_in_words(seconds, words):
    assert age_words(seconds) == words


def page(title="Some title that is long enough", **facts):
    return Page(**{"title": title, "url": "https://example.org/", **facts})


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ({"doi": "10.1/A"}, {"doi": "10.1/a", "title": "other"}, True),
        ({"pmid": "1"}, {"pmid": "1", "title": "other"}, True),
        ({"arxiv_id": "2401.1"}, {"doi": "10.48550/arXiv.2401.1", "title": "other"}, True),
        ({}, {"title": "Some Title, that is LONG enough!"}, True),
        ({"title": "Editorial"}, {"title": "Editorial", "url": "https://example.org/2"}, False),
        ({"doi": "10.1/a", "authors": ("A Doe",)}, {"doi": "10.1/b", "authors": ("Doe A",)}, True),
        ({"doi": "10.1/a", "authors": ("A Doe",)}, {"doi": "10.1/b", "authors": ("B Roe",)}, False),
        ({"doi": "10.1/a"}, {"pmid": "1"}, True),
        ({"title": "x", "doi": "10.1/a"}, {"title": "y", "pmid": "1"}, False),
    ],
)
def test_pages_are_one_work_by_doi_pmid_arxiv_id_then_title(one, two, same):
    assert (len(works([page(**one), page(**two)])) == 1) == same


def test_a_chain_of_numbers_makes_one_work():
    chain = [
        page("a", doi="10.1/a", url="https://a.example/"),
        page("b", pmid="9", url="https://b.example/"),
        page("c", doi="10.1/a", pmid="9", arxiv_id="2401.12345", url="https://c.example/"),
        page("d", arxiv_id="2401.12345", url="https://d.example/"),
    ]
    assert works(chain) == [[0, 1, 2, 3]]
    assert name_of(chain) == "doi:10.1/a"


def test_together_they_know_what_each_knew():
    one = page(sources=("arXiv",), text="short", citations=1, arxiv_id="2401.12345")
    two = page(sources=("PubMed",), text="longer text", sections=(("A", "x"), ("B", "y")), pmid="9")
    told = together([one, two])
    assert told.sources == ("arXiv", "PubMed")
    assert (told.text, told.pmid, told.arxiv_id, told.citations) == (
        "longer text",
        "9",
        "2401.12345",
        1,
    )


@pytest.mark.parametrize("name", ["Jane Müller", "Müller J", "Müller JA", "Müller"])
def test_both_ways_of_writing_a_name_give_the_same_family_name(name):
    assert surname(page(authors=(name,))) == "muller"


def test_bibtex_escapes_and_gives_each_entry_a_key_of_its_own():
    told = bibtex([PAGE, PAGE, page("Ünicode", arxiv_id="2401.12345", authors=())])
    assert "@article{doe2025lungs,\n" in told
    assert "@article{doe2025lungs-a,\n" in told
    assert "title = {{Lungs \\& more: a <b>study</b>}}" in told
    assert "author = {Jane Doe and Roe, RR and Max Müller and Ann Other}" in told
    assert "journal = {Journal\\_of 100\\% Scans}" in told
    assert "@misc{anonymousunicode," in told
    assert "archiveprefix = {arXiv}" in told
    assert told.count("{") - told.count("\\{") == told.count("}") - told.count("\\}")


def test_a_page_cannot_break_out_of_its_bibtex_entry():
    odd = page("a}, note={x", url="https://example.org/}x{", venue="\\input{/etc/passwd}")
    told = bibtex([odd])
    assert "title = {{a\\}, note=\\{x}}" in told
    assert "url = {https://example.org/%7Dx%7B}" in told
    assert "\\input{" not in told


def test_markdown_shows_markup_as_text_and_links_only_to_the_web():
    told = evidence_markdown([PAGE, page("y" * 30, url="javascript:alert(1)")])
    assert "[Lungs \\& more: a \\<b\\>study\\</b\\>](https://example.org/a_%28b%29)" in told
    assert "7 citations" in told
    assert "doi:10.1000/x\\_y" in told
    assert "](javascript" not in told.replace("\\]", "")


def test_json_and_table_tell_all_of_an_answer(farm):
    farm.set(tavily=says("", status=500))
    answer = farm.web(tavily_api_key="key-1234").run("latest news about MONAI", "web")
    told = web_json(answer)
    assert told["sent"] == ["latest news about MONAI", "MONAI"]
    assert told["failures"] == [{"name": "Tavily", "reason": "answered HTTP 500"}]
    assert told["used"] == ["DuckDuckGo"]
    assert told["asked"] == [{"name": n, "host": "127.0.0.1"} for n in ("Tavily", "DuckDuckGo")]
    assert told["pages"][0]["url"] == "https://example.org/duck?a=1&b=2"
    assert "answered HTTP 500" in web_table(answer)


def test_evidence_has_the_tools_own_paper_first(farm):
    tool = make_tool("lungs", name="Lungs by transformers", citation="10.1186/s41747-020-00173-2")
    answer = farm.web().evidence(tool)
    assert [p.doi for p in answer.pages] == ["10.1186/s41747-020-00173-2", "10.1000/xyz123"]
    assert answer.pages[0].citations == 412
    assert answer.about == "lungs"
    assert answer.sent == ("10.1186/s41747-020-00173-2", "Lungs transformers")
    asked = [a.params.get("term") for a in farm.asked("pubmed") if "term" in a.params]
    assert "10.1186/s41747-020-00173-2[doi]" in asked


def test_evidence_leaves_out_papers_that_do_not_name_the_tool(farm):
    answer = farm.web().evidence(make_tool("x", name="SomethingElse"))
    assert answer.pages == ()
    assert answer.reason == "none of the papers found names SomethingElse"
