"""The graph as an answerer: iterations over all strategies, with a model or without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from retrieval.ask.compound import Compound, Part
from retrieval.ask.linker import EntityLinker
from retrieval.ask.paths import PathFinder
from retrieval.ask.reading import Reader, Reading
from retrieval.ask.rewording import Rewording, words_of
from retrieval.ask.sentences import extracted, unanswered
from retrieval.ask.solve import MAX_FACTS, Solver
from retrieval.ask.strategies import (
    AskWishes,
    Completion,
    FollowPaths,
    LinkEntities,
    RunQuery,
    WalkTriplets,
    Wisher,
)
from retrieval.ask.walk import ModelChooser, TripletWalk, WalkLimits, WordChooser
from retrieval.core import (
    Fact,
    Pipeline,
    Rounds,
    Stage,
    StageResult,
    StageUnavailable,
    State,
    bounded,
)
from retrieval.graph import FactBase, QueryStore, drawn
from retrieval.llm import ANSWER_TOKENS, Budget, LanguageModel, guess_tokens

ANSWERED = "the relations that the question names answered it"


@dataclass(frozen=True)
class QuestionFacts:
    """What the question's own names and cue words ask of the facts; needs no model."""

    words: Rewording
    solver: Solver
    name: str = "question"

    def run(self, state: State) -> StageResult:
        """The facts that answer it, and the answer or why there is none."""
        if state.known.answer or state.known.refusal:
            raise StageUnavailable("read in the first iteration")
        reworded: dict[str, str] = {}

        def read(text: str, language: str) -> Reading:
            told = self.words.read(text, language)
            reworded.update(told.reworded)
            return told.reading

        base = self.words.base
        parts = Compound(base, self.solver).solve(state.query.text, read)
        known = state.known
        for part in parts:
            known = known.with_linked(part.found.reading.linked).with_facts(part.found.facts)
        told = tuple(one for part in parts for one in extracted(base, part.found))
        known = replace(known, answer=told, refusal=unanswered(parts))
        found = known.refusal or f"{sum(len(part.found.facts) for part in parts)} facts"
        notes = (words_of(tuple(reworded.items())), found, self._unmeant(parts))
        after = replace(state, known=known)
        return StageResult(name=self.name, state=after, note="; ".join(n for n in notes if n))

    def _unmeant(self, parts: Sequence[Part]) -> str:
        """Why strange words were not looked up by their meaning, where there were any."""
        strange = any(part.found.reading.unread for part in parts)
        missing = self.words.linker.unmeant
        return f"not linked by meaning: {missing}" if strange and missing else ""


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
            QuestionFacts(Rewording(self.reader, self.linker), Solver(self.base, self.max_facts)),
            LinkEntities(self._link, missing=lambda: self.linker.unmeant),
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
