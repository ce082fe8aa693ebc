"""Commands without weights, in folders that all tests here share, as their engines are shared."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from retrieval.settings import ROOT
from tests.commands import Engines, run_here


@pytest.fixture(scope="session")
def light_folders(tmp_path_factory) -> dict[str, str]:
    """The settings of an engine without weights, as variables of the environment."""
    root = tmp_path_factory.mktemp("light")
    return {
        "SCANSCOUT_INDEX_DIR": str(root / "index"),
        "SCANSCOUT_CACHE_DIR": str(root / "cache"),
        "SCANSCOUT_VECTOR_SEARCH": "false",
    }


@pytest.fixture(scope="session")
def engines() -> Engines:
    return Engines()


@pytest.fixture
def shared_engines(engines, light_folders, monkeypatch) -> None:
    """Commands in this process search with an engine that an earlier one opened."""
    monkeypatch.setattr("retrieval.open_engine", engines.open)
    for name, value in light_folders.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def process(light_folders):
    """Runs the command line without weights as a process."""

    def run(*args, code=0, **environment):
        done = subprocess.run(
            [sys.executable, "-m", "retrieval", *map(str, args)],
            cwd=ROOT,
            env={**os.environ, **light_folders, **environment},
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode == code, done.stderr
        return done

    return run


@pytest.fixture
def command(shared_engines, capsys):
    """Runs the command line without weights here, over an engine that the commands share."""

    def run(*args, code=0, **environment):
        done = run_here(capsys, *args, **environment)
        assert done.returncode == code, done.stderr
        return done

    return run
