"""A search goes deeper where few of its candidates state what is wished."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from msgspec import structs

from retrieval.core import StageResult, Wish, finish, progress, ranked
from retrieval.fit import Deeper
from tests.fakes import ids, make_candidate, make_state

NOT_PYTHON = Wish(kind="language", value="Python", text="not in Python", strength="unwanted")
IN_PYTHON = replace(NOT_PYTHON, strength="wanted")
TOOLS = [
    *(make_candidate(f"p{n:02}", 1 - n / 100, languages=("Python",)) for n in range(40)),
    *(make_candidate(f"r{n:02}", 0.5 - n / 100, languages=("R",)) for n in range(20)),
]
CATALOG = {c.tool.id: c.tool for c in TOOLS}


@dataclass
class FirstTwenty:
    """A source of the 20 best tools that a selection admits."""

    listed: list = field(default_factory=lambda: TOOLS)
    name: str = "source"
    searches: list[int] = field(default_factory=list)

    def run(self, state):
        admitted = [c for c in self.listed if state.selection.admits(c.tool.id)]
        self.searches.append(len(admitted))
        return StageResult(
            name=self.name,
            state=structs.replace(state, candidates=ranked(admitted)[:20]),
            note="found",
        )


def search(*wishes, **fields):
    source = FirstTwenty()
    state = make_state("x", wishes=wishes, **fields)
    return finish(progress(Deeper(source, CATALOG), state)), source.searches


def test_tools_behind_the_first_ones_come_up_where_the_first_state_otherwise():
    result, searches = search(NOT_PYTHON)
    assert searches == [60, 20]
    assert ids(result)[:2] == ["p00", "p01"]
    assert set(ids(result)) >= {f"r{n:02}" for n in range(20)}
    assert (result.name, result.note) == ("source", "found; 20 more that state what is wished")


def test_one_search_is_enough_where_the_first_tools_state_it():
    assert search(IN_PYTHON)[1] == [60]


def test_without_a_wish_and_with_a_contradiction_nothing_is_searched_again():
    assert search()[1] == [60]
    assert search(IN_PYTHON, NOT_PYTHON)[1] == [60]


def test_where_few_tools_state_it_silent_ones_come_up_too():
    silent = [make_candidate(f"s{n:02}", 0.1) for n in range(30)]
    source = FirstTwenty(listed=[*TOOLS[:40], *silent])
    stage = Deeper(source, {c.tool.id: c.tool for c in source.listed})
    result = finish(progress(stage, make_state("x", wishes=(NOT_PYTHON,))))
    assert source.searches == [70, 30]
    assert len([id for id in ids(result) if id.startswith("s")]) == 20
