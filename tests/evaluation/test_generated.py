"""Requests made of facts, and the corpus of another field."""

from __future__ import annotations

import json

import pytest

from benchmarks.generated import CATALOG, MOST_RIGHT, generated
from benchmarks.left_out import OTHER_FIELD
from retrieval.catalog.load import load_catalog
from retrieval.evaluation.beir import read_beir
from retrieval.settings import Settings
from retrieval.wiring.ranking import COVERED, catalog_coverage


@pytest.fixture(scope="module")
def made():
    return generated(600, seed=7)


@pytest.fixture(scope="module")
def stated():
    lines = CATALOG.read_text("utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def test_the_same_seed_gives_the_same_requests_and_another_one_others(made):
    assert generated(600, seed=7).queries == made.queries
    assert generated(600, seed=8).queries != made.queries


def test_every_request_has_right_answers_and_not_too_many(made):
    assert len(made.queries) > 400
    assert all(1 <= len(grades) <= MOST_RIGHT for grades in made.qrels.values())
    assert set(made.types.values()) == {"set", "known", "long"}


def test_the_right_answers_of_a_set_share_a_stated_fact(made, stated):
    fields = ("tasks", "anatomy", "modalities", "formats_in")

    def facts(tool_id):
        return {(field, value) for field in fields for value in stated[tool_id].get(field) or ()}

    sets = [made.qrels[q] for q, kind in made.types.items() if kind == "set"]
    assert sets
    assert all(set.intersection(*map(facts, grades)) for grades in sets)


def test_records_to_learn_from_have_one_sentence_and_no_facts(made, stated):
    tools = {tool.id: tool for tool in made.catalog.tools}
    assert tools.keys() == stated.keys()
    for tool_id, tool in tools.items():
        assert stated[tool_id]["description"].startswith(tool.description)
        assert (tool.tasks, tool.keywords, tool.modalities, tool.formats_in) == ((), (), (), ())


def test_a_sentence_that_a_request_is_made_of_is_not_in_the_record(made):
    tools = {tool.id: tool for tool in made.catalog.tools}
    asked = [(made.queries[q], *made.qrels[q]) for q, kind in made.types.items() if kind == "long"]
    assert asked
    assert sum(text in tools[tool_id].description for text, tool_id in asked) == 0


def test_the_other_field_is_large_enough_and_every_request_has_an_answer():
    judged = read_beir(OTHER_FIELD)
    assert len(judged.catalog.tools) >= 400
    assert len(judged.queries) >= 200
    assert judged.qrels.keys() == judged.queries.keys()


def test_the_other_field_is_told_from_the_shipped_one_by_how_much_concepts_cover():
    other = catalog_coverage(read_beir(OTHER_FIELD).catalog.tools)
    shipped = catalog_coverage(load_catalog(Settings().catalog).tools)
    assert other < COVERED < shipped
