"""How far a denial reaches: not over the thing that it denies to what stands beside it."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

READER = WishReader((make_tool("warpfield", name="WarpField"),), {})


def wishes(text):
    found = READER.mentions(make_query(text).text)
    return [(m.wish.kind, m.wish.value, m.wish.strength) for m in found]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("DICOM viewer without admin rights on Windows", ("system", "Windows", "wanted")),
        ("no installer on Linux: DICOM viewer", ("system", "Linux", "wanted")),
        ("visionneuse sans droits administrateur sous Windows", ("system", "Windows", "wanted")),
        ("nothing to pay and a Mac: DICOM viewer", ("system", "macOS", "wanted")),
        ("no internet but an NVIDIA card: segment lungs", ("gpu", "GPU", "wanted")),
        ("segment lungs, no upload and there is one GPU", ("gpu", "GPU", "wanted")),
        ("sin internet pero con dos GPU, segmentar hígado", ("gpu", "GPU", "wanted")),
    ],
)
def test_what_stands_beside_a_denied_thing_is_there(text, wish):
    assert wish in wishes(text)
    assert "unwanted" not in [strength for _, _, strength in wishes(text)]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("no access to MATLAB, clean EEG", ("language", "MATLAB", "unwanted")),
        ("clean EEG, we have no permission to use Docker", ("interface", "container", "unwanted")),
        ("no internet and no GPU, segment lungs", ("gpu", "GPU", "unwanted")),
        ("without internet or GPU, segment lungs", ("gpu", "GPU", "unwanted")),
        ("nothing deep learning with a GPU", ("gpu", "GPU", "unwanted")),
        ("no Windows on our machines, slide viewer", ("system", "Windows", "unwanted")),
    ],
)
def test_what_is_denied_itself_stays_ruled_out(text, wish):
    assert wish in wishes(text)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I know R better than Python, cluster cells", "R"),
        ("my Python is better than my R, cluster cells", "Python"),
        ("cluster cells, I am more fluent in MATLAB than in Python", "MATLAB"),
        ("ich kann R besser als Python, Zellen gruppieren", "R"),
        ("je connais mieux R que Python, regrouper des cellules", "R"),
        ("conosco meglio R di Python, raggruppare cellule", "R"),
    ],
)
def test_a_language_that_is_known_less_is_not_ruled_out(text, language):
    assert wishes(text) == [("language", language, "wanted")]


def test_a_language_that_another_is_preferred_to_is_ruled_out():
    assert ("language", "Python", "unwanted") in wishes("I prefer R to Python, cluster cells")
