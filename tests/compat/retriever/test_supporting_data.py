"""The candidate schema is a catalog: what compat, sync and search write loads as what it was."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from retrieval.catalog import load_catalog
from retrieval.compat.ai_agent.__main__ import sync
from retrieval.compat.retriever.software_doc import candidate_row, tools_of
from retrieval.compat.retriever.vector_index import VectorIndex
from retrieval.core import Tool
from retrieval.export import to_json
from retrieval.settings import read_settings
from tests.fakes import HashingEncoder, small_engine

pytestmark = pytest.mark.requirement("S1-25")
FACTS = ("modalities", "dimensions", "formats_in", "demo_url")
"""The fields of a tool that ``supporting_data`` holds."""


def facts(tools: Iterable[Tool]) -> dict[str, dict[str, Any]]:
    rows = ((tool.id, asdict(tool)) for tool in tools)
    return {name: {key: row[key] for key in FACTS} for name, row in rows}


def test_every_tool_of_the_catalog_is_written_as_a_candidate_and_read_back(tmp_path: Path) -> None:
    tools = load_catalog(read_settings(None).catalog).tools
    rows = [candidate_row(tool, 0.5) for tool in tools]
    assert facts(tools_of(rows)) == facts(tools)
    document = tmp_path / "candidates.json"
    document.write_text(json.dumps({"candidates": rows}), "utf-8")
    again = load_catalog(document)
    assert again.refused == ()
    assert facts(again.tools) == facts(tools)
    named = {tool.id: tool for tool in again.tools}
    assert [candidate_row(named[row["id"]], 0.5) for row in rows] == rows


def test_what_the_sync_command_writes_is_a_catalog_that_it_reads_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {
        "name": "Lungs",
        "description": "Segments lungs.",
        "supporting_data": {"modalities": ["CT"], "formats": ["NIfTI"], "demo_url": "https://a.b/"},
    }
    catalog = tmp_path / "tools.jsonl"
    catalog.write_text(json.dumps(row), "utf-8")
    from retrieval.compat.retriever import vector_index
    from retrieval.compat.retriever.text_embedder import TextEmbedder

    embedder = TextEmbedder(encoder=HashingEncoder())
    monkeypatch.setattr(vector_index, "TextEmbedder", lambda: embedder)
    monkeypatch.setenv("SCANSCOUT_CATALOG", str(catalog))
    assert sync(tmp_path / "first") == 1
    monkeypatch.setenv("SCANSCOUT_CATALOG", str(tmp_path / "first" / "meta.json"))
    assert sync(tmp_path / "second") == 1
    first, second = VectorIndex(embedder), VectorIndex(embedder)
    first.load(tmp_path / "first")
    second.load(tmp_path / "second")
    assert first.candidates == second.candidates
    stated = first.candidates[0]["supporting_data"]
    assert {key: stated[key] for key in row["supporting_data"]} == row["supporting_data"]


def test_the_json_of_a_search_is_a_catalog_with_the_same_facts(tmp_path: Path) -> None:
    answer = small_engine().run("segment lungs", "hybrid")
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(to_json(answer)), "utf-8")
    assert facts(load_catalog(file).tools) == facts(c.tool for c in answer.candidates)
