"""Random graphs, and what must be the same of two stores that walk them."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.core.types import Selection
from tests.fakes import make_tool


def random_tools(seed, n=40):
    rng = np.random.default_rng(seed)

    def some(options, most):
        return tuple(rng.choice(options, rng.integers(0, most + 1), replace=False).tolist())

    ids = [f"t{i:02}" for i in range(n)]
    return [
        make_tool(
            tool_id,
            requires_tool=some(ids, 2),
            compatible_with=some(ids, 2),
            co_used_with=some(ids, 1),
            tasks=some([f"task{i}" for i in range(8)], 3),
            formats_in=some(["NIfTI", "DICOM", "PNG"], 2),
            formats_out=some(["NIfTI", "DICOM"], 2),
            domain=rng.choice(["d", "e"]).item(),
            suite=rng.choice(["", "s"]).item() or None,
        )
        for tool_id in ids
    ]


def random_walks(seed, tools):
    """Seeds, hops and selections to walk these tools with."""
    rng = np.random.default_rng(seed)
    ids = [*(t.id for t in tools), "operation:task1", "nobody"]
    for hops in range(4):
        chosen = rng.choice(ids, 6, replace=False).tolist()
        seeds = [(i, float(w)) for i, w in zip(chosen, rng.random(6) - 0.1, strict=True)]
        drop = frozenset(rng.choice(ids[:40], 8, replace=False).tolist()) - set(chosen)
        keep = frozenset(rng.choice(ids[:40], 25, replace=False).tolist()) | set(chosen)
        for selection in (Selection(), Selection(drop=drop), Selection(keep=keep, drop=drop)):
            yield seeds, hops, 12, selection


def walks_from_one_concept(seed):
    """One concept and a few tools kept: which of them is beside it."""
    rng = np.random.default_rng(seed)
    ids = [f"t{i:02}" for i in range(40)]
    for concept in ("operation:task1", "format:NIfTI", "domain:d", "nothing:here"):
        keep = frozenset(rng.choice(ids, 12, replace=False).tolist())
        drop = frozenset(rng.choice(ids, 4, replace=False).tolist())
        for limit in (0, 2, 12):
            yield [(concept, 0.7)], 1, limit, Selection(keep=keep | {concept}, drop=drop)


def assert_same_walk(store, plain, seeds, hops, limit, selection):
    reached = plain.expand(seeds, hops, limit, selection)
    found = store.expand(seeds, hops, limit, selection)
    assert [(r.id, r.path) for r in found] == [(r.id, r.path) for r in reached]
    assert [r.score for r in found] == pytest.approx([r.score for r in reached], abs=2e-6)
    names = [name for name, _ in seeds]
    assert store.excerpt(names, reached) == plain.excerpt(names, reached)
    assert [store.words(r.path) for r in reached] == [plain.words(r.path) for r in reached]
