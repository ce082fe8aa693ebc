"""The stage that lowers tools whose records lack parts of the request, or are for another organ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from retrieval.core import (
    LazyTuple,
    StageResult,
    StageUnavailable,
    State,
    Why,
    Whys,
    ranked,
    rounded,
    spread,
)

LACKING = 0.2
"""What a tool loses for a cost of 1, as a part of the list's span of scores. Learned from requests
of one record it is 0, and .8 puts a right one first for .47 of them in place of .55; requests with
wishes gain by it (benchmarks/levers.md)."""

ELSEWHERE = 0.13
"""The same for a record that states body parts alone which the request does not name: a tool for
the spinal cord serves "register two MR images" less well than one for any image. Learned by
``python -m benchmarks.train_asked``, as the next one is."""

PART_ALONE = 0.7
"""The same for a record that is named after a part of the organ, or a finding in it, where the
whole organ is to be outlined. Of 13 organs .5 and less leave segments of the liver before it."""

OTHER_TASKS = 0.09
"""The same for a record whose first tasks are others: a pipeline for tumours that also registers
serves "register two brain scans" less well than what is there to register."""

WISHED_LACKING, WISHED_OTHER_TASKS = 0.5, 0.4
"""LACKING and OTHER_TASKS where software is wished as well: what states the wish is lifted.

Of 1,308 places that tools of task and wish could fill on seven sets .856 are filled with these,
.847 with the weights of other requests, .849 with .8 and .09, .852 with .2 and .4."""

STATES = "states"
"""Kind of the reason that speaks for a tool: what its record states of the request."""

LOWERED = "parts_lowered"
"""Metric: candidates that lack a part, or are for another part of the body."""


class Shortfall(Struct, frozen=True, kw_only=True):
    """What a record lacks of a request.

    ``cost`` from 0 (states every part) on. ``states`` are the parts that it states, in its own
    words; ``lacks`` those that cost it and that it does not name at all. What it names in passing
    costs and is in neither.
    ``elsewhere`` are the body parts that it is for where the request names none of them.
    ``other_tasks``: what the request asks to do is none of the first tasks of the record.
    ``is_part_alone``: what it is for, ``elsewhere``, is a part of the organ or a finding in it.
    ``absent_tasks``: what the request asks to do, where neither that nor a wider or narrower task
    is any of the record's. ``beside`` says in words what speaks for another purpose: a part that
    it lacks and others state, or its tasks where they are others.
    """

    cost: float = 0.0
    states: Sequence[str] = ()
    lacks: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    other_tasks: bool = False
    absent_tasks: tuple[str, ...] = ()
    is_part_alone: bool = False
    beside: str = ""


Shortfalls = Callable[[str, Sequence[str]], Sequence[Shortfall]]
"""From a text and ids of tools to what each lacks, in their order; empty where nothing is read."""


@dataclass(frozen=True)
class PartsStage:
    """Lowers tools by the task, the things and the kinds of image of a request that they lack.

    A part that no record states lowers nobody. It finds and loses none. In place of
    ``shortfalls`` a text says why there are none.
    """

    shortfalls: Shortfalls | str
    name: str = "parts"

    def run(self, state: State) -> StageResult:
        """The same candidates, those that lack a part lower; as they came where none is read."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        if isinstance(self.shortfalls, str):
            raise StageUnavailable(self.shortfalls)
        candidates = state.candidates
        ids = [candidate.tool.id for candidate in candidates]
        short = self.shortfalls(state.query.text, ids) if candidates else ()
        is_wished = bool(state.query.wishes)
        shares = [_share(one, is_wished=is_wished) for one in short]
        lowered = sum(map(bool, shares))
        span = spread(candidates, self.name) if lowered else 0.0
        losses = [round(span * share, 6) for share in shares]
        explained = (
            [
                replace(c, why=LazyTuple(partial(_with_reasons, c.why, state.path, one, loss)))
                for c, one, loss in zip(candidates, short, losses, strict=True)
            ]
            if short
            else list(candidates)
        )
        if not lowered:
            note = "every tool states what is named" if short else "no part is named"
            same = replace(state, candidates=tuple(explained))
            return StageResult(name=self.name, state=same, note=note, listed=False)
        totals = [c.score - loss for c, loss in zip(candidates, losses, strict=True)]
        scores = rounded(totals).tolist()
        moved = [c.scored(state.path, one) for c, one in zip(explained, scores, strict=True)]
        return StageResult(
            name=self.name,
            state=replace(state, candidates=ranked(moved)),
            note=f"{lowered} lack a part of the request, or are for something else first",
            metrics={LOWERED: lowered},
        )


def _share(short: Shortfall, *, is_wished: bool) -> float:
    """What a record loses, as a part of the list's span of scores."""
    lacking = WISHED_LACKING if is_wished else LACKING
    other_tasks = WISHED_OTHER_TASKS if is_wished else OTHER_TASKS
    elsewhere = PART_ALONE if short.is_part_alone else ELSEWHERE
    share = lacking * short.cost + elsewhere * bool(short.elsewhere)
    return share + other_tasks * short.other_tasks


def _with_reasons(whys: Whys, path: str, short: Shortfall, loss: float) -> tuple[Why, ...]:
    """The reasons so far, what a record states of the request and, where it costs, what it lacks.

    Computed on first access: few reasons of a list are ever read.
    """
    reasons = list(whys)
    if short.states:
        reasons.append(Why(kind=STATES, stage=path, text=f"States {', '.join(short.states)}"))
    lacks = f"does not state {' or '.join(short.lacks)}" if short.lacks else ""
    other = f"it is for {' and '.join(short.elsewhere)}, which you do not name"
    text = "; ".join(filter(None, (lacks, other if short.elsewhere else "")))
    kind, text = ("parts", text) if text else ("tasks", _absent(short.absent_tasks))
    if loss and text:
        text = text[:1].upper() + text[1:]
        reasons.append(Why(kind=kind, stage=path, text=text, value=-loss))
    return tuple(dict.fromkeys(reasons))


def _absent(tasks: Sequence[str]) -> str:
    """That tasks are none of a record's: of its list of tasks, since its words may name them."""
    if not tasks:
        return ""
    return f"{' and '.join(tasks)} {'is' if len(tasks) == 1 else 'are'} not among its tasks"
