"""A knowledge graph's schema as BioCypher writes it: ``schema_config.yaml``, ``schema_info.yaml``.

Documented at https://biocypher.org; the info file says by itself what is in the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.core import BadInput

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
        held = frozenset(entities)
        return not held.isdisjoint(self.sources), not held.isdisjoint(self.targets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Everything that a query may name."""

    entities: Mapping[str, SchemaEntity]
    relationships: Mapping[str, SchemaRelationship]

    def entity_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the names that are entities, each once, in the order given."""
        return _known(names, self.entities)

    def relationship_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the names that are relationships, each once; a label stands for its owner."""
        labels = {one.label: name for name, one in reversed(list(self.relationships.items()))}
        spelled = (str(n).strip() for n in names)
        told = (n if n in self.relationships else labels.get(n, n) for n in spelled)
        return _known(told, self.relationships)

    def properties_of(self, name: str) -> Mapping[str, str]:
        """The properties of an entity or a relationship, empty for what is neither."""
        held = self.entities.get(name) or self.relationships.get(name)
        return held.properties if held else {}


def _known(names: Iterable[str], held: Mapping[str, Any]) -> tuple[str, ...]:
    folded = {pascal_case(name).casefold(): name for name in held}
    found = (folded.get(pascal_case(str(name).strip()).casefold()) for name in names)
    return tuple(dict.fromkeys(name for name in found if name is not None))


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
    """The schema of a YAML file. Raises SchemaError naming what is wrong with it."""
    file = Path(path)
    try:
        if file.stat().st_size > MAX_BYTES:
            raise SchemaError(f"schema: {file.name} is larger than {MAX_BYTES:,} bytes")
        told = yaml.safe_load(file.read_text("utf-8"))
    except OSError as exc:
        raise SchemaError(f"schema: {file.name} cannot be read; give another path") from exc
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as exc:
        raise SchemaError(f"schema: {file.name} is no YAML file") from exc
    if not isinstance(told, dict):
        raise SchemaError(f"schema: {file.name} holds no classes; see schema_info.yaml")
    return read_schema(told)


def read_schema(told: Mapping[str, Any]) -> Schema:
    """The schema of a parsed file. Raises SchemaError for an entry of another shape."""
    is_info = bool(told.get(INFO, False))
    entities: dict[str, SchemaEntity] = {}
    relationships: dict[str, SchemaRelationship] = {}
    for key, value in told.items():
        if not isinstance(value, Mapping):
            continue
        entry = _entry(str(key), value)
        kind = _info_kind(entry) if is_info else _config_kind(str(key), entry)
        name = pascal_case(str(key))
        properties = {str(k): _typed(v) for k, v in (entry.properties or {}).items()}
        if kind == "entity":
            entities[name] = SchemaEntity(name=name, properties=properties)
        elif kind == "relationship":
            relationships[name] = SchemaRelationship(
                name=name,
                label=entry.label_as_edge or name,
                sources=_names(entry.source),
                targets=_names(entry.target),
                properties=properties,
            )
    return Schema(entities=entities, relationships=relationships)


def _typed(value: object) -> str:
    """A type as it is written; what is no word is told by its kind, however deep it is nested."""
    return value if isinstance(value, str) else type(value).__name__


def _entry(key: str, value: Mapping[str, Any]) -> _Entry:
    try:
        return _Entry.model_validate(dict(value))
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SchemaError(f"schema: {key[:60]}.{place}: {first['msg']}") from exc


def _info_kind(entry: _Entry) -> str:
    if not entry.present_in_knowledge_graph or entry.is_relationship is None:
        return ""
    return "relationship" if entry.is_relationship else "entity"


def _config_kind(key: str, entry: _Entry) -> str:
    if entry.represented_as == "edge":
        return "relationship"
    if entry.represented_as != "node":
        return ""
    named = any(word in key.casefold() for word in RELATIONSHIP_WORDS)
    return "relationship" if named else "entity"


def _names(told: str | list[str] | None) -> tuple[str, ...]:
    listed = [told] if isinstance(told, str) else told or []
    return tuple(dict.fromkeys(pascal_case(name) for name in listed))
