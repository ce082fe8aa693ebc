"""What need not be is neither wanted nor ruled out, and its words find nothing."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

READER = WishReader(
    (make_tool("fiji", name="Fiji"),),
    {"language": 1.0, "interface": 1.0, "licence": 1.0, "gpu": 1.0, "host": 1.0, "system": 1.0},
)


def read(text):
    query = READER.read(make_query(text))
    return query.text, [(w.kind, w.value, w.strength) for w in query.wishes]


@pytest.mark.parametrize(
    "said",
    [
        "I do not insist on a GUI",
        "does not have to be Python",
        "it doesn't need to be free",
        "it need not be open source or free",
        "no need for Windows support",
        "no windows needed",
        "no Linux required",
        "not bound to Fiji",
        "it isn't necessary that it runs on Linux",
        "a GUI is not essential",
        "Python is not required",
        "es muss kein Python sein",
        "GPU muss nicht sein",
        "wir sind nicht an Fiji gebunden",
        "pas forcément en Python",
        "une interface graphique n'est pas indispensable",
        "no tiene que ser en Python",
        "no hace falta GPU",
        "não precisa ser gratuito",
        "non deve essere per forza Python",
        "non serve che sia Python",
        "不一定要用Python",
    ],
)
def test_what_need_not_be_is_no_wish_and_leaves_the_text(said):
    text, wishes = read(f"nuclei segmentation, {said}")
    assert wishes == []
    assert text == "nuclei segmentation"


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("must not need a GPU", ("gpu", "GPU", "unwanted")),
        ("no GPU needed", ("gpu", "GPU", "unwanted")),
        ("MATLAB is not needed", ("language", "MATLAB", "unwanted")),
        ("it must not be Python", ("language", "Python", "unwanted")),
        ("ne doit pas être en MATLAB", ("language", "MATLAB", "unwanted")),
        ("no need to code", ("interface", "graphical", "wanted")),
        ("it does not need installation", ("interface", "browser", "wanted")),
        ("not limited to academic use", ("purpose", "commercial", "wanted")),
        ("we are tied to Windows", ("system", "Windows", "required")),
    ],
)
def test_what_must_not_be_and_burdens_that_are_not_needed_are_ruled_out(said, wish):
    assert wish in read(f"nuclei segmentation, {said}")[1]


def test_a_microscope_in_small_letters_makes_no_text_portuguese():
    assert read("no MATLAB: denoise cryo-em")[1] == [("language", "MATLAB", "unwanted")]


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("napari would be nice but Python is ok", ("host", "napari", "wanted")),
        ("R would be nice, Python is ok", ("language", "R", "wanted")),
        ("ideally in Java, Python is fine", ("language", "Java", "wanted")),
        ("napari preferred but Fiji works too", ("host", "napari", "wanted")),
        ("R wäre schön, aber Python ist ok", ("language", "R", "wanted")),
    ],
)
def test_what_will_do_beside_a_wish_is_no_wish_and_leaves_the_text(said, wish):
    text, wishes = read(f"nuclei segmentation, {said}")
    assert wishes == [wish]
    assert text == "nuclei segmentation"


def test_names_of_one_choice_stay_together_where_both_will_do():
    assert read("nuclei, MIT/BSD no problem")[1] == [("licence", "MIT or BSD", "wanted")]
    # Beside the GPL nothing stricter is left that this would rule out.
    assert read("nuclei, AGPL/GPL no problem")[1] == []
