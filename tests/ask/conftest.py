"""One *ask* over the shipped catalog for all tests here; it needs no model and no weights."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.types import Tool
from retrieval.settings import Settings
from retrieval.wiring.questions.opening import open_asking
from retrieval.wiring.questions.routing import Asking


@pytest.fixture(scope="session")
def shipped() -> Mapping[str, Tool]:
    return {t.id: t for t in load_catalog(Settings(_env_file=None).catalog).tools}


@pytest.fixture(scope="session")
def asking() -> Asking:
    return open_asking(Settings(_env_file=None, vector_search=False))
