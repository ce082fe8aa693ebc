"""Bare terms in a row deny nothing, and names and phrases with another sense are no wishes."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader, is_denied, without_set_aside
from retrieval.wiring.concepts import every_language
from tests.fakes import make_query, make_tool

READER = WishReader((make_tool("mango", name="Mango"),), {"language": 1.0, "tool": 1.0})


def wishes(text):
    return [(w.kind, w.value, w.strength) for w in READER.read(make_query(text)).wishes]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("deconvolution python", "Python"),
        ("surface distance metrics python", "Python"),
        ("dice python", "Python"),
        ("lipid droplets C++", "C++"),
        ("normalisation de coloration H&E en Python", "Python"),
    ],
)
def test_a_language_behind_bare_terms_is_wanted(text, language):
    assert wishes(text) == [("language", language, "wanted")]


@pytest.mark.parametrize("text", ["drive lab hardware", "drive lab microscope hardware"])
def test_bare_terms_rule_nothing_out(text):
    assert wishes(text) == []


@pytest.mark.parametrize("text", ["no GPU machine here", "legal vetoed anything viral"])
def test_a_denial_in_a_few_words_is_still_read(text):
    [(_, _, strength)] = wishes(text)
    assert strength == "unwanted"


@pytest.mark.parametrize(
    "text", ["deconvolution on an AMD GPU", "training on AMD ROCm", "denoise with an Intel Arc GPU"]
)
def test_a_card_of_another_maker_is_a_card(text):
    assert wishes(text) == [("gpu", "GPU", "wanted")]


@pytest.mark.parametrize(
    "text",
    [
        "DICOM server with plugins",
        "image viewer with a plugin architecture",
        "multi-dimensional image viewer with plugin system",
    ],
)
def test_what_plugins_extend_need_be_none_itself(text):
    assert wishes(text) == []


@pytest.mark.parametrize("text", ["cell counting as a plugin", "plugin for cell counting"])
def test_a_plugin_that_is_asked_for_is_wished(text):
    assert wishes(text) == [("interface", "plugin", "wanted")]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("fMRI preprocessing container", ("interface", "container", "wanted")),
        ("container preferred, fMRI preprocessing", ("interface", "container", "wanted")),
        ("slide viewer on Linux ARM", ("system", "Linux", "wanted")),
        ("cell counting app for Android", ("system", "Android", "wanted")),
        ("DICOM viewer for iPhone", ("system", "iOS", "wanted")),
        ("viewer, alternative for Mango", ("tool", "Mango", "unwanted")),
        ("tracking with a commercial-friendly licence", ("purpose", "commercial", "wanted")),
    ],
)
def test_wishes_in_a_few_words_are_read(text, wish):
    assert wishes(text) == [wish]


@pytest.mark.parametrize("text", ["segment a food container", "python snake vertebrae CT"])
def test_containers_and_snakes_that_are_imaged_are_no_wishes(text):
    assert wishes(text) == []


def test_a_container_is_still_ruled_out():
    assert wishes("kein Container bitte, DTI auswerten") == [("interface", "container", "unwanted")]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("MR fitting that doesn't require MATLAB", "MR fitting"),
        ("DICOM-Bilder anonymisieren, keine Python-Skripte", "DICOM-Bilder anonymisieren"),
    ],
)
def test_the_words_of_a_wish_leave_the_text_and_no_others_do(text, left):
    assert READER.read(make_query(text)).text.rstrip(" ,") == left


@pytest.mark.parametrize("before", ["ricostruire immagini ", "segmentare i reni in ", "sezioni "])
def test_the_end_of_an_italian_plural_denies_nothing(before):
    assert not is_denied(before)


def test_a_spanish_neither_still_denies():
    assert is_denied("el hígado, ni ")


@pytest.mark.parametrize("text", ["contare i nuclei su vetrini Ki-67", "segmentare i reni in TC"])
def test_a_task_and_its_object_are_not_set_aside(text):
    assert without_set_aside(text, every_language().mentions) == text


def test_what_needs_no_installation_and_no_network_need_be_no_web_page():
    assert wishes("slide viewer, no installation, works offline") == [
        ("offline", "offline", "wanted")
    ]
    assert wishes("slide viewer, no installation") == [("interface", "browser", "wanted")]


def test_programs_stay_in_a_text_that_says_little_else():
    reader = WishReader((), {"host": 1.0, "interface": 1.0})
    query = reader.read(make_query("a napari connector for OMERO"))
    assert query.text == "a napari connector for OMERO"
    assert {w.value for w in query.wishes} == {"napari", "OMERO"}
    assert reader.read(make_query("segment nuclei in napari")).text == "segment nuclei"
