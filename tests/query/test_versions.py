"""The version of a language or system leaves the searched text with its name."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

READER = WishReader(
    (make_tool("warpfield", name="WarpField"),), {"language": 1.0, "system": 1.0, "gpu": 1.0}
)


def read(text):
    query = READER.read(make_query(text))
    return query.text, [(w.kind, w.value, w.strength) for w in query.wishes]


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("toolbox for MATLAB R2019a", ("language", "MATLAB", "wanted")),
        ("MATLAB 2021b", ("language", "MATLAB", "wanted")),
        ("on Fedora 39", ("system", "Linux", "wanted")),
        ("for Ubuntu 22.04 LTS", ("system", "Linux", "wanted")),
        ("on a Windows 7 laptop", ("system", "Windows", "wanted")),
        ("MacBook M2", ("system", "macOS", "wanted")),
        ("GPU yes", ("gpu", "GPU", "wanted")),
        ("no MATLAB required", ("language", "MATLAB", "unwanted")),
    ],
)
def test_what_belongs_to_a_wish_leaves_the_text(said, wish):
    text, wishes = read(f"clean EEG, {said}")
    assert wishes == [wish]
    assert text.removesuffix(", toolbox") == "clean EEG"


def test_a_number_of_things_is_no_version():
    assert read("register in Python 3 volumes")[0] == "register 3 volumes"
