"""Wishes that clauses of people and their computers state in words of their own."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

TOOLS = (
    make_tool("deepspots", name="DeepSpots"),
    make_tool("warpfield", name="WarpField"),
)
READER = WishReader(TOOLS, {})


def wishes(text):
    return [
        (w.kind, w.value, w.strength)
        for w in (m.wish for m in READER.mentions(make_query(text).text))
    ]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("segment vessels; so buttons please", ("interface", "graphical", "wanted")),
        (
            "vessels, the doctors refuse anything that looks like DOS",
            ("interface", "command line", "unwanted"),
        ),
        (
            "vessels for people who have never seen a terminal",
            ("interface", "command line", "unwanted"),
        ),
        (
            "something I can open in a tab of Chrome to annotate slides",
            ("interface", "browser", "wanted"),
        ),
        ("our IT does not let us put software on the machines", ("interface", "browser", "wanted")),
        ("vessels, someone should still be fixing bugs in it", ("since", "maintained", "wanted")),
        ("tools whose source I can inspect: vessels", ("licence", "open source", "wanted")),
        (
            "vessels, not restricted to academic users, please",
            ("purpose", "commercial", "wanted"),
        ),
        ("we cannot link against GPL code; meshes", ("licence", "GPL", "unwanted")),
        ("avoid big models with CUDA: vessels", ("gpu", "GPU", "unwanted")),
        ("Gefäße, der Quelltext muss einsehbar sein", ("licence", "open source", "required")),
        ("vasos, os dados não podem sair daqui", ("offline", "offline", "wanted")),
        ("vessels, MIT/BSD would be fine", ("licence", "MIT or BSD", "wanted")),
        ("vessels, no uploads of patient images", ("offline", "offline", "wanted")),
        ("vessels, our runtime is Apptainer on the HPC", ("interface", "container", "wanted")),
        ("vasi, vogliamo rivenderlo", ("purpose", "commercial", "wanted")),
        ("ya probé DeepSpots y falla, ¿qué más hay?", ("tool", "DeepSpots", "unwanted")),
    ],
)
def test_a_clause_of_light_words_wishes_the_thing_of_software_in_it(text, wish):
    assert wishes(text) == [wish]


@pytest.mark.parametrize(
    "text",
    [
        "we need a cost function for registration",
        "our users are mice, the mouse",
        "segment buttons and needles in X-ray of swallowed objects",
        "bugs in amber, we have micro-CT",
        "not Mac only please: vessels",
        "with or without a graphics card, we segment vessels",
        "it should not need me to click on each vessel",
    ],
)
def test_a_clause_about_images_wishes_nothing(text):
    assert wishes(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "DeepSpots fails on our bacteria, what else is there?",
        "we tried DeepSpots already, other ways to count spots?",
        "DeepSpots drops our labels, so please something else",
        "count spots, but DeepSpots's licence is a problem",
    ],
)
def test_the_tool_that_is_named_where_another_is_asked_for_was_tried(text):
    assert wishes(text) == [("tool", "DeepSpots", "unwanted")]


@pytest.mark.parametrize(
    "text",
    [
        "count spots with DeepSpots or something else",
        "DeepSpots and WarpField, what else is there?",
        "DeepSpots results in others' data",
    ],
)
def test_another_is_not_asked_for_beside_several_or_as_a_choice(text):
    assert ("tool", "DeepSpots", "unwanted") not in wishes(text)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("count spots on photos and my boss will not let me use Python", "count spots on photos"),
        ("segment bones, I want a real desktop program", "segment bones"),
        ("denoise CT scans (MIT or BSD only)", "denoise CT scans"),
        ("show the slides in the browser", "show the slides"),
        ("we have Windows here. Segment bones", "Segment bones"),
    ],
)
def test_what_a_wish_leaves_of_its_clause_is_not_searched_with(text, rest):
    reader = WishReader(TOOLS, dict.fromkeys(("language", "interface", "licence", "system"), 0.9))
    assert reader.read(make_query(text)).text == rest


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("web app for viewing vessels", ("interface", "browser", "wanted")),
        ("segment vessels, web app", ("interface", "browser", "wanted")),
        ("vessels, web app", ("interface", "browser", "wanted")),
        ("web browser self hosted slide viewer", ("interface", "browser", "wanted")),
        ("view slides in web browser self hosted", ("interface", "browser", "wanted")),
        ("vessels em linha de comando", ("interface", "command line", "wanted")),
        ("lames virtuelles dans un navigateur web", ("interface", "browser", "wanted")),
        ("visionneuse DICOM dans un navigateur web", ("interface", "browser", "wanted")),
        ("visualizzatore DICOM in un browser web", ("interface", "browser", "wanted")),
        ("vasi da riga di comando", ("interface", "command line", "wanted")),
        ("vessels, Docker is a dirty word here", ("interface", "container", "unwanted")),
    ],
)
def test_a_clause_turns_a_phrase_by_what_it_adds_to_it(text, wish):
    """The words of the phrase alone stand in many denials; "web" behind it says it again."""
    assert {*wishes(text)} == {wish}


def test_a_clause_that_names_images_wishes_no_way_of_working():
    images = WishReader(TOOLS, concepts=lambda text: ["format:IMS"] if ".ims" in text else [])
    assert images.mentions("my postdoc left me with .ims files") == ()
    (mention,) = images.mentions("my postdoc left me with a mess")
    assert (mention.wish.value, mention.is_clause) == ("graphical", True)


@pytest.mark.parametrize(
    "text",
    [
        "the masks were drawn in ITK-SNAP, now I need agreement between readers",
        "a colleague did the statistics in R for the paper, I want to redo the volumes",
        "regions were exported from QuPath last year, what I miss is stain normalisation",
        "femur segmented in 3D Slicer; next step a finite element mesh",
        "I learned MATLAB at school, and today I segment the placenta",
    ],
)
def test_a_name_of_the_story_is_no_wish(text):
    assert wishes(text) == []


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("segment vessels in ITK-SNAP", ("host", "ITK-SNAP", "wanted")),
        ("volumes of lesions in R", ("language", "R", "wanted")),
        ("count spots in Fiji", ("host", "Fiji", "wanted")),
        ("vessels in MATLAB", ("language", "MATLAB", "wanted")),
        ("能在Windows上运行的三维重建软件", ("system", "Windows", "wanted")),
    ],
)
def test_the_same_names_of_what_is_asked_for_are_wishes(text, wish):
    assert wishes(text) == [wish]
