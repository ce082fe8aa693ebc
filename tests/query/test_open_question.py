"""Questions that name nothing, and those that no software answers."""

from __future__ import annotations

import pytest

from retrieval.query import asks_openly, beyond_software


@pytest.mark.parametrize(
    "text",
    [
        "what can I do with this?", "What now?", "which tools work with this file?", "any ideas?",
        "was kann ich damit machen?", "Was geht mit dieser Datei?", "que faire avec ce fichier",
        "¿qué puedo hacer con esto?", "cosa posso farci?", "o que posso fazer com isto?",
        "这个可以做什么？", "これで何ができますか", "please suggest something for this scan",
    ],
)  # fmt: skip
def test_a_question_of_light_words_alone_is_open(text):
    assert asks_openly(text)


@pytest.mark.parametrize(
    "text",
    [
        "segment", "denoise this", "what is the liver volume", "can you find nodules in this",
        "mach das Gesicht weg", "这个肝脏多大", "これを分割したい",
        "weather tomorrow", "convert this",
        "how old is this brain", "view this", "winston-lutz", "",
    ],
)  # fmt: skip
def test_a_text_that_names_something_is_no_open_question(text):
    assert not asks_openly(text)


@pytest.mark.parametrize(
    "text",
    [
        "how much does a CT scan cost", "MRI machine price", "cost of a CT scan",
        "Was kostet ein MRT?",
        "combien coûte une IRM ?", "核磁共振多少钱", "find a radiologist near me",
        "book an MRI appointment", "what does my MRI report mean", "Was bedeutet mein Befund?",
        "side effects of gadolinium", "is an MRI safe during pregnancy",
        "how long does an MRI take",
    ],
)  # fmt: skip
def test_what_no_software_answers_is_told_so(text):
    assert beyond_software(text).startswith("No software of the catalog ")


@pytest.mark.parametrize(
    "text",
    [
        "low cost MRI reconstruction", "cost function for registration", "minimal cost path on CT",
        "how much memory does a CT segmentation need", "how much fat is in the liver on MRI",
        "how much does the tumour grow in MRI", "how long does segmentation of a CT take",
        "report generation for chest x-rays", "annotate with a radiologist in the loop",
        "find a nodule in my CT scan", "find a tool for radiologists", "MRI cost map",
        "simulate the radiation dose of a CT scan", "what does the label map mean",
    ],
)  # fmt: skip
def test_requests_with_the_same_words_are_for_software(text):
    assert beyond_software(text) == ""
