"""From a question and a schema to a query, by steps: entities, relationships, properties, query."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from pydantic import BaseModel, Field, model_validator

from retrieval.core import NO_LIMIT, Deadline
from retrieval.graphdb.schema import Schema, SchemaError, SchemaRelationship
from retrieval.llm import Budget, LanguageModel, ask

T = TypeVar("T", bound=BaseModel)
Properties = Mapping[str, tuple[str, ...]]

MAX_QUERY_TEXT = 4000
_FENCE = re.compile(r"```[a-zA-Z]*\s*(.*?)```", re.DOTALL)

NOTHING_FITS = "nothing in the schema of this graph fits the question"
ENTITIES_FIRST = "select entities first, or give them: no question or no entities are known yet"


class Entities(BaseModel):
    """The kinds of node that a question is about."""

    entities: list[str]


class Relationships(BaseModel):
    """The relationships that a question is about."""

    relationships: list[str]


class PropertyChoice(BaseModel):
    """Properties by the entity or relationship that has them."""

    properties: dict[str, list[str]]

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """Accepts replies without the outer key, which some models omit."""
        if isinstance(value, dict) and value and "properties" not in value:
            return {"properties": value}
        return value


class WrittenQuery(BaseModel):
    """A query that a model wrote."""

    query: str = Field(min_length=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """The part of a schema chosen for a question; ``reason`` states why a step is empty."""

    question: str
    entities: tuple[str, ...] = ()
    relationships: tuple[str, ...] = ()
    properties: Properties = field(default_factory=dict)
    query: str = ""
    reason: str = ""


@cache
def prompt_text(name: str) -> str:
    """The text of a prompt file of this engine."""
    return files("retrieval.graphdb").joinpath(f"prompts/biocypher_{name}.txt").read_text("utf-8")


@dataclass(frozen=True)
class PromptEngine:
    """The steps, each callable by itself. An engine has no state: earlier results are arguments.

    A step returns only names of the schema, whatever the model replied.
    """

    schema: Schema
    model: LanguageModel
    budget: Budget | None = None
    deadline: Deadline = NO_LIMIT

    def entities(self, question: str) -> Picked:
        """The entities that a question is about. Raises SchemaError for an empty question."""
        if not question.strip():
            raise SchemaError("question: it is empty; ask something of the graph")
        names_offered = "\n".join(self.schema.entities)
        prompt = prompt_text("entities").format(question=question, names=names_offered)
        value, reason = self._ask(prompt, Entities)
        names = self.schema.entity_names(value.entities) if value else ()
        return Picked(question=question, entities=names, reason="" if names else _why(reason))

    def relationships(self, schema_part: Picked) -> Picked:
        """The relationships between chosen entities; their missing ends join the entities.

        Those with both ends chosen are offered; where there is none, those with one end.
        """
        if not schema_part.question or not schema_part.entities:
            raise SchemaError(f"relationships: {ENTITIES_FIRST}")
        offered = self.offered(schema_part.entities)
        if not offered:
            return replace(
                schema_part, relationships=(), reason="no relationship joins the entities"
            )
        offered_lines = "\n".join(
            f"{one.name}: {source or 'any'} -> {target or 'any'}"
            for one in offered
            for source, target in [(" or ".join(one.sources), " or ".join(one.targets))]
        )
        prompt = prompt_text("relationships").format(
            question=schema_part.question,
            names=offered_lines,
            entities=", ".join(schema_part.entities),
        )
        value, reason = self._ask(prompt, Relationships)
        names_offered = {one.name for one in offered}
        reply_names = self.schema.relationship_names(value.relationships) if value else ()
        names = tuple(name for name in reply_names if name in names_offered)
        return replace(
            schema_part,
            relationships=names,
            entities=self.with_ends(schema_part.entities, names),
            reason="" if names else _why(reason),
        )

    def offered(self, entities: Sequence[str]) -> tuple[SchemaRelationship, ...]:
        """The relationships that may be chosen for these entities."""
        joined = [(one, one.joins(entities)) for one in self.schema.relationships.values()]
        both = tuple(one for one, ends in joined if all(ends))
        either = tuple(one for one, ends in joined if any(ends))
        loose = tuple(one for one, _ in joined if not one.sources and not one.targets)
        return (both or either) + loose

    def with_ends(self, entities: Sequence[str], relationships: Sequence[str]) -> tuple[str, ...]:
        """The entities, followed by the ends that these relationships lack."""
        ends = dict.fromkeys(entities)
        for name in relationships:
            one = self.schema.relationships[name]
            source, target = one.joins(ends)
            missing = (*(() if source else one.sources), *(() if target else one.targets))
            ends.update(dict.fromkeys(self.schema.entity_names(missing)))
        return tuple(ends)

    def properties(self, schema_part: Picked) -> Picked:
        """The properties that a query needs; none where nothing chosen has any."""
        if not schema_part.question or not (schema_part.entities or schema_part.relationships):
            raise SchemaError(f"properties: {ENTITIES_FIRST}")
        owners = (*schema_part.entities, *schema_part.relationships)
        available = {name: tuple(self.schema.properties_of(name)) for name in owners}
        available = {name: names for name, names in available.items() if names}
        if not available:
            return replace(schema_part, properties={}, reason="nothing chosen has properties")
        prompt = prompt_text("properties").format(
            question=schema_part.question, names=_json(available)
        )
        value, reason = self._ask(prompt, PropertyChoice)
        replied = value.properties if value else {}
        both = {
            name: tuple(one for one in names if one in replied[name])
            for name, names in available.items()
            if name in replied
        }
        properties = {name: names for name, names in both.items() if names}
        return replace(
            schema_part, properties=properties, reason="" if properties else _why(reason)
        )

    def query(self, schema_part: Picked, language: str = "Cypher", *, before: str = "") -> Picked:
        """A query in that language; ``before`` states what an earlier one lacked.

        Raises SchemaError without a question or anything chosen. The text is not checked here: the
        store's guard refuses what may not run.
        """
        if not schema_part.question or not (schema_part.entities or schema_part.relationships):
            raise SchemaError(f"query: {ENTITIES_FIRST}")
        prompt = prompt_text("query").format(
            question=schema_part.question,
            language=language,
            entities=", ".join(schema_part.entities),
            directions="\n".join(self.directions(schema_part)) or "(none)",
            properties=_json(schema_part.properties),
            before=before,
        )
        value, reason = self._ask(prompt, WrittenQuery)
        text = bare_query(value.query) if value else ""
        return replace(schema_part, query=text, reason="" if text else _why(reason))

    def directions(self, schema_part: Picked) -> Iterator[str]:
        """Every pattern of chosen relationships that the graph holds, in its direction."""
        for name in self.schema.relationship_names(schema_part.relationships):
            one = self.schema.relationships[name]
            ends = [end for end in one.ends() if {end[0], end[2]} <= set(schema_part.entities)]
            for source, label, target in ends or one.ends():
                yield f"(:{source})-[:{label}]->(:{target})"
            if not one.sources or not one.targets:
                yield f"()-[:{one.label}]->()"

    def generate(self, question: str, language: str = "Cypher") -> Picked:
        """All steps in order; where no entity fits, a reason instead of a query."""
        schema_part = self.entities(question)
        if not schema_part.entities:
            return schema_part
        schema_part = self.relationships(schema_part)
        return self.query(self.properties(schema_part), language)

    def _ask(self, prompt: str, shape: type[T]) -> tuple[T | None, str]:
        reply = ask(self.model, prompt, shape, budget=self.budget, deadline=self.deadline)
        return reply.value, reply.reason


def _why(reason: str) -> str:
    return reason or NOTHING_FITS


def _json(properties: Mapping[str, Sequence[str]]) -> str:
    return json.dumps({name: list(names) for name, names in properties.items()}, ensure_ascii=False)


def bare_query(text: str) -> str:
    """A query without the Markdown fence that models put around it, at most MAX_QUERY_TEXT long."""
    fenced = _FENCE.search(text)
    return (fenced.group(1) if fenced else text).strip()[:MAX_QUERY_TEXT]
