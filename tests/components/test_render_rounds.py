"""What is said of the rounds of an agentic search."""

from __future__ import annotations

import json

from building import HOSTILE, answer, candidate, stage, tool

from components.data import Data, Form
from components.render.search.notices import notices
from components.render.search.status import rounds_panel
from retrieval.core.errors import StageUnavailable
from tests.agentic.judging import ENOUGH, MORE, QUERIES
from tests.fakes import ScriptedModel, small_engine


def panel(*answers, text="segment lungs"):
    model = ScriptedModel(*answers) if answers else None
    return rounds_panel(small_engine(language_model=model).run(text, "agentic"))


def test_one_round_says_who_found_it_enough_and_why():
    html = panel(ENOUGH)
    assert "One round was enough." in html
    assert "Judged by the language model: all there" in html


def test_two_rounds_say_what_was_missing_and_what_was_asked():
    html = panel(MORE, QUERIES)
    assert "Searched in two rounds." in html
    assert "Missing: registration, atlas" in html
    assert "<li>register images to an atlas</li><li>measure lung volume</li>" in html
    assert "14 hits of these searches and the first list were merged to 7." in html


def test_without_a_model_the_concepts_of_the_words_judged():
    assert "Judged by the concepts of your words, without a language model" in panel()


def test_an_unreadable_judgement_is_neither_enough_nor_not():
    assert "It is not known" in panel("garbage", "garbage")


def test_a_fallback_tells_its_reason():
    html = panel(StageUnavailable("quota"))
    assert "Plain search: the rounds gave no result." in html
    assert "LLM API call failed: quota" in html


def test_words_of_the_model_are_shown_literally():
    told = json.dumps({"is_sufficient": False, "reasoning": HOSTILE, "missing_info": [HOSTILE]})
    html = panel(told, json.dumps({"queries": [f"atlas {HOSTILE}"]}))
    assert "<script" not in html
    assert "<img" not in html


def test_other_modes_say_nothing_of_rounds():
    found = answer(stage("fused", candidate(tool())))
    assert rounds_panel(found) == ""
    assert "rounds" not in notices(found, Form(), Data(), {})
