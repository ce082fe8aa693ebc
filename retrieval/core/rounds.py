"""Rounds of search: another round while a judge says that the candidates are not enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from retrieval.core.combine import Combinator, lists_of, none_ran
from retrieval.core.deadline import Deadline, begun, ready
from retrieval.core.fusion import Combine, Lists, reciprocal_rank_fusion
from retrieval.core.stage import OUT_OF_TIME, Stage, StageResult, Status, finish, progress
from retrieval.core.types import State


@dataclass(frozen=True)
class Rounds(Combinator):
    """A first round, then more while the judge says the candidates are not enough.

    The queries of a later round run at the same time. ``merge`` joins the list so far and the
    new ones, cut to ``top_k``; ``closing`` then reorders a later round's list. A judge or a later
    round that cannot run ends the rounds and keeps the list: a fallback, with the reason.
    """

    name: str
    first: Stage
    again: Stage
    judge: Stage
    merge: Combine = reciprocal_rank_fusion
    max_rounds: int = 2
    top_k: int | None = None
    closing: Stage | None = None

    def stream(self, state: State) -> Iterator[StageResult]:
        """The merged list after every query of every round; ``top_k`` applies to each."""
        children: tuple[StageResult, ...] = ()
        queries: tuple[str, ...] = (state.query.text,)
        failure: StageResult | None = None
        here = state
        for number in range(1, self.max_rounds + 1):
            for this in progress(_Round(f"round {number}", self, number, queries), here):
                yield StageResult(name=self.name, state=this.state, children=(*children, this))
            children, here = (*children, this), this.state
            failure = failure if this.ran else this
            if number == self.max_rounds or not this.ran:
                break
            judged = replace(here, round=number, path=f"{state.path}/round {number}")
            judgement = replace(finish(progress(self.judge, judged)), listed=False)
            children = (*children, judgement)
            yield StageResult(name=self.name, state=here, children=children)
            failure = failure if judgement.ran else judgement
            verdict = judgement.verdict if judgement.ran else None
            if verdict is None or verdict.enough != "not enough" or not verdict.queries:
                break
            queries = verdict.queries
        yield self._outcome(here, children, failure)

    def _outcome(
        self, here: State, children: tuple[StageResult, ...], failure: StageResult | None
    ) -> StageResult:
        if not children[0].ran:
            return replace(none_ran(self.name, here, children[:1]), children=children)
        note = (failure or children[-1]).note
        status: Status = "fallback" if failure else "ok"
        return StageResult(name=self.name, state=here, status=status, note=note, children=children)


@dataclass(frozen=True)
class _Round(Combinator):
    name: str
    rounds: Rounds
    number: int
    queries: tuple[str, ...]

    def stream(self, state: State) -> Iterator[StageResult]:
        merged = StageResult(name=self.name, state=state)
        for children in self._searched(state):
            merged = self._merged(state, children)
            yield merged
        closing = self.rounds.closing
        if closing is None or self.number == 1 or not merged.ran:
            return
        for last in progress(closing, replace(merged.state, path=state.path)):
            after = replace(last.state, path=merged.state.path)
            yield replace(merged, state=after, children=(*merged.children, last))

    def _searched(self, state: State) -> Iterator[tuple[StageResult, ...]]:
        # Each query searches from nothing; the round joins what they find with the list so far.
        states = [
            replace(state, query=replace(state.query, text=text), candidates=())
            for text in self.queries
        ]
        if self.number == 1:
            for part in progress(self.rounds.first, states[0]):
                yield (part,)
            return
        stages = [_Alias(f"query {n}", self.rounds.again, t) for n, t in enumerate(self.queries, 1)]
        children: tuple[StageResult, ...] = ()
        for stage, here, result in zip(
            stages, states, _together(stages, states, state.deadline), strict=True
        ):
            path = f"{state.path}/{stage.name}"
            late = StageResult(name=path, state=here, status="skipped", note=OUT_OF_TIME)
            children = (*children, result or late)
            yield children

    def _merged(self, state: State, children: tuple[StageResult, ...]) -> StageResult:
        if not any(child.ran for child in children):
            return none_ran(self.name, state, children)
        earlier: Lists = [(self.name, state.candidates)] if state.candidates else []
        lists = [*earlier, *lists_of(children)]
        merged = lists[0][1] if len(lists) == 1 else self.rounds.merge(state.path, lists)
        evidence = state.evidence.merged(child.state.evidence for child in children if child.ran)
        after = replace(state, candidates=tuple(merged)[: self.rounds.top_k], evidence=evidence)
        hit_count = sum(len(candidates) for _, candidates in lists_of(children))
        counts = {"found": hit_count, "merged": len(after.candidates)}
        return StageResult(name=self.name, state=after, children=children, metrics=counts)


@dataclass(frozen=True)
class _Alias(Combinator):
    """One stage under another name, so that its paths are its own."""

    name: str
    stage: Stage
    note: str

    def stream(self, state: State) -> Iterator[StageResult]:
        for part in progress(self.stage, state):
            note = self.note if part.ran else f"{self.note}: {part.note}"
            result = StageResult(name=self.name, state=part.state, children=(part,), listed=False)
            yield replace(result, status=part.status, note=note)


def _together(
    stages: Sequence[Stage], states: Sequence[State], deadline: Deadline
) -> Iterator[StageResult | None]:
    """The stages' results in their order, all started at once; None for one that is late."""
    calls = [
        partial(finish, progress(stage, state)) for stage, state in zip(stages, states, strict=True)
    ]
    # One query needs no thread.
    if len(calls) == 1:
        yield calls[0]()
        return
    futures = [begun(call, f"query {number}") for number, call in enumerate(calls, 1)]
    for future in futures:
        yield future.result() if ready(future, deadline.left) else None
