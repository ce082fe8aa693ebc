"""The graph as an answerer: iterations over all strategies, with a model or without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from retrieval.ask.compound import QuestionFacts
from retrieval.ask.linker import EntityLinker
from retrieval.ask.lookups import SPARQL, TaskLinker
from retrieval.ask.paths import PathFinder
from retrieval.ask.reading import Reader
from retrieval.ask.solve import MAX_FACTS, Solver
from retrieval.ask.stated.texts import RecordTexts
from retrieval.ask.strategies import (
    Completion,
    FollowPaths,
    LinkEntities,
    RequestLookups,
    RunQuery,
    WalkTriplets,
)
from retrieval.ask.walk import (
    Chooser,
    ModelChooser,
    ScoredWalk,
    TripletWalk,
    WalkLimits,
    WordChooser,
)
from retrieval.ask.words.rewording import Rewording
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
from retrieval.rerank import PairScorer

ANSWERED = "the relations that the question names answered it"


@dataclass(frozen=True)
class GraphAnswerer:
    """Everything that one base of facts needs to answer; ``stage`` composes the pipeline.

    Without a model, the relations named in the question are tried first; a walk guided by its
    words and the shortest paths between its names run only where those give nothing. With a
    ``scorer`` the walk is not guided: all triples near the names are scored. ``store`` runs the
    Cypher of the model, ``rdf`` its SPARQL. ``texts`` are those of the records behind the facts.
    """

    base: FactBase
    reader: Reader
    linker: EntityLinker
    model: LanguageModel | None = None
    lookups: TaskLinker | None = None
    store: Callable[[], QueryStore | None] = lambda: None
    rdf: Callable[[], QueryStore | None] = lambda: None
    limits: WalkLimits = field(default_factory=WalkLimits)
    iterations: int = 2
    max_facts: int = MAX_FACTS
    budget: Budget | None = None
    scorer: Callable[[], PairScorer] | None = None
    texts: RecordTexts = field(default_factory=RecordTexts)
    name: str = "graph"

    def stage(self) -> Pipeline:
        """Iterations over the strategies, then the excerpt of the graph behind their facts."""
        body = Pipeline("strategies", self._strategies())
        # Repeated while the model requests more and new facts turn up.
        judge = Completion()
        rounds = Rounds("iterations", body, body, judge, max_rounds=self.iterations)
        return Pipeline(self.name, [rounds, Excerpt(self.base)])

    def _strategies(self) -> list[Stage]:
        return [
            RequestLookups(self.lookups, self._schema),
            QuestionFacts(
                Rewording(self.reader, self.linker),
                Solver(self.base, self.max_facts),
                self.texts,
            ),
            LinkEntities(self._link, missing=lambda: self.linker.meaning_gap),
            WalkTriplets(self._walk),
            FollowPaths(self._follow, self._link),
            RunQuery(self.store, self.rdf),
        ]

    def _schema(self) -> str:
        in_sparql = self.lookups is not None and SPARQL in self.lookups.tasks
        store = (self.rdf if in_sparql else self.store)()
        if store is not None:
            return store.schema()
        return "\n".join(f"{a} {relation} {b}" for a, relation, b in self.base.schema())

    def _link(self, names: Sequence[str]) -> list[str]:
        links_by_name = self.linker.link(names)
        return list(dict.fromkeys(link.node for links in links_by_name.values() for link in links))

    def _walk(self, state: State, sources: Sequence[str]) -> tuple[Sequence[Fact], frozenset[str]]:
        """A walk guided by the model, or by the question's words where nothing else answered it."""
        self._skip_if_answered(state)
        if self.scorer is not None:
            return ScoredWalk(self.base, self.scorer()).facts(state.query.text, sources)
        limits = self.limits
        chooser: Chooser = WordChooser(self.base.label)
        if self.model is not None:
            chooser = ModelChooser(self.model, self.base.label, self.budget, state.deadline)
        else:
            # Without a model the whole context stays within ``max_facts``.
            room = max(0, self.max_facts - len(state.evidence.facts))
            limits = replace(limits, triplets=min(room, limits.triplets), iterations=2)
        walk = TripletWalk(self.base, limits)
        return walk.facts(state.query.text, sources, chooser, state.evidence.explored)

    def _follow(
        self, state: State, metapaths: Sequence[Sequence[str]], targets: Sequence[str]
    ) -> Sequence[Fact]:
        self._skip_if_answered(state)
        finder = PathFinder(self.base)
        linked = state.evidence.linked
        paths = [p for metapath in metapaths for p in finder.follow(linked, metapath)]
        # Without a model no targets are named: the first linked node is joined to the others.
        ends = targets or (linked[1:] if self.model is None else ())
        sources = linked if targets else linked[:1]
        return finder.facts([*paths, *finder.shortest(sources, ends)])

    def _skip_if_answered(self, state: State) -> None:
        if self.model is None and state.evidence.facts:
            raise StageUnavailable(ANSWERED)


@dataclass(frozen=True)
class Excerpt:
    """Draws the part of the graph that the facts come from."""

    base: FactBase
    name: str = "excerpt"

    def run(self, state: State) -> StageResult:
        """The same state with a drawable graph."""
        graph = drawn(self.base, state.evidence.facts, state.evidence.linked)
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
    """A function from a prompt to the model's reply, within ``seconds`` and the question's budget.

    It raises StageUnavailable at the time limit or where the budget is spent.
    """

    def complete(prompt: str) -> str:
        estimate = (guess_tokens(prompt), ANSWER_TOKENS)
        if budget is not None and (reason := budget.take(*estimate)):
            raise StageUnavailable(reason)
        start, spent = perf_counter(), estimate
        try:
            text = bounded(lambda: model.complete(prompt), seconds, "the language model")
            spent = (estimate[0], guess_tokens(text))
            return text
        finally:
            # Settled at the estimate where the call failed: its true cost is not known.
            if budget is not None:
                budget.settle(estimate, spent, (perf_counter() - start) * 1000)

    return complete
