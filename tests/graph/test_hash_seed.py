"""S0-26: the expanded set and its order do not depend on Python's hashing."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from retrieval.settings import ROOT

pytestmark = pytest.mark.process

PROBE = """
import json
from retrieval import Settings
from retrieval.catalog import load_catalog
from retrieval.graph import ArrayStore, GraphArrays, NetworkxStore, build_graph
graph = build_graph(load_catalog(Settings(_env_file=None).catalog).tools)
seeds = [("scanpy_preprocess", 1.0), ("leiden_clustering", 0.8), ("lungmask", 0.5), ("fsl", 0.5)]
told = []
for store in (NetworkxStore(graph), ArrayStore(GraphArrays.of(graph))):
    reached = store.expand(seeds, 2, 100)
    drawn = store.excerpt([s for s, _ in seeds], reached)
    told.append([[r.id, r.score, r.path] for r in reached])
    told.append([[n.id for n in drawn.nodes], [[e.source, e.kind, e.target] for e in drawn.edges]])
print(json.dumps(told))
"""


def run(seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", PROBE]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.requirement("S0-26")
def test_two_hash_seeds_give_the_same_set_order_and_drawing():
    one, other = run("1"), run("4242")
    assert one == other
    assert len(one[0]) > 50
    assert [row[:2] for row in one[0]] == [row[:2] for row in one[2]]
