"""A question to a knowledge graph by its schema, with every step in the trace, and in rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from msgspec import structs
from pydantic import BaseModel, Field

from retrieval.core import (
    BadInput,
    Combinator,
    Fact,
    Pipeline,
    Rounds,
    StageResult,
    State,
    StoreQuery,
    Verdict,
)
from retrieval.graph import QueryStore
from retrieval.graphdb.prompt_engine import Picked, PromptEngine, prompt_text
from retrieval.llm import ask

SOURCE = "graph query"
GOOD_ENOUGH = 7
"""Least score (of 10) of a result that needs no further round."""

SHOWN = 20
NO_ROWS = "The query ran and found nothing."

Step = Callable[[Picked], Picked]


class Reflexion(BaseModel):
    """A model's review of an answer: what is wrong with it, what to do, and a score of 0 to 10."""

    answer: str = ""
    reflection: str = ""
    revised_answer: str = ""
    score: int = Field(ge=0, le=10)


@dataclass
class Attempt:
    """The schema part behind the last query of a question, and the rows of that query."""

    picked: Picked
    rows: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class SchemaAgent(Combinator):
    """Schema, entities, relationships, properties, query, submit: in this order, each a result."""

    engine: PromptEngine
    store: QueryStore
    name: str = "knowledge graph"
    attempt: Attempt | None = None

    def stream(self, state: State) -> Iterator[StageResult]:
        """A result per step; the last one holds the query and its rows as facts."""
        step_results: tuple[StageResult, ...] = ()
        schema_part = Picked(question=state.query.text)
        for name, step in self.steps():
            start = perf_counter()
            schema_part = step(schema_part)
            here = StageResult(
                name=f"{state.path}/{name}".lstrip("/"),
                state=state,
                note=_step_note(name, schema_part),
                elapsed_ms=(perf_counter() - start) * 1000,
                listed=False,
            )
            step_results = (*step_results, here)
            yield StageResult(name=self.name, state=state, children=step_results, listed=False)
            if not schema_part.entities and name == "entities":
                break
        if self.attempt is not None:
            self.attempt.picked = schema_part
        yield _submitted(self, state, schema_part, step_results)

    def steps(self) -> tuple[tuple[str, Step], ...]:
        """Every step by name, in order; each takes what the steps before it gave."""
        engine = self.engine
        return (
            ("schema", lambda schema_part: schema_part),
            ("entities", lambda schema_part: engine.entities(schema_part.question)),
            ("relationships", engine.relationships),
            ("properties", engine.properties),
            ("query", lambda schema_part: engine.query(schema_part, self.store.language)),
        )


def _step_note(name: str, schema_part: Picked) -> str:
    values = {
        "entities": schema_part.entities,
        "relationships": schema_part.relationships,
        "properties": [f"{k}: {', '.join(v)}" for k, v in schema_part.properties.items()],
        "query": [schema_part.query] if schema_part.query else [],
    }.get(name, ())
    return "; ".join(values) or (schema_part.reason if name != "schema" else "")


def _submitted(
    agent: SchemaAgent, state: State, schema_part: Picked, step_results: tuple[StageResult, ...]
) -> StageResult:
    """The result of the query; a refusal or an error of the store becomes a note."""
    if not schema_part.query:
        evidence = structs.replace(state.evidence, refusal=schema_part.reason)
        after = structs.replace(state, evidence=evidence)
        return StageResult(
            name=agent.name, state=after, note=schema_part.reason, children=step_results
        )
    start = perf_counter()
    after, note = submit(agent.store, state, schema_part.query, agent.attempt)
    here = StageResult(
        name=f"{state.path}/submit".lstrip("/"),
        state=after,
        note=note,
        elapsed_ms=(perf_counter() - start) * 1000,
        listed=False,
    )
    return StageResult(name=agent.name, state=after, note=note, children=(*step_results, here))


def submit(
    store: QueryStore, state: State, query: str, attempt: Attempt | None = None
) -> tuple[State, str]:
    """The state with the rows of a query as facts, and a note: number of rows or the error.

    A refusal or error of the store becomes a note fact and the refusal of the state.
    """
    ran = StoreQuery(language=store.language, text=query)
    if attempt is not None:
        attempt.rows = ()
    try:
        rows = store.run(query)
    except BadInput as exc:
        failure = f"{query} failed: {exc}"
        note = Fact(id=f"failed {query}", text=failure, kind="note", source=SOURCE)
        evidence = state.evidence.with_facts([note])
        return structs.replace(
            state, evidence=structs.replace(evidence, query=ran, refusal=str(exc))
        ), str(exc)
    ran = replace(ran, text=rows.text)
    facts = rows.facts(SOURCE)
    if attempt is not None:
        attempt.rows = facts
    refusal = "" if facts else NO_ROWS
    evidence = structs.replace(state.evidence.with_facts(facts), query=ran, refusal=refusal)
    return structs.replace(state, evidence=evidence), f"{len(rows.rows)} rows" if facts else NO_ROWS


@dataclass(frozen=True)
class Reflect:
    """A model reviews the rows of the last query; its advice is the question of the next round."""

    engine: PromptEngine
    question: str
    language: str
    attempt: Attempt
    only_failed: bool = False
    name: str = "reflexion"

    def run(self, state: State) -> StageResult:
        """*Enough* from GOOD_ENOUGH on; *unknown* where the model gave no usable reply.

        With ``only_failed`` rows are enough, and the model is not asked about them.
        """
        if self.only_failed and self.attempt.rows:
            verdict = Verdict(enough="enough", reason=f"{len(self.attempt.rows)} rows")
            return StageResult(name=self.name, state=state, verdict=verdict, note=verdict.reason)
        query = state.evidence.query
        if query is None:
            reason = state.evidence.refusal or "no query was run"
            verdict = Verdict(enough="unknown", reason=reason)
            return StageResult(name=self.name, state=state, verdict=verdict, note=reason)
        prompt = prompt_text("reflect").format(
            language=self.language,
            question=self.question,
            query=query.text,
            result=result_text(self.attempt.rows, state.evidence.refusal),
        )
        reply = ask(self.engine.model, prompt, Reflexion, budget=self.engine.budget)
        review = reply.value
        if review is None:
            verdict = Verdict(enough="unknown", reason=reply.reason)
        else:
            reflection = review.reflection.strip()
            advice = review.revised_answer.strip() or reflection
            score = f"score {review.score} of 10"
            if review.score >= GOOD_ENOUGH or not advice:
                verdict = Verdict(enough="enough", reason=score)
            else:
                reason = f"{score}: {reflection or advice}"
                verdict = Verdict(enough="not enough", reason=reason, queries=(advice,))
        return StageResult(
            name=self.name,
            state=state,
            status="fallback" if review is None else "ok",
            verdict=verdict,
            note=verdict.reason,
        )


def result_text(rows: Sequence[Fact], problem: str) -> str:
    """At most SHOWN rows as lines; without rows the problem, or NO_ROWS."""
    return "\n".join(fact.text for fact in rows[:SHOWN]) or problem or NO_ROWS


@dataclass(frozen=True)
class Revise:
    """Another query over the same part of the schema, with the advice on the last one."""

    agent: SchemaAgent
    attempt: Attempt
    name: str = "revised"

    def run(self, state: State) -> StageResult:
        """The rows of the revised query, or why there is none."""
        last = state.evidence.query
        earlier = last.text if last else ""
        before = f"An earlier query:\n{earlier}\nWhat to change: {state.query.text}\n"
        engine = self.agent.engine
        schema_part = engine.query(self.attempt.picked, self.agent.store.language, before=before)
        if not schema_part.query:
            return StageResult(name=self.name, state=state, note=schema_part.reason)
        after, note = submit(self.agent.store, state, schema_part.query, self.attempt)
        return StageResult(name=self.name, state=after, note=note)


@dataclass(frozen=True)
class Latest:
    """Drops the rows of earlier queries, so that an answer rests on the last query alone.

    The parts of the schema behind it stay in the evidence, as requests by the name of their step.
    """

    attempt: Attempt
    name: str = "last query"

    def run(self, state: State) -> StageResult:
        """The state without the rows and failures of earlier queries."""
        others = tuple(fact for fact in state.evidence.facts if fact.source != SOURCE)
        schema_part = self.attempt.picked
        requests = {
            "entities": schema_part.entities,
            "relationships": schema_part.relationships,
            "properties": tuple(f"{k}: {', '.join(v)}" for k, v in schema_part.properties.items()),
        }
        evidence = structs.replace(state.evidence, facts=others, requests=requests)
        evidence = evidence.with_facts(self.attempt.rows)
        return StageResult(
            name=self.name, state=structs.replace(state, evidence=evidence), listed=False
        )


def reflexion(
    agent: SchemaAgent, question: str, *, rounds: int = 3, only_failed: bool = False
) -> Pipeline:
    """Query, result, reflexion, revised query: until the score suffices or the rounds are over.

    With ``only_failed`` a query that gave rows is not reviewed.
    """
    attempt = Attempt(Picked(question=question))
    first = replace(agent, attempt=attempt)
    body = Rounds(
        "reflexion",
        first,
        Revise(agent, attempt),
        Reflect(agent.engine, question, agent.store.language, attempt, only_failed),
        max_rounds=rounds,
    )
    return Pipeline(agent.name, [body, Latest(attempt)])
