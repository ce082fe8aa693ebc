"""The walk over arrays where it is wide: the same scores and paths as edge by edge."""

from __future__ import annotations

import numpy as np
import pytest

import retrieval.graph.hops as hops
from retrieval.core.types import Selection
from retrieval.graph.array_store import ArrayStore
from retrieval.graph.arrays import GraphArrays
from retrieval.graph.build import build_graph
from retrieval.graph.store import NetworkxStore
from tests.fakes import make_tool


def tools(count=400, seed=3):
    rng = np.random.default_rng(seed)
    return [
        make_tool(
            f"t{n:03}",
            tasks=tuple(rng.choice(["p", "q", "r", f"rare{n % 40}"], 2, replace=False).tolist()),
            requires_tool=(f"t{rng.integers(count):03}",) if n % 5 == 0 else (),
            domain="d" if n % 3 else "e",
        )
        for n in range(count)
    ]


GRAPH = build_graph(tools())
SEEDS = [(f"t{n:03}", 0.1 + n / 100) for n in range(0, 400, 8)] + [("operation:p", 3.0)]


def told(reached):
    return [(r.id, r.path) for r in reached]


def led(reached):
    """What is no seed."""
    seeds = dict(SEEDS)
    return [one for one in reached if one.id not in seeds]


@pytest.mark.parametrize("limit", [0, 3, 60])
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("selection", [Selection(), Selection(drop=frozenset({"t003", "t016"}))])
def test_a_wide_last_hop_gives_the_scores_and_paths_of_a_narrow_one(
    monkeypatch, count, selection, limit
):
    store = ArrayStore(GraphArrays.of(GRAPH))
    narrow = store.expand(SEEDS, count, limit, selection)
    monkeypatch.setattr(hops, "FEW", 0)
    wide = store.expand(SEEDS, count, limit, selection)
    assert told(wide) == told(narrow)
    assert [r.score for r in wide] == pytest.approx([r.score for r in narrow], abs=1e-6)


@pytest.mark.requirement("S0-23")
def test_a_wide_walk_has_the_values_of_the_reference_backend(monkeypatch):
    monkeypatch.setattr(hops, "FEW", 0)
    plain = NetworkxStore(GRAPH).expand(SEEDS, 2, 60)
    wide = ArrayStore(GraphArrays.of(GRAPH)).expand(SEEDS, 2, 60)
    assert [r.id for r in wide] == [r.id for r in plain]
    assert [bool(r.path) for r in wide] == [bool(r.path) for r in plain]
    assert all(r.path for r in led(wide))
    assert [r.score for r in wide] == pytest.approx([r.score for r in plain], abs=2e-6)


def test_a_path_never_comes_back_to_where_it_ends():
    for count in (2, 3):
        for one in led(ArrayStore(GraphArrays.of(GRAPH)).expand(SEEDS, count, 80)):
            nodes = [one.path[0][0], *(step[2] for step in one.path)]
            assert nodes[-1] == one.id
            assert one.id not in nodes[:-1]
