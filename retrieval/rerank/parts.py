"""The stage that lowers tools whose records lack parts of the request, or are for another organ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from retrieval.core import (
    Candidate,
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

NO_SUCH_TASK = "none of its stated tasks is the one you name"
"""The reason that is told of such a record where it lacks nothing else: what was compared, since
its words may name the task."""

LOWERED = "parts_lowered"
"""Metric: candidates that lack a part, or are for another part of the body."""


class Shortfall(Struct, frozen=True, kw_only=True):
    """What a record lacks of a request.

    ``cost`` from 0 (states every part) on; ``lacks`` are the parts as typed, the dearest first;
    ``elsewhere`` are the body parts that it is for where the request names none of them.
    ``other_tasks``: what the request asks to do is none of the first tasks of the record.
    ``is_part_alone``: what it is for, ``elsewhere``, is a part of the organ or a finding in it.
    ``states_no_such_task``: nor is it, or a wider or narrower one, any of its tasks, so that this
    can be told; ``lacks`` does not tell it already. ``beside`` says in words what speaks for
    another purpose: a part that it lacks and others state, or its tasks where they are others.
    """

    cost: float = 0.0
    lacks: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    other_tasks: bool = False
    states_no_such_task: bool = False
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
        if not lowered:
            note = "every tool states what is named" if short else "no part is named"
            return StageResult(name=self.name, state=state, note=note, listed=False)
        span = spread(candidates, self.name)
        losses = [round(span * share, 6) for share in shares]
        totals = [c.score - loss for c, loss in zip(candidates, losses, strict=True)]
        scores = rounded(totals).tolist()
        rows = zip(candidates, scores, short, losses, strict=True)
        moved = [_lowered(state.path, *row) for row in rows]
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


def _lowered(
    path: str, candidate: Candidate, score: float, short: Shortfall, loss: float
) -> Candidate:
    """The candidate with its new score and why; its score alone where it loses nothing."""
    whys = candidate.why
    is_told = bool(loss and (short.lacks or short.elsewhere or short.states_no_such_task))
    return Candidate(
        tool=candidate.tool,
        score=score,
        scores={**candidate.scores, path: score},
        # Most of a list lacks something, and few of its reasons are ever read.
        why=LazyTuple(partial(_with_reason, whys, path, short, loss)) if is_told else whys,
        fit=candidate.fit,
    )


def _with_reason(whys: Whys, path: str, short: Shortfall, loss: float) -> tuple[Why, ...]:
    """The reasons so far, and what a record lacks, in words."""
    lacks = f"its record does not state {' or '.join(short.lacks)}" if short.lacks else ""
    other = f"it is for {' and '.join(short.elsewhere)}, which you do not name"
    text = "; ".join(filter(None, (lacks, other if short.elsewhere else "")))
    kind, text = ("parts", text) if text else ("tasks", NO_SUCH_TASK)
    why = Why(kind=kind, stage=path, text=text[:1].upper() + text[1:], value=-loss)
    return tuple(dict.fromkeys((*whys, why)))
