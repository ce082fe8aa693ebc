"""A knowledge graph's schema as BioCypher writes it: ``schema_config.yaml``, ``schema_info.yaml``.

Documented at https://biocypher.org; the info file says by itself what is in the graph, and is
written here for this library's own graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.core import BadInput
from retrieval.graph import FactBase
from retrieval.graphdb.cypher import DETAILS, label_of, relation_of
from retrieval.storage import write_whole

INFO = "is_schema_info"
RELATIONSHIP_WORDS = ("association", "interaction")
MAX_BYTES = 2_000_000


class SchemaError(BadInput, ValueError):
    """A schema, or a call that needs one, that cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaEntity:
    """A kind of node by its name in PascalCase, and its properties with their types."""

    name: str
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaRelationship:
    """A kind of relationship: ``label`` is what a query calls it; ends may be unknown."""

    name: str
    label: str
    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)

    def ends(self) -> Iterator[tuple[str, str, str]]:
        """Source, label and target of every direction that the graph holds."""
        yield from ((a, self.label, b) for a in self.sources for b in self.targets)

    def joins(self, entities: Iterable[str]) -> tuple[bool, bool]:
        """Whether its source and whether its target are among these."""
        names = frozenset(entities)
        return not names.isdisjoint(self.sources), not names.isdisjoint(self.targets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Everything that a query may name."""

    entities: Mapping[str, SchemaEntity]
    relationships: Mapping[str, SchemaRelationship]

    def entity_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names that are entities, each once, in their order; case and spaces do not matter."""
        return _matching(names, self.entities)

    def relationship_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names that are relationships, each once; a label stands for its first owner."""
        labels = {one.label: name for name, one in reversed(list(self.relationships.items()))}
        spelled = (str(n).strip() for n in names)
        resolved = (n if n in self.relationships else labels.get(n, n) for n in spelled)
        return _matching(resolved, self.relationships)

    def properties_of(self, name: str) -> Mapping[str, str]:
        """The properties of an entity or a relationship; empty for any other name."""
        owner = self.entities.get(name) or self.relationships.get(name)
        return owner.properties if owner else {}


def _matching(names: Iterable[str], owners: Mapping[str, Any]) -> tuple[str, ...]:
    folded = {pascal_case(name).casefold(): name for name in owners}
    matches = (folded.get(pascal_case(str(name).strip()).casefold()) for name in names)
    return tuple(dict.fromkeys(name for name in matches if name is not None))


def pascal_case(name: str) -> str:
    """``gene to disease association`` is GeneToDiseaseAssociation."""
    return "".join(word[:1].upper() + word[1:] for word in name.replace(".", " ").split())


class _Entry(BaseModel):
    """One class of a schema file; other keys are for other readers."""

    model_config = ConfigDict(extra="ignore")

    represented_as: str | None = None
    is_relationship: bool | None = None
    present_in_knowledge_graph: bool = True
    label_as_edge: str | None = None
    source: str | list[str] | None = None
    target: str | list[str] | None = None
    properties: dict[str, Any] | None = Field(default=None)


def load_schema(path: Path | str) -> Schema:
    """The schema of a YAML file of at most MAX_BYTES, read by the safe loader.

    Raises SchemaError, without the folder's name, for a file that is larger, cannot be read, is no
    YAML, holds no classes, or has an entry of another shape.
    """
    file = Path(path)
    try:
        if file.stat().st_size > MAX_BYTES:
            raise SchemaError(f"schema: {file.name} is larger than {MAX_BYTES:,} bytes")
        data = yaml.safe_load(file.read_text("utf-8"))
    except OSError as exc:
        raise SchemaError(f"schema: {file.name} cannot be read; give another path") from exc
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as exc:
        raise SchemaError(f"schema: {file.name} is no YAML file") from exc
    if not isinstance(data, dict):
        raise SchemaError(f"schema: {file.name} holds no classes; see schema_info.yaml")
    return read_schema(data)


def read_schema(data: Mapping[str, Any]) -> Schema:
    """The schema of a parsed file. Raises SchemaError for an entry of another shape.

    An info file (INFO is true) marks relationships by itself; in a configuration, classes that are
    nodes but named as an association or interaction count as relationships.
    """
    is_info = bool(data.get(INFO, False))
    entities: dict[str, SchemaEntity] = {}
    relationships: dict[str, SchemaRelationship] = {}
    for key, value in data.items():
        if not isinstance(value, Mapping):
            continue
        entry = _entry(str(key), value)
        kind = _kind_of(str(key), entry, is_info)
        name = pascal_case(str(key))
        properties = {
            # A type that is no word (a nested mapping, say) is named by its Python type.
            str(k): v if isinstance(v, str) else type(v).__name__
            for k, v in (entry.properties or {}).items()
        }
        if kind == "entity":
            entities[name] = SchemaEntity(name=name, properties=properties)
        elif kind == "relationship":
            relationships[name] = SchemaRelationship(
                name=name,
                label=entry.label_as_edge or name,
                sources=_pascal_names(entry.source),
                targets=_pascal_names(entry.target),
                properties=properties,
            )
    return Schema(entities=entities, relationships=relationships)


def _entry(key: str, value: Mapping[str, Any]) -> _Entry:
    try:
        return _Entry.model_validate(dict(value))
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SchemaError(f"schema: {key[:60]}.{place}: {first['msg']}") from exc


def _kind_of(key: str, entry: _Entry, is_info: bool) -> str:
    """``entity``, ``relationship``, or empty for a class that the graph does not hold."""
    if is_info:
        if not entry.present_in_knowledge_graph or entry.is_relationship is None:
            return ""
        return "relationship" if entry.is_relationship else "entity"
    if entry.represented_as == "edge":
        return "relationship"
    if entry.represented_as != "node":
        return ""
    has_relationship_word = any(word in key.casefold() for word in RELATIONSHIP_WORDS)
    return "relationship" if has_relationship_word else "entity"


def _pascal_names(value: str | list[str] | None) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value or []
    return tuple(dict.fromkeys(pascal_case(name) for name in names))


def schema_info(base: FactBase) -> dict[str, Any]:
    """Every kind of node and every relation between two kinds, as the graph database has them.

    A relationship is named by its ends (``tool accepts format``) and queried by its label.
    """
    classes: dict[str, Any] = {INFO: True}
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
    """Write the schema of a base to ``path``, whole and only if it changed; the path.

    The folder is made when it is missing. Raises OSError, leaving the file as it was.
    """
    text = yaml.safe_dump(schema_info(base), sort_keys=False, allow_unicode=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    if not path.is_file() or path.read_bytes() != data:
        write_whole(path, data)
    return path
