"""A purpose and a machine as options and tags: wishes that rank, held against every tool by fit."""

from __future__ import annotations

import pytest

from retrieval.core import BadInput
from retrieval.export.replay import query_of
from retrieval.export.schema import read_search
from retrieval.export.serialise import to_json
from retrieval.fit import wish_fit
from retrieval.query import machine_pairs, parse_query, purpose_pairs
from tests.fakes import make_tool, small_engine


def read(pairs):
    return [(w.kind, w.value, w.strength) for w in parse_query("lungs", wanted=pairs).wishes]


def test_a_machine_is_read_as_what_it_rules_out():
    pairs = machine_pairs(["gpu=no", "memory=16", "gpu-memory = 8 GB", "system=linux"])
    assert read(pairs) == [
        ("gpu", "GPU", "unwanted"),
        ("memory", "16 GB", "wanted"),
        ("memory", "8 GB GPU", "wanted"),
        ("system", "Linux", "wanted"),
    ]


def test_a_card_that_is_there_rules_nothing_out():
    assert machine_pairs(["gpu=yes"]) == ()


@pytest.mark.parametrize("part", ["gpu=perhaps", "memory=much", "colour=red", "system=", "gpu"])
def test_a_part_of_no_machine_is_refused_with_what_there_is(part):
    with pytest.raises(BadInput, match=r"gpu=yes|choose from"):
        machine_pairs([part])


@pytest.mark.parametrize(
    ("purpose", "value"),
    [
        ("commercial product", "commercial"),
        ("commercial", "commercial"),
        ("clinical research", "clinical research"),
        ("Teaching", "academic"),
    ],
)
def test_a_purpose_is_written_in_the_words_of_the_page_or_of_the_grammar(purpose, value):
    assert read(purpose_pairs(purpose)) == [("purpose", value, "wanted")]


def test_no_purpose_is_no_wish():
    assert purpose_pairs(None) == ()


def test_option_and_tag_say_the_same_and_rank_without_hiding():
    by_option = parse_query("lungs", wanted=["memory=16 GB"])
    by_tag = parse_query("lungs [WISH:memory=16 GB]")
    assert by_tag.wishes == by_option.wishes
    assert by_tag.text == "lungs"
    assert by_tag.wishes[0].strength == "wanted"


@pytest.mark.parametrize(
    ("purpose", "licence", "verdict"),
    [
        ("commercial product", "CC-BY-NC-4.0", "fail"),
        ("clinical research", "CC-BY-NC-4.0", "pass"),
        ("teaching", "CC-BY-NC-4.0", "pass"),
        ("commercial product", "MIT", "pass"),
        ("clinical research", None, "unknown"),
    ],
)
def test_a_licence_is_held_against_the_purpose(purpose, licence, verdict):
    (wish,) = parse_query("lungs", wanted=purpose_pairs(purpose)).wishes
    assert wish_fit(make_tool("a", license=licence), wish).verdict == verdict


def test_terms_have_verdicts_in_the_json_and_are_run_again_as_they_were():
    engine = small_engine()
    answer = engine.run("segment lungs", wanted=["memory=16 GB"], required=["language=Python"])
    saved = to_json(answer)
    understood = [(w["kind"], w["strength"]) for w in saved["query"]["understood"] if not w["text"]]
    assert understood == [("language", "required"), ("memory", "wanted")]
    again = query_of(read_search(saved))
    typed = parse_query("lungs", required=["language=Python"], wanted=["memory=16 GB"])
    assert again.wishes == typed.wishes
