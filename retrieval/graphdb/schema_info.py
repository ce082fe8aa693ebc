"""The ``schema_info.yaml`` of this library's own graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from retrieval.graph import FactBase
from retrieval.graphdb.cypher_tables import DETAILS, label_of, relation_of
from retrieval.graphdb.schema import INFO, pascal_case

Json = dict[str, Any]


def schema_info(base: FactBase) -> Json:
    """Every kind of node and every relation between two kinds, as the graph database has them.

    A relationship is named by its ends (``tool accepts format``) and queried by its label.
    """
    classes: Json = {INFO: True}
    names: dict[str, str] = {}
    for kind in sorted({item.kind for item in base.items.values()}):
        words = " ".join(kind.replace("_", " ").replace("-", " ").split()) or "node"
        # Readers of the file take the PascalCase of a name for its label in the database.
        names[kind] = words if pascal_case(words) == label_of(kind) else label_of(kind)
        more = DETAILS if kind == "tool" else ()
        classes[names[kind]] = {
            "represented_as": "node",
            "is_relationship": False,
            "present_in_knowledge_graph": True,
            "properties": dict.fromkeys(("id", "name", *more), "str"),
        }
    for head, relation, tail in base.schema():
        if head not in names or tail not in names:
            continue
        classes[f"{names[head]} {relation.replace('_', ' ')} {names[tail]}"] = {
            "represented_as": "edge",
            "is_relationship": True,
            "present_in_knowledge_graph": True,
            "label_as_edge": relation_of(relation),
            "source": names[head],
            "target": names[tail],
        }
    return classes


def write_schema_info(base: FactBase, path: Path) -> Path:
    """Write the schema of a base to ``path`` and return the path."""
    text = yaml.safe_dump(schema_info(base), sort_keys=False, allow_unicode=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path
