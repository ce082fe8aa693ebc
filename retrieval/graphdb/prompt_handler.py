"""A query explained in plain words, and changed on request."""

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
    """The part of a graph that a conversation about a query may name."""

    entities: tuple[str, ...]
    relationships: tuple[str, ...]
    properties: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, parts: Mapping[str, Any]) -> GraphPart:
        """From a mapping with all of PARTS; raises SchemaError naming those that are missing."""
        missing = [part for part in PARTS if part not in parts]
        if missing:
            raise SchemaError(f"kg_selected: {', '.join(missing)} missing; give {', '.join(PARTS)}")
        return cls(
            entities=tuple(parts["entities"]),
            relationships=tuple(parts["relationships"]),
            properties={k: tuple(v) for k, v in dict(parts["properties"]).items()},
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
        reply = ask(self.model, prompt, Explanation, budget=self.budget, deadline=self.deadline)
        if reply.value is None:
            raise StageUnavailable(reply.reason)
        return reply.value.explanation

    def update(self, request: str) -> str:
        """The query changed by the request. Raises StageUnavailable without a usable answer."""
        if not request.strip():
            raise SchemaError("request: it is empty; say how the query should change")
        prompt = self._prompt("update", request=request)
        reply = ask(self.model, prompt, WrittenQuery, budget=self.budget, deadline=self.deadline)
        if reply.value is None:
            raise StageUnavailable(reply.reason)
        return bare_query(reply.value.query)

    def _prompt(self, name: str, **more: str) -> str:
        return prompt_text(name).format(
            language=self.language,
            question=self.question,
            query=self.query,
            graph=self.graph.words(),
            **more,
        )
