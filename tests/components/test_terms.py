"""A tool on the visitor's terms: what was said, the marks, the freshness of a release."""

from datetime import date

from building import HOSTILE, answer, candidate, stage, tool

from components.data import Data, Profile
from components.panels.search.profile import ANY, profile_of
from components.render.results.cards import cards
from components.render.results.detail import detail
from components.render.results.fitness import (
    release_badge,
    terms_badge,
    terms_of,
    terms_table,
    year_badge,
)
from retrieval import Machine

COMMERCIAL = Data(profile=Profile(purpose="commercial product"))
NO_GPU = Data(profile=Profile(machine=Machine(gpu=False)))


def test_nothing_said_is_no_mark():
    assert profile_of(ANY, ANY, None, None, ANY) == Profile()
    assert terms_of(tool(license="MIT"), Data()) == ()
    assert terms_badge(()) == ""


def test_values_of_no_sense_say_nothing():
    assert profile_of("world domination", "maybe", -3, "x", "BeOS") == Profile()
    assert profile_of("teaching", "no", None, 16, "Linux") == Profile(
        purpose="teaching", machine=Machine(gpu=False, ram_gb=16.0, system="Linux")
    )


def test_feature_12_weights_that_forbid_a_purpose_are_told_apart_from_the_code():
    one = tool(license="MIT", license_weights="CC-BY-NC-4.0")
    verdicts = {fit.fact: fit.verdict for fit in terms_of(one, COMMERCIAL)}
    assert verdicts == {"licence of the code": "pass", "licence of the weights": "fail"}
    assert "Not on your terms: licence of the weights" in terms_badge(terms_of(one, COMMERCIAL))


def test_feature_12_what_no_record_states_of_a_licence_is_said_to_be_unknown():
    one = tool(license="MIT")
    told = terms_table(terms_of(one, COMMERCIAL))
    assert "licence of the training data and of the output is unknown" in told
    assert "training data" not in terms_table(terms_of(one, NO_GPU))


def test_feature_12_what_a_source_states_of_training_data_and_output_is_told_apart():
    one = tool(license="MIT", license_data="CC-BY-NC-4.0", license_output="CC0-1.0")
    fits = terms_of(one, COMMERCIAL)
    assert {fit.fact: fit.verdict for fit in fits} == {
        "licence of the code": "pass",
        "licence of the weights": "unknown",
        "licence of the training data": "fail",
        "licence of the output": "pass",
    }
    told = terms_table(fits)
    assert "licence of the training data: CC-BY-NC-4.0 (non-commercial)" in told
    assert "no source of the record states it" not in told
    half = terms_table(terms_of(tool(license="MIT", license_data="CC0-1.0"), COMMERCIAL))
    assert "The licence of the output is unknown" in half


def test_feature_11_a_machine_without_a_gpu_fails_a_tool_that_requires_one():
    needs, free, silent = tool(gpu="required"), tool(gpu="none"), tool()
    told = [terms_badge(terms_of(one, NO_GPU)) for one in (needs, free, silent)]
    assert "Not on your terms: GPU" in told[0]
    assert "✓ On your terms" in told[1]
    assert "not all stated" in told[2]


def test_cards_and_detail_bear_the_mark():
    one = tool(license="CC-BY-NC-4.0")
    whole = answer(stage("rerank", candidate(one)))
    assert "Not on your terms" in cards(whole, COMMERCIAL)
    assert "Not on your terms" not in cards(whole)
    assert "CC-BY-NC-4.0 (non-commercial)" in detail(one, whole, COMMERCIAL)
    assert "Say your purpose and machine" in detail(one, whole)


def test_a_release_is_marked_by_its_age():
    today = date(2026, 11, 21)
    marks = [
        release_badge(tool(last_release=told, checked_on=today), today)
        for told in ("2026-05-01", "2024-01-01", "2015-01-01", None)
    ]
    assert ["Recently" in marks[0], "a while" in marks[1], "years" in marks[2]] == [True] * 3
    assert marks[3] == ""


def test_hostile_facts_are_text():
    html = terms_table(terms_of(tool(license=HOSTILE), COMMERCIAL))
    assert "<script" not in html
    assert "<img" not in html


def test_the_head_of_a_detail_has_the_mark_of_the_terms_that_its_card_has():
    one = tool("a", gpu="required")
    found = answer(stage("rerank", candidate(one)))
    mark = terms_badge(terms_of(one, NO_GPU))
    assert mark in cards(found, NO_GPU)
    head, _ = detail(one, found, NO_GPU).split("</header>")
    assert mark in head
    assert "Your terms" not in detail(one, found).split("</header>")[0]


def test_the_card_of_a_tool_whose_detail_says_no_release_for_years_has_the_year():
    today = date(2026, 8, 1)
    old = tool(last_release="2014-07-11", checked_on=today)
    assert "</span>2014</span>" in year_badge(old, today)
    assert "No release for years" in release_badge(old, today)
    for other in (tool(last_release="2026-01", checked_on=today), tool(last_release="2014-07-11")):
        assert year_badge(other, today) == ""
