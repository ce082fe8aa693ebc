"""Paths along named relations, and shortest paths."""

from __future__ import annotations

import pytest

from retrieval.ask.paths import PathFinder, metapath_of
from tests.graph.test_triplets import base_of

BASE = base_of("A uses F", "B uses F", "B next C", "A next D", "D next C")


@pytest.mark.requirement("S3-08")
def test_a_metapath_is_split_at_its_arrows_and_stripped() -> None:
    assert metapath_of(" uses ->  next->") == ("uses", "next")
    assert metapath_of("") == ()


@pytest.mark.requirement("S3-08")
def test_a_metapath_follows_its_relations_in_order() -> None:
    found = PathFinder(BASE).follow(["F"], ("uses", "next"))
    assert [path[-1] for path in found] == [("A", "next", "D"), ("B", "next", "C")]


@pytest.mark.requirement("S3-08")
def test_targets_keep_only_the_paths_that_reach_them() -> None:
    found = PathFinder(BASE).follow(["F"], ("uses", "next"), ["C"])
    assert [path[-1] for path in found] == [("B", "next", "C")]


@pytest.mark.requirement("S3-08")
def test_no_source_gives_no_path() -> None:
    assert PathFinder(BASE).follow([], ("uses", "next")) == []
    assert PathFinder(BASE).follow(["nowhere"], ("uses",)) == []


@pytest.mark.requirement("S3-08")
def test_shortest_paths_lead_to_the_linked_answers() -> None:
    (path,) = PathFinder(BASE).shortest(["A"], ["B"])
    assert path == (("A", "uses", "F"), ("B", "uses", "F"))


def test_shortest_paths_of_equal_length_prefer_the_less_common_node() -> None:
    base = base_of("a r hub", "b r hub", *(f"x{n} r hub" for n in range(9)), "a r rare", "b r rare")
    (path,) = PathFinder(base).shortest(["a"], ["b"])
    assert path[0] == ("a", "r", "rare")


@pytest.mark.requirement("S3-08")
def test_paths_are_put_into_words_as_one_piece_of_evidence() -> None:
    finder = PathFinder(BASE)
    (fact,) = finder.facts(finder.shortest(["A"], ["B"]))
    assert fact.text == "A uses F; B uses F"
    assert fact.kind == "path"
    assert fact.nodes == ("A", "F", "B")


def test_paths_keep_their_order_and_their_limit() -> None:
    wide = base_of(*(f"a r b{n}" for n in range(50)))
    found = PathFinder(wide, max_paths=5).follow(["a"], ("r",))
    assert found == PathFinder(wide, max_paths=5).follow(["a"], ("r",))
    assert len(found) == 5


def test_a_path_never_returns_to_a_node_it_has_left() -> None:
    assert PathFinder(base_of("a r b")).follow(["a"], ("r", "r")) == []


def test_a_node_too_far_away_has_no_path() -> None:
    chain = base_of(*(f"n{n} r n{n + 1}" for n in range(9)))
    assert PathFinder(chain, max_hops=3).shortest(["n0"], ["n9"]) == []


@pytest.mark.requirement("S3-08")
@pytest.mark.parametrize("spelling", ["BORN_IN -> LOCATED_IN", "born_in -> located_in", "Born in"])
def test_a_metapath_matches_relations_in_any_case_on_both_sides(spelling: str) -> None:
    for written in ("BORN_IN", "born_in"):
        base = base_of(f"Ada {written} London", "London LOCATED_IN England")
        (path,) = PathFinder(base).follow(["Ada"], metapath_of(spelling))
        assert path[0] == ("Ada", written, "London")
