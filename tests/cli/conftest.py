"""Commands without weights, in folders that all tests here share, as their engines are shared."""

from __future__ import annotations

import pytest

from tests.commands import Engines


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
