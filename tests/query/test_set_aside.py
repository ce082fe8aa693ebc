"""Clauses that set a subject aside in words of their own are not searched, and no gap is told."""

import json

import pytest

from retrieval.query import (
    naming_asides,
    set_aside,
    without_asides,
    without_denied,
    without_set_aside,
)
from retrieval.settings import ROOT
from retrieval.wiring.concepts import every_language

KEPT = ROOT / "tests" / "data" / "set_aside_kept.jsonl"
"""600 requests by two people who had read no rule and whose rows nothing was learned from: 340 set
something aside, 160 more hold negative words that set nothing aside."""


def searched(text: str) -> str:
    return without_set_aside(text, every_language().mentions)


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("count nuclei in DAPI images, not the cytoplasm", "count nuclei in DAPI images,"),
        (
            "skull stripping has been done already, I want to bias-correct the FLAIR",
            "I want to bias-correct the FLAIR",
        ),
        (
            "how do I stitch confocal tiles? Deconvolution we've sorted out ourselves",
            "how do I stitch confocal tiles?",
        ),
    ],
)
def test_a_clause_that_sets_something_aside_is_left_out(typed, left):
    assert searched(typed) == left


@pytest.mark.parametrize(
    "text",
    [
        "segment the lungs in non-contrast CT",
        "organise my MRI data as BIDS",
        "remove everything except the brain",
        "register brains without landmarks",
        "not only the liver but also the spleen",
        "contornare il fegato su immagini TC",
        "not CT",
        "",
    ],
)
def test_what_sets_nothing_aside_is_searched_whole(text):
    assert searched(text) == text


def test_of_407_requests_of_the_field_at_most_one_loses_words():
    rows = map(json.loads, (ROOT / "tests/data/in_scope.jsonl").read_text("utf-8").splitlines())
    texts = [" ".join(row["text"].split()) for row in rows]
    assert len([text for text in texts if searched(text) != text]) <= 1


def test_requests_of_people_left_out_lose_what_they_set_aside_and_keep_what_they_ask_for():
    rows = [json.loads(line) for line in KEPT.read_text("utf-8").splitlines()]
    left_out = lost = 0
    for row in rows:
        text = searched(without_denied(without_asides(row["query"]), every_language()))
        left_out += bool(row["denied"]) and not any(part in text for part in row["denied"])
        lost += any(part not in text for part in row["kept"])
    # Measured: 175 of 340 and 10 of 600; the phrases alone leave out 18 and lose 2.
    assert left_out >= 165
    assert lost <= 12


@pytest.mark.parametrize(
    "text",
    [
        "EM volumes, dense reconstruction",
        "brain MRI with lesions present, cortical thickness",
        "segmentation of brains with lesions present",
        "freehand 3D ultrasound with tracked probe, Slicer module",
        "register MRI with ultrasound, intraoperative probe",
        "lungs, web demo",
        "lung sonography clips from the ICU, convex probe",
        "SPARCC scoring, bone marrow oedema of the SI joints",
        "DENSE CMR, myocardial deformation",
        "diagnosis of covid on lung ultrasound",
    ],
)
def test_a_phrase_that_only_describes_sets_nothing_aside(text):
    assert set_aside(text, every_language().mentions) == ()


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("tear film breakup, corneal ulcers excluded", "tear film breakup,"),
        ("nephrons aside: renal cortex on CT", ": renal cortex on CT"),
        ("hold the Doppler, ultrasound of kidneys", "ultrasound of kidneys"),
    ],
)
def test_a_short_phrase_with_a_word_that_denies_is_left_out(text, rest):
    assert searched(text) == rest


@pytest.mark.parametrize(
    "text",
    [
        "DICOM worklist (MWL) server",
        "whole slide images (WSI), count nuclei",
        "preciso remover os dados do paciente de imagens DICOM em linha de comando",
    ],
)
def test_an_abbreviation_in_brackets_and_words_of_grammar_set_nothing_aside(text):
    assert set_aside(text, every_language().mentions) == ()


@pytest.mark.parametrize(
    "text",
    [
        "ecografia della carotide; mi serve un programma per misurare lo spessore della parete",
        "necesito un programa para segmentar el hígado, no para los riñones",
    ],
)
def test_the_task_that_a_program_is_for_is_searched(text):
    assert any(word in searched(text) for word in ("misurare", "segmentar"))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Resting state in rats. FSL does not suit rodents, as you know", []),
        ("segment lungs on CT, not the heart", ["not the heart"]),
        ("kidneys on CT. I have read about nnU-Net elsewhere", ["I have read about nnU-Net"]),
    ],
)
def test_only_what_names_something_is_told_as_set_aside(text, named):
    asides = naming_asides(text, every_language().mentions)
    told = [text[start:end] for start, end in asides]
    assert [part.startswith(name) for part, name in zip(told, named, strict=True)] == [True] * len(
        named
    )


def test_what_brackets_set_aside_stays_aside():
    text = "segment the liver (not the spleen) on CT"
    ((start, end),) = set_aside(text, every_language().mentions)
    assert text[start:end] == "not the spleen"


@pytest.mark.parametrize(
    "text",
    [
        "The masks are done already, how do I compare them with the reference?",
        "lungs are already segmented, I want to measure their volume",
        "convert CT to STL for printing",
        "scanner mouse: segment my cat",
        "Microscope zebrafish: count my cells",
    ],
)
def test_what_is_done_and_asked_of_and_what_stands_behind_a_colon_is_searched(text):
    assert searched(text) == text


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        (
            "data already converted to NIfTI, need DTI fitting in rat spinal cord",
            "data already need DTI fitting in rat spinal cord",
        ),
        (
            "images denoised and registered; how do I segment lesions",
            "images and how do I segment lesions",
        ),
    ],
)
def test_a_step_that_is_done_is_not_searched_where_the_next_one_is_asked_for(typed, left):
    assert searched(typed) == left


@pytest.mark.parametrize(
    "text",
    [
        "images should be deskewed, deconvolved, then cells tracked",
        "contrast enhanced CT, liver segmentation",
        "registered brain slices, count cells per region",
        "data converted to NIfTI, stitched and denoised",
    ],
)
def test_a_participle_before_a_thing_or_behind_what_is_asked_is_searched(text):
    assert searched(text) == text
