"""What one constraint costs: the filter, exclusion or scan fact to let go, and what that frees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

from retrieval.core import Candidate, Filters, Query, Tool

EXAMPLES = 3
SCAN_FACTS = ("format", "modality", "dimension")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxation:
    """One constraint, what it asks now, and how many tools come back when it alone is let go.

    ``field`` is a filter's name, the excluded name, the fact of the scan, or the kind of a
    concept that the text names. ``examples`` are ids of tools that come back, those nearest to
    the task first.
    """

    constraint: Literal["filter", "exclusion", "scan", "concept"]
    field: str
    value: str
    frees: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMiss:
    """A tool near to the task and the constraints that keep it out; of one alone, letting go."""

    tool: Tool
    blocked_by: tuple[tuple[str, str], ...]


def relaxations(
    query: Query, tools: Iterable[Tool], nearest: Sequence[Candidate], marked: Sequence[Candidate]
) -> tuple[Relaxation, ...]:
    """Every constraint that frees a tool when it alone is let go, the most freeing first.

    Filters and exclusions are counted over all ``tools``; scan facts over ``marked``, the
    candidates that bear a fit: those that fail this fact and no other of SCAN_FACTS.
    """
    by_id = {t.id: t for t in tools}
    near = [c.tool.id for c in nearest]
    blocked = {i: blocks(query, tool) for i, tool in by_id.items()}
    freed: dict[tuple[str, str], list[str]] = {}
    for tool_id, constraints in sorted(blocked.items()):
        if len(constraints) == 1:
            freed.setdefault(constraints[0], []).append(tool_id)
    for candidate in marked:
        failed = failing(candidate)
        if len(failed) == 1:
            freed.setdefault(("scan", failed[0]), []).append(candidate.tool.id)
    rows = (
        Relaxation(
            constraint=kind,  # type: ignore[arg-type]
            field=name,
            value=_value(query, kind, name, marked),
            frees=len(ids),
            examples=tuple([i for i in near if i in ids] or ids)[:EXAMPLES],
        )
        for (kind, name), ids in freed.items()
    )
    return tuple(sorted(rows, key=lambda r: (-r.frees, r.constraint, r.field)))


def concept_relaxations(
    concepts: Mapping[str, frozenset[str]], nearest: Sequence[Candidate]
) -> tuple[Relaxation, ...]:
    """For each concept of a text what leaving it out frees: the tools with all the others.

    ``concepts`` gives every tool that has each; nothing is told where one tool has them all.
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
    """Those of the nearest tools that lack a concept of the text, with the ones they lack."""
    misses = (
        NearMiss(
            tool=c.tool,
            blocked_by=tuple(
                ("concept", name) for name, tools in concepts.items() if c.tool.id not in tools
            ),
        )
        for c in nearest
    )
    return tuple(miss for miss in misses if miss.blocked_by)


def near_misses(query: Query, nearest: Sequence[Candidate]) -> tuple[NearMiss, ...]:
    """Those of the nearest tools that something keeps out, in their order."""
    misses = (
        NearMiss(
            tool=c.tool,
            blocked_by=(*blocks(query, c.tool), *(("scan", fact) for fact in failing(c))),
        )
        for c in nearest
    )
    return tuple(miss for miss in misses if miss.blocked_by)


def blocks(query: Query, tool: Tool) -> tuple[tuple[str, str], ...]:
    """The exclusion and the filters, each by itself, that keep a tool out."""
    names = {tool.id.casefold(), tool.name.casefold()}
    out = [("exclusion", n) for n in query.excluded if n.strip().casefold() in names]
    set_ = {f.name: getattr(query.filters, f.name) for f in fields(Filters)}
    for name, wanted in set_.items():
        if wanted and not replace(Filters(), **{name: wanted}).admits(tool):
            out.append(("filter", name))
    return tuple(out)


def failing(candidate: Candidate) -> tuple[str, ...]:
    """The facts of the scan that a candidate fails, of those that decide about a search."""
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
    """The query without filters and exclusions, and without a reranker: what is near at all."""
    return replace(query, filters=Filters(), excluded=(), rerank=False)


def constrained(query: Query) -> bool:
    """Whether a query has anything that could be let go."""
    return bool(query.excluded or query.scans) or query.filters != Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A task that tools can do on the scan: how many do, the text to search with, examples."""

    task: str
    tools: int
    text: str
    examples: tuple[str, ...]


def suggestions(
    query: Query, candidates: Sequence[Candidate], usual: Mapping[str, float], limit: int = 6
) -> tuple[Suggestion, ...]:
    """Tasks for a scan nobody has named one for, out of the tools that fail none of its facts.

    ``usual`` is the part of the whole catalog that does each task: what is done more often on
    this kind of scan than elsewhere comes first, ties by name.
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
