"""kill -9 at any moment of a sync leaves the old answer or the new one, never another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks; needs POSIX"),
    pytest.mark.process,
]


def killed_runs(home, way, runs):
    command = [sys.executable, "-m", "tests.wiring.killing", str(home), way, str(runs)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def whole(runs):
    """Both indexes are old or both are new, and the next sync leaves the new ones alone."""
    left = {tuple(run["left"]) for run in runs}
    mended = all(run["mended"] and run["litter"] == [] for run in runs)
    return left <= {("old", "old"), ("new", "new")} and mended


def test_syncs_killed_at_random_leave_the_old_or_the_new_index(tmp_path):
    runs = killed_runs(tmp_path, "random", 20)
    assert len(runs) == 20
    assert whole(runs), runs
    assert sum(run["killed"] for run in runs) >= 1


def test_a_sync_killed_before_any_of_its_file_operations_leaves_the_old_or_the_new(tmp_path):
    runs = killed_runs(tmp_path, "each", 500)
    assert whole(runs), runs
    assert [run["killed"] for run in runs] == [True] * (len(runs) - 1) + [False]
    assert len(runs) > 30
    assert {tuple(run["left"]) for run in runs} == {("old", "old"), ("new", "new")}
