"""A question to a knowledge graph by its schema: every step in the trace, and rounds of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

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
"""Score from which a result needs no further round."""

SHOWN = 20
NO_ROWS = "The query ran and found nothing."

Step = Callable[[Picked], Picked]


class Reflexion(BaseModel):
    """What a model makes of an answer: what is wrong with it, what to do, and its score."""

    answer: str = ""
    reflection: str = ""
    revised_answer: str = ""
    score: int = Field(ge=0, le=10)


@dataclass
class Attempt:
    """What the last query of one question was written from, and the rows it gave."""

    picked: Picked
    rows: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class SchemaAgent(Combinator):
    """Schema, entities, relationships, properties, query, submit: in this order, each seen."""

    engine: PromptEngine
    store: QueryStore
    name: str = "knowledge graph"
    attempt: Attempt | None = None

    def stream(self, state: State) -> Iterator[StageResult]:
        """The steps as they are taken; the last result holds rows as facts, and the query."""
        done: tuple[StageResult, ...] = ()
        picked = Picked(question=state.query.text)
        for name, step in self._steps():
            start = perf_counter()
            picked = step(picked)
            here = StageResult(
                name=f"{state.path}/{name}".lstrip("/"),
                state=state,
                note=_told(name, picked),
                elapsed_ms=(perf_counter() - start) * 1000,
                listed=False,
            )
            done = (*done, here)
            yield StageResult(name=self.name, state=state, children=done, listed=False)
            if not picked.entities and name == "entities":
                break
        if self.attempt is not None:
            self.attempt.picked = picked
        yield _submitted(self, state, picked, done)

    def _steps(self) -> tuple[tuple[str, Step], ...]:
        engine = self.engine
        return (
            ("schema", lambda picked: picked),
            ("entities", lambda picked: engine.entities(picked.question)),
            ("relationships", engine.relationships),
            ("properties", engine.properties),
            ("query", lambda picked: engine.query(picked, self.store.language)),
        )


def _told(name: str, picked: Picked) -> str:
    found = {
        "entities": picked.entities,
        "relationships": picked.relationships,
        "properties": [f"{k}: {', '.join(v)}" for k, v in picked.properties.items()],
        "query": [picked.query] if picked.query else [],
    }.get(name, ())
    return "; ".join(found) or (picked.reason if name != "schema" else "")


def _submitted(
    agent: SchemaAgent, state: State, picked: Picked, done: tuple[StageResult, ...]
) -> StageResult:
    """The query sent to the store; a refusal or an error of the store is a note, in its words."""
    if not picked.query:
        evidence = replace(state.evidence, refusal=picked.reason)
        after = replace(state, evidence=evidence)
        return StageResult(name=agent.name, state=after, note=picked.reason, children=done)
    start = perf_counter()
    after, note = submit(agent.store, state, picked.query, agent.attempt)
    here = StageResult(
        name=f"{state.path}/submit".lstrip("/"),
        state=after,
        note=note,
        elapsed_ms=(perf_counter() - start) * 1000,
        listed=False,
    )
    return StageResult(name=agent.name, state=after, note=note, children=(*done, here))


def submit(
    store: QueryStore, state: State, query: str, attempt: Attempt | None = None
) -> tuple[State, str]:
    """The state with the rows of a query as facts, and what became of it."""
    ran = StoreQuery(language=store.language, text=query)
    if attempt is not None:
        attempt.rows = ()
    try:
        rows = store.run(query)
    except BadInput as exc:
        evidence = state.evidence.with_facts([_note(query, str(exc))])
        return replace(state, evidence=replace(evidence, query=ran, refusal=str(exc))), str(exc)
    ran = replace(ran, text=rows.text)
    facts = rows.facts(SOURCE)
    if attempt is not None:
        attempt.rows = facts
    refusal = "" if facts else NO_ROWS
    evidence = replace(state.evidence.with_facts(facts), query=ran, refusal=refusal)
    return replace(state, evidence=evidence), f"{len(rows.rows)} rows" if facts else NO_ROWS


def _note(query: str, problem: str) -> Fact:
    return Fact(id=f"failed {query}", text=f"{query} failed: {problem}", kind="note", source=SOURCE)


@dataclass(frozen=True)
class Reflect:
    """Judges the rows of the last query by a model; its advice is what the next round is asked."""

    engine: PromptEngine
    question: str
    language: str
    attempt: Attempt
    name: str = "reflexion"

    def run(self, state: State) -> StageResult:
        """Enough from GOOD_ENOUGH on; unknown when the model has no usable answer."""
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
        said = ask(self.engine.model, prompt, Reflexion, budget=self.engine.budget)
        verdict = _verdict(said.value) if said.value else Verdict(enough="unknown")
        note = verdict.reason or said.reason
        return StageResult(
            name=self.name, state=state, verdict=replace(verdict, reason=note), note=note
        )


def _verdict(said: Reflexion) -> Verdict:
    told = said.revised_answer.strip() or said.reflection.strip()
    if said.score >= GOOD_ENOUGH or not told:
        return Verdict(enough="enough", reason=f"score {said.score} of 10")
    reason = f"score {said.score} of 10: {said.reflection.strip() or told}"
    return Verdict(enough="not enough", reason=reason, queries=(told,))


def result_text(rows: Sequence[Fact], problem: str) -> str:
    """Rows as lines, or what went wrong."""
    return "\n".join(fact.text for fact in rows[:SHOWN]) or problem or NO_ROWS


@dataclass(frozen=True)
class Revise:
    """Another query over the same part of the schema, told what the last one lacked."""

    agent: SchemaAgent
    attempt: Attempt
    name: str = "revised"

    def run(self, state: State) -> StageResult:
        """The rows of the revised query, or why there is none."""
        last = state.evidence.query
        told = f"An earlier query:\n{last.text if last else ''}\nWhat to change: "
        before = f"{told}{state.query.text}\n"
        engine = self.agent.engine
        picked = engine.query(self.attempt.picked, self.agent.store.language, before=before)
        if not picked.query:
            return StageResult(name=self.name, state=state, note=picked.reason)
        after, note = submit(self.agent.store, state, picked.query, self.attempt)
        return StageResult(name=self.name, state=after, note=note)


@dataclass(frozen=True)
class Latest:
    """Keeps of all the rows those of the last query, so that an answer rests on nothing else."""

    attempt: Attempt
    name: str = "last query"

    def run(self, state: State) -> StageResult:
        """The state without the rows and failures of earlier queries."""
        others = tuple(fact for fact in state.evidence.facts if fact.source != SOURCE)
        evidence = replace(state.evidence, facts=others).with_facts(self.attempt.rows)
        return StageResult(name=self.name, state=replace(state, evidence=evidence), listed=False)


def reflexion(agent: SchemaAgent, question: str, *, rounds: int = 3) -> Pipeline:
    """Query, result, reflexion, revised query: until the result is good or the rounds are over."""
    attempt = Attempt(Picked(question=question))
    first = replace(agent, attempt=attempt)
    body = Rounds(
        "reflexion",
        first,
        Revise(agent, attempt),
        Reflect(agent.engine, question, agent.store.language, attempt),
        max_rounds=rounds,
    )
    return Pipeline(agent.name, [body, Latest(attempt)])
