"""A process that ends while its engine loads, as a script or a page stopped at once does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.settings import ROOT

pytestmark = [pytest.mark.process, pytest.mark.model]

ENDING = """
from retrieval import open_engine

engine = open_engine(background=True)
engine.current()
print("last line")
"""


@pytest.fixture
def unindexed(tmp_path: Path) -> dict[str, str]:
    """The environment of an engine that has all vectors of its catalog still to make."""
    lines = (ROOT / "assets" / "catalog" / "tools.jsonl").read_text("utf-8").splitlines(True)
    catalog = tmp_path / "tools.jsonl"
    catalog.write_text("".join(lines[:300]), encoding="utf-8")
    return {
        "SCANSCOUT_CATALOG": str(catalog),
        "SCANSCOUT_INDEX_DIR": str(tmp_path / "index"),
        "SCANSCOUT_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(ROOT),
        "PATH": os.environ["PATH"],
    }


def test_a_process_that_ends_while_its_vectors_are_being_made_ends_without_a_traceback(
    unindexed: dict[str, str],
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", ENDING],
        capture_output=True,
        text=True,
        env=unindexed,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "last line\n", "")
