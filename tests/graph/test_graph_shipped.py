"""The graph of the shipped catalog: how far it reaches, and how it tells its paths."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.types import Selection
from retrieval.graph.array_store import ArrayStore
from retrieval.settings import Settings
from retrieval.wiring.index.stores import Graphs

SETTINGS = Settings(_env_file=None)
CATALOG = load_catalog(SETTINGS.catalog)
IDS = [record.id for record in CATALOG.records]
SEEDS, MOST = 50, 150


@pytest.fixture(scope="module")
def store():
    arrays = Graphs(SETTINGS).saved(CATALOG)
    assert arrays is not None, "the shipped graph is not of the shipped catalog: run a sync"
    return ArrayStore(arrays)


def starts():
    """Fifty seeds of one domain where it has so many, and fifty by chance, forty times in all."""
    random = np.random.default_rng(7)
    domains = sorted({r.domain for r in CATALOG.records if r.domain})
    large = [[r.id for r in CATALOG.records if r.domain == d] for d in domains]
    pools = [pool for pool in large if len(pool) >= SEEDS]
    pools += [IDS] * (40 - len(pools))
    for pool in pools:
        chosen = random.choice(pool, SEEDS, replace=False).tolist()
        yield [(tool, 1 - n / 60) for n, tool in enumerate(chosen)]


@pytest.mark.requirement("S0-22", "S0-23")
def test_fifty_seeds_of_any_kind_expand_to_eighty_to_a_hundred_and_fifty(store):
    for seeds in starts():
        reached = store.expand(seeds, 2, MOST - SEEDS)
        held = {tool for tool, _ in seeds} | {one.id for one in reached}
        assert 80 <= len(held) <= MOST


@pytest.mark.requirement("S0-25")
def test_prerequisites_are_in_whatever_the_seeds(store):
    needs = {r.id: set(r.requires_tool) for r in CATALOG.records}
    for seeds in starts():
        held = {tool for tool, _ in seeds}
        wanted = set().union(*(needs[tool] for tool in held)) - held
        assert wanted <= {one.id for one in store.expand(seeds, 2, MOST - SEEDS)}


def test_every_path_reads_as_a_sentence_that_ends_at_its_tool(store):
    names = {record.id: record.name for record in CATALOG.records}
    seeds = next(iter(starts()))
    reached = store.expand(seeds, 2, MOST - SEEDS, Selection())
    added = [one for one in reached if one.id not in dict(seeds)]
    assert len(added) >= 30
    for one in added:
        told = store.words(one.path)
        assert told.endswith(f" {names[one.id]}")
        assert told.count(", which ") >= len(one.path) - 1
