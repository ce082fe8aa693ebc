"""The graph as an answerer: iterations over all strategies, with a model or without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from retrieval.core.budget import Budget, guess_tokens
from retrieval.core.combine import Pipeline
from retrieval.core.deadline import bounded
from retrieval.core.errors import StageUnavailable
from retrieval.core.known import Fact
from retrieval.core.ports import LanguageModel
from retrieval.core.rounds import Rounds
from retrieval.core.stage import Stage, StageResult
from retrieval.core.structured import ANSWER_TOKENS
from retrieval.core.types import State
from retrieval.graph.answers import extracted, refusal
from retrieval.graph.facts import FactBase, drawn
from retrieval.graph.linker import EntityLinker
from retrieval.graph.paths import PathFinder
from retrieval.graph.querying import QueryStore
from retrieval.graph.reading import Reader, Reading
from retrieval.graph.solve import MAX_FACTS, Solver
from retrieval.graph.strategies import (
    AskWishes,
    Completion,
    FollowPaths,
    LinkEntities,
    RunQuery,
    WalkTriplets,
    Wisher,
)
from retrieval.graph.walk import ModelChooser, TripletWalk, WalkLimits, WordChooser

SHORTEST_SPELLED, LIKE = 6, 86.0
"""Characters and similarity (0 to 100) from which a strange word is read as a known name."""

ANSWERED = "the relations that the question names answered it"


@dataclass(frozen=True)
class QuestionFacts:
    """What the question's own names and cue words ask of the facts; needs no model."""

    reader: Reader
    solver: Solver
    linker: EntityLinker
    name: str = "question"

    def run(self, state: State) -> StageResult:
        """The facts that answer it, and the answer or why there is none."""
        if state.known.answer or state.known.refusal:
            raise StageUnavailable("read in the first iteration")
        reading, spelled = self.read(state.query.text)
        found = self.solver.solve(reading)
        base = self.reader.base
        known = state.known.with_linked(reading.linked).with_facts(found.facts)
        known = replace(known, answer=extracted(base, found))
        note = f"{len(found.facts)} facts"
        if found.trouble:
            said = refusal(found.trouble, reading.language, reading.unread)
            known, note = replace(known, refusal=said), said
        note = "; ".join([*(f"{a} read as {b}" for a, b in spelled), note])
        return StageResult(name=self.name, state=replace(state, known=known), note=note)

    def read(self, question: str) -> tuple[Reading, list[tuple[str, str]]]:
        """The reading, with misspelled names put right where only one name is like them."""
        reading = self.reader.read(question)
        spelled: list[tuple[str, str]] = []
        for word in reading.unread:
            near = self.linker.names.fuzzy(word, 2, LIKE) if len(word) >= SHORTEST_SPELLED else []
            if near:
                spelled.append((word, self.reader.base.label(near[0][0])))
                question = question.replace(word, spelled[-1][1])
        return (self.reader.read(question), spelled) if spelled else (reading, [])


@dataclass(frozen=True)
class GraphAnswerer:
    """All that one base of facts needs to answer; ``stage`` puts it together.

    Without a model the question's own relations are asked first; a walk by its words and the
    shortest paths between its names follow only where they give nothing.
    """

    base: FactBase
    reader: Reader
    linker: EntityLinker
    model: LanguageModel | None = None
    wisher: Wisher | None = None
    store: Callable[[], QueryStore | None] = lambda: None
    limits: WalkLimits = field(default_factory=WalkLimits)
    iterations: int = 2
    max_facts: int = MAX_FACTS
    budget: Budget | None = None
    name: str = "graph"

    def stage(self) -> Pipeline:
        """Iterations over the strategies, then the excerpt behind what they found."""
        return Pipeline(self.name, [self.rounds(), Excerpt(self.base)])

    def rounds(self) -> Rounds:
        """The strategies again while the model asks and something new turns up."""
        body = Pipeline("strategies", self.strategies())
        judge = Completion(self.iterations)
        return Rounds("iterations", body, body, judge, max_rounds=self.iterations)

    def strategies(self) -> list[Stage]:
        """One iteration."""
        return [
            AskWishes(self.wisher, self._schema),
            QuestionFacts(self.reader, Solver(self.base, self.max_facts), self.linker),
            LinkEntities(self._link),
            WalkTriplets(self._walk),
            FollowPaths(self._follow, self._link),
            RunQuery(self.store),
        ]

    def _schema(self) -> str:
        store = self.store()
        if store is not None:
            return store.schema()
        return "\n".join(f"{a} {relation} {b}" for a, relation, b in self.base.schema())

    def _link(self, names: Sequence[str]) -> list[str]:
        held = self.linker.link(names)
        return list(dict.fromkeys(link.node for links in held.values() for link in links))

    def _walk(self, state: State, sources: Sequence[str]) -> tuple[Sequence[Fact], frozenset[str]]:
        """Guided by the model, or by the question's words where nothing else answered it."""
        self._needed(state)
        room = max(0, self.max_facts - len(state.known.facts)) if self.model is None else None
        limits = self.limits
        if room is not None:
            limits = replace(limits, triplets=min(room, limits.triplets), iterations=2)
        walk = TripletWalk(self.base, limits)
        if self.model is None:
            words = WordChooser(self.base.label)
            return walk.facts(state.query.text, sources, words, state.known.explored)
        guide = ModelChooser(self.model, self.base.label, self.budget, state.deadline)
        return walk.facts(state.query.text, sources, guide, state.known.explored)

    def _follow(
        self, state: State, metapaths: Sequence[Sequence[str]], targets: Sequence[str]
    ) -> Sequence[Fact]:
        self._needed(state)
        finder = PathFinder(self.base)
        linked = state.known.linked
        paths = [p for metapath in metapaths for p in finder.follow(linked, metapath)]
        ends = targets or (linked[1:] if self.model is None else ())
        sources = linked if targets else linked[:1]
        return finder.facts([*paths, *finder.shortest(sources, ends)])

    def _needed(self, state: State) -> None:
        if self.model is None and state.known.facts:
            raise StageUnavailable(ANSWERED)


@dataclass(frozen=True)
class Excerpt:
    """Draws the part of the graph that lies behind the facts."""

    base: FactBase
    name: str = "excerpt"

    def run(self, state: State) -> StageResult:
        """The same state with a drawable graph."""
        known = state.known
        seeds = known.linked
        graph = drawn(self.base, known.facts, seeds)
        return StageResult(
            name=self.name,
            state=state,
            graph=graph,
            listed=False,
            note=f"{len(graph.nodes)} nodes, {len(graph.edges)} edges",
        )


def completing(
    model: LanguageModel, seconds: float, budget: Budget | None = None
) -> Callable[[str], str]:
    """A model's answer to one prompt, within so many seconds and the budget of the question."""

    def complete(prompt: str) -> str:
        taken = (guess_tokens(prompt), ANSWER_TOKENS)
        if budget is not None and (reason := budget.take(*taken)):
            raise StageUnavailable(reason)
        start, spent = perf_counter(), taken
        try:
            text = bounded(lambda: model.complete(prompt), seconds, "the language model")
            spent = (taken[0], guess_tokens(text))
            return text
        finally:
            if budget is not None:
                budget.settle(taken, spent, (perf_counter() - start) * 1000)

    return complete
