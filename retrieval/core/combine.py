"""Combinators: stages made of stages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core.fusion import Combine, Lists, gathered, reciprocal_rank_fusion
from retrieval.core.stage import Stage, StageResult, Status, finish, progress
from retrieval.core.types import Candidate, State


class Combinator(ABC):
    """A stage whose result grows while its parts run."""

    name: str

    @abstractmethod
    def stream(self, state: State) -> Iterator[StageResult]:
        """Results that grow; the last one is complete."""

    def run(self, state: State) -> StageResult:
        """The complete result."""
        return finish(self.stream(state))


@dataclass(frozen=True)
class Pipeline(Combinator):
    """One stage after the other; failed when its sources failed and it found nothing."""

    name: str
    stages: Sequence[Stage]

    def stream(self, state: State) -> Iterator[StageResult]:
        """A result after every step of every stage; the last alone where nobody watches."""
        children: tuple[StageResult, ...] = ()
        part = StageResult(name=self.name, state=state, listed=False)
        if state.watched:
            yield part
        for stage in self.stages:
            for grown in progress(stage, state):
                if state.watched:
                    yield replace(part, state=grown.state, children=(*children, grown))
            children, state = (*children, grown), grown.state
        result = replace(part, state=state, children=children)
        # An empty list alone is an answer; only where a defect emptied it has the search failed.
        failed = any(child.status == "failed" for child in children)
        if failed and not (state.candidates or state.evidence.size):
            yield replace(result, status="failed", note=_reasons(c for c in children if not c.ran))
        elif not state.watched:
            yield result


def _reasons(results: Iterator[StageResult]) -> str:
    return "; ".join(f"{r.name.rsplit('/', 1)[-1]}: {r.note}" for r in results)


@dataclass(frozen=True)
class Fuse(Combinator):
    """Sources find, scorers give each candidate of the union its score, combine makes one list.

    A scorer that bears a source's name completes that source's list for the fusion (what one
    source did not find still has a true score there); the source's own list is what is shown.
    """

    name: str
    sources: Sequence[Stage]
    scorers: Sequence[Stage] = ()
    combine: Combine = reciprocal_rank_fusion
    limit: int | None = 50

    def stream(self, state: State) -> Iterator[StageResult]:
        """A fused list after every source, every scorer with a list of its own, and the last.

        The last alone where nobody watches.
        """
        parts: tuple[StageResult, ...] = ()
        for source in self.sources:
            parts = (*parts, finish(progress(source, replace(state, candidates=()))))
            if state.watched or not self.scorers:
                yield self._fused(state, parts)
        if not any(child.ran for child in parts):
            yield none_ran(self.name, state, parts)
            return
        lists: dict[str, Sequence[Candidate]] = dict(lists_of(parts))
        union, names = tuple(gathered(lists_of(parts)).values()), {child.name for child in parts}
        for scorer in self.scorers:
            part = finish(progress(scorer, replace(state, candidates=union)))
            own = part.name not in names
            parts = (*parts, part) if own else parts
            if part.ran and (part.name in lists or own):
                lists[part.name] = part.state.candidates
            if scorer is self.scorers[-1] or (own and state.watched):
                yield self._fused(state, parts, list(lists.items()))

    def _fused(
        self, state: State, children: tuple[StageResult, ...], lists: Lists | None = None
    ) -> StageResult:
        limit = None if state.uncut else self.limit
        fused = self.combine(state.path, lists or lists_of(children))[:limit]
        failures = [child for child in children if not child.ran]
        status: Status = "fallback" if failures else "ok"
        after = replace(state, candidates=fused)
        note = _reasons(iter(failures))
        return StageResult(name=self.name, state=after, status=status, note=note, children=children)


def lists_of(results: Sequence[StageResult]) -> Lists:
    """The lists of the stages that ran, with their paths."""
    return [(child.name, child.state.candidates) for child in results if child.ran]


def none_ran(name: str, state: State, children: tuple[StageResult, ...]) -> StageResult:
    """The result of a combinator none of whose parts ran: skipped, or failed when one failed."""
    status: Status = "failed" if any(c.status == "failed" for c in children) else "skipped"
    note = _reasons(iter(children))
    return StageResult(name=name, state=state, status=status, note=note, children=children)


@dataclass(frozen=True)
class FirstOf(Combinator):
    """The first option that can run; later ones are the fallback, and its list is this list."""

    name: str
    options: Sequence[Stage]

    def stream(self, state: State) -> Iterator[StageResult]:
        """The chosen option's result as it grows."""
        tried: tuple[StageResult, ...] = ()
        for option in self.options:
            for part in progress(option, state):
                option_result = replace(part, listed=False)
                if not part.ran:
                    continue
                status: Status = "fallback" if tried else "ok"
                # The option's result under this stage's name, with the failed options' reasons.
                note = "; ".join(n for n in (part.note, _reasons(iter(tried))) if n)
                own = replace(part, name=self.name, status=status, note=note, listed=True)
                yield replace(own, children=(*tried, option_result))
            if option_result.ran:
                return
            tried = (*tried, option_result)
        yield none_ran(self.name, state, tried)
