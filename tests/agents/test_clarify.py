"""S1-07: a question with options, out of the candidates' own facts."""

from __future__ import annotations

from retrieval.agents import clarify
from retrieval.core.codes import Modality
from retrieval.core.types import Candidate
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
