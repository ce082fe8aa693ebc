"""Wishes of a request in every mode: weighed, told, removable, and saved with the answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retrieval.core.errors import BadInput
from retrieval.core.types import Query
from retrieval.engine.engine import Engine
from retrieval.export.replay import replay_of
from retrieval.export.serialise import to_json
from retrieval.export.table import table
from retrieval.fit import stated_shares
from retrieval.query import WishReader, wish_name
from retrieval.wiring.parts import Sizes
from tests.fakes import SMALL, small_snapshot

STATED = {**stated_shares(SMALL), "licence": 1.0}


def engine(sizes=None):
    sizes = sizes or Sizes()
    snapshot = small_snapshot(sizes, stated=STATED)
    reader = WishReader(SMALL, STATED, hides=sizes.final is not None)
    return Engine(replace(snapshot, wishes=reader))


ENGINE = engine()
TEXT = "segment lungs under the MIT license"


def ids(answer):
    return [c.tool.id for c in answer.candidates]


@pytest.mark.parametrize("mode", ENGINE.modes)
def test_every_mode_holds_its_tools_against_the_wishes(mode):
    answer = ENGINE.run(TEXT, mode)
    facts = {fit.fact for c in answer.candidates for fit in c.fit or ()}
    assert answer.query.text == "segment lungs"
    assert "licence" in facts


@pytest.mark.parametrize("mode", ENGINE.modes)
def test_without_a_wish_no_list_and_no_stage_differs(mode):
    plain = Engine(small_snapshot()).run("segment lungs", mode)
    answer = ENGINE.run("segment lungs", mode)
    assert to_json(answer)["candidates"] == to_json(plain)["candidates"]
    names = [stage["name"] for stage in to_json(answer)["stages"]]
    assert "wishes" not in names
    assert to_json(answer)["metadata"]["wishes"] is None


def test_the_json_has_each_wish_as_typed():
    assert to_json(ENGINE.run(TEXT))["query"]["understood"] == [
        {
            "kind": "licence",
            "value": "MIT",
            "text": "under the MIT license",
            "strength": "wanted",
            "searched": False,
        }
    ]


def test_the_table_tells_wishes_and_what_they_did():
    text = table(ENGINE.run(TEXT))
    assert "wish: licence MIT (wanted): under the MIT license" in text
    assert "state nothing about it" in text


def test_a_tool_that_the_text_leaves_out_is_in_no_list():
    answer = ENGINE.run("segment lungs, but not with lungmask")
    listed = {c.tool.id for node in answer.result.walk() for c in node.state.candidates}
    assert "lungmask" not in listed
    assert ids(answer)


def test_a_judged_run_ranks_such_a_tool_last_and_hides_none():
    answer = engine(Sizes(final=None)).run("segment lungs, but not with lungmask")
    assert ids(answer)[-1] == "lungmask"


def test_a_removed_wish_is_words_again():
    wish = ENGINE.run(TEXT).query.wishes[0]
    answer = ENGINE.run(TEXT, muted_tokens=[wish_name(wish)])
    assert (answer.query.text, answer.query.wishes) == (TEXT, ())


def test_a_saved_answer_with_wishes_runs_again_to_the_same_ranks():
    saved = to_json(ENGINE.run("segment lungs under the MIT license but not with nodules"))
    replayed = replay_of(ENGINE, saved)
    assert replayed.same
    assert replayed.changed == ()


@pytest.mark.parametrize(
    "text",
    [
        *("segment lungs, free, not MATLAB", "lungs, open source, GUI, not Fiji"),
        "super simple: crop lungs. No GUI. scriptable.",
    ],
)
def test_a_remark_reads_the_text_before_it_as_it_was_typed(text):
    previous = ENGINE.run(text).query
    after = ENGINE.run(ENGINE.follow_up(previous, "in children").query).query
    assert after.wishes == previous.wishes


def test_a_remark_keeps_the_wishes_of_the_search_before_it():
    previous = ENGINE.run(TEXT).query
    query: Query = ENGINE.follow_up(previous, "in children").query
    assert "MIT" in query.text
    assert query.wishes == ()


def test_contradicting_wishes_are_told_and_change_nothing():
    answer = ENGINE.run("segment lungs, MIT license but no MIT license")
    effect = answer.wishes
    assert effect is not None
    assert "neither was counted" in effect.text
    assert ids(answer) == ids(ENGINE.run("segment lungs"))


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("segment lungs [REQUIRE:language=Haskell]", "No record of the catalog states the lang"),
        ("segment lungs [EXCLUDE:lungmask", "The tag [EXCLUDE has no closing bracket"),
        ("сегментация легких", "Text in Cyrillic letters is not read"),
    ],
)
def test_what_of_a_request_is_not_read_or_stated_is_noted_in_words_and_json(text, note):
    answer = ENGINE.run(text)
    assert f"note: {note}" in table(answer)
    assert to_json(answer)["metadata"]["notes"][0].startswith(note)


def test_a_remark_that_is_too_long_is_refused_with_the_number():
    previous = ENGINE.run("segment the brain").query
    with pytest.raises(BadInput, match="remark: it has 1,001 characters; send 1,000"):
        ENGINE.follow_up(previous, "a" * 1_001)
