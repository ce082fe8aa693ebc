from __future__ import annotations

from msgspec.structs import replace

from retrieval.core.combine import Fuse, Pipeline
from retrieval.core.fusion import weighted
from retrieval.core.stage import StageResult, finish, progress
from retrieval.core.types import Selection, ranked
from tests.fakes import Breaks, Gives, Skips, ids, make_state, parts_of


class Scores:
    """A scorer: each candidate gets the number that the table has for it."""

    def __init__(self, name, **table):
        self.name, self.table = name, table
        self.seen = []

    def run(self, state):
        self.seen = ids(state.candidates)
        scored = (c.scored(state.path, self.table.get(c.tool.id, 0.0)) for c in state.candidates)
        return StageResult(name=self.name, state=replace(state, candidates=ranked(scored)))


def run(fuse, state=None):
    return finish(progress(Pipeline("p", [fuse]), state or make_state(), root=True))


def test_sources_find_apart_and_scorers_see_the_union_only():
    late = Scores("late", a=0.1, b=0.9, c=0.5)
    fuse = Fuse("fused", [Gives("dense", "a b"), Gives("words", "b c")], [late])
    result = run(fuse)
    assert sorted(late.seen) == ["a", "b", "c"]
    assert [n.name for n in result.stages()] == [
        "fused/dense",
        "fused/words",
        "fused/late",
        "fused",
    ]
    assert ids(parts_of(result)["fused/words"]) == ["b", "c"]


def test_no_source_sees_what_another_found():
    seen = []

    class Looks(Gives):
        def run(self, state):
            seen.append(ids(state.candidates))
            return super().run(state)

    run(Fuse("fused", [Looks("a", "x"), Looks("b", "y")]))
    assert seen == [[], []]


def test_every_score_stands_on_the_fused_candidate():
    fuse = Fuse(
        "fused", [Gives("dense", "a b"), Gives("words", "b a")], [Scores("late", a=0.3, b=0.2)]
    )
    first = run(fuse).state.candidates[0]
    assert set(first.scores) == {"fused/dense", "fused/words", "fused/late", "fused"}


def test_a_scorer_of_a_sources_name_completes_its_list_but_the_source_shows_its_own():
    complete = Scores("dense", a=1.0, b=0.9, c=0.8)
    fuse = Fuse(
        "fused", [Gives("dense", "a b"), Gives("words", "c")], [complete], weighted({"dense": 1.0})
    )
    result = run(fuse)
    assert ids(parts_of(result)["fused/dense"]) == ["a", "b"]
    assert ids(result) == ["a", "b", "c"]
    assert parts_of(result)["fused"].state.candidates[2].scores["fused/dense"] == 0.8


def test_one_lost_source_is_a_fallback_on_the_others():
    result = run(Fuse("fused", [Skips("dense", "loading"), Gives("words", "b c")]))
    fused = parts_of(result)["fused"]
    assert (fused.status, fused.note, ids(result)) == ("fallback", "dense: loading", ["b", "c"])


def test_a_failed_scorer_leaves_the_other_lists_and_a_mark():
    result = run(Fuse("fused", [Gives("words", "b c")], [Breaks("late")]))
    assert parts_of(result)["fused"].status == "fallback"
    assert parts_of(result)["fused/late"].status == "failed"
    assert ids(result) == ["b", "c"]


def test_all_sources_skipped_is_skipped_and_all_failed_is_failed():
    skipped = run(Fuse("fused", [Skips("dense"), Skips("words")]))
    failed = run(Fuse("fused", [Skips("dense"), Breaks("words")]))
    assert parts_of(skipped)["fused"].status == "skipped"
    assert parts_of(failed)["fused"].status == "failed"
    assert failed.status == "failed"


def test_the_limit_cuts_the_fused_list_only():
    result = run(Fuse("fused", [Gives("a", "x y z")], limit=2))
    assert ids(result) == ["x", "y"]
    assert ids(parts_of(result)["fused/a"]) == ["x", "y", "z"]


def test_a_fused_list_is_shown_after_every_source():
    fuse = Fuse("fused", [Gives("a", "x"), Gives("b", "y")])
    sizes = [
        len(p.state.candidates) for p in progress(Pipeline("p", [fuse]), make_state(), root=True)
    ]
    assert sizes == [0, 1, 2]


def test_exclusions_hold_at_every_source():
    state = make_state(selection=Selection(drop=frozenset({"b"})))
    result = run(Fuse("fused", [Gives("a", "a b"), Gives("w", "b c")]), state)
    assert all("b" not in ids(node) for node in result.walk())


def test_an_uncut_fusion_has_the_same_list_without_its_end():
    fuse = Fuse("fused", [Gives("one", "a b c"), Gives("two", "c d")], limit=2)
    cut, whole = (fuse.run(replace(make_state(), uncut=u)).state.candidates for u in (False, True))
    assert (len(cut), len(whole)) == (2, 4)
    assert whole[:2] == cut
