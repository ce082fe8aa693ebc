"""Talking about a query: explained, and changed on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from retrieval.core import NO_LIMIT, Deadline, StageUnavailable
from retrieval.graphdb.prompt_engine import WrittenQuery, bare_query, prompt_text
from retrieval.graphdb.schema import SchemaError
from retrieval.llm import Budget, LanguageModel, ask

PARTS = ("entities", "relationships", "properties")


class Explanation(BaseModel):
    """A query in plain words."""

    explanation: str = Field(min_length=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPart:
    """What of a graph a conversation about a query may name."""

    entities: tuple[str, ...]
    relationships: tuple[str, ...]
    properties: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> GraphPart:
        """From a mapping with all of PARTS; raises SchemaError naming those that are missing."""
        missing = [part for part in PARTS if part not in told]
        if missing:
            raise SchemaError(f"kg_selected: {', '.join(missing)} missing; give {', '.join(PARTS)}")
        return cls(
            entities=tuple(told["entities"]),
            relationships=tuple(told["relationships"]),
            properties={k: tuple(v) for k, v in dict(told["properties"]).items()},
        )

    def words(self) -> str:
        """The part as lines of a prompt."""
        properties = "; ".join(f"{k}: {', '.join(v)}" for k, v in self.properties.items())
        return "\n".join(
            (
                f"entities: {', '.join(self.entities) or '(none)'}",
                f"relationships: {', '.join(self.relationships) or '(none)'}",
                f"properties: {properties or '(none)'}",
            )
        )


@dataclass(frozen=True)
class QueryHandler:
    """A query with the question that it answers and the part of the graph it may use."""

    query: str
    language: str
    question: str
    graph: GraphPart
    model: LanguageModel
    budget: Budget | None = None
    deadline: Deadline = NO_LIMIT

    def explain(self) -> str:
        """The query in plain words. Raises StageUnavailable without a usable answer."""
        prompt = self._prompt("explain")
        said = ask(self.model, prompt, Explanation, budget=self.budget, deadline=self.deadline)
        if said.value is None:
            raise StageUnavailable(said.reason)
        return said.value.explanation

    def update(self, request: str) -> str:
        """The query changed as asked. Raises StageUnavailable without a usable answer."""
        if not request.strip():
            raise SchemaError("request: it is empty; say how the query should change")
        prompt = self._prompt("update", request=request)
        said = ask(self.model, prompt, WrittenQuery, budget=self.budget, deadline=self.deadline)
        if said.value is None:
            raise StageUnavailable(said.reason)
        return bare_query(said.value.query)

    def _prompt(self, name: str, **more: str) -> str:
        return prompt_text(name).format(
            language=self.language,
            question=self.question,
            query=self.query,
            graph=self.graph.words(),
            **more,
        )
