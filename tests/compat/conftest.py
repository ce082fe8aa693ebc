"""The small graph that the tests of BYOKG-RAG's names share."""

from __future__ import annotations

import pytest

from retrieval.compat.byokg_rag.graph_retrievers import GTraversal
from retrieval.compat.byokg_rag.graphstore import LocalKGStore
from tests.compat.byokg_parts import TRIPLES


@pytest.fixture
def graph_store() -> LocalKGStore:
    return LocalKGStore(TRIPLES)


@pytest.fixture
def traversal(graph_store: LocalKGStore) -> GTraversal:
    return GTraversal(graph_store)
