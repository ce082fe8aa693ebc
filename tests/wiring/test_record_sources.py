"""Addresses of facts, read from the records of a catalog at the first look-up."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from retrieval.settings import Settings
from retrieval.wiring.record_sources import RecordSources


def sources_of(folder, *lines):
    catalog = folder / "tools.jsonl"
    catalog.write_text("\n".join(lines), "utf-8")
    return RecordSources(catalog)


def source(url, *facts):
    return {"url": url, "facts": facts}


def test_the_first_source_that_lists_a_field_is_its_address(tmp_path):
    first, second = source("https://a", "license"), source("https://b", "license", "languages")
    record = json.dumps({"id": "x", "sources": [first, second]})
    address = sources_of(tmp_path, "", record, json.dumps({"id": "y"}), "[]")
    assert address("x", "license") == "https://a"
    assert address("x", "languages") == "https://b"
    assert address("y", "license") == ""


def test_a_relation_of_the_graph_is_looked_up_as_the_field_that_states_it(tmp_path):
    record = {"id": "x", "sources": [source("https://a", "requires_tool")]}
    assert sources_of(tmp_path, json.dumps(record))("x", "requires_tool") == "https://a"


@pytest.mark.parametrize("text", ["id,name\nx,X", '{"id": "x", "sources": [{"facts": ["a"]}]}\n{'])
def test_a_catalog_that_is_not_of_records_names_no_address(tmp_path, text):
    assert sources_of(tmp_path, text)("x", "a") == ""


def test_a_look_up_holds_one_record_at_a_time():
    catalog = Settings(_env_file=None).catalog
    address = RecordSources(catalog)
    tracemalloc.start()
    try:
        assert address("monai", "license").startswith("https://")
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - kept < catalog.stat().st_size / 4
