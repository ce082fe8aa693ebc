"""What a record says in its own words is no gap, and no text of another field."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.explain import Evidence
from retrieval.explain.known.requests import Nearness, Side
from retrieval.settings import ROOT
from retrieval.wiring.explaining import asks_for_record, gap_judge
from tests.fakes import HashingEncoder, make_tool

TOOLS = load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl").tools
SMALL = (
    make_tool(
        "beats",
        description="Reads echo loops. Finds the walls of the heart.",
        keywords=("ejection fraction",),
        asked_as=("how well does the heart pump",),
        tasks=("segmentation",),
        modalities=("US",),
    ),
    make_tool(
        "several",
        description="Segments organs.",
        keywords=("organs",),
        asked_as=("hippocampus volume",),
        tasks=("segmentation",),
        modalities=("MRI", "CT"),
    ),
)


@pytest.fixture(scope="module")
def shipped():
    judge = gap_judge(TOOLS)
    judge.prepare()
    return judge


def says(judge, text):
    return judge.own_words.say(text, judge.mentions(text))


@pytest.mark.parametrize(
    "text",
    [
        "measure the ejection fraction",
        "software that computes ejection fractions automatically",
        "how well does the heart pump in patients with asthma",
        "walls of the heart",
        "walls of the heart, since last year",
    ],
)
def test_a_phrase_with_all_words_that_ask_for_a_thing_says_the_request(text):
    assert says(gap_judge(SMALL), text)


@pytest.mark.parametrize(
    "text",
    [
        "ejection fraction on CT",  # not in the record
        "ejection fraction of the walls of horses",
        "hippocampus volume on CT",  # of several kinds of image the phrase may hold for one
        "measure",  # nothing is asked for
        "",
    ],
)
def test_a_word_that_no_phrase_of_the_record_has_leaves_the_request_open(text):
    assert not says(gap_judge(SMALL), text)


@pytest.mark.parametrize(
    "text",
    [
        "measure ejection fraction",
        "Kellgren and Lawrence scoring",
        "Pfirrmann grading",
        "red blood cells counting",
        "flow cytometry gating automated",
        "abdominal aortic aneurysm max diameter follow up",
        "AMD detection on OCT",
        "CT perfusion stroke core penumbra",
    ],
)
def test_what_a_record_says_is_no_gap_whatever_need_is_like_it(shipped, text):
    side = Side(vector=1.0, vectors=1.0, word=1.0, words=1.0)
    far = Side(vector=0.0, vectors=0.0, word=0.0, words=0.0)
    near = Nearness(unserved=side, served=far, need="something else")
    assert shipped.judge(text, Evidence(near=near, relevance=0.0)).unmet == ()


def test_a_text_of_another_language_is_held_against_the_records_as_it_was_read():
    judge = gap_judge(SMALL)
    side = Side(vector=1.0, vectors=1.0, word=1.0, words=1.0)
    far = Side(vector=0.0, vectors=0.0, word=0.0, words=0.0)
    near = Nearness(unserved=side, served=far, need="something else")
    read = Evidence(near=near, relevance=0.0, english="ejection fraction measurement")
    assert judge.judge("Auswurffraktion messen", read).unmet == ()


def test_of_needs_that_no_record_serves_hardly_one_is_said(shipped):
    sets = ("gaps_tuning", "gaps_writers_tuning", "gaps_late_tuning", "gaps_joint_tuning")
    paths = [ROOT / "tests" / "data" / f"{name}.jsonl" for name in sets]
    rows = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    gaps = [row["query"] for row in rows if row["gap"]]
    assert len(gaps) > 1000
    assert sum(says(shipped, text) for text in gaps) <= 4


def test_people_ask_for_a_record_in_its_own_words_and_not_by_a_usual_word():
    words = gap_judge(SMALL).own_words
    assert words.ask("how well does the heart pump", lambda word: True)
    assert words.ask("organs", lambda word: False)
    assert not words.ask("organs", lambda word: True)
    assert not words.ask("measure the ejection fraction", lambda word: True)  # not its own words


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Strahler analysis of arbors", True),
        ("boundary element forward solution", True),
        ("actinium", True),
        ("story", False),
        ("recommendations", False),
        ("best pizza in town", False),
    ],
)
def test_a_text_in_the_words_of_a_record_is_of_the_field(prepared, shipped, text, is_asked):
    assert asks_for_record(prepared.parts.encoder, shipped.own_words, text) is is_asked


def test_without_records_nothing_is_asked_for():
    assert not asks_for_record(HashingEncoder(), None, "Strahler analysis of arbors")
