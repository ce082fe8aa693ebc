"""Routes a question to an answerer and streams its response; opens over the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from retrieval.ask import (
    Answerer,
    Choice,
    FactComposer,
    ModelComposer,
    Route,
    choose,
    language_of,
    resolved,
    tool_names,
)
from retrieval.catalog import check_usable, load_catalog
from retrieval.core import (
    BadInput,
    Deadline,
    Encoder,
    FirstOf,
    Graph,
    Pipeline,
    Query,
    State,
    Tool,
    boundary,
    progress,
)
from retrieval.graph import QueryStore, Rows, drawn, load_biology
from retrieval.graphdb import PURPOSE, Neo4jStore
from retrieval.llm import Budget, LanguageModel
from retrieval.net import OutsideCalls
from retrieval.settings import Settings
from retrieval.wiring.databases import api_answerers, database_purposes, open_apis
from retrieval.wiring.index.stores import BIOLOGY
from retrieval.wiring.language import (
    call_limits,
    language_model,
    outside_purposes,
    query_budget,
)
from retrieval.wiring.models import names_encoder, triple_scorer
from retrieval.wiring.questions.graph_parts import CYPHER, GRAPH, SPARQL, GraphParts
from retrieval.wiring.questions.response import Response
from retrieval.wiring.questions.schema_steps import SCHEMA, SchemaSteps
from retrieval.wiring.questions.set_query import set_queries
from retrieval.wiring.record_sources import RecordSources

MAX_QUESTION = 2000
MEANINGS = "meanings"
"""Folder in the cache for the vectors of names."""

BY_SETTING = "set by SCANSCOUT_ASK_GRAPH=schema"

AnswererFactory = Callable[[Budget | None], Answerer]
"""Builds an answerer for the budget of one question."""


@dataclass(frozen=True)
class QuestionEngine:
    """Answers questions from a catalog's graph and from ``others``, further answerers by name."""

    graph: GraphParts
    model: LanguageModel | None = None
    budget: Callable[[], Budget] | None = None
    seconds: float = 60.0
    llm_seconds: float = 8.0
    others: Mapping[str, AnswererFactory] = field(default_factory=dict)
    by_schema: bool = False

    def with_answerer(self, name: str, factory: AnswererFactory) -> QuestionEngine:
        """The same engine with one more answerer, or with another one of this name."""
        return replace(self, others={**self.others, name: factory})

    def ask(
        self,
        question: str,
        *,
        answerer: str | None = None,
        without: Sequence[str] = (),
        before: str = "",
        recent: Sequence[str] = (),
    ) -> Response:
        """The final response."""
        how: dict[str, Any] = {"answerer": answerer, "without": without}
        return list(self.stream(question, before=before, recent=recent, **how))[-1]

    def stream(
        self,
        question: str,
        *,
        answerer: str | None = None,
        without: Sequence[str] = (),
        before: str = "",
        recent: Sequence[str] = (),
    ) -> Iterator[Response]:
        """The response as it grows; the answerers named in ``without`` are not chosen.

        A question that refers back ("which of them", "does it", "and X") is read with the one asked
        ``before`` and with the tools named so far, ``recent``, the latest last; the response has
        what it was read as for its question. Raises BadInput for an empty question, an unknown
        answerer, or none that is left.
        """
        text = " ".join(question.split())
        if not text:
            raise BadInput("question: it is empty; ask something of the catalog")
        if len(text) > MAX_QUESTION:
            raise BadInput(f"question: longer than {MAX_QUESTION} characters; ask more briefly")
        # What fails here fails again in an answer, which says so.
        with boundary("the question before", []):
            alone = resolved(self.graph.reader, text, " ".join(before.split()), recent)
            # With the question before it may be longer than a question may be.
            text = alone if len(alone) <= MAX_QUESTION else text
            tools = tool_names(self.graph.reader, text)
            recent = (*(name for name in recent if name not in tools), *tools)
        budget = self.budget() if self.budget else None
        answerers = {GRAPH: self.graph.answerer(self.model, self.llm_seconds, budget)}
        answerers |= {name: factory(budget) for name, factory in self.others.items()}
        if self.model is not None or answerer == SCHEMA:
            answerers[SCHEMA] = self.steps.answerer(budget)
        answerers = _remaining(answerers, without)
        choice = self._choice(text, answerers, answerer)
        routes = {name: one.stage for name, one in answerers.items()}
        composer = ModelComposer(self.model, self.llm_seconds, budget)
        stages = [
            Route("answerer", lambda state: choice.answerer, routes),
            FirstOf("answer", [composer, FactComposer()]),
        ]
        state = State(query=Query(raw=question, text=text), deadline=Deadline.after(self.seconds))
        # One response is held back, so that the last one is known when it is given.
        last: Response | None = None
        for result in progress(Pipeline("ask", stages), state, root=True):
            if last is not None:
                yield replace(last, done=False)
            last = Response(
                question=text,
                language=language_of(text),
                choice=choice,
                result=result,
                recent=recent,
            )
        if last is not None:
            # A way over two tools is listed where no tool is in the set itself.
            chained = any(fact.kind == "path" for fact in last.evidence.facts)
            listed = choice.answerer == GRAPH and last.evidence.answer and not chained
            queries = set_queries(self.graph, text) if listed else {}
            yield replace(last, set_queries=queries)

    @property
    def steps(self) -> SchemaSteps:
        """The steps from a question to a query, each by itself."""
        return SchemaSteps(self.graph, self.model, self.seconds, self.budget)

    def _choice(self, text: str, answerers: Mapping[str, Answerer], wanted: str | None) -> Choice:
        """Who answers; the steps over the schema are chosen by hand or by setting."""
        # No model is asked whether it should write a query: a call before each question.
        offered = {n: one for n, one in answerers.items() if n != SCHEMA or wanted == SCHEMA}
        choice = choose(text, offered, wanted=wanted, model=self.model, seconds=self.llm_seconds)
        if SCHEMA not in answerers or SCHEMA in offered:
            return choice
        by_setting = self.by_schema and wanted is None and choice.answerer == GRAPH
        if by_setting:
            others = ((GRAPH, choice.reason), *choice.alternatives)
            return Choice(answerer=SCHEMA, reason=BY_SETTING, by="setting", alternatives=others)
        more = (SCHEMA, answerers[SCHEMA].suits(text)[1])
        return replace(choice, alternatives=(*choice.alternatives, more))

    def run_query(self, query: str, language: str = CYPHER) -> tuple[Rows, Graph]:
        """A query run again, as it is or edited: its rows and the nodes among them.

        Raises BadInput for another language, and Refused, QueryFailed or StageUnavailable, each
        in plain words.
        """
        stores, base = self.graph.stores, self.graph.base
        if language not in stores:
            raise BadInput(f"language: {language!r} is not one of {', '.join(stores)}")
        rows = stores[language]().run(query)
        nodes = frozenset(rows.nodes)
        facts = [
            base.fact((node, relation, end), "query")
            for node in rows.nodes
            if node in base
            for relation, away, end in base.around(node)
            if away and end in nodes
        ]
        return rows, drawn(base, facts, rows.nodes, lone=True)


def _remaining(answerers: Mapping[str, Answerer], without: Sequence[str]) -> dict[str, Answerer]:
    """The answerers that are not switched off. Raises BadInput for an unknown name or none left."""
    unknown = [name for name in without if name not in answerers]
    if unknown:
        raise BadInput(f"without: {unknown[0][:40]!r} is not one of {', '.join(answerers)}")
    left = {name: one for name, one in answerers.items() if name not in without}
    if not left.keys() - {SCHEMA}:
        raise BadInput(f"without: nobody is left who answers; leave one of {', '.join(answerers)}")
    return left


def open_question_engine(
    settings: Settings,
    tools: Sequence[Tool] | None = None,
    encoder: Encoder | None = None,
    source: Callable[[str, str], str] = lambda tool, field: "",
) -> QuestionEngine:
    """Questions over the configured catalog, with the configured language model if there is one.

    ``tools``, ``encoder`` and ``source`` are those of a running engine; without them the catalog is
    read and the encoder loaded when it is first needed. A graph server that is configured takes
    the place of the embedded store; nothing is connected before the first query.
    """
    graph_server = frozenset([PURPOSE] if settings.graph_uri else [])
    guard = OutsideCalls(outside_purposes(settings) | graph_server | database_purposes(settings))
    server: QueryStore | None = None
    if settings.graph_uri:
        password = settings.graph_password.get_secret_value()
        server = Neo4jStore(
            settings.graph_uri, user=settings.graph_user, password=password, guard=guard
        )
    by_meaning: Encoder | None = None
    if settings.vector_search:
        by_meaning = names_encoder(settings, encoder)
    if tools is None:
        catalog = load_catalog(settings.catalog)
        check_usable(catalog, settings.catalog)
        tools, source = catalog.tools, RecordSources(catalog.records)
    model = language_model(settings, guard)
    apis = open_apis(settings, guard) if settings.databases else {}
    graph = GraphParts.of(
        tools,
        load_biology(BIOLOGY),
        encoder=by_meaning,
        meanings=settings.cache_dir / MEANINGS,
        server=server,
        address=source,
    )
    if settings.ask_query == "sparql":
        graph = replace(graph, written=SPARQL)
    if settings.ask_walk == "scored":
        graph = replace(graph, scorer=lambda: triple_scorer(settings, by_meaning))
    return QuestionEngine(
        graph,
        model=model,
        budget=query_budget(settings),
        seconds=settings.query_seconds,
        llm_seconds=call_limits(settings)[0],
        others=api_answerers(apis, model, seconds=settings.database_seconds),
        by_schema=settings.ask_graph == SCHEMA,
    )
