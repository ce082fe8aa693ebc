"""One *ask* over the shipped catalog for all tests here; it needs no model and no weights."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.types import Tool
from retrieval.settings import Settings
from retrieval.wiring.questions.question_engine import QuestionEngine, open_question_engine


@pytest.fixture(scope="session")
def shipped() -> Mapping[str, Tool]:
    return {t.id: t for t in load_catalog(Settings(_env_file=None).catalog).tools}


@pytest.fixture(scope="session")
def asking() -> QuestionEngine:
    return open_question_engine(Settings(_env_file=None, vector_search=False))
