"""A misspelt word of the field is searched as that word; every other word stays."""

import pytest

from retrieval.query import Slips, as_typed
from retrieval.wiring.concepts import field_words, foreign_words

VOCABULARY = dict.fromkeys(field_words(), 1) | {"liver": 9, "livers": 2}
HELD = frozenset({"segmentation", "imaging", "viewer"})
ENGLISH = frozenset({"lover", "lever", "nation", "beast"})
SLIPS = Slips(VOCABULARY, HELD.__contains__, ENGLISH.__contains__, foreign_words())


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("calcuim imaging", "calcium imaging"),
        ("Segmetation of lungs", "Segmentation of lungs"),
        ("registraton of MRI", "registration of MRI"),
        ("microscpoy", "microscopy"),
        ("livwr on CT", "liver on CT"),
        ("deconvoluton, tractograpy", "deconvolution, tractography"),
    ],
)
def test_a_slip_is_replaced_and_the_rest_stays_as_typed(typed, searched):
    assert SLIPS.reworded(typed) == searched


@pytest.mark.parametrize(
    "text",
    [
        "my lover has a lever",  # English words near "liver"
        "livr",  # too short to tell
        "calcuim.nii and calcuim-imaging",  # a file, a compound
        "CALCUIM",  # capitals may be a code
        "segmentazione dei polmoni",
        "segmentação pulmonar",
        "regxstrxtxon",  # more slips than two
        "",
    ],
)
def test_a_word_that_may_be_meant_stays(text):
    assert SLIPS.reworded(text) == text


@pytest.mark.parametrize(
    ("typed", "searched"), [("conection", "connection"), ("comitted", "committed")]
)
def test_a_double_letter_written_once_is_likelier_than_two_slips(typed, searched):
    english = frozenset({"connection", "committed"})
    slips = Slips({"correction": 9, "computed": 9}, HELD.__contains__, english.__contains__)
    assert slips.reworded(typed) == searched


def test_of_words_equally_near_that_of_more_records_is_meant():
    slips = Slips({"cells": 3, "cello": 1}, HELD.__contains__, ENGLISH.__contains__)
    assert slips.reworded("cellq") == "cells"


def test_the_search_says_which_word_it_used_and_finds_the_same_first(engine):
    typed, meant = (
        engine.run("segmetation of lungs in CT"),
        engine.run("segmentation of lungs in CT"),
    )
    note = next(s.note for s in typed.result.children if s.name == "enrich")
    assert note.startswith("searched as: segmentation of lungs in CT; ")
    assert typed.query.text == "segmetation of lungs in CT"
    assert [c.tool.id for c in typed.candidates[:3]] == [c.tool.id for c in meant.candidates[:3]]


@pytest.mark.parametrize(
    ("typed", "word", "found"),
    [
        ("segmnet prostae on MRI", "prostate", "prostae"),
        ("(segmetation), please", "segmentation", "segmetation"),
        ("left livwr, MRI", "liver", "livwr"),
        ("lung CT and livwr", "lung CT", "lung CT"),
    ],
)
def test_a_place_in_the_corrected_text_is_found_in_the_typed_one(typed, word, found):
    spelled = Slips(
        dict.fromkeys(("segment", "prostate", "segmentation", "liver"), 1),
        {"left", "lung", "please"}.__contains__,
        {"left", "lung", "please"}.__contains__,
    ).reworded(typed)
    start = spelled.index(word)
    first, last = as_typed(typed, spelled, start, start + len(word))
    assert typed[first:last] == found


@pytest.mark.model
@pytest.mark.parametrize(
    "text",
    [
        "bovine udder thermography",
        "permissive hypotension",
        "Mikroadenom der Hypophyse automatisch erkennen",
        "con licencia MIT o Apache, registro deformable",
    ],
)
def test_things_and_texts_in_other_languages_hold_no_slip(engine, text):
    parts = engine.current()
    assert parts.spelled(text) == text


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("detecton of polyps", {"object detection": "detecton", "polyp": "polyps"}),
        ("segmnet prostae", {"segmentation": "segmnet", "prostate": "prostae"}),
        ("registraton of brain", {"registration": "registraton", "brain": "brain"}),
        ("vizualize ct", {"visualisation": "vizualize", "CT": "ct"}),
        ("recontruction of mri", {"reconstruction": "recontruction", "MRI": "mri"}),
        ("kidny in abdomnal ct", {"kidney": "kidny", "abdomen": "abdomnal", "CT": "ct"}),
    ],
)
def test_what_is_understood_of_a_slip_is_the_word_that_is_meant(engine, text, parts):
    understood = engine.run(text).insight.parts
    assert {wish.value: wish.text for wish in understood} == parts
