"""A scorer's numbers are worth what its list is, and no list is made that nobody looks at."""

from __future__ import annotations

import gc
from weakref import ref

import pytest
from msgspec.structs import replace

from retrieval.core.combine import Fuse, Pipeline
from retrieval.core.errors import StageUnavailable
from retrieval.core.fusion import Column, Scorer, min_max, reciprocal_rank_fusion, weighted
from retrieval.core.stage import Graph, finish, progress
from retrieval.core.types import Why
from retrieval.graph.expand import LazyGraph
from tests.fakes import Breaks, Gives, Skips, ids, make_candidate, make_state, parts_of

TABLE = {"a": 0.25, "b": 0.75, "c": 0.123456789}


class Numbers(Scorer):
    kind = "phrase"

    def __init__(self, name="late", table=TABLE):
        self.name, self.table = name, table

    def values(self, state):
        return [self.table[c.tool.id] for c in state.candidates]


class Listing:
    """The same scorer as a plain stage, which hands over its list."""

    def __init__(self, scorer):
        self.name, self._scorer = scorer.name, scorer

    def run(self, state):
        part = self._scorer.run(state)
        return replace(part, state=replace(part.state, candidates=tuple(part.state.candidates)))


def fused(scorers, combine, *, watched=True):
    fuse = Fuse("fused", [Gives("dense", "a b"), Gives("words", "b c")], scorers, combine)
    parts = list(progress(Pipeline("p", [fuse]), replace(make_state(), watched=watched), root=True))
    return parts[-1], len(parts)


@pytest.mark.parametrize(
    "combine", [weighted({"dense": 0.5, "words": 0.3, "late": 0.4}), reciprocal_rank_fusion]
)
@pytest.mark.parametrize("completed", [[], [Numbers("dense", {"a": 1.0, "b": 0.9, "c": 0.1})]])
def test_a_column_is_fused_as_the_list_of_the_same_scorer_is(combine, completed):
    scorers = [*completed, Numbers()]
    column, _ = fused(scorers, combine)
    listed, _ = fused([Listing(s) for s in scorers], combine)
    assert column.state.candidates == listed.state.candidates
    told, other = parts_of(column), parts_of(listed)
    assert {n: p.state.candidates for n, p in told.items()} == {
        n: p.state.candidates for n, p in other.items()
    }


def test_a_result_that_nobody_watches_grow_is_the_same_in_fewer_steps():
    combine = weighted({"dense": 0.5, "late": 0.4})
    shown, steps = fused([Numbers()], combine)
    alone, fewer = fused([Numbers()], combine, watched=False)
    assert alone.state.candidates == shown.state.candidates
    assert fewer < steps
    whole, _ = fused([], combine, watched=False)
    assert ids(whole) == ids(fused([], combine)[0])


def test_a_column_looked_at_is_a_ranked_list_of_rounded_scores_with_their_reasons():
    state = make_state("x", *(make_candidate(i) for i in "abc"), path="fused/late")
    column = Numbers().run(state).state.candidates
    assert [(c.tool.id, c.score) for c in column] == [("b", 0.75), ("a", 0.25), ("c", 0.123457)]
    assert column[2].why == (Why(kind="phrase", stage="fused/late", text="", value=0.123457),)
    assert ids(Numbers().run(state)) == ["b", "a", "c"]
    units = dict(zip(ids(column.candidates), min_max(column).tolist(), strict=True))
    assert [units[i] for i in ids(column)] == min_max(column.value).tolist()


def test_a_column_goes_when_the_last_who_holds_it_lets_go():
    column = Column("late", [make_candidate("a")], [0.1])
    held = ref(column)
    gc.disable()
    try:
        del column
        assert held() is None
    finally:
        gc.enable()


def test_scores_without_a_path_are_not_kept_on_the_candidate():
    column = Column("", [make_candidate("a"), make_candidate("b")], [0.1, 0.9])
    assert [(c.tool.id, c.score, dict(c.scores)) for c in column] == [
        ("b", 0.9, {}),
        ("a", 0.1, {}),
    ]
    [first, _] = weighted({"paths": 1.0})("graph", [("graph/paths", column)])
    assert dict(first.scores) == {"graph": 1.0}


def test_a_candidate_without_a_number_is_not_in_the_list_and_gets_no_share():
    [a, b, c] = union = [make_candidate(i) for i in "abc"]
    column = Column("late", union, [0.4, float("nan"), 0.2], "phrase")
    assert (len(column), ids(column)) == (2, ["a", "c"])
    other = Column("words", union, [0.0, 1.0, 0.5], "word")
    listed = weighted({"late": 1.0, "words": 0.5})("f", [("late", column), ("words", other)])
    assert [(x.tool.id, x.score) for x in listed] == [("a", 1.0), ("b", 0.5), ("c", 0.25)]
    assert [w.text for w in listed[1].why if w.kind == "share"] == ["words"]
    assert dict(listed[1].scores) == {"words": 1.0, "f": 0.5}
    # The same lists over other objects are merged by id.
    apart = Column("late", [a, c], [0.4, 0.2], "phrase")
    again = weighted({"late": 1.0, "words": 0.5})("f", [("late", apart), ("words", other)])
    assert [(x.tool.id, x.score) for x in again] == [(x.tool.id, x.score) for x in listed]
    assert b not in apart


def test_a_reason_that_was_told_under_the_same_path_is_not_told_twice():
    state = make_state("x", *(make_candidate(i) for i in "abc"), path="late")
    again = replace(state, candidates=Numbers().run(state).state.candidates)
    [first, *_] = weighted({"late": 1.0})("f", [("late", Numbers().run(again).state.candidates)])
    assert [w.kind for w in first.why] == ["phrase", "share"]


@pytest.mark.parametrize("scorer", [Skips("late", "no vectors"), Breaks("late")])
def test_a_scorer_that_cannot_run_leaves_the_candidates_and_says_so(scorer):
    part = finish(progress(scorer, make_state("x", make_candidate("a"))))
    assert not part.ran
    assert ids(part) == ["a"]


def test_a_scorer_that_is_switched_off_says_so():
    with pytest.raises(StageUnavailable, match="switched off"):
        Numbers().run(make_state("x", off=frozenset({"late"})))
    part = finish(progress(Numbers(), make_state("x", off=frozenset({"late"}))))
    assert part.status == "skipped"


def test_an_excerpt_is_drawn_when_it_is_looked_at_and_once():
    drawn = []

    def draw():
        drawn.append(1)
        return Graph()

    excerpt = LazyGraph(draw)
    assert not drawn
    assert (excerpt.nodes, excerpt.edges) == ((), ())
    assert excerpt == LazyGraph(Graph)
    assert len(drawn) == 1
