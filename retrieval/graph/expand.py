"""The stage that adds tools from the graph to a list and ranks them all together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan

from msgspec.structs import replace

from retrieval.catalog import Annotator
from retrieval.core import (
    Candidate,
    Column,
    Combine,
    Edge,
    Graph,
    LazyTuple,
    Node,
    Stage,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    Why,
    Whys,
    finish,
    lists_of,
    min_max,
    progress,
    ranked,
    weighted,
)
from retrieval.graph.biology import KINDS
from retrieval.graph.concepts import Grouping
from retrieval.graph.port import GraphStore, Reached

SEED_FLOOR = 0.1
"""The weight of the last seed; the first has 1."""

CONCEPT_SEED = 3.0
"""The weight of a concept that the query names; the best candidate has 1."""

LINK_HOPS = 2
"""From a gene to its tools, and over a pathway that it is part of to those of the pathway."""

STEP = 1e-6
"""The smallest difference of two scores, which are rounded to six decimals."""

PATHS = 0.1
"""Weight of the graph's list beside the incoming one (1), where no scorer can run."""


ENTITIES = 0.3
"""Weight of the list of tools that use a named gene, pathway or GO term, beside similarity (1). By
similarity the tools of a gene stand at half of the best score and a 15th at three quarters."""


class LazyGraph(Graph):
    """An excerpt computed on first access: most answers are read without it."""

    __slots__ = ("_lazy",)
    _lazy: LazyTuple[Graph]

    def __init__(self, draw: Callable[[], Graph]) -> None:
        object.__setattr__(self, "_lazy", LazyTuple(lambda: (draw(),)))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Nodes of the excerpt."""
        return self._lazy.value[0].nodes

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Edges of the excerpt."""
        return self._lazy.value[0].edges


@dataclass(frozen=True)
class GraphExpand:
    """Adds the tools the graph finds near every candidate, and ranks old and new together.

    ``scorers`` score the union of candidates and tools that only the graph added;
    ``combine`` weighs their lists with the graph's own, which is called ``paths``; where the
    graph is ``thin`` (why, in words) it adds tools behind those that were there. A tool whose
    path has less than ``relevant`` of the best new one's score ends the expansion before the
    number of nodes does; what a candidate requires always stays. With ``entity_links`` a tool that
    uses a gene, pathway or GO term of the text, or one that this is part of, always stays too,
    says so, and is scored by it in a list called ``entities``.
    """

    store: GraphStore | None
    tools: Mapping[str, Tool]
    scorers: Sequence[Stage]
    combine: Combine
    hops: int = 2
    max_nodes: int = 150
    name: str = "graph"
    annotator: Annotator | None = None
    thin: str = ""
    relevant: float = 0.0
    entity_links: bool = False

    def run(self, state: State) -> StageResult:
        """Candidates old and new, each new one with the path that brought it.

        Raises StageUnavailable where the visitor switched the graph off, without a graph, and
        without candidates. ``combine`` sets the order, over the scorers' lists and the graph's.
        """
        if "graph" in state.query.off:
            raise StageUnavailable("switched off for this search")
        if self.store is None:
            raise StageUnavailable("there is no graph for this catalog")
        if not state.candidates:
            raise StageUnavailable("no candidate to start from")
        seeds = _seed_weights(state.candidates)
        ids = {id for id, _ in seeds}
        room = max(0, self.max_nodes - len(seeds))
        concepts = self.annotator.concepts(state.query.text) if self.annotator else ()
        start = [*seeds, *((concept, CONCEPT_SEED) for concept in concepts)]
        reached = self.store.expand(start, self.hops, room, state.selection)
        reached = self._relevant(reached, ids)
        links = self._links(self.store, concepts, state)
        reached = _joined(links, reached, ids, room) if links else reached
        union = self._union(self.store, state, reached, links)
        here = replace(state, candidates=union)
        scored = [finish(progress(scorer, here)) for scorer in self.scorers]
        lists = lists_of(scored)
        combine = self.combine
        if not lists:  # no scorer ran: the incoming order, then the added tools
            lists = [("before", state.candidates)]
            combine = weighted({"before": 1, "paths": PATHS, "entities": ENTITIES})
        if not self.thin:
            lists = [*lists, (f"{state.path}/paths", _path_scores(union, reached))]
        if links:
            lists = [*lists, (f"{state.path}/entities", _link_scores(union, links))]
        combined = combine(state.path, lists)
        if self.thin:
            combined = _behind(state, combined)
        new = len(union) - len(state.candidates)
        return StageResult(
            name=self.name,
            state=replace(state, candidates=combined),
            note="; ".join(part for part in (f"{new} added", self.thin) if part),
            children=tuple(replace(part, listed=False) for part in scored if not part.ran),
            graph=self._excerpt(self.store, [i for i, _ in seeds], reached),
            metrics={"added": new},
        )

    def _relevant(self, reached: tuple[Reached, ...], seeds: set[str]) -> tuple[Reached, ...]:
        least = self.relevant * max([r.score for r in reached if r.id not in seeds], default=0.0)
        return tuple([r for r in reached if r.score >= least or r.id in seeds or _required(r)])

    def _links(
        self, store: GraphStore, concepts: Sequence[str], state: State
    ) -> tuple[Reached, ...]:
        """Tools that a named entity leads to by entities alone, best first."""
        start = [(one, 1.0) for one in concepts if _is_entity(one)] if self.entity_links else []
        if not start:
            return ()
        reached = store.expand(start, min(self.hops, LINK_HOPS), self.max_nodes, state.selection)
        return tuple(r for r in reached if all(_is_entity(end) for _, _, end in r.path[:-1]))

    def _excerpt(self, store: GraphStore, seeds: list[str], reached: Sequence[Reached]) -> Graph:
        # Not this stage, whose scorers hold vectors: what keeps an answer keeps the excerpt.
        grouping = self._grouping
        return LazyGraph(lambda: grouping.with_concepts(store.excerpt(seeds, reached)))

    @cached_property
    def _grouping(self) -> Grouping:
        return Grouping(self.tools)

    def _union(
        self, store: GraphStore, state: State, reached: Sequence[Reached], links: Sequence[Reached]
    ) -> tuple[Candidate, ...]:
        candidate_ids = {c.tool.id for c in state.candidates}
        added = [
            Candidate(tool=self.tools[r.id], score=0.0, why=_path_reasons(store, state.path, r))
            for r in reached
            if r.id not in candidate_ids and r.id in self.tools
        ]
        why = {r.id: _path_reasons(store, state.path, r) for r in links}
        incoming = [
            replace(c, why=(*c.why, *why[c.tool.id])) if c.tool.id in why else c
            for c in state.candidates
        ]
        return (*incoming, *added)


def _required(reached: Reached) -> bool:
    return any(relation == "requires_tool" for _, relation, _ in reached.path)


def _is_entity(id: str) -> bool:
    return id.partition(":")[0] in KINDS


def _joined(
    links: Sequence[Reached], reached: Sequence[Reached], seeds: set[str], room: int
) -> tuple[Reached, ...]:
    """Tools of entities first, then the others once; at most ``room`` that are no seeds."""
    own = {r.id for r in links}
    new = [r for r in reached if r.id not in own and r.id not in seeds]
    free = room - len(own - seeds)
    elsewhere = own.union(r.id for r in new[max(0, free) :])
    return (*links, *(r for r in reached if r.id not in elsewhere))


def _link_scores(union: Sequence[Candidate], links: Sequence[Reached]) -> Column:
    """1 for a tool that uses the entity itself, half for one that uses what it is part of."""
    by_id = {r.id: 1 / len(r.path) for r in links if r.path}
    return Column("", union, [by_id.get(c.tool.id, 0.0) for c in union])


def _behind(state: State, combined: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with the scores they came with, then the added ones, none above the last."""
    came = {c.tool.id: c.score for c in state.candidates}
    low = min(came.values()) - STEP
    return ranked(c.scored(state.path, came.get(c.tool.id, min(c.score, low))) for c in combined)


def _path_reasons(store: GraphStore, stage: str, reached: Reached) -> Whys:
    """The path as a reason; its words are computed on first access."""

    def why() -> tuple[Why, ...]:
        words = store.words(reached.path)
        return (Why(kind="path", stage=stage, text=words, value=reached.score),)

    return LazyTuple(why)


def _path_scores(union: Sequence[Candidate], reached: Sequence[Reached]) -> Column:
    """The graph's own list: the candidates it reached, with its scores."""
    by_id = {r.id: r.score for r in reached if r.score > 0}
    return Column("", union, [by_id.get(c.tool.id, nan) for c in union])


def _seed_weights(candidates: Sequence[Candidate]) -> list[tuple[str, float]]:
    """Ids of candidates with min-max scores, scaled to SEED_FLOOR..1."""
    candidates = tuple(candidates)  # min_max is in the order of a Column's candidates
    units = (SEED_FLOOR + (1 - SEED_FLOOR) * min_max(candidates)).tolist()
    return [(c.tool.id, unit) for c, unit in zip(candidates, units, strict=True)]
