"""The log of the command line and of the page, as much of it as the setting wants."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.settings import ROOT, Settings

pytestmark = pytest.mark.process

WORD = "zanzibar"
SEARCH = ["-m", "retrieval", "search", f"segment {WORD} lungs", "--mode", "keyword", "--json"]
PAGE = ["-c", f"import app; app.engine.run('segment {WORD} lungs', 'keyword')"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A part of the shipped catalog, for what is logged over any: it is open in half the time."""
    path: Path = tmp_path_factory.mktemp("small") / "tools.jsonl"
    lines = Settings(_env_file=None).catalog.read_text("utf-8").splitlines()[:60]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


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
    command: list[str], small: str, tmp_path: Path
) -> None:
    """Seed 001, lines 370 to 376."""
    logged = run(command, tmp_path, SCANSCOUT_LOG_LEVEL="info", SCANSCOUT_CATALOG=small)
    assert "retriever.pipeline: Final candidates: 15, avg_score=" in logged.stderr
    assert WORD not in logged.stderr
    if command is SEARCH:
        assert json.loads(logged.stdout)["candidates"]


@pytest.mark.requirement("S1-31")
def test_no_such_line_is_written_unless_it_is_wanted_and_words_only_for_debug(
    small: str, tmp_path: Path
) -> None:
    assert run(SEARCH, tmp_path).stderr == ""
    debug = run(SEARCH, tmp_path, SCANSCOUT_LOG_LEVEL="debug", SCANSCOUT_CATALOG=small)
    assert WORD in debug.stderr
