"""The shipped catalog with its judge, without token vectors; and judges over small catalogs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.engine.engine import Engine
from retrieval.settings import ROOT
from retrieval.wiring.explaining import neighbours_of, scope_estimator
from retrieval.wiring.opening import sizes_of
from retrieval.wiring.preparation import Preparation

DATA = ROOT / "tests" / "data"


def rows_of(name):
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="session")
def prepared(model_settings):
    """The parts of the shipped catalog; no stage of it needs token vectors here."""
    settings = model_settings.model_copy(update={"token_vectors": "off"})
    made = Preparation(settings, sizes_of(settings))
    made.begin(load_catalog(settings.catalog))
    made.complete()
    return made


@pytest.fixture(scope="session")
def scope(prepared):
    judge = scope_estimator(prepared.parts)
    assert judge is not None
    return judge


@pytest.fixture(scope="session")
def judged(prepared, scope):
    """An engine over the shipped catalog that judges and compares."""

    neighbours = neighbours_of(prepared.parts)
    snapshot = replace(prepared.snapshot(), scope=scope, neighbours=neighbours)
    return Engine(snapshot, floor=0.36)
