"""The query engine: the strategies of ``retrieval.ask`` under the names of BYOKG-RAG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from retrieval.ask import (
    TAGS,
    Completion,
    FollowPaths,
    LinkEntities,
    RequestLookups,
    WalkTriplets,
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
from retrieval.compat.byokg_rag.stages import GivenQuery, TextRetrievers
from retrieval.core import Evidence, Pipeline, Query, Rounds, Stage, State, finish, progress


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
        """The context for a question, each text once, in order; sets the end reason ``stopped``."""
        text = " ".join(part for part in (question, user_input) if part)
        state = State(query=Query(raw=text, text=text))
        evidence = self._rounds(self._strategies(), state, iterations)
        if self.cypher_kg_linker is not None and cypher_iterations > 0 and not evidence.facts:
            stages: list[Stage] = [
                RequestLookups(self.cypher_kg_linker, lambda: self.schema),
                GivenQuery(self.graph_query_executor),
            ]
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

    def _strategies(self) -> list[Stage]:
        retrievers = TextRetrievers(self.triplet_retriever, self.path_retriever)
        return [
            RequestLookups(self.kg_linker, lambda: self.schema),
            LinkEntities(self._link, self._link_question),
            WalkTriplets(retrievers.walked),
            FollowPaths(retrievers.followed, self._link),
            GivenQuery(self.graph_query_executor),
        ]

    def _link(self, names: Sequence[str]) -> list[str]:
        return list(self.entity_linker.link(list(names), return_dict=False)) if names else []

    def _link_question(self, question: str) -> list[str]:
        """Nodes by the meaning of the question; without a model also those that it names."""
        direct = self.direct_query_linking and hasattr(self.entity_linker, "link_query")
        nodes = list(self.entity_linker.link_query(question)) if direct else []
        if self.kg_linker is None:
            nodes += GivenQuery.named(self.graph_store, question)
        return nodes

    def generate_response(self, query: str, graph_context: str = "") -> tuple[list[str], str]:
        """Answers and the text they are in; without a model the context itself is the answer."""
        if self.llm_generator is None:
            lines = [line for line in str(graph_context).splitlines() if line]
            return lines, "\n".join(lines)
        prompt = GivenQuery.answer_prompt(query, str(graph_context))
        text = GeneratedModel(self.llm_generator).complete(prompt)
        tag = TAGS["draft-answer-generation"]
        return tagged(text, rf"<{tag}>(.*?)</{tag}>"), text
