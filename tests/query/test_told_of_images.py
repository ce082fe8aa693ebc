"""Words that wish something of software wish nothing where they tell of the images."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query


def wishes(text):
    return {(m.wish.kind, m.wish.value) for m in WishReader().mentions(text)}


@pytest.mark.parametrize(
    "text",
    [
        "count larvae maintained at 18 degrees",
        "blood pressure was maintained during the scan, segment vessels",
        "count lice on commercially raised salmon",
        "the segmentation must be free from motion blur",
        "since 2014 we scan all newborns, segment their brains",
        "segment lungs, the company that sold us the scanner is in Jena",
    ],
)
def test_what_is_told_of_the_images_wishes_nothing(text):
    assert not wishes(text)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("a maintained DICOM viewer", ("since", "maintained")),
        ("something maintained for tractography", ("since", "maintained")),
        ("segment nuclei, must be maintained", ("since", "maintained")),
        ("track cells, we want to use it commercially", ("purpose", "commercial")),
        ("commercially usable liver segmentation", ("purpose", "commercial")),
        ("segment nuclei, it must be free", ("licence", "free of charge")),
        ("brain segmentation since 2020", ("since", "2020")),
        ("segment lungs for our company", ("purpose", "commercial")),
    ],
)
def test_the_same_words_of_software_are_a_wish(text, wish):
    assert wish in wishes(text)


@pytest.mark.parametrize(
    ("text", "kind", "value", "strength"),
    [
        ("it has to stay inside Fiji: outline cells", "host", "Fiji", "required"),
        ("the data has to stay inside, segment lungs", "offline", "offline", "required"),
        ("diffusion preprocessing that avoids MATLAB", "language", "MATLAB", "unwanted"),
        ("3D viewer for stacks, desktop, macOS", "interface", "desktop", "wanted"),
        ("track cells, recent", "since", "maintained", "wanted"),
    ],
)
def test_a_word_is_read_by_what_stands_beside_it(text, kind, value, strength):
    read = {(m.wish.kind, m.wish.value, m.wish.strength) for m in WishReader().mentions(text)}
    assert (kind, value, strength) in read
    assert len([one for one in read if one[0] in (kind, "offline")]) == 1


def test_the_card_of_a_wish_leaves_the_search_with_it():
    query = WishReader((), {"gpu": 1.0}).read(make_query("slide encoder without a CUDA card"))
    assert query.text == "slide encoder"


@pytest.mark.parametrize(
    ("text", "searched", "strength"),
    [
        ("read svs files with a BSD, MIT or Apache licence only", "read svs files", "required"),
        ("read svs files, MIT or BSD or Apache licensed", "read svs files", "wanted"),
    ],
)
def test_a_choice_of_licences_takes_its_noun_with_it(text, searched, strength):
    query = WishReader((), {"licence": 1.0}).read(make_query(text))
    assert query.text == searched
    assert [wish.strength for wish in query.wishes] == [strength]


def test_must_reaches_no_further_than_its_part_of_the_sentence():
    text = "find nuclei, must be usable commercially, Python, no GPU obligation"
    read = {m.wish.value: m.wish.strength for m in WishReader().mentions(text)}
    assert read == {"commercial": "required", "Python": "wanted", "GPU": "unwanted"}
