"""Syncs of different catalogs to one folder at once leave the indexes of one catalog."""

from __future__ import annotations

import json
import os
import random
import time
from functools import partial

import pytest

from retrieval.settings import Settings
from retrieval.wiring.index.indexes import HYBRID, PLAZA, folder_of
from retrieval.wiring.index.sync import sync
from tests.wiring.killing import QuickEncoder

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="forks; needs POSIX"),
    pytest.mark.process,
]


def forked(work):
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
        os._exit(0)
    finally:
        os._exit(1)


def delayed(settings, seconds):
    time.sleep(seconds)
    sync(settings, QuickEncoder())


@pytest.mark.parametrize("seed", range(3))
def test_the_indexes_that_are_left_are_of_one_catalog(tmp_path, seed):
    chance = random.Random(seed)
    both = []
    for word in ("one", "two"):
        catalog = tmp_path / f"{word}.jsonl"
        rows = ({"name": f"T{n}", "description": f"{word} {n}"} for n in range(8))
        catalog.write_text("\n".join(map(json.dumps, rows)))
        both.append(Settings(_env_file=None, catalog=catalog, index_dir=tmp_path / "index"))
    sync(both[0], QuickEncoder())
    for _ in range(4):
        pids = [forked(partial(delayed, one, chance.uniform(0, 0.2))) for one in both]
        assert [os.waitpid(pid, 0)[1] for pid in pids] == [0, 0]
        loaded = [folder_of(tmp_path / "index", name).load().meta for name in (HYBRID, PLAZA)]
        assert len({meta.catalog_sha256 for meta in loaded}) == 1
        assert not [p for p in (tmp_path / "index").rglob(".*") if p.name != ".lock"]
