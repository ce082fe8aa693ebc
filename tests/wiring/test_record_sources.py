"""Addresses of facts, of the records that a catalog accepted."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog import load_catalog
from retrieval.wiring.opening import sizes_of
from retrieval.wiring.preparation import Preparation
from retrieval.wiring.record_sources import RecordSources


def sources_of(folder, *lines):
    catalog = folder / "tools.jsonl"
    catalog.write_text("\n".join(lines), "utf-8")
    return RecordSources(load_catalog(catalog).records)


def source(name, *facts):
    return {"url": f"https://{name}.example", "facts": facts}


def line(id, *sources):
    return json.dumps({"id": id, "name": id, "description": "x", "sources": sources})


def test_the_first_source_that_lists_a_field_is_its_address(tmp_path):
    first, second = source("a", "license"), source("b", "license", "languages")
    address = sources_of(tmp_path, "", line("x", first, second), line("y"))
    assert address("x", "license") == "https://a.example"
    assert address("x", "languages") == "https://b.example"
    assert address("y", "license") == ""
    assert address("z", "license") == ""


def test_a_relation_of_the_graph_is_looked_up_as_the_field_that_states_it(tmp_path):
    record = line("x", source("a", "requires_tool"))
    assert sources_of(tmp_path, record)("x", "requires_tool") == "https://a.example"


@pytest.mark.parametrize(
    "refused",
    ["no JSON", "[]", line("y", "https://a.example"), line("y", {"facts": None}), line("x")],
)
def test_a_refused_line_takes_the_address_of_no_other(tmp_path, refused):
    record = line("x", source("a", "license"))
    for lines in ((record, refused), ("\ufeff" + record, refused)):
        assert sources_of(tmp_path, *lines)("x", "license") == "https://a.example"


def test_a_catalog_as_one_list_names_addresses_as_well(tmp_path):
    record = json.loads(line("x", source("a", "license")))
    address = sources_of(tmp_path, json.dumps([record], indent=1))
    assert address("x", "license") == "https://a.example"


def test_every_catalog_that_is_read_brings_its_own_addresses(tmp_path, light_settings):
    preparation = Preparation(light_settings, sizes_of(light_settings))
    path = tmp_path / "tools.jsonl"
    for name in ("before", "after"):
        path.write_text(line("x", source(name, "license")))
        snapshot = preparation.begin(load_catalog(path))
        assert snapshot.source("x", "license") == f"https://{name}.example"
