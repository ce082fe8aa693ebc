"""What a text only tells of is no wish, and is not searched: old code, steps that are done."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.wishes import requests_of
from retrieval.query import WishReader
from retrieval.wiring.concepts import every_language
from tests.fakes import make_query, make_tool

DATA = Path(__file__).parents[1] / "data"
STATED = dict.fromkeys(("language", "interface", "host", "system", "purpose", "tool"), 0.9)
TOOLS = tuple(
    make_tool(name.lower().replace(" ", "_"), name=name)
    for name in ("dcm2niix", "BWA", "FreeSurfer", "SPM", "Suite2p", "Cellpose", "HD-BET")
) + tuple(
    make_tool(f"t{n}", description="reads what dcm2niix writes, and each green") for n in range(4)
)
READER = WishReader(TOOLS, STATED, concepts=every_language().concepts)
NAMED = ("language", "host", "system", "tool")


def read(text):
    query = READER.read(make_query(text))
    return {w.value for w in query.wishes if w.kind in NAMED and w.strength != "unwanted"}, query


@pytest.mark.parametrize(
    ("text", "wished"),
    [
        ("The engineer before us built it all in Java. I want spot detection in Python", "Python"),
        ("the tutorial uses R but I would like Python for trajectory inference", "Python"),
        ("My supervisor has always used MATLAB but I only have Python: lesions", "Python"),
        ("a master student coded it in C++ last year, I need radiomics in Python", "Python"),
        ("Mon chef adore ImageJ, je voudrais compter des noyaux en Python", "Python"),
        ("Der Vorgänger schrieb alles in Matlab, ich brauche Radiomics in Python", "Python"),
        ("以前的学生用MATLAB写的,我想用Python做影像组学", "Python"),
        ("from MATLAB to Python: EEG toolbox", "Python"),
        ("half of the consortium is on MATLAB but we only do Python: spectra", "Python"),
        ("the images were taken on a Windows PC; I analyse on Linux", "Linux"),
    ],
)
def test_of_two_names_only_the_one_that_is_asked_for_is_wished(text, wished):
    assert read(text)[0] == {wished}


@pytest.mark.parametrize(
    "text",
    [
        "Radiology uses Horos, we need automatic lung nodules",
        "everyone around uses Horos I need automatic lung nodules",
        "tumour outlined in ITK-SNAP, texture features wanted",
        "we segmented in MITK, now radiomics",
        "So far I measured roots by hand in ImageJ, I want something automatic",
        "the slides were annotated in QuPath; which model finds mitoses?",
    ],
)
def test_a_program_that_others_use_or_that_did_a_past_step_is_no_wish(text):
    assert read(text)[0] == set()


@pytest.mark.parametrize(
    ("text", "wished"),
    [
        ("our group works in MATLAB, EEG source imaging", {"MATLAB"}),
        ("my supervisor insists on Fiji: colocalisation", {"Fiji"}),
        ("I have written my scripts in Python and need stain normalisation", {"Python"}),
        ("we use napari and want tracking of cells", {"napari"}),
        ("3D Slicer was set up here, which of its modules finds airways?", {"3D Slicer"}),
        ("the office has given us plain Windows desktops, kidney volume", {"Windows"}),
        ("count nuclei. Our pathologists work in QuPath all day", {"QuPath"}),
        ("I need it in Python, my colleague needs it in R too: clustering", {"Python", "R"}),
        ("Python or R, I know both: gene ontology", {"Python or R"}),
        ("spectroscopy fitting, Julia if it exists", {"Julia"}),
    ],
)
def test_what_is_asked_for_stays_a_wish(text, wished):
    assert read(text)[0] == wished


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ("converted with dcm2niix; now brain extraction", "now brain extraction"),
        ("dcm2niix done, brain extraction next", "brain extraction next"),
        ("tumour outlined in ITK-SNAP, texture features wanted", "tumour, texture features wanted"),
        ("aligned with BWA, now call variants", "now call variants"),
        ("after running FreeSurfer I need brain extraction", "I need brain extraction"),
        ("Mein Chef liebt ImageJ, ich brauche Zellzählung", "ich brauche Zellzählung"),
    ],
)
def test_the_tool_of_a_past_step_is_not_searched(text, searched):
    assert read(text)[1].text == searched


@pytest.mark.parametrize(
    "text",
    [
        "data come as FreeSurfer surfaces, plot them",
        "tracking of masks from Cellpose",
        "which is better for nuclei, Cellpose or StarDist",
        "converted with dcm2niix",
    ],
)
def test_what_names_a_format_or_is_all_that_is_asked_stays_searched(text):
    assert read(text)[1].text == text


def test_requests_with_a_story_are_mostly_read_as_meant():
    labelled = read_wishes = made_up = 0
    for request in requests_of(DATA / "wishes_stories_kept.jsonl"):
        meant = {w.value for w in request.wishes if w.kind in NAMED and w.strength != "unwanted"}
        got = read(request.query)[0]
        labelled, read_wishes = labelled + len(meant), read_wishes + len(meant & got)
        made_up += len(got - meant)
    # Without the rules of stories 45 of 50 are read, and 19 others made up.
    assert labelled == 50
    assert read_wishes >= 45
    assert made_up <= 4
