"""Linking and context at a hundred thousand nodes, in processor time."""

from __future__ import annotations

import random
from time import process_time

import pytest

from retrieval.ask.linker import EntityLinker, NameIndex, QuestionLinker
from retrieval.ask.paths import PathFinder
from retrieval.ask.walk import TripletWalk, WalkLimits, WordChooser
from retrieval.graph.facts import FactBase, Item

pytestmark = pytest.mark.process

NODES, DEGREE = 100_000, 5
LINK_MS, CONTEXT_MS = 20, 50
SLACK = 3
"""A loaded machine counts some of its own work as ours."""


@pytest.fixture(scope="module")
def big() -> FactBase:
    rng = random.Random(7)
    items = [
        Item(id=f"n{n}", kind="tool", label=f"tool {n:x} of lab {n % 997}") for n in range(NODES)
    ]
    triples = [
        (f"n{n}", f"r{rng.randrange(12)}", f"n{int(rng.paretovariate(0.6)) % NODES}")
        for n in range(NODES)
        for _ in range(DEGREE)
    ]
    return FactBase(items, triples)


def _median_ms(calls: list[float]) -> float:
    return sorted(calls)[len(calls) // 2] * 1000


def _timed(work: object, *asked: object) -> float:
    start = process_time()
    work(*asked)  # type: ignore[operator]
    return process_time() - start


def test_linking_takes_at_most_twenty_milliseconds(big: FactBase) -> None:
    names = NameIndex.of(big.items.values())
    linker, question = EntityLinker(names), QuestionLinker(names)
    typed = ["tool 1a2b of lab 9", "tol 3ff of lab 2", "nothing of this kind", "tool ffff lab"]
    spelled = _median_ms([_timed(linker.links, text) for text in typed * 3])
    asked = "What does tool 1a2b of lab 691 need before tool 3ff of lab 26 can run on it?"
    named = _median_ms([_timed(question.links, asked) for _ in range(9)])
    assert spelled <= LINK_MS * SLACK
    assert named <= LINK_MS * SLACK


def test_a_context_of_two_hops_takes_at_most_fifty_milliseconds(big: FactBase) -> None:
    walk = TripletWalk(big, WalkLimits(relations=5, entities=3, iterations=2, triplets=40))
    chooser = WordChooser(big.label)
    hub, leaf = "n1", "n77777"
    times = [
        _timed(walk.facts, "tool of lab 1", [node], chooser)
        for node in (hub, leaf)
        for _ in range(5)
    ]
    assert _median_ms(times) <= CONTEXT_MS * SLACK
    facts, _ = walk.facts("tool of lab 1", [hub], chooser)
    assert 0 < len(facts) <= 40


def test_shortest_paths_through_hubs_stay_bounded(big: FactBase) -> None:
    finder = PathFinder(big)
    assert _timed(finder.shortest, ["n77777"], ["n55555"]) <= 5
