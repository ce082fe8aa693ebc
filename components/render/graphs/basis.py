"""What a link of the graph rests on: a stated field, words of a description, or neither; pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from retrieval import Edge, Tool

Basis = Literal["record", "text", "near", "terms", "graph"]

FIELDS = {
    "requires_tool": "requires_tool",
    "compatible_with": "compatible_with",
    "co_used_with": "co_used_with",
    "performs": "tasks",
    "images": "modalities",
    "applies_to": "anatomy",
    "accepts": "formats_in",
    "produces": "formats_out",
    "member_of": "domain",
    "part_of": "suite",
}
"""The field of a record that a link of each kind comes from, where the record states it."""


def basis_of(edge: Edge, catalog: Mapping[str, Tool]) -> Basis:
    """``record``: the tool's record states the link; ``text``: its name or description mentions it.

    ``near``: two tools of one domain with shared facts; ``terms``: no tool of the catalog begins
    the link, so it comes from the vocabulary; ``graph``: there is no catalog to look it up in.
    """
    if not catalog:
        return "graph"
    tool = catalog.get(edge.source)
    if edge.kind == "same_domain":
        return "near"
    if tool is None:
        return "terms"
    stated = getattr(tool, FIELDS[edge.kind]) if edge.kind in FIELDS else ()
    values = {stated} if isinstance(stated, str) else set(stated or ())
    # The id of a term is its kind, a colon and its label; that of a tool is the value itself.
    names = {edge.target, edge.target.partition(":")[2]}
    return "record" if names & {str(value) for value in values} else "text"
