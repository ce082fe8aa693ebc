"""Tools like another one: by meaning, by stated facts, by paths through the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

from retrieval.core import (
    Candidate,
    Encoder,
    Filters,
    Lists,
    Selection,
    StageUnavailable,
    Status,
    Tool,
    Why,
    boundary,
    ranked,
    weighted,
)
from retrieval.dense import VectorStore
from retrieval.fit import group_of
from retrieval.graph import GraphStore

MEANING, FACTS, PATHS = "meaning", "facts", "paths"
WEIGHTS = {MEANING: 0.5, FACTS: 0.4, PATHS: 0.1}
"""Min-max weights of the three lists."""

POOL = 2000
"""Neighbours of each list that are scored; filters seldom need more."""
HOPS = 2
WITHOUT_GPU = frozenset({"none", "optional"})
FUNCTION = ("tasks", "anatomy", "modalities", "dimensions", "domain")
COMPARED = (
    "license", "license_weights", "license_data", "license_output", "gpu", "last_release", "domain",
    "suite", "tasks", "modalities", "dimensions", "anatomy", "formats_in", "formats_out",
    "interfaces", "platforms", "languages",
)  # fmt: skip
"""Fields of the differences table, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a substitute must state: unknown satisfies nothing. ``since`` is YYYY[-MM[-DD]]."""

    filters: Filters = field(default_factory=Filters)
    open_license: bool = False
    cpu: bool = False
    since: str | None = None

    def admits(self, tool: Tool) -> bool:
        """Whether a tool states all that is wanted."""
        fresh = not self.since or (tool.last_release or "")[: len(self.since)] >= self.since
        return (
            self.filters.admits(tool)
            and (not self.open_license or group_of(tool.license) == "open")
            and (not self.cpu or tool.gpu in WITHOUT_GPU)
            and fresh
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field in which two tools differ; empty where nobody stated it."""

    field: str
    this: tuple[str, ...]
    other: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """A tool like another: why, what they share, and in what they differ."""

    candidate: Candidate
    shared: tuple[str, ...]
    same_suite: bool
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """The neighbours of one tool, nearest first; ``notes`` name what could not be compared."""

    tool: Tool
    neighbours: tuple[Alike, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Neighbours:
    """Finds neighbours over one catalog; ``text`` is what the store's vectors were made of."""

    tools: Mapping[str, Tool]
    encoder: Encoder | None = None
    store: VectorStore | None = None
    graph: GraphStore | None = None
    text: Callable[[Tool], str] = lambda tool: tool.description

    def of(self, tool: Tool, requirements: Wanted, limit: int) -> Similar:
        """At most ``limit`` tools of like function that satisfy what is wanted, never itself.

        Scores are on the scale of all its neighbours: what is wanted lifts no tool.
        """
        others = frozenset(self.tools) - {tool.id}
        admitted = frozenset(i for i in others if requirements.admits(self.tools[i]))
        notes: list[str] = []
        lists = self._lists(tool, others, notes)
        if admitted != others:
            near = self._lists(tool, admitted, notes)
            # A candidate of both lists has the score of the first: later ones win in a dict.
            lists = [
                (name, ranked({c.tool.id: c for c in (*narrow, *wide)}.values()))
                for (name, wide), (_, narrow) in zip(lists, near, strict=True)
            ]
        fused = weighted(WEIGHTS)("similar", [(n, hits) for n, hits in lists if hits])
        best = [c for c in fused if c.tool.id in admitted and c.score > 0]
        neighbours = tuple(alike(tool, c) for c in best[:limit])
        return Similar(tool=tool, neighbours=neighbours, notes=tuple(dict.fromkeys(notes)))

    def _lists(self, tool: Tool, admitted: frozenset[str], notes: list[str]) -> Lists:
        """The three lists of neighbours among those kept; ``notes`` get what was not compared."""
        allowed = Selection(keep=admitted, drop=frozenset([tool.id]))
        lists: dict[str, tuple[Candidate, ...]] = {MEANING: (), FACTS: (), PATHS: ()}
        lists[FACTS] = self._facts(tool, admitted)
        for name, list_ in ((MEANING, self._meaning), (PATHS, self._paths)):
            faults: list[tuple[Status, str]] = []
            with boundary(f"similar tools by {name}", faults):
                lists[name] = list_(tool, allowed)
            notes += [f"not compared by {name}: {reason}" for _, reason in faults]
        return list(lists.items())

    def _meaning(self, tool: Tool, allowed: Selection) -> tuple[Candidate, ...]:
        if self.encoder is None or self.store is None:
            raise StageUnavailable("this catalog has no vectors")
        vector = self.encoder.encode([self.text(tool)])[0]
        return self._candidates(self.store.search(vector, POOL, allowed), MEANING)

    def _paths(self, tool: Tool, allowed: Selection) -> tuple[Candidate, ...]:
        if self.graph is None:
            return ()
        reached = self.graph.expand([(tool.id, 1.0)], HOPS, POOL, allowed)
        hits = [r for r in reached if r.id in self.tools and allowed.admits(r.id)]
        words = {r.id: self.graph.words(r.path) for r in hits}
        return tuple(
            c.scored(PATHS, c.score, Why(kind="path", stage=PATHS, text=words[c.tool.id]))
            for c in self._candidates(((r.id, r.score) for r in hits), PATHS)
        )

    def _facts(self, tool: Tool, admitted: Iterable[str]) -> tuple[Candidate, ...]:
        """By shared facts of function: weighted Jaccard.

        A fact weighs log(1 + tools / tools with it), so rare facts count more. Ties by id.
        """
        facts_of = {i: function_of(t) for i, t in self.tools.items()}
        counts = Counter(fact for facts in facts_of.values() for fact in facts)
        weight = {fact: log(1 + len(facts_of) / n) for fact, n in counts.items()}
        own = facts_of.get(tool.id, function_of(tool))

        def share(other: frozenset[str]) -> float:
            every = sum(weight.get(f, 0.0) for f in own | other)
            return sum(weight.get(f, 0.0) for f in own & other) / every if every else 0.0

        scored = ((i, share(facts_of[i])) for i in admitted)
        best = sorted(((i, s) for i, s in scored if s > 0), key=lambda p: (-round(p[1], 6), p[0]))
        return self._candidates(best[:POOL], FACTS)

    def _candidates(self, hits: Iterable[tuple[str, float]], stage: str) -> tuple[Candidate, ...]:
        scored = ((self.tools[i], score) for i, score in hits if i in self.tools)
        return ranked(Candidate(tool=t, score=0.0).scored(stage, score) for t, score in scored)


def function_of(tool: Tool) -> frozenset[str]:
    """What a tool does and on what, as ``field: value``."""
    return frozenset(f"{name}: {value}" for name in FUNCTION for value in stated(tool, name))


def stated(tool: Tool, name: str) -> tuple[str, ...]:
    """The values of one field, as texts, in order."""
    value = getattr(tool, name)
    values: Sequence[object] = value if isinstance(value, tuple) else (value,)
    return tuple(str(v) for v in values if v is not None)


def alike(tool: Tool, candidate: Candidate) -> Alike:
    """One neighbour with what it shares with the tool and the fields in which it differs."""
    other = candidate.tool
    pairs = ((name, stated(tool, name), stated(other, name)) for name in COMPARED)
    return Alike(
        candidate=candidate,
        shared=tuple(sorted(function_of(tool) & function_of(other))),
        same_suite=tool.suite is not None and tool.suite == other.suite,
        differences=tuple(
            Difference(field=n, this=a, other=b) for n, a, b in pairs if set(a) != set(b)
        ),
    )
