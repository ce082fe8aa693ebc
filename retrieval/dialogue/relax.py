"""The cost of each constraint: the tools that come back when one filter or fact is dropped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Literal

from msgspec.structs import replace

from retrieval.core import Candidate, Filters, Query, Tool
from retrieval.query import folded_name

EXAMPLES = 3
SCAN_FACTS = ("format", "modality", "dimension")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxation:
    """One constraint, its value, and how many tools come back when it alone is dropped.

    ``field`` is the name of a filter, the excluded name, the fact of the scan, or the kind of a
    concept of the text. ``examples`` are ids of tools that come back, those nearest to the task
    first.
    """

    constraint: Literal["filter", "exclusion", "scan", "concept"]
    field: str
    value: str
    frees: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMiss:
    """A tool near to the task, with the constraints that exclude it."""

    tool: Tool
    blocked_by: tuple[tuple[str, str], ...]


def relaxations(
    query: Query, tools: Iterable[Tool], nearest: Sequence[Candidate], marked: Sequence[Candidate]
) -> tuple[Relaxation, ...]:
    """Every constraint whose removal alone brings a tool back, the most effective first.

    Filters and exclusions are counted over all ``tools``; scan facts over ``marked``, the
    candidates with a fit that fail this fact and no other of SCAN_FACTS. Ties by kind and field.
    The examples are the nearest of the tools that come back, where any of them is near.
    """
    near = [c.tool.id for c in nearest]
    blocked = ((tool.id, blocks(query, tool)) for tool in tools)
    freed: dict[tuple[str, str], list[str]] = {}
    for tool_id, constraints in sorted(pair for pair in blocked if len(pair[1]) == 1):
        freed.setdefault(constraints[0], []).append(tool_id)
    for candidate in marked:
        failed = failing(candidate)
        if len(failed) == 1:
            freed.setdefault(("scan", failed[0]), []).append(candidate.tool.id)
    rows = []
    for (kind, name), ids in freed.items():
        every = frozenset(ids)
        examples = [i for i in near if i in every] or ids
        rows.append(
            Relaxation(
                constraint=kind,  # type: ignore[arg-type]
                field=name,
                value=_value(query, kind, name, marked),
                frees=len(ids),
                examples=tuple(examples[:EXAMPLES]),
            )
        )
    return tuple(sorted(rows, key=lambda r: (-r.frees, r.constraint, r.field)))


def concept_relaxations(
    concepts: Mapping[str, frozenset[str]], nearest: Sequence[Candidate]
) -> tuple[Relaxation, ...]:
    """For each concept of a text the tools that have all others, the largest group first.

    ``concepts`` maps a concept to the ids of the tools that have it. Empty when some tool has all
    concepts, or when there are fewer than two.
    """
    if len(concepts) < 2 or frozenset.intersection(*concepts.values()):
        return ()
    near = [c.tool.id for c in nearest]
    rows = []
    for concept in concepts:
        freed = frozenset.intersection(*(t for c, t in concepts.items() if c != concept))
        kind, value = concept.split(":", 1)
        examples = [*(i for i in near if i in freed), *sorted(freed - {*near})][:EXAMPLES]
        if freed:
            rows.append(
                Relaxation(
                    constraint="concept",
                    field=kind,
                    value=value,
                    frees=len(freed),
                    examples=tuple(examples),
                )
            )
    return tuple(sorted(rows, key=lambda r: (-r.frees, r.field, r.value)))


def lacking(
    concepts: Mapping[str, frozenset[str]], nearest: Sequence[Candidate]
) -> tuple[NearMiss, ...]:
    """The nearest tools that lack a concept of the text, in their order, with what they lack."""
    misses = []
    for tool in (c.tool for c in nearest):
        missing = tuple(("concept", name) for name, ids in concepts.items() if tool.id not in ids)
        misses.append(NearMiss(tool=tool, blocked_by=missing))
    return tuple(miss for miss in misses if miss.blocked_by)


def near_misses(query: Query, nearest: Sequence[Candidate]) -> tuple[NearMiss, ...]:
    """The nearest tools that a constraint excludes, in their order."""
    misses = []
    for c in nearest:
        constraints = (*blocks(query, c.tool), *(("scan", fact) for fact in failing(c)))
        misses.append(NearMiss(tool=c.tool, blocked_by=constraints))
    return tuple(miss for miss in misses if miss.blocked_by)


def blocks(query: Query, tool: Tool) -> tuple[tuple[str, str], ...]:
    """The exclusions and filters that exclude a tool, each tested by itself."""
    names = {folded_name(tool.id), folded_name(tool.name)} if query.excluded else set[str]()
    excluded = [("exclusion", n) for n in query.excluded if folded_name(n) in names]
    filters = _one_by_one(query.filters)
    return (*excluded, *(("filter", name) for name, one in filters if not one.admits(tool)))


@lru_cache(maxsize=8)
def _one_by_one(filters: Filters) -> tuple[tuple[str, Filters], ...]:
    """Each field that is set, as a filter of its own; made once for the records of a catalog.

    Made for each record they took a second of a doubtful search in 100,000.
    """
    values_by_field = {f.name: getattr(filters, f.name) for f in fields(Filters)}
    return tuple(
        (name, Filters(**{name: values})) for name, values in values_by_field.items() if values
    )


def failing(candidate: Candidate) -> tuple[str, ...]:
    """The facts among SCAN_FACTS that a candidate fails, in that order."""
    failed = {f.fact for f in candidate.fit or () if f.verdict == "fail"}
    return tuple(fact for fact in SCAN_FACTS if fact in failed)


def _value(query: Query, kind: str, name: str, marked: Sequence[Candidate]) -> str:
    if kind == "filter":
        return ", ".join(sorted(map(str, getattr(query.filters, name))))
    if kind == "exclusion":
        return name
    codes = (f.scan for c in marked for f in c.fit or () if f.fact == name and f.scan)
    return next(codes, "")


def opened(query: Query) -> Query:
    """The query without filters, exclusions and reranker, which finds the nearest tools at all."""
    return replace(query, filters=Filters(), excluded=(), rerank=False)


def constrained(query: Query) -> bool:
    """Whether a query has a constraint that could be dropped."""
    return bool(query.excluded or query.scans) or query.filters != Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A task that tools can do on the scan: their number, a text to search with, and examples."""

    task: str
    tools: int
    text: str
    examples: tuple[str, ...]


def suggestions(
    query: Query, candidates: Sequence[Candidate], usual: Mapping[str, float], limit: int = 6
) -> tuple[Suggestion, ...]:
    """Tasks for a scan without a query, from the candidates that fail none of its facts.

    ``usual`` is the share of the catalog that does each task. Tasks are ordered by their share of
    the fitting tools less half their usual share, ties by name; a task of one tool is left out.
    """
    fitting = [c for c in candidates if c.fit is not None and not failing(c)]
    doing: dict[str, list[str]] = {}
    for candidate in fitting:
        for task in candidate.tool.tasks:
            doing.setdefault(task, []).append(candidate.tool.id)
    parts = {str(s.body_part).casefold() for s in query.scans if s.body_part}
    modalities = {str(s.modality) for s in query.scans if s.modality}
    common = [name for names in (parts, modalities) if len(names) == 1 for name in names]
    words = f"of {' '.join(common)}" if common else ""

    def lift(task: str) -> float:
        ids = doing[task]
        return round(len(ids) / len(fitting) - usual.get(task, 0.0) / 2, 6)

    order = sorted((t for t, ids in doing.items() if len(ids) > 1), key=lambda t: (-lift(t), t))
    return tuple(
        Suggestion(
            task=task,
            tools=len(doing[task]),
            text=f"{task} {words}".strip(),
            examples=tuple(doing[task][:EXAMPLES]),
        )
        for task in order[:limit]
    )
