"""Numbers and the words beside them agree, for none, one and two of everything."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from building import CT, answer, candidate, stage, tool, upload

from components.data import Data
from components.render.graphs.reached import reached_words
from components.render.questions.cohort import cohort_panel
from components.render.results.board import board
from components.render.results.browse import Browse, browse_list
from components.render.results.cards import cards
from components.render.results.compare import chosen_panel, compare_panel
from components.render.results.replay import replay_panel
from components.render.results.strip import stage_strip
from components.render.search.findings import MOST_FINDINGS, findings
from components.render.search.pictures import MOST_THUMBS
from components.render.search.scan import scan_panel
from components.render.search.status import finished, pill
from components.render.words import agree, count, note_words, offered_remarks
from retrieval import Rank, Replayed, cohort_of
from retrieval.scans.upload import Finding
from tests.fakes import small_engine

PLAIN = re.compile(r"<[^>]+>")
NOUNS = "tools|files|findings|rows|links|nodes|subjects|kinds|scans|differences|hits|stages|records"
ONE_OF_MANY = re.compile(rf"(?<![\d.,])1 (?:more |other |excluded )?(?:{NOUNS})\b")
VERBS = "are|were|have|stand"
WRONG_VERB = re.compile(
    rf"(?<![\d.,])1 (?:more )?(?:tool|file|finding|series|row)\b[^.,;]{{0,12}}\b(?:{VERBS})\b"
)
BRACKETS = re.compile(r"\w\(e?s\)")


def tools(number):
    return [candidate(tool(f"t{n}", license="MIT")) for n in range(number)]


def searched(number):
    found = tools(number)
    return answer(stage("bm25", *found[:1]), stage("graph", *found), stage("rerank", *found))


def scans(number):
    notes = tuple(
        Finding(scan=0, code=f"c{n}", severity="warning", text=f"note {n}")
        for n in range(number + MOST_FINDINGS)
    )
    return upload(*[CT] * (number + MOST_THUMBS), findings=notes, subjects=number)


def listed(number):
    ranks = tuple(Rank(id=f"t{n}", was=n + 1, now=n + 2) for n in range(number))
    return Replayed(same=not number, changed=(), ranks=ranks, answer=searched(number))


def rendered(number):
    """Everything that counts, for so many of each."""
    found, chosen = searched(number), [one.tool for one in tools(number)]
    yield cards(found)
    yield board(found)
    yield stage_strip(found)
    yield finished(found)
    yield reached_words(found)
    yield compare_panel(found, searched(0))
    yield compare_panel(found, found)
    yield chosen_panel(chosen, found)
    yield replay_panel(listed(number), {one.id: one for one in chosen})
    yield browse_list(chosen, Browse(), number)
    yield pill(ready=True, tools=number)
    yield findings(scans(number))
    yield scan_panel(Data(upload=scans(number)))
    yield scan_panel(Data(upload=upload(*[CT] * number)))
    yield offered_remarks({"open": number}, number)
    cohort = cohort_of(small_engine(), "segment", [])
    yield cohort_panel(replace(cohort, subjects=number))


@pytest.mark.parametrize("number", [0, 1, 2])
def test_no_panel_says_one_tools_or_tool_in_brackets(number):
    for html in rendered(number):
        text = PLAIN.sub(" ", html)
        for wrong in (ONE_OF_MANY, WRONG_VERB, BRACKETS):
            assert not wrong.search(text), (wrong.search(text), text[:400])


def test_the_rules_of_this_file_find_what_they_are_for():
    assert ONE_OF_MANY.search("There are 1 tools.")
    assert ONE_OF_MANY.search("1 more findings")
    assert WRONG_VERB.search("1 tool have another rank")
    assert BRACKETS.search("2 file(s)")
    assert not ONE_OF_MANY.search("11 tools, 2.1 tools")


def test_counts_and_verbs_go_together():
    assert [count(n, "tool") for n in (0, 1, 2, 1113)] == [
        "no tools",
        "1 tool",
        "2 tools",
        "1,113 tools",
    ]
    assert [count(n, "series") for n in (1, 2)] == ["1 series", "2 series"]
    assert agree(1, "is", "are") == "is"
    assert agree(0, "is", "are") == agree(2, "is", "are") == "are"


def test_a_note_of_a_stage_with_one_row_says_row():
    assert note_words("1 rows") == "1 row"
    assert note_words("asked about 1 of 11 tools") == "Asked about 1 of 11 tools"
    assert note_words("21 nodes, 1 edges") == "21 nodes, 1 edge"


def test_what_is_left_out_of_a_long_list_is_counted_in_the_singular_too():
    one = SimpleNamespace(**vars(scans(1)))
    assert "1 more finding is not listed here" in findings(one)
    assert "1 more series stands in the table alone" in scan_panel(Data(upload=one))
