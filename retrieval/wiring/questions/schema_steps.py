"""A question to the catalog's graph by its schema: each step by itself, shown and changeable."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from msgspec import structs

from retrieval.ask import NO_MODEL, Answerer, Excerpt
from retrieval.core import (
    BadInput,
    Combinator,
    Deadline,
    Pipeline,
    Sentence,
    Stage,
    StageResult,
    StageUnavailable,
    State,
    progress,
)
from retrieval.graphdb import (
    GraphPart,
    Neo4jStore,
    Picked,
    PromptEngine,
    QueryHandler,
    Schema,
    SchemaAgent,
    read_schema,
    reflexion,
    schema_info,
)
from retrieval.llm import Budget, LanguageModel
from retrieval.wiring.questions.graph_parts import CYPHER, GraphParts

SCHEMA = "schema"
"""The name of the answerer."""

STEPS = ("entities", "relationships", "properties", "query")
"""What the model chooses, each from what the steps before it chose."""

ROUNDS = 3
"""Queries of one question: the first and two revised ones, as the source has it."""

MOST_ROWS = 12
"""Rows in the sentence, as many as a list of names in fixed wording has."""

MOST_STEP = 4_000
"""Characters of one step as it is typed; a query may have as many."""

_SPLIT = re.compile(r"[,;\n]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTexts:
    """The steps of one question as text: names with commas, properties a line an owner.

    ``note`` says why a step is empty, or what came of the query.
    """

    question: str
    entities: str = ""
    relationships: str = ""
    properties: str = ""
    query: str = ""
    note: str = ""

    @classmethod
    def of(cls, picked: Picked) -> StepTexts:
        """What a step of the engine gave."""
        owners = (f"{name}: {', '.join(names)}" for name, names in picked.properties.items())
        return cls(
            question=picked.question,
            entities=", ".join(picked.entities),
            relationships=", ".join(picked.relationships),
            properties="\n".join(owners),
            query=picked.query,
            note=picked.reason,
        )


@dataclass(frozen=True)
class SchemaSteps:
    """The steps over one graph; every call asks the model anew, within a budget of its own."""

    parts: GraphParts
    model: LanguageModel | None
    seconds: float = 60.0
    budget: Callable[[], Budget] | None = None

    @cached_property
    def schema(self) -> Schema:
        """What the graph holds: the server's own where one is set, else the catalog's.

        Raises StageUnavailable where a server does not answer.
        """
        server = self.parts.server
        if isinstance(server, Neo4jStore):
            return server.classes()
        return read_schema(schema_info(self.parts.base))

    def answerer(self, budget: Budget | None) -> Answerer:
        """All steps as an answerer; a query that fails or finds nothing is revised."""
        return Answerer(
            name=SCHEMA,
            description="the catalog's graph by a query that the language model writes in steps",
            stage=_Asking(self, budget),
            suits=lambda question: (0.0, "steps that can be looked at and changed one by one"),
        )

    def agent(self, budget: Budget | None = None) -> SchemaAgent:
        """The steps in their order. Raises StageUnavailable without a model or a graph database."""
        if self.model is None:
            raise StageUnavailable(NO_MODEL)
        engine = PromptEngine(self.schema, self.model, budget, Deadline.after(self.seconds))
        return SchemaAgent(engine, self.parts.stores[CYPHER](), name="steps")

    def go_on(self, texts: StepTexts, after: str = "") -> Iterator[StepTexts]:
        """The steps after one, each as it is done; all of them where ``after`` is empty.

        Raises BadInput for a name that the schema lacks, and StageUnavailable without a model.
        """
        if after and after not in STEPS:
            raise BadInput(f"step: {after[:40]!r} is not one of {', '.join(STEPS)}")
        agent, picked = self.agent(self._budget()), self._picked(texts)
        names = [name for name, _ in agent.steps()]
        first = names.index(after or SCHEMA) + 1
        for name, step in agent.steps()[first:]:
            picked = step(picked)
            yield StepTexts.of(picked)
            if name == "entities" and not picked.entities:
                return

    def explain(self, texts: StepTexts) -> str:
        """The query in plain words."""
        return self._handler(texts).explain()

    def update(self, texts: StepTexts, request: str) -> StepTexts:
        """The same steps with the query changed as the request says; it is not run."""
        return replace(texts, query=self._handler(texts).update(request), note="")

    def _handler(self, texts: StepTexts) -> QueryHandler:
        if not texts.query.strip():
            raise BadInput("query: there is none yet; go through the steps or type one")
        picked, agent = self._picked(texts), self.agent(self._budget())
        part = GraphPart(
            entities=picked.entities,
            relationships=picked.relationships,
            properties=picked.properties,
        )
        return QueryHandler(
            texts.query,
            CYPHER,
            texts.question,
            part,
            agent.engine.model,
            agent.engine.budget,
            agent.engine.deadline,
        )

    def _picked(self, texts: StepTexts) -> Picked:
        """Steps as typed; names in any case become those of the schema."""
        if any(len(part) > MOST_STEP for part in (texts.entities, texts.properties, texts.query)):
            raise BadInput(f"steps: one is longer than {MOST_STEP:,} characters")
        schema = self.schema
        entities = _matched("entities", texts.entities, schema.entity_names)
        relationships = _matched("relationships", texts.relationships, schema.relationship_names)
        properties: dict[str, tuple[str, ...]] = {}
        for line in filter(None, map(str.strip, texts.properties.splitlines())):
            owner, _, names = line.partition(":")
            stated = schema.properties_of(owner.strip())
            wanted = tuple(name.strip() for name in names.split(",") if name.strip())
            missing = [name for name in wanted if name not in stated]
            if not stated or missing:
                raise BadInput(f"properties: the schema has no {', '.join(missing) or line[:60]}")
            properties[owner.strip()] = wanted
        return Picked(
            question=texts.question,
            entities=entities,
            relationships=relationships,
            properties=properties,
            query=texts.query,
        )

    def _budget(self) -> Budget | None:
        return self.budget() if self.budget else None


@dataclass(frozen=True)
class _Asking(Combinator):
    """All steps, opened at the first question: a store is filled then and not before."""

    steps: SchemaSteps
    budget: Budget | None
    name: str = SCHEMA

    def stream(self, state: State) -> Iterator[StageResult]:
        """Steps, query and revised queries, then the rows in words and the graph that they name."""
        agent = self.steps.agent(self.budget)
        body = reflexion(agent, state.query.text, rounds=ROUNDS, only_failed=True)
        stages: list[Stage] = [body, RowsInWords(), Excerpt(self.steps.parts.base)]
        yield from progress(Pipeline(self.name, stages), state)


@dataclass(frozen=True)
class RowsInWords:
    """The first rows as a sentence, for where no model words an answer."""

    name: str = "rows"

    def run(self, state: State) -> StageResult:
        """An answer that rests on the rows it lists; without rows the state as it is."""
        rows = [fact for fact in state.evidence.facts if fact.kind == "query"]
        listed = "; ".join(fact.text for fact in rows[:MOST_ROWS])
        more = f" and {len(rows) - MOST_ROWS} more" if len(rows) > MOST_ROWS else ""
        sentence = Sentence(
            text=f"{listed}{more}.", evidence=tuple(fact.id for fact in rows[:MOST_ROWS])
        )
        answer = (sentence,) if rows else ()
        after = structs.replace(state, evidence=structs.replace(state.evidence, answer=answer))
        return StageResult(name=self.name, state=after, note=f"{len(rows)} rows", listed=False)


def _matched(
    step: str, typed: str, match: Callable[[tuple[str, ...]], tuple[str, ...]]
) -> tuple[str, ...]:
    names = tuple(name.strip() for name in _SPLIT.split(typed) if name.strip())
    unmatched = [name for name in names if not match((name,))]
    if unmatched:
        raise BadInput(f"{step}: the schema has no {', '.join(unmatched)[:200]}")
    return match(names)
