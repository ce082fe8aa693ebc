"""What the limits of one search left out of an answer, each with a code and a remedy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from retrieval.core import OUT_OF_TIME, StageResult
from retrieval.fit import KINDS_LEFT_OUT, MOST_KINDS, UNCHECKED

LimitCode = Literal["kinds-left-out", "tools-unchecked", "time-used-up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One limit that was reached: its code, how many things it left out, and words for it."""

    code: LimitCode
    left_out: int
    text: str


def limits_of(result: StageResult) -> tuple[Limit, ...]:
    """The limits that a search reached; a stage that ran in several rounds counts once."""
    kinds = _most(result, KINDS_LEFT_OUT)
    tools = _most(result, UNCHECKED)
    nodes = (*result.walk(), result)
    late = [n.name for n in nodes if n.status == "skipped" and n.note == OUT_OF_TIME]
    return tuple(_limits(kinds, tools, late))


def _limits(kinds: int, tools: int, late: list[str]) -> Iterator[Limit]:
    if kinds:
        compared = f"of {kinds + MOST_KINDS:,} kinds of series {MOST_KINDS} were compared with"
        text = f"{compared} the tools, the limit of one search. Pick one series or add fewer."
        yield Limit(code="kinds-left-out", left_out=kinds, text=text)
    if tools:
        text = f"{OUT_OF_TIME}: {tools:,} tools were not checked against the scan."
        yield Limit(code="tools-unchecked", left_out=tools, text=text)
    if late:
        text = f"{OUT_OF_TIME}: not run: {', '.join(late)}."
        yield Limit(code="time-used-up", left_out=len(late), text=text)


def _most(result: StageResult, metric: str) -> int:
    return int(max((node.metrics.get(metric, 0) for node in result.walk()), default=0))
