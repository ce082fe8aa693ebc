"""Candidates in the schema of the imaging agent, written from tools and read back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from retrieval.catalog import Catalog, load_catalog
from retrieval.core import BadInput, Tool
from retrieval.dense import template_text
from retrieval.export import supporting_data

Row = dict[str, Any]


def candidate_row(tool: Tool, score: float) -> Row:
    """The seven keys of a candidate, and ``id``; ``retrieval_score`` is FAISS's or the reranker's.

    Facts that nobody stated are null; an address of the code stands in for a missing home page.
    """
    return {
        "id": tool.id,
        "name": tool.name,
        "description": tool.description,
        "url": tool.url or tool.repo,
        "keywords": list(tool.keywords),
        "license": tool.license,
        "supporting_data": supporting_data(tool),
        "retrieval_score": score,
    }


def tools_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Tool, ...]:
    """Tools from candidates, read as a catalog is read. Raises BadInput for a bad row."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "candidates.jsonl"
        path.write_text("\n".join(json.dumps(dict(row)) for row in rows), "utf-8")
        catalog = load_catalog(path)
    if catalog.refused:
        raise BadInput(f"candidate {catalog.refused[0].line}: {catalog.refused[0].reason}")
    return in_their_order(catalog)


def in_their_order(catalog: Catalog) -> tuple[Tool, ...]:
    """The tools of a catalog by id: the order in which an index holds them."""
    return tuple(sorted(catalog.tools, key=lambda tool: tool.id))


def indexed_text(tool: Tool) -> str:
    """The text of a tool that is embedded: name, description and keywords."""
    return template_text("plaza", tool)
