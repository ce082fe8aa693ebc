"""A mouse that is moved is a wish for a graphical program; one that is scanned is none."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader


def interfaces(text):
    wishes = (mention.wish for mention in WishReader().mentions(text))
    return {wish.value for wish in wishes if wish.kind == "interface"}


@pytest.mark.parametrize(
    "text",
    [
        "contar neuronas en cerebro de ratón",
        "segmentar pulmón de ratón en microCT",
        "embriones de ratón en hoja de luz",
    ],
)
def test_a_mouse_that_is_imaged_wishes_no_graphical_program(text):
    assert interfaces(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "segmentar el hígado con ratón",
        "contar células por clics",
        "corregir la máscara con el ratón",
    ],
)
def test_a_mouse_that_is_clicked_wishes_a_graphical_program(text):
    assert interfaces(text) == {"graphical"}
