"""The log of the command line and of the page, as much of it as the setting wants."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.settings import ROOT

pytestmark = pytest.mark.process

WORD = "zanzibar"
SEARCH = ["-m", "retrieval", "search", f"segment {WORD} lungs", "--mode", "keyword", "--json"]
PAGE = ["-c", f"import app; app.engine.run('segment {WORD} lungs', 'keyword')"]


def run(command: list[str], folder: Path, **given: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "SCANSCOUT_VECTOR_SEARCH": "false",
        "SCANSCOUT_INDEX_DIR": str(folder / "index"),
        "SCANSCOUT_CACHE_DIR": str(folder / "cache"),
        **given,
    }
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=200,
    )


@pytest.mark.requirement("S1-31")
@pytest.mark.parametrize("command", [SEARCH, PAGE], ids=["command", "page"])
def test_a_search_leaves_its_figures_in_the_log_where_the_setting_wants_them(
    command: list[str], tmp_path: Path
) -> None:
    """Seed 001, lines 370 to 376."""
    logged = run(command, tmp_path, SCANSCOUT_LOG_LEVEL="info")
    assert "retriever.pipeline: Final candidates: 15, avg_score=" in logged.stderr
    assert WORD not in logged.stderr
    if command is SEARCH:
        assert json.loads(logged.stdout)["candidates"]


@pytest.mark.requirement("S1-31")
def test_no_such_line_is_written_unless_it_is_wanted_and_words_only_for_debug(
    tmp_path: Path,
) -> None:
    assert run(SEARCH, tmp_path).stderr == ""
    assert WORD in run(SEARCH, tmp_path, SCANSCOUT_LOG_LEVEL="debug").stderr
