"""What there is to say of a finished list: doubt, matches, what stands in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from retrieval.core import (
    Candidate,
    Candidates,
    Filters,
    StageResult,
    State,
    Tool,
    finish,
    progress,
)
from retrieval.dialogue import (
    Clarification,
    concept_relaxations,
    constrained,
    lacking,
    near_misses,
    opened,
    relaxations,
    suggestions,
)
from retrieval.engine.answer import Answer, Insight, Snapshot
from retrieval.llm import Budget, Limits

FEW = 5
"""With fewer candidates than this, what a constraint costs is told."""

NEAREST = 15


def no_calls() -> Budget:
    """The budget of a search that is made to explain another: no model is asked again."""
    return Budget(Limits(calls=0))


def insight_of(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    """What there is to say of a list that is final: doubt, matches, what stands in the way."""
    honesty, found = snapshot.honesty, answer.candidates
    told = Insight()
    if honesty is not None and answer.query.text:
        text, read = answer.query.text, _reading(answer.result)
        served = (
            k for k in ("operation", "modality") if honesty.unserved(text, k, state.selection)
        )
        told = Insight(
            confidence=honesty.judge(replace(answer.query, reading=read, tokens=())),
            concepts=honesty.concepts(text, (c.tool.id for c in found)),
            unserved=frozenset(served),
        )
    answer = replace(answer, done=True, insight=told)
    if not answer.query.text and answer.query.scans:
        tasks = _usual_tasks(snapshot.tools)
        told = replace(told, suggestions=suggestions(answer.query, _marked(answer), tasks))
    if constrained(answer.query) and (answer.reason or len(found) < FEW):
        return _relaxed(answer, snapshot, state, told)
    if answer.reason and honesty is not None:
        admitted = (i for i in snapshot.tools if state.selection.admits(i))
        every = honesty.concepts(answer.query.text, admitted)
        relax = concept_relaxations(every, found)
        return replace(told, relax=relax, near_misses=lacking(told.concepts, found))
    return told


def asked_back(answer: Answer, state: State) -> Clarification | None:
    """The question of a finished answer; in a model's words where one is on and may be asked."""
    asked = answer.clarification
    wordsmith = answer.dialogue.wordsmith if answer.dialogue else None
    if asked is None or wordsmith is None or answer.mode.quiet:
        return asked
    return wordsmith.worded(asked, answer.query, state.budget, state.deadline)


def _relaxed(answer: Answer, snapshot: Snapshot, state: State, told: Insight) -> Insight:
    """The nearest tools whatever the constraints, and what each constraint alone costs."""
    asked, marked = answer.query, _marked(answer)
    nearest: Sequence[Candidate] = answer.candidates
    if asked.excluded or asked.filters != Filters():
        free = State(query=opened(asked), deadline=state.deadline, budget=no_calls(), watched=False)
        nearest = finish(progress(answer.mode.pipeline, free, root=True)).state.candidates
    return replace(
        told,
        relax=relaxations(asked, snapshot.tools.values(), nearest, marked),
        near_misses=near_misses(asked, nearest[:NEAREST]),
    )


def _reading(result: StageResult) -> tuple[str, ...]:
    """The query's reading in English, where a stage read it."""
    readings = (node.state.query.reading for node in result.walk())
    return next((r for r in readings if r), result.state.query.reading)


def _marked(answer: Answer) -> Candidates:
    """The longest list whose candidates bear a fit; the final one where none does."""
    lists = (n.state.candidates for n in answer.result.walk() if n.ran)
    fitted = [found for found in lists if any(c.fit is not None for c in found)]
    return max(fitted, key=len, default=answer.candidates)


def _usual_tasks(tools: Mapping[str, Tool]) -> dict[str, float]:
    """The part of the catalog that does each task."""
    counts = Counter(task for tool in tools.values() for task in tool.tasks)
    return {task: n / len(tools) for task, n in counts.items()}
