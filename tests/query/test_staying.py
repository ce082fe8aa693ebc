"""A program that is not to be left is wished for; one that is excepted from any is not."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader


def wishes(text):
    return {(m.wish.kind, m.wish.value, m.wish.strength) for m in WishReader().mentions(text)}


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("contar células sin salir de Fiji", ("host", "Fiji", "wanted")),
        ("compter les cellules sans quitter QuPath", ("host", "QuPath", "wanted")),
        ("Zellen zählen, ohne Fiji zu verlassen", ("host", "Fiji", "wanted")),
        ("view whole slides and never leave the browser", ("interface", "browser", "wanted")),
        (
            "view whole slides without having to leave the browser",
            ("interface", "browser", "wanted"),
        ),
    ],
)
def test_a_program_that_is_not_to_be_left_is_wanted(text, wish):
    assert wish in wishes(text)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("track cells in any language but Python", ("language", "Python", "unwanted")),
        ("track cells on every system but Windows", ("system", "Windows", "unwanted")),
        ("plan a biopsy in whichever program except MATLAB", ("language", "MATLAB", "unwanted")),
    ],
)
def test_what_is_excepted_from_any_is_not_wanted(text, wish):
    assert wish in wishes(text)
    assert not any(strength != "unwanted" for *_, strength in wishes(text))


def test_a_program_that_is_left_behind_is_not_wanted():
    assert ("language", "MATLAB", "unwanted") in wishes("fit spectra, we want to leave MATLAB")
