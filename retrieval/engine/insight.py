"""Remarks on a finished list: confidence, matched concepts, what constraints cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from retrieval.core import (
    Candidate,
    Candidates,
    Filters,
    State,
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
"""With fewer candidates than this, the answer lists what each constraint costs."""

NEAREST = 15


def no_calls() -> Budget:
    """A budget without model calls, for searches that only explain another one."""
    return Budget(Limits(calls=0))


def insight_of(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    """Confidence, matched concepts, and which constraints leave out tools.

    Constraints are reported only where the list is short (FEW) or the answer is doubtful.
    """
    scope, candidates, text = snapshot.scope, answer.candidates, answer.query.text
    # A stage inside the tree may be the only one that knows the reading in English.
    readings = (node.state.query.reading for node in answer.result.walk())
    query = replace(answer.query, reading=next((r for r in readings if r), ()), tokens=())
    insight = Insight()
    if scope is not None and text:
        served = (k for k in ("operation", "modality") if scope.unserved(text, k, state.selection))
        insight = Insight(
            confidence=scope.judge(query),
            concepts=scope.concepts(text, (c.tool.id for c in candidates)),
            unserved=frozenset(served),
        )
    if snapshot.scale is not None:
        scores = snapshot.scale.scores(query, candidates, insight.concepts)
        insight = replace(insight, scores=scores)
    answer = replace(answer, done=True, insight=insight)
    judged = insight.confidence
    named = judged is not None and judged.named
    judge = snapshot.gaps
    # A refusal stands by itself where the text names nothing of the field.
    if (
        judge is not None
        and text
        and not named
        and judge.reads(text, doubtful=answer.low_confidence)
    ):
        insight = replace(insight, gap=judge.judge(text))
        answer = replace(answer, insight=insight)
    if not answer.query.text and answer.query.scans:
        counts = Counter(task for tool in snapshot.tools.values() for task in tool.tasks)
        # Shares (0 to 1) of the catalog's tools that do each task.
        tasks = {task: n / len(snapshot.tools) for task, n in counts.items()}
        insight = replace(insight, suggestions=suggestions(answer.query, _marked(answer), tasks))
    if constrained(answer.query) and (answer.reason or len(candidates) < FEW):
        return _relaxed(answer, snapshot, state, insight)
    if answer.reason and scope is not None:
        admitted = (i for i in snapshot.tools if state.selection.admits(i))
        every = scope.concepts(answer.query.text, admitted)
        relax = concept_relaxations(every, candidates)
        return replace(insight, relax=relax, near_misses=lacking(insight.concepts, candidates))
    return insight


def asked_back(answer: Answer, state: State) -> Clarification | None:
    """The question of a finished answer, worded by a model where one is on and in budget."""
    clarification = answer.clarification
    wordsmith = answer.dialogue.wordsmith if answer.dialogue else None
    if clarification is None or wordsmith is None or answer.mode.quiet:
        return clarification
    return wordsmith.worded(clarification, answer.query, state.budget, state.deadline)


def _relaxed(answer: Answer, snapshot: Snapshot, state: State, insight: Insight) -> Insight:
    """The nearest tools whatever the constraints, and what each constraint alone costs."""
    query, marked = answer.query, _marked(answer)
    nearest: Sequence[Candidate] = answer.candidates
    if query.excluded or query.filters != Filters():
        free = State(query=opened(query), deadline=state.deadline, budget=no_calls(), watched=False)
        nearest = finish(progress(answer.mode.pipeline, free, root=True)).state.candidates
    return replace(
        insight,
        relax=relaxations(query, snapshot.tools.values(), nearest, marked),
        near_misses=near_misses(query, nearest[:NEAREST]),
    )


def _marked(answer: Answer) -> Candidates:
    """The longest list whose candidates have a fit; the final one where none has."""
    lists = (n.state.candidates for n in answer.result.walk() if n.ran)
    fitted = [candidates for candidates in lists if any(c.fit is not None for c in candidates)]
    return max(fitted, key=len, default=answer.candidates)
