"""Two ways of searching side by side, as HTML and as the panel's own event."""

from __future__ import annotations

from building import HOSTILE, answer, candidate, stage, tool
from msgspec import structs

from components.data import FACETS, SWITCHES, Data
from components.panels.results.compare_modes import _comparer
from components.render.results.compare import compare_panel, overlap
from tests.fakes import small_engine


def listed(*ids):
    found = [candidate(tool(id), 1.0 - n / 10) for n, id in enumerate(ids)]
    return answer(stage("rerank", *found))


def test_movement_newcomers_and_the_overlap_are_told():
    left, right = listed("a", "b", "c"), listed("b", "a", "d")
    html = compare_panel(left, right)
    assert overlap(left, right) == 2
    assert "2 stand in both lists (overlap@10)" in html
    assert "only in A" in html
    side = html.split('data-side="B"')[1]
    assert "▲" in side
    assert "▼" in side
    assert "new" in side
    assert "▲" not in html.split('data-side="B"')[0]


def test_only_the_first_ten_of_each_list_count_as_overlap():
    left = listed(*"abcdefghijkl")
    right = listed(*"klabcdefghij")
    assert overlap(left, right) == 8


def test_the_same_list_and_no_list_are_said_in_words():
    assert "Both ways give the same list" in compare_panel(listed("a"), listed("a"))
    assert "Neither way finds a tool" in compare_panel(listed(), listed())


def test_every_row_can_be_marked_and_chosen_and_names_are_text():
    hostile = answer(stage("rerank", candidate(tool("a", name=HOSTILE))))
    html = compare_panel(hostile, structs.replace(hostile), ["tokens", "graph"])
    assert html.count('data-tool="a"') == 2
    assert html.count('data-act="select"') == 2
    assert "without scan facts, graph" in html
    assert "<script" not in html
    assert "<img" not in html


def _form(text="lung", used=SWITCHES):
    return [text, "hybrid", True, False, [], *([] for _ in FACETS), list(used)]


def test_both_sides_are_searched_with_the_words_and_scan_on_the_page():
    compare = _comparer(small_engine())
    html = compare("hybrid", "keyword", [], *_form(), Data())
    assert "A: Hybrid" in html
    assert "B: Keyword" in html
    assert 'data-tool="nodules"' in html
    same = compare("hybrid", "hybrid", [], *_form(), Data())
    assert "Both ways give the same list" in same
    less = compare("hybrid", "hybrid", ["bm25", "late interaction"], *_form(), Data())
    assert "without words, phrases" in less


def test_an_empty_search_and_an_unknown_mode_are_refused_in_words():
    compare = _comparer(small_engine())
    assert "nothing to look for" in compare("hybrid", "keyword", [], *_form(""), Data())
    assert "unknown mode" in compare("hybrid", "hybird", [], *_form(), Data())
