"""A good index that bad catalogs are synced over, and catalogs made of a few rows."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.settings import Settings
from retrieval.wiring.index.sync import sync
from tests.catalog.hostile_cases import GOOD
from tests.fakes import HashingEncoder


@pytest.fixture
def home(tmp_path):
    """Settings with a good index over the good records."""
    settings = Settings(
        _env_file=None,
        catalog=tmp_path / "catalog.jsonl",
        index_dir=tmp_path / "index",
        cache_dir=tmp_path / "cache",
    )
    settings.catalog.write_text("\n".join(map(json.dumps, GOOD)))
    sync(settings, HashingEncoder())
    return settings


@pytest.fixture
def load(tmp_path):
    def loaded(content):
        path = tmp_path / "catalog.data"
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, "utf-8", newline="")
        return load_catalog(path)

    return loaded
