"""The query engine: the strategies of ``retrieval.ask`` under the names of BYOKG-RAG."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from retrieval.ask import (
    TAGS,
    Completion,
    FollowPaths,
    LinkEntities,
    NameIndex,
    QuestionLinker,
    RequestLookups,
    WalkTriplets,
    queries_in,
    tagged,
    why_ended,
)
from retrieval.compat.byokg_rag.graph_connectors import CypherKGLinker, KGLinker
from retrieval.compat.byokg_rag.graph_retrievers import (
    AgenticRetriever,
    EntityLinker,
    GraphQueryRetriever,
    GTraversal,
    PathRetriever,
    TripletGVerbalizer,
)
from retrieval.compat.byokg_rag.llm import GeneratedModel
from retrieval.core import (
    Evidence,
    Fact,
    Pipeline,
    Query,
    Rounds,
    Stage,
    StageResult,
    StageUnavailable,
    State,
    StoreQuery,
    finish,
    progress,
)
from retrieval.llm import prompt_file
from retrieval.settings import read_settings
from retrieval.wiring import names_encoder

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _RunQuery:
    """The queries of a reply, run by an executor of the source's shape."""

    executor: Any
    name: str = "query"

    def run(self, state: State) -> StageResult:
        """The executor's context; skipped when the reply holds no query."""
        queries = queries_in(state.evidence.requests)
        if not queries:
            raise StageUnavailable("no query was written")
        evidence = state.evidence
        for language, text in queries:
            facts = _as_facts(self.executor.retrieve(text, return_answers=False), "query")
            query = StoreQuery(language=language, text=text)
            evidence = replace(evidence.with_facts(facts), query=query)
        return StageResult(name=self.name, state=replace(state, evidence=evidence))


def _as_facts(texts: Iterable[str], source: str) -> list[Fact]:
    return [Fact(id=f"{source}: {text}", text=text, kind="record", source=source) for text in texts]


class ByoKGQueryEngine:
    """Answers from a graph store; linking, walking and paths also work without a model."""

    def __init__(
        self,
        graph_store: Any,  # noqa: ANN401 - any store of the source's shape
        entity_linker: Any = None,  # noqa: ANN401 - as below, any object of the source's shape
        triplet_retriever: Any = None,  # noqa: ANN401
        path_retriever: Any = None,  # noqa: ANN401
        graph_query_executor: Any = None,  # noqa: ANN401
        llm_generator: Any = None,  # noqa: ANN401
        kg_linker: Any = None,  # noqa: ANN401
        cypher_kg_linker: Any = None,  # noqa: ANN401
        direct_query_linking: bool = False,
        encoder: Any = None,  # noqa: ANN401
    ) -> None:
        traversal, verbalizer = GTraversal(graph_store), TripletGVerbalizer()
        self.graph_store, self.schema = graph_store, graph_store.get_schema()
        self.direct_query_linking = direct_query_linking
        self.llm_generator = llm_generator
        if direct_query_linking and encoder is None and entity_linker is None:
            # As in the source, the setting alone is enough; the weights come with the package.
            encoder = names_encoder(read_settings())
        self.entity_linker = entity_linker or EntityLinker(graph_store, encoder=encoder)
        walk = AgenticRetriever(llm_generator, traversal, verbalizer)
        self.triplet_retriever = triplet_retriever or walk
        self.path_retriever = path_retriever or PathRetriever(traversal)
        self.graph_query_executor = graph_query_executor or GraphQueryRetriever(graph_store)
        self.kg_linker, self.cypher_kg_linker = kg_linker, cypher_kg_linker
        if llm_generator is not None:
            self.kg_linker = kg_linker or KGLinker(llm_generator, graph_store)
            self.cypher_kg_linker = cypher_kg_linker or CypherKGLinker(llm_generator)
        self.kg_linker_prompts = self.kg_linker.prompts() if self.kg_linker else ""
        self.kg_linker_prompts_iterative = (
            self.kg_linker.prompts(again=True) if self.kg_linker else ""
        )
        self.stopped = ""

    def _add_to_context(self, context_list: list[str], new_items: Iterable[str]) -> None:
        """Append the items that are not in the list yet, each once; changes the list in place."""
        context_list.extend(dict.fromkeys(i for i in new_items if i not in set(context_list)))

    def query(
        self,
        question: str,
        iterations: int = 2,
        cypher_iterations: int = 2,
        user_input: str = "",
    ) -> list[str]:
        """The context for a question, each text once, in order of retrieval.

        At most ``iterations`` rounds of all strategies; where they give nothing, at most
        ``cypher_iterations`` rounds of queries alone. ``stopped`` says why the last round ended.
        """
        text = " ".join(part for part in (question, user_input) if part)
        state = State(query=Query(raw=text, text=text))
        run_query = _RunQuery(self.graph_query_executor)
        stages: list[Stage] = [
            RequestLookups(self.kg_linker, lambda: self.schema),
            LinkEntities(self._link, self._link_question, missing=lambda: self.linking_gap),
            WalkTriplets(self._walk),
            FollowPaths(self._follow, self._link),
            run_query,
        ]
        evidence = self._rounds(stages, state, iterations)
        if self.cypher_kg_linker is not None and cypher_iterations > 0 and not evidence.facts:
            stages = [RequestLookups(self.cypher_kg_linker, lambda: self.schema), run_query]
            evidence = self._rounds(stages, state, cypher_iterations)
        context: list[str] = []
        self._add_to_context(context, (fact.text for fact in evidence.facts))
        return context

    def _rounds(self, stages: Sequence[Stage], state: State, most: int) -> Evidence:
        if most < 1:
            return state.evidence
        body = Pipeline("strategies", stages)
        rounds = Rounds("iterations", body, body, Completion(), max_rounds=most)
        result = finish(progress(rounds, state, root=True))
        self.stopped = why_ended(result)
        return result.state.evidence

    def _link(self, names: Sequence[str]) -> list[str]:
        return list(self.entity_linker.link(list(names), return_dict=False)) if names else []

    def _link_question(self, question: str) -> list[str]:
        """Nodes by the meaning of the question; without a model also those that it names."""
        direct = self.direct_query_linking and hasattr(self.entity_linker, "link_query")
        nodes = list(self.entity_linker.link_query(question)) if direct else []
        if self.linking_gap:
            logger.warning("direct_query_linking: %s", self.linking_gap)
        if self.kg_linker is None:
            names = NameIndex.of(self.graph_store.base.items.values())
            nodes += [link.node for link in QuestionLinker(names).links(question)]
        return nodes

    @property
    def linking_gap(self) -> str:
        """Why ``direct_query_linking`` linked nothing by meaning; empty where it works."""
        gap = getattr(self.entity_linker, "meaning_gap", "") if self.direct_query_linking else ""
        return str(gap)

    def _walk(self, state: State, sources: Sequence[str]) -> tuple[list[Fact], frozenset[str]]:
        # The source's retriever does not report the nodes it explored, so the set is empty.
        texts = self.triplet_retriever.retrieve(state.query.text, list(sources))
        return _as_facts(texts, "triplets"), frozenset()

    def _follow(
        self, state: State, metapaths: Sequence[Sequence[str]], targets: Sequence[str]
    ) -> list[Fact]:
        """The texts of the path retriever from every linked or explored node.

        Without targets and without a reply of a model, paths lead to all nodes but the first.
        """
        nodes = list(dict.fromkeys((*state.evidence.linked, *sorted(state.evidence.explored))))
        ends = list(targets) or ([] if state.evidence.requests else nodes[1:])
        paths = [list(path) for path in metapaths]
        return _as_facts(self.path_retriever.retrieve(nodes, paths, ends), "paths")

    def generate_response(self, query: str, graph_context: str = "") -> tuple[list[str], str]:
        """Answers and the text they are in; without a model the context itself is the answer."""
        if self.llm_generator is None:
            lines = [line for line in str(graph_context).splitlines() if line]
            return lines, "\n".join(lines)
        prompt = prompt_file("linker", "ask").format(
            question=query,
            schema="not needed",
            context=graph_context,
            tasks=prompt_file("task_draft-answer-generation", "ask"),
        )
        text = GeneratedModel(self.llm_generator).complete(prompt)
        tag = TAGS["draft-answer-generation"]
        return tagged(text, rf"<{tag}>(.*?)</{tag}>"), text
