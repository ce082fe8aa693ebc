"""Stages: a stage turns a State into a StageResult, a node of the result tree."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Literal, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from retrieval.core.errors import StageUnavailable
from retrieval.core.types import State

logger = logging.getLogger(__name__)

Status = Literal["ok", "skipped", "fallback", "failed"]
OUT_OF_TIME = "the time for this query was used up"
DEFECT = "failed on a defect; see the log"
DID_NOT_RUN: frozenset[Status] = frozenset({"skipped", "failed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node of a drawable excerpt; a tool's node id is its tool id."""

    id: str
    label: str
    kind: str
    role: Literal["seed", "added", "dropped", "link"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A directed edge; the weight is of its kind."""

    source: str
    target: str
    kind: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A drawable excerpt: plain node and edge rows, no library types."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A judge's opinion of the candidates, and queries for what is missing."""

    enough: Literal["enough", "not enough", "unknown"]
    reason: str = ""
    missing: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()


class StageResult(Struct, frozen=True, kw_only=True):
    """One node of the trace. ``name`` is the path in the tree; ``listed``: has a list of its own.

    ``elapsed_ms`` is the stage's own work, without the time that a consumer took between results.
    """

    name: str
    state: State
    status: Status = "ok"
    note: str = ""
    elapsed_ms: float = 0.0
    children: tuple[StageResult, ...] = ()
    graph: Graph | None = None
    verdict: Verdict | None = None
    listed: bool = True
    metrics: Mapping[str, float] = field(default_factory=dict)

    @property
    def ran(self) -> bool:
        """Whether the stage gave a result of its own."""
        return self.status not in DID_NOT_RUN

    def walk(self) -> Iterator[StageResult]:
        """Every node below this one, children before their parent."""
        for child in self.children:
            yield from child.walk()
            yield child

    def stages(self) -> Iterator[StageResult]:
        """The nodes with a list of their own, and those that did not run."""
        return (node for node in self.walk() if node.listed or not node.ran)


class Stage(Protocol):
    """Anything with a name that turns a state into a result."""

    @property
    def name(self) -> str:
        """The last part of its path."""
        ...

    def run(self, state: State) -> StageResult:
        """The result; raises StageUnavailable when it cannot run here and now."""
        ...


def parts_of(stage: Stage, state: State) -> Iterator[StageResult]:
    """A stage's result as it grows where it has a ``stream`` (a Combinator), or its only one."""
    stream: Callable[[State], Iterator[StageResult]] | None = getattr(stage, "stream", None)
    return stream(state) if stream else iter([stage.run(state)])


@contextmanager
def boundary(what: str, faults: list[tuple[Status, str]]) -> Iterator[None]:
    """The one broad boundary: whatever is raised inside ends here, as one more of ``faults``.

    StageUnavailable becomes *skipped*; any other exception is logged as a defect, *failed*.
    """
    try:
        yield
    except StageUnavailable as exc:
        faults.append(("skipped", str(exc)))
    except Exception:
        logger.exception("%s failed", what)
        faults.append(("failed", DEFECT))


def progress(stage: Stage, state: State, *, root: bool = False) -> Iterator[StageResult]:
    """A stage's result as it grows, in a ``boundary``; a fault leaves the candidates as before."""
    path = "" if root else f"{state.path}/{stage.name}".lstrip("/")
    inner, faults, worked = replace(state, path=path), list[tuple[Status, str]](), 0.0
    last, start = StageResult(name=stage.name, state=inner), perf_counter()

    def placed(part: StageResult) -> StageResult:
        outer = part.state if root else replace(part.state, path=state.path)
        return replace(part, name=path or stage.name, state=outer, elapsed_ms=worked)

    with boundary(f"stage {path or stage.name}", faults):
        if state.deadline.passed:
            raise StageUnavailable(OUT_OF_TIME)
        for last in parts_of(stage, inner):
            worked += (perf_counter() - start) * 1000
            yield placed(last)
            # Only its own time counts: whoever consumes the results may draw between them.
            start = perf_counter()
    for status, note in faults:
        worked += (perf_counter() - start) * 1000
        yield placed(replace(last, state=inner, status=status, note=note))


def finish(parts: Iterable[StageResult]) -> StageResult:
    """The last of the growing results, which is the complete one."""
    return deque(parts, maxlen=1)[0]


def list_size(state: State, limit: int | None) -> int | None:
    """How many candidates a list may have: the query's ``top_k``, else the mode's own number."""
    return state.query.top_k if state.query.top_k is not None else limit


def read_by(state: State, reader: str, text: str) -> str:
    """The text, recorded as handed to a reader by the stage of this state."""
    state.calls.append((state.path, reader, text))
    return text
