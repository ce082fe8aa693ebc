"""Sentences of a letter that say what is not asked are not searched; those that ask stay."""

import json
from pathlib import Path

import pytest

from retrieval.query import asked_part, parse_query, without_asides

DATA = Path(__file__).parents[1] / "data"
LETTER = (
    "We recorded electrical activity of forty sleeping adults with many electrodes on the head. "
    "{} "
    "The first step would be to find the bad epochs, since our student has looked at every one of "
    "them for weeks and cannot go on like this."
)


@pytest.mark.parametrize(
    "aside",
    [
        "Source localisation is planned for later.",
        "Diffusion images were acquired too but that is another paper.",
        "Muscles and organs are not of interest at the moment.",
        "Segmentation of the tissue is already solved.",
        "We do not need grading of the images.",
        "Nodules need not be marked.",
        "Die Registrierung ist ein anderes Projekt.",
        "La segmentation est un autre projet.",
    ],
)
def test_a_sentence_that_sets_aside_what_it_names_is_not_searched(aside):
    assert without_asides(LETTER.format(aside)) == " ".join(LETTER.replace("{} ", "").split())


@pytest.mark.parametrize(
    "text",
    [
        LETTER.format("We also have to segment what is already registered."),
        LETTER.format("Is there a program that somebody else has used for it?"),
        "Segmentation is done. Registration comes later. Stitch tiles.",
        "segment nuclei, segmentation of tissue is already solved",
        "",
    ],
)
def test_a_sentence_that_asks_and_a_short_text_stay(text):
    assert without_asides(text) == text


def test_a_letter_that_says_nothing_else_stays_whole():
    letter = " ".join(["The registration of all the images of the study is already done."] * 5)
    assert without_asides(letter) == letter


def test_the_asked_part_of_a_letter_is_the_sentences_that_ask():
    question = "Which program finds the bad epochs?"
    assert asked_part(LETTER.format(question)) == question
    assert asked_part("We have five scans. They are of lungs. Segment them.") == (
        "We have five scans. They are of lungs. Segment them."
    )
    silent = " ".join(["The registration of all the images of the study is at hand."] * 5)
    assert asked_part(silent) == silent


def test_the_search_of_a_letter_says_what_it_searched_for(engine):
    typed = LETTER.format("Segmentation of the tissue is already solved.")
    note = next(s.note for s in engine.run(typed).result.children if s.name == "enrich")
    assert note.startswith("searched as: ")
    assert "Segmentation" not in note


@pytest.mark.model
@pytest.mark.parametrize("name", ["long_seventeen_tuning", "long_seventeen_kept"])
def test_letters_get_a_right_tool_in_the_first_three(engine, name):
    rows = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]
    served = 0
    for row in rows:
        first = [c.tool.id for c in engine.run(parse_query(row["query"])).candidates[:3]]
        served += not set(first).isdisjoint(row["right"])
    assert served >= 0.8 * len(rows)
