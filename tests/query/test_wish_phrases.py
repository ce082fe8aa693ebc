"""Wishes are read in the many ways to say them, and nothing is read as its opposite."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

TOOLS = (
    make_tool("fsl", name="FSL", suite="FSL"),
    make_tool("flirt", name="FLIRT", suite="FSL"),
    make_tool("cellpose", name="Cellpose"),
)
READER = WishReader(TOOLS, {"language": 1.0, "tool": 1.0})


def wishes(text):
    return [(w.kind, w.value, w.strength) for w in READER.read(make_query(text)).wishes]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("vessels, not based on MATLAB", ("language", "MATLAB", "unwanted")),
        ("Gefäße, auf keinen Fall MATLAB", ("language", "MATLAB", "unwanted")),
        ("Gefäße, unabhängig von Python", ("language", "Python", "unwanted")),
        ("Gefäße, MATLAB-frei", ("language", "MATLAB", "unwanted")),
        ("Gefäße, Python geht bei uns nicht", ("language", "Python", "unwanted")),
        ("vessels, Python cannot be installed", ("language", "Python", "unwanted")),
        ("血管分割,不依赖Python", ("language", "Python", "unwanted")),
        ("vessels, Windows unavailable", ("system", "Windows", "unwanted")),
        ("vessels, an alternative to Docker", ("interface", "container", "unwanted")),
        ("vessels, I can't install Docker", ("interface", "container", "unwanted")),
        ("Docker ist bei uns verboten: Gefäße", ("interface", "container", "unwanted")),
        ("vessels without a dedicated GPU", ("gpu", "GPU", "unwanted")),
        ("Gefäße ohne dedizierte Grafikkarte", ("gpu", "GPU", "unwanted")),
        ("brain registration, FSL unavailable", ("tool", "FSL", "unwanted")),
        ("track cells, we got rid of Cellpose", ("tool", "Cellpose", "unwanted")),
        ("vaisseaux, sans taper de commandes", ("interface", "command line", "unwanted")),
        ("vessels without any typing of commands", ("interface", "command line", "unwanted")),
    ],
)
def test_what_is_ruled_out_is_not_read_as_wanted(text, wish):
    assert wishes(text) == [wish]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("vessels, no connection to the outside", ("offline", "offline", "wanted")),
        ("vessels; must never contact the outside world", ("offline", "offline", "required")),
        ("vasos, sin enviar datos a terceros", ("offline", "offline", "wanted")),
        ("vessels, on-prem", ("offline", "offline", "wanted")),
        ("vasos, com manutenção ativa", ("since", "maintained", "wanted")),
        ("Gefäße, mit aktiver Wartung", ("since", "maintained", "wanted")),
        ("vessels, nothing that's been dead since 2015", ("since", "maintained", "wanted")),
        ("vessels, last commit this year", ("since", "maintained", "wanted")),
        ("vessels, free of any cost", ("licence", "free of charge", "wanted")),
        ("vaisseaux, qui ne coûte rien", ("licence", "free of charge", "wanted")),
        ("vasos, para quem não programa", ("interface", "graphical", "wanted")),
        ("vessels, mouse-driven", ("interface", "graphical", "wanted")),
        ("vasi, non possiamo installare niente", ("interface", "browser", "wanted")),
        ("Gefäße, wir sind ein Unternehmen", ("purpose", "commercial", "wanted")),
        ("vaisseaux, usage non commercial", ("purpose", "academic", "wanted")),
        ("vaisseaux, sans restriction non commerciale", ("purpose", "commercial", "wanted")),
        ("vessels, not for research use only", ("purpose", "commercial", "wanted")),
        ("vessels, nothing older than 2020", ("since", "2020", "wanted")),
        ("vessels, RAM: 16 GB", ("memory", "16 GB", "wanted")),
        ("segmentar vasos que rode no Windows", ("system", "Windows", "wanted")),
    ],
)
def test_a_wish_is_read_in_other_words(text, wish):
    assert wishes(text) == [wish]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("air-gapped, so it has to work offline: vessels", ("offline", "offline", "required")),
        ("vessels (BSD or Apache only)", ("licence", "BSD or Apache", "required")),
        ("vessels, academic use only is fine", ("purpose", "academic", "wanted")),
        ("vessels, MATLAB toolbox, must be MATLAB", ("language", "MATLAB", "required")),
    ],
)
def test_a_wish_has_one_strength(text, wish):
    assert set(wishes(text)) == {wish}


@pytest.mark.parametrize(
    "text",
    [
        "command and control neurons",
        "rete vascolare della retina",
        "docker worker exposure to asbestos, pleural plaques",
        "notebook computers in a CT of luggage",
        "isolated cell segmentation",
        "active support vector machines for lesions",
        "motor commands in fMRI",
    ],
)
def test_words_about_images_are_no_wish(text):
    assert wishes(text) == []


def test_a_suffix_asks_for_no_other_tool():
    assert ("tool", "FSL", "unwanted") not in wishes("a FLIRT-like tool from FSL")
