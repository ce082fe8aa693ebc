"""The closed words of the catalog, and the EDAM ids of its tasks."""

from __future__ import annotations

import json
import re

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.catalog.vocabulary import catalog_terms
from retrieval.settings import ROOT, Settings

WORDS = json.loads((ROOT / "assets" / "concepts" / "vocabulary.json").read_text("utf-8"))
RECORDS = load_catalog(Settings(_env_file=None).catalog).records


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("domain", "domains"),
        ("tasks", "tasks"),
        ("interfaces", "interfaces"),
        ("platforms", "platforms"),
        ("gpu", "gpu"),
    ],
)
def test_every_value_of_the_catalog_is_in_the_closed_vocabulary(field, words):
    for record in RECORDS:
        value = getattr(record, field)
        used = value if isinstance(value, list) else [value] if value else []
        assert set(used) <= set(WORDS[words]), record.id


def test_units_are_closed_too():
    assert {r.requirements.units for r in RECORDS} - {None} <= set(WORDS["units"])


def test_a_task_names_a_concept_of_edam_or_nothing():
    known = [code for code in WORDS["tasks"].values() if code is not None]
    assert len(known) > 20
    assert all(re.fullmatch(r"(operation|topic)_\w+", code) for code in known)


def test_every_task_of_the_vocabulary_is_used():
    used = {task for record in RECORDS for task in record.tasks}
    assert len(used) >= 0.9 * len(WORDS["tasks"])


@pytest.mark.requirement("S1-09")
def test_the_terms_of_the_catalog_are_lower_case_once_and_in_order():
    terms = catalog_terms([r.tool() for r in RECORDS])
    assert list(terms) == sorted(set(terms))
    assert all(t == t.casefold() for t in terms)
    assert {"lung lobes", "segmentation", "totalsegmentator"} <= set(terms)
