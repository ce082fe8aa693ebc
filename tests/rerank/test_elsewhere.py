"""What the shipped catalog tells of a tool that another catalog holds too."""

from __future__ import annotations

from retrieval.catalog.load import load_catalog
from retrieval.settings import Settings
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.ranking import ranking_of
from retrieval.wiring.shipped.facts import completed, shipped_namesakes
from tests.fakes import make_tool

BARE = make_tool("mine", name="mricro-GL", description="A desktop program.")


def test_a_record_of_a_known_name_is_told_of_and_an_unknown_one_is_not():
    other = make_tool("own", name="Our own pipeline", description="Does what we need.")
    told = shipped_namesakes([BARE, other])
    assert set(told) == {"mine"}
    assert told["mine"].name == "MRIcroGL"


def test_another_tool_that_bears_the_name_is_left_alone():
    perl = make_tool("p", name="MOOSE", description="A postmodern object system for Perl 5.")
    assert shipped_namesakes([perl]) == {}


def test_the_shipped_catalog_has_nothing_to_add_to_itself():
    assert shipped_namesakes(load_catalog(Settings().catalog).tools) == {}


def test_a_completed_record_keeps_its_name_and_words_and_gains_the_known_ones():
    known = shipped_namesakes([BARE])["mine"]
    whole = completed(BARE, known)
    assert (whole.id, whole.name) == ("mine", "mricro-GL")
    assert whole.description.startswith("A desktop program.")
    assert set(known.tasks) <= set(whole.tasks)
    assert completed(BARE, None) is BARE


def test_facts_from_elsewhere_rank_a_record_and_are_not_claimed_for_it():
    tools = [BARE, make_tool("other", name="Unheard of", description="A desktop program.")]
    ranking = ranking_of(tools, lexicon().annotator)
    bare, other = ranking.concepts.summed({"operation:visualisation": 1.0}, ["mine", "other"])
    assert bare == 1.0
    assert other == 0.0
    assert tools[0].tasks == ()
