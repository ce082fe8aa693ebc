"""S1-07: a question with options, out of the candidates' own facts."""

from __future__ import annotations

import pytest
from msgspec import structs

from retrieval.core import Wish
from retrieval.core.codes import Modality
from retrieval.core.types import Candidate
from retrieval.dialogue.clarify import clarify
from tests.dialogue.talking import CT, DIALOGUE, listed
from tests.fakes import make_query, make_tool


def asked(query, *tools):
    return clarify(query, [Candidate(tool=t, score=1.0) for t in tools])


TOOLS = (
    make_tool("a", tasks=("segmentation",), modalities=(Modality.CT,)),
    make_tool("b", tasks=("registration",), modalities=(Modality.CT,)),
    make_tool("c", tasks=("registration",), modalities=(Modality.CT,)),
    make_tool("d", tasks=("viewing",), modalities=(Modality.CT,)),
)


def test_it_asks_what_splits_the_candidates_and_counts_what_each_answer_keeps():
    told = asked(make_query("lungs"), *TOOLS)
    assert told.question == "What should be done?"
    assert [(o.label, o.tools) for o in told.options] == [
        ("registration", 2),
        ("segmentation", 1),
        ("viewing", 1),
    ]
    assert "4 tools" in told.context


def test_what_the_query_says_already_is_not_offered():
    told = asked(make_query("segmentation of lungs"), *TOOLS)
    assert "segmentation" not in [o.label for o in told.options]
    tokens = asked(
        make_query("x", tokens=("format:CT",)),
        *TOOLS[1:3],
        make_tool("e", modalities=(Modality.MRI, Modality.PET)),
    )
    assert tokens is None or "CT" not in [o.label for o in tokens.options]


def test_there_are_never_more_than_five_options():
    tools = [make_tool(f"t{n}", tasks=(f"task {n}",)) for n in range(12)]
    assert len(asked(make_query("x"), *tools).options) == 5


def test_candidates_that_nothing_splits_give_no_question():
    assert asked(make_query("x"), *[make_tool(i, tasks=("same",)) for i in "abc"]) is None
    assert asked(make_query("x")) is None
    assert asked(make_query("x"), make_tool("a"), make_tool("b")) is None


def test_the_question_is_the_same_every_time():
    assert asked(make_query("x"), *TOOLS) == asked(make_query("x"), *TOOLS)


def test_two_answers_are_joined_by_no_preference():
    tools = [make_tool("a", tasks=("viewing",)), make_tool("b", tasks=("counting",))]
    told = asked(make_query("cells"), *tools)
    assert [o.label for o in told.options] == ["counting", "viewing", "no preference"]
    assert told.options[2].query == "cells"


@pytest.mark.requirement("S1-07")
def test_every_option_is_a_ready_query_with_its_expected_effect():
    told = asked(make_query("lungs"), *TOOLS)
    assert [o.query for o in told.options] == [f"lungs {o.label}" for o in told.options]
    assert told.options[0].effect == "2 of 4 tools state it"
    assert (told.options[0].first, told.options[1].first) == ("b", "a")
    assert told.options[1].effect == "1 of 4 tools states it"
    assert told.context.startswith("4 tools to choose from; beside each answer, how many of")
    # Where a tool stands in the list that an answer brings is not known before.
    assert not any("best placed" in option.effect for option in told.options)


@pytest.mark.requirement("S1-07")
def test_refine_asks_even_where_the_list_cannot_be_split():
    query = make_query("lungmask", refine=True)
    told = DIALOGUE.clarification(query, listed("lungmask"))
    assert 3 <= len(told.options) <= 5
    assert DIALOGUE.clarification(make_query("lungmask"), listed("lungmask")) is None


@pytest.mark.parametrize("text", ["segmentation", "MRI", "help"])
@pytest.mark.requirement("S1-07")
def test_a_vague_query_is_asked_about_over_the_whole_catalog(text):
    told = DIALOGUE.clarification(make_query(text), listed("tool00", "tool01"))
    assert 3 <= len(told.options) <= 5
    assert all(o.tools > 2 for o in told.options)
    assert told.question.endswith("?")


def test_a_vague_query_is_asked_for_what_it_does_not_say():
    told = DIALOGUE.clarification(make_query("segmentation"), ())
    assert told.question == "Which part of the body, or what structure?"
    said = {DIALOGUE.clarification(make_query(t), ()).question for t in ("MRI", "help")}
    assert said <= {"What should be done?", "Which part of the body, or what structure?"}


def test_a_query_that_says_nothing_is_no_part_of_the_ready_queries():
    told = DIALOGUE.clarification(make_query("please help"), ())
    assert all(o.query == o.label for o in told.options)


def test_the_modality_of_the_scan_is_not_asked_for_and_bounds_the_tools():
    told = DIALOGUE.clarification(make_query("help", scans=(CT,)), ())
    assert "magnetic resonance imaging" not in [o.label for o in told.options]
    assert told.context.startswith("60 tools")


def test_choosing_an_option_gives_a_query_that_is_not_vague():
    for text in ("segmentation", "MRI"):
        told = DIALOGUE.clarification(make_query(text), ())
        assert not any(DIALOGUE.is_vague(make_query(o.query)) for o in told.options)


def test_what_is_excluded_or_filtered_is_not_counted():
    query = make_query("segmentation", excluded=tuple(f"tool{n:02}" for n in range(0, 120, 4)))
    told = DIALOGUE.clarification(query, ())
    assert "30 tools" not in told.context


def test_every_answer_carries_on_the_wishes_that_left_the_text():
    wish = Wish(kind="language", value="Julia", text="in Julia", strength="wanted", searched=False)
    query = structs.replace(make_query("lungs"), raw="lungs in Julia", wishes=(wish,))
    told = asked(query, *TOOLS)
    assert {o.query for o in told.options} == {
        "lungs in Julia registration", "lungs in Julia segmentation", "lungs in Julia viewing",
    }  # fmt: skip
