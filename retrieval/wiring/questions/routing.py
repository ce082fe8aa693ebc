"""*ask*: routes a question to an answerer and gives its answer with the evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from retrieval.ask import (
    UNSUPPORTED,
    Answerer,
    Choice,
    FoundAnswer,
    ModelAnswer,
    Route,
    choose,
    language_of,
    refusal,
    why_ended,
)
from retrieval.core import (
    BadInput,
    Deadline,
    Evidence,
    FirstOf,
    Graph,
    Pipeline,
    Query,
    StageResult,
    State,
    StoreQuery,
    progress,
)
from retrieval.graph import (
    FactBase,
    Rows,
    drawn,
)
from retrieval.llm import Budget, LanguageModel
from retrieval.wiring.questions.graph_parts import CYPHER, GRAPH, GraphParts
from retrieval.wiring.questions.store import Store

MAX_QUESTION = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question and its answer so far; ``done`` marks the last one."""

    question: str
    language: str
    choice: Choice
    result: StageResult
    done: bool = True

    @property
    def evidence(self) -> Evidence:
        """Facts, answer and query."""
        return self.result.state.evidence

    @property
    def graph(self) -> Graph:
        """The excerpt behind the facts."""
        graphs = [node.graph for node in self.result.walk() if node.graph is not None]
        return graphs[-1] if graphs else Graph()

    @property
    def query(self) -> StoreQuery | None:
        """The query that was run, to be edited and run again."""
        return self.evidence.query

    @property
    def refused(self) -> str:
        """Why there is no answer, in the question's language where it is ours; empty with one."""
        if self.evidence.answer:
            return ""
        if self.evidence.refusal == UNSUPPORTED:
            return refusal("no evidence", self.language)
        return self._failed or self.evidence.refusal

    @property
    def unanswered(self) -> str:
        """Why a part of the question has no answer; empty where every part has one, or none."""
        return self.evidence.refusal if self.evidence.answer else ""

    @property
    def _failed(self) -> str:
        """Why the answerer could not run; empty where it ran, also without a result."""
        route = next((node for node in self.result.children if node.name == "answerer"), None)
        if route is None or route.ran:
            return ""
        why = "; ".join(node.note for node in route.children) or route.note
        return f"{self.choice.answerer} could not answer: {why}"

    @property
    def stopped(self) -> str:
        """Why the iterations came to an end; empty where there were none."""
        return why_ended(self.result)


Answerers = Callable[[Budget | None], Mapping[str, Answerer]]
"""The answerers by name, built for the budget of one question."""


@dataclass
class Asking:
    """The entry to *ask*: every answerer by name, one trace, one final answer."""

    answerers: Answerers
    stores: Mapping[str, Store]
    base: FactBase
    model: LanguageModel | None = None
    budget: Callable[[], Budget] | None = None
    seconds: float = 60.0
    llm_seconds: float = 8.0

    def ask(self, question: str, *, answerer: str | None = None) -> Asked:
        """The final answer."""
        return list(self.stream(question, answerer=answerer))[-1]

    def stream(self, question: str, *, answerer: str | None = None) -> Iterator[Asked]:
        """The answer as it grows. Raises BadInput for an empty question or unknown answerer."""
        text = " ".join(question.split())
        if not text:
            raise BadInput("question: it is empty; ask something of the catalog")
        if len(text) > MAX_QUESTION:
            raise BadInput(f"question: longer than {MAX_QUESTION} characters; ask more briefly")
        budget = self.budget() if self.budget else None
        answerers = self.answerers(budget)
        choice = choose(
            text, answerers, wanted=answerer, model=self.model, seconds=self.llm_seconds
        )
        state = State(query=Query(raw=question, text=text), deadline=Deadline.after(self.seconds))
        part: Asked | None = None
        for grown in progress(self._pipeline(answerers, choice, budget), state, root=True):
            if part is not None:
                yield replace(part, done=False)
            part = Asked(question=text, language=language_of(text), choice=choice, result=grown)
        if part is not None:
            yield part

    def _pipeline(
        self, answerers: Mapping[str, Answerer], choice: Choice, budget: Budget | None
    ) -> Pipeline:
        routes = {name: one.stage for name, one in answerers.items()}
        model = ModelAnswer(self.model, self.llm_seconds, budget)
        return Pipeline(
            "ask",
            [
                Route("answerer", lambda state: choice.answerer, routes),
                FirstOf("answer", [model, FoundAnswer()]),
            ],
        )

    def run_query(self, query: str, language: str = CYPHER) -> tuple[Rows, Graph]:
        """A query run again, as it is or edited: its rows and the nodes among them.

        Raises BadInput for another language, and Refused, QueryFailed or StageUnavailable, each
        in plain words.
        """
        if language not in self.stores:
            raise BadInput(f"language: {language!r} is not one of {', '.join(self.stores)}")
        rows = self.stores[language].required().run(query)
        nodes = frozenset(rows.nodes)
        facts = [
            self.base.fact((node, relation, end), "query")
            for node in rows.nodes
            if node in self.base
            for relation, away, end in self.base.around(node)
            if away and end in nodes
        ]
        return rows, drawn(self.base, facts, rows.nodes, lone=True)


@dataclass(frozen=True)
class AskParts:
    """Everything *ask* is opened with; ``others`` are further answerers by name."""

    graph: GraphParts
    model: LanguageModel | None = None
    budget: Callable[[], Budget] | None = None
    seconds: float = 60.0
    llm_seconds: float = 8.0
    others: Mapping[str, Callable[[Budget | None], Answerer]] = field(default_factory=dict)

    def asking(self) -> Asking:
        """The entry over these parts."""
        return Asking(
            answerers=self._answerers,
            stores=self.graph.stores,
            base=self.graph.base,
            model=self.model,
            budget=self.budget,
            seconds=self.seconds,
            llm_seconds=self.llm_seconds,
        )

    def _answerers(self, budget: Budget | None) -> dict[str, Answerer]:
        graph = self.graph.answerer(self.model, self.llm_seconds, budget)
        return {GRAPH: graph, **{name: make(budget) for name, make in self.others.items()}}
