"""``BioCypherPromptEngine``: from a question and a schema to a query, in single steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from retrieval.compat.biochatter.llm_connect import Factory, default_factory, model_of
from retrieval.graphdb import (
    Picked,
    PromptEngine,
    Schema,
    SchemaError,
    load_schema,
    prompt_text,
    read_schema,
)

DEFAULT_LANGUAGE = "Cypher"


class BioCypherPromptEngine:
    """The steps of one question at a time; every question begins with nothing selected.

    ``entities`` and ``relationships`` are those of the schema; ``selected_*`` are those that the
    last question selected; ``reason`` says why a step returned False. The steps begin with an
    underscore as in BioChatter, whose documentation calls them.
    """

    def __init__(
        self,
        schema_config_or_info_path: str | Path | None = None,
        schema_config_or_info_dict: Mapping[str, Any] | None = None,
        model_name: str = "",
        conversation_factory: Factory | None = None,
    ) -> None:
        path, info = schema_config_or_info_path, schema_config_or_info_dict
        if (path is None) == (not info):
            raise SchemaError(
                "schema: give either schema_config_or_info_path or schema_config_or_info_dict"
            )
        self.schema = load_schema(path) if path is not None else read_schema(info or {})
        self.model_name = model_name
        self.conversation_factory = conversation_factory or default_factory
        self.entities, self.relationships = _as_dicts(self.schema)
        self._picked = Picked(question="")

    @property
    def question(self) -> str:
        """The current question."""
        return self._picked.question

    @question.setter
    def question(self, question: str) -> None:
        self._picked = replace(self._picked, question=question)

    @property
    def selected_entities(self) -> list[str]:
        """The selected entities."""
        return list(self._picked.entities)

    @selected_entities.setter
    def selected_entities(self, names: Sequence[str]) -> None:
        self._picked = replace(self._picked, entities=self.schema.entity_names(names))

    @property
    def selected_relationships(self) -> list[str]:
        """The selected relationships."""
        return list(self._picked.relationships)

    @selected_relationships.setter
    def selected_relationships(self, names: Sequence[str]) -> None:
        valid = self.schema.relationship_names(names)
        self._picked = replace(self._picked, relationships=valid)

    @property
    def selected_relationship_labels(self) -> dict[str, dict[str, list[str]]]:
        """The labels of the selected relationships, each with its possible ends.

        By label a mapping of ``source`` and ``target`` to the names of entities.
        """
        relationships = (self.schema.relationships[n] for n in self._picked.relationships)
        labels: dict[str, dict[str, list[str]]] = {}
        for one in relationships:
            ends = labels.setdefault(one.label, {"source": [], "target": []})
            ends["source"] += [e for e in one.sources if e not in ends["source"]]
            ends["target"] += [e for e in one.targets if e not in ends["target"]]
        return labels

    @property
    def selected_properties(self) -> dict[str, list[str]]:
        """The selected properties, by their owner."""
        return {name: list(names) for name, names in self._picked.properties.items()}

    @property
    def non_selected_entities(self) -> list[str]:
        """The entities that are not selected."""
        return [name for name in self.entities if name not in self._picked.entities]

    @property
    def non_selected_relationships(self) -> list[str]:
        """The relationships that are not selected."""
        return [name for name in self.relationships if name not in self._picked.relationships]

    @property
    def non_selected_properties(self) -> dict[str, list[str]]:
        """The properties that are not selected, by their owner."""
        selected_names = self._picked.properties
        unselected = {
            name: [
                p for p in self.schema.properties_of(name) if p not in selected_names.get(name, ())
            ]
            for name in (*self.entities, *self.relationships)
        }
        return {name: properties for name, properties in unselected.items() if properties}

    @property
    def properties(self) -> dict[str, list[str]]:
        """Every property of the schema, by its owner."""
        names = (*self.entities, *self.relationships)
        by_owner = {name: list(self.schema.properties_of(name)) for name in names}
        return {name: properties for name, properties in by_owner.items() if properties}

    @property
    def reason(self) -> str:
        """The reason why the last step selected nothing."""
        return self._picked.reason

    def generate_query_prompt(
        self,
        question: str | None = None,
        query_language: str | None = None,
        database_language: str | None = None,
    ) -> str:
        """The prompt of the last step as it would be sent, over what is selected."""
        language = _language(query_language, database_language)
        engine = self._engine()
        return prompt_text("query").format(
            question=question or self.question,
            language=language,
            entities=", ".join(self._picked.entities),
            directions="\n".join(engine.directions(self._picked)) or "(none)",
            properties=self.selected_properties,
            before="",
        )

    def generate_query(
        self,
        question: str,
        query_language: str | None = None,
        database_language: str | None = None,
    ) -> str:
        """The query after all steps; empty, with ``reason``, when nothing in the schema fits.

        Forgets what was selected for an earlier question. Raises SchemaError for an empty one.
        """
        language = _language(query_language, database_language)
        self._picked = Picked(question=question)
        self._picked = self._engine().generate(question, language)
        return self._picked.query

    def _select_entities(self, question: str, conversation: object = None) -> bool:
        """Choose entities for a question, and forget the one before."""
        self._picked = Picked(question=question)
        self._picked = self._engine(conversation).entities(question)
        return bool(self._picked.entities)

    def _select_relationships(self, conversation: object = None) -> bool:
        """Choose relationships between the selected entities."""
        self._picked = self._engine(conversation).relationships(self._picked)
        return bool(self._picked.relationships)

    def _select_properties(self, conversation: object = None) -> bool:
        """Choose properties of what is selected."""
        self._picked = self._engine(conversation).properties(self._picked)
        return bool(self._picked.properties)

    def _generate_query(
        self,
        question: str | None = None,
        entities: Sequence[str] | None = None,
        relationships: Sequence[str] | Mapping[str, Any] | None = None,
        properties: Mapping[str, Sequence[str]] | None = None,
        query_language: str | None = None,
        database_language: str | None = None,
        conversation: object = None,
    ) -> str:
        """A query from the given parts; a part that is None is the selected one.

        Names that the schema lacks are left out; what is selected does not change.
        """
        parts: dict[str, Any] = {"question": question or self.question}
        if entities is not None:
            parts["entities"] = self.schema.entity_names(entities)
        if relationships is not None:
            parts["relationships"] = self.schema.relationship_names(relationships)
        if properties is not None:
            parts["properties"] = {name: tuple(p) for name, p in properties.items()}
        language = _language(query_language, database_language)
        return self._engine(conversation).query(replace(self._picked, **parts), language).query

    def _engine(self, conversation: object = None) -> PromptEngine:
        factory = self.conversation_factory if conversation is None else lambda: conversation
        return PromptEngine(self.schema, model_of(factory))


def _as_dicts(schema: Schema) -> tuple[dict[str, Any], dict[str, Any]]:
    entities = {name: {"properties": dict(e.properties)} for name, e in schema.entities.items()}
    relationships = {
        name: {
            "label": r.label,
            "source": list(r.sources),
            "target": list(r.targets),
            "properties": dict(r.properties),
        }
        for name, r in schema.relationships.items()
    }
    return entities, relationships


def _language(query_language: str | None, database_language: str | None) -> str:
    languages = {query_language, database_language} - {None}
    if len(languages) > 1:
        raise SchemaError("query_language: differs from database_language; give one of the two")
    return next(iter(languages), None) or DEFAULT_LANGUAGE
