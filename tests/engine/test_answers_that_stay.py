"""An answer that somebody keeps does not keep the catalog's indexes, which take most memory."""

from __future__ import annotations

import gc
import weakref

import pytest

from retrieval.core.types import Filters
from retrieval.wiring.modes import NAMES
from tests.engine.test_faults_of_ports import engine_of
from tests.fakes import AllTokens, HashingEncoder, ids, small_parts

LARGE = ("vectors", "plaza_vectors", "terms", "bm25", "encoder", "plaza_encoder")
TEXT = "segment lungs chest CT [REFINE]"


@pytest.mark.parametrize("mode", NAMES)
@pytest.mark.parametrize("filters", [Filters(), Filters(licenses=frozenset({"MIT"}))])
def test_an_answer_that_stays_lets_the_indexes_of_its_catalog_go(mode, filters):
    parts = small_parts()
    tokens = AllTokens(HashingEncoder())
    large = {name: weakref.ref(getattr(parts, name)) for name in LARGE} | {
        "token vectors": weakref.ref(tokens)
    }
    engine = engine_of(
        **{name: getattr(parts, name) for name in LARGE}, tokens=lambda store=tokens: store
    )
    answer = engine.run(TEXT, mode, filters=filters)
    listed = ids(answer.candidates)
    del parts, tokens
    engine = engine_of()  # the catalog that replaces the first
    gc.collect()
    assert [name for name, one in large.items() if one() is not None] == []
    # What is computed on first access still can be.
    assert listed
    assert all(list(candidate.why) for candidate in answer.candidates)
    assert listed[0] in {c.tool.id for node in answer.result.walk() for c in node.state.candidates}
    assert ids(engine.run(TEXT, mode, filters=filters).candidates) == listed


@pytest.mark.parametrize("mode", NAMES)
def test_an_answer_that_goes_leaves_nothing_to_be_searched_for(mode):
    engine = engine_of()
    engine.run(TEXT, mode)  # what is made once, at the first search
    gc.collect()
    gc.disable()
    try:
        engine.run(TEXT, mode)
        assert gc.collect() == 0
    finally:
        gc.enable()
