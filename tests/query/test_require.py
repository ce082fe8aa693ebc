"""What software must be, as an option or a tag, read by the grammar of wishes."""

from __future__ import annotations

import pytest

from retrieval.core import BadInput
from retrieval.query import WishReader, parse_query, purpose_pairs, wish_name, with_wishes_in_text

READER = WishReader((), {"language": 0.9, "interface": 0.9})


@pytest.mark.parametrize(
    ("pair", "wish"),
    [
        ("language=python", ("language", "Python", "required")),
        ("language=C#", ("language", "C#", "required")),
        ("language=C", ("language", "C", "required")),
        ("interface = CLI", ("interface", "command line", "required")),
        ("interface=docker", ("interface", "container", "required")),
        ("host=3dslicer", ("host", "3D Slicer", "required")),
        ("system=Mac", ("system", "macOS", "required")),
        ("licence=open source", ("licence", "open source", "required")),
        ("license=open source", ("licence", "open source", "required")),
        ("purpose=commercial", ("purpose", "commercial", "required")),
        ("gpu=none", ("gpu", "GPU", "unwanted")),
        ("since=2022", ("since", "2022", "required")),
        ("memory=8 GB", ("memory", "8 GB", "required")),
        ("memory=8", ("memory", "8 GB", "required")),
        ("language=fortran", ("language", "Fortran", "required")),
        ("language=bash", ("language", "Bash", "required")),
    ],
)
def test_option_and_tag_are_one(pair, wish):
    by_option = parse_query("lungs", required=[pair])
    by_tag = parse_query(f"lungs [REQUIRE:{pair}]")
    assert by_option.wishes == by_tag.wishes
    assert [(w.kind, w.value, w.strength) for w in by_tag.wishes] == [wish]
    assert by_tag.text == "lungs"


def test_a_refusal_names_values_as_they_are_written():
    with pytest.raises(BadInput, match=r"there are: Bash, C, C#, C\+\+, "):
        parse_query("lungs", required=["language=Klingon"])


@pytest.mark.parametrize("pair", ["language=Klingon", "colour=red", "language=", "since=12"])
def test_what_is_not_of_the_grammar_is_refused_with_what_is(pair):
    with pytest.raises(BadInput, match=r"there are|one of|write one from 1990"):
        parse_query("lungs", required=[pair])


def test_an_amount_is_refused_with_its_form_and_its_tag():
    with pytest.raises(BadInput, match=r"^wish: memory='abc' is no amount; write a number of GB"):
        parse_query("lungs [WISH:memory=abc]")
    with pytest.raises(BadInput, match=r"^require: memory='abc'"):
        parse_query("lungs [REQUIRE:memory=abc]")


def test_a_purpose_is_refused_with_the_purposes_there_are():
    choices = "commercial product, clinical research, teaching"
    with pytest.raises(BadInput, match=rf"^purpose: there is no 'X'; choose from: {choices}$"):
        purpose_pairs("X")
    assert purpose_pairs("Teaching") == ("purpose=Teaching",)


def test_a_language_that_says_something_else_in_a_text_is_read_there_by_no_name():
    assert READER.read(parse_query("a ruby laser, stress in pascal")).wishes == ()


def test_wishes_of_the_text_join_those_of_the_option():
    query = READER.read(parse_query("lungs in Python [REQUIRE:interface=cli|gpu=none]"))
    assert [(w.kind, w.strength) for w in query.wishes] == [
        ("interface", "required"),
        ("gpu", "unwanted"),
        ("language", "wanted"),
    ]
    assert query.text == "lungs"
    assert READER.read(query) is query


def test_a_required_wish_is_removed_by_its_chip_and_kept_by_a_follow_up():
    query = parse_query("lungs [REQUIRE:language=R]")
    name = wish_name(query.wishes[0])
    assert READER.read(parse_query(query.raw, muted_tokens=[name])).wishes == ()
    assert with_wishes_in_text(query).wishes == query.wishes
