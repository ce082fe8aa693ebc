"""Asking again: rounds of search while a judge says that it is not enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.core.combine import Combinator, lists_of, none_ran
from retrieval.core.deadline import Deadline, begun, ready
from retrieval.core.fusion import Combine, Lists, reciprocal_rank_fusion
from retrieval.core.stage import OUT_OF_TIME, Stage, StageResult, Status, finish, progress
from retrieval.core.types import State


@dataclass(frozen=True)
class Rounds(Combinator):
    """A first attempt, then more of them while a judge says the candidates are not enough.

    The queries of a later round run at the same time. ``merge`` puts the list so far and the
    new ones together, cut to ``top_k``; ``closing`` then has the last word on a later round's
    list. A judge that cannot run, or a later round that does not, ends the rounds and keeps
    what there is: the whole is then a fallback, with the reason.
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
        """A merged list after every query of every round."""
        done: tuple[StageResult, ...] = ()
        queries: tuple[str, ...] = (state.query.text,)
        lost: StageResult | None = None
        here = state
        for number in range(1, self.max_rounds + 1):
            for this in progress(_Round(f"round {number}", self, number, queries), here):
                yield StageResult(name=self.name, state=this.state, children=(*done, this))
            done, here = (*done, this), this.state
            lost = lost if this.ran else this
            if number == self.max_rounds or not this.ran:
                break
            said = self._judged(here, state.path, number)
            done = (*done, said)
            yield StageResult(name=self.name, state=here, children=done)
            lost = lost if said.ran else said
            queries = _next(said)
            if not queries:
                break
        yield self._closed(here, done, lost)

    def _judged(self, here: State, path: str, number: int) -> StageResult:
        judged = replace(here, round=number, path=f"{path}/round {number}")
        return replace(finish(progress(self.judge, judged)), listed=False)

    def _closed(
        self, here: State, done: tuple[StageResult, ...], lost: StageResult | None
    ) -> StageResult:
        if not done[0].ran:
            return replace(none_ran(self.name, here, done[:1]), children=done)
        note = (lost or done[-1]).note
        status: Status = "fallback" if lost else "ok"
        return StageResult(name=self.name, state=here, status=status, note=note, children=done)


def _next(said: StageResult) -> tuple[str, ...]:
    """What to look for next; nothing when the judge is content, unsure or absent."""
    verdict = said.verdict if said.ran else None
    return verdict.queries if verdict is not None and verdict.enough == "not enough" else ()


@dataclass(frozen=True)
class _Round(Combinator):
    name: str
    rounds: Rounds
    number: int
    queries: tuple[str, ...]

    def stream(self, state: State) -> Iterator[StageResult]:
        merged = StageResult(name=self.name, state=state)
        for done in self._searched(state):
            merged = self._merged(state, done)
            yield merged
        closing = self.rounds.closing
        if closing is None or self.number == 1 or not merged.ran:
            return
        for last in progress(closing, replace(merged.state, path=state.path)):
            after = replace(last.state, path=merged.state.path)
            yield replace(merged, state=after, children=(*merged.children, last))

    def _searched(self, state: State) -> Iterator[tuple[StageResult, ...]]:
        asked = [
            replace(state, query=replace(state.query, text=text), candidates=())
            for text in self.queries
        ]
        if self.number == 1:
            for part in progress(self.rounds.first, asked[0]):
                yield (part,)
            return
        stages = [_Named(f"query {n}", self.rounds.again, t) for n, t in enumerate(self.queries, 1)]
        calls = [_call(stage, one) for stage, one in zip(stages, asked, strict=True)]
        done: tuple[StageResult, ...] = ()
        for number, found in enumerate(_together(calls, state.deadline)):
            late = f"{state.path}/{stages[number].name}"
            done = (*done, found or _late(late, asked[number]))
            yield done

    def _merged(self, state: State, done: tuple[StageResult, ...]) -> StageResult:
        if not any(child.ran for child in done):
            return none_ran(self.name, state, done)
        earlier: Lists = [(self.name, state.candidates)] if state.candidates else []
        found = [*earlier, *lists_of(done)]
        kept = found[0][1] if len(found) == 1 else self.rounds.merge(state.path, found)
        evidence = state.evidence.merged(child.state.evidence for child in done if child.ran)
        after = replace(state, candidates=tuple(kept)[: self.rounds.top_k], evidence=evidence)
        counts = {
            "found": sum(len(child.state.candidates) for child in done if child.ran),
            "merged": len(after.candidates),
        }
        return StageResult(name=self.name, state=after, children=done, metrics=counts)


@dataclass(frozen=True)
class _Named(Combinator):
    """One stage under another name, so that its paths are its own."""

    name: str
    stage: Stage
    note: str

    def stream(self, state: State) -> Iterator[StageResult]:
        for part in progress(self.stage, state):
            note = self.note if part.ran else f"{self.note}: {part.note}"
            yield StageResult(
                name=self.name,
                state=part.state,
                status=part.status,
                note=note,
                children=(part,),
                listed=False,
            )


def _call(stage: Stage, state: State) -> Callable[[], StageResult]:
    return lambda: finish(progress(stage, state))


def _late(name: str, state: State) -> StageResult:
    return StageResult(name=name, state=state, status="skipped", note=OUT_OF_TIME)


def _together(
    calls: Sequence[Callable[[], StageResult]], deadline: Deadline
) -> Iterator[StageResult | None]:
    """The calls' results in their order, all begun at once; None for one that is late."""
    if len(calls) == 1:
        yield calls[0]()
        return
    under_way = [begun(call, f"query {number}") for number, call in enumerate(calls, 1)]
    for future in under_way:
        yield future.result() if ready(future, deadline.left) else None
