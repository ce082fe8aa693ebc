"""BYOKG-RAG's names: every code block of its guide runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, List, Set  # noqa: UP035 - as the guide writes it

import pytest

from retrieval.compat.byokg_rag.byokg_query_engine import ByoKGQueryEngine
from retrieval.compat.byokg_rag.graph_connectors import CypherKGLinker, KGLinker
from retrieval.compat.byokg_rag.graph_retrievers import (
    AgenticRetriever,
    EntityLinker,
    GraphQueryRetriever,
    GTraversal,
    PathRetriever,
    TripletGVerbalizer,
)
from retrieval.compat.byokg_rag.graphstore import LocalKGStore
from retrieval.compat.byokg_rag.utils import parse_response
from retrieval.core import StageUnavailable, Vectors
from tests.compat.byokg_parts import FINISH, Llm
from tests.fakes import HashingEncoder

REPLY = "<entities>\nA\n</entities>\n<paths>\nuses -> next\n</paths>"


@pytest.mark.requirement("S3-05")
def test_block_1_entities_of_a_reply_are_linked(graph_store: LocalKGStore) -> None:
    kg_linker, entity_linker = KGLinker(Llm("")), EntityLinker(graph_store)
    response = REPLY
    artifacts = kg_linker.parse_response(response)
    if "entity-extraction" in artifacts:
        linked_entities = entity_linker.link(artifacts["entity-extraction"], return_dict=False)
    assert linked_entities == ["A"]


@pytest.mark.requirement("S3-07")
def test_block_2_triplets_go_into_the_context(graph_store: LocalKGStore) -> None:
    self = ByoKGQueryEngine(graph_store=graph_store)
    query, source_entities, triplet_retriever = "what uses F", ["A"], self.triplet_retriever
    retrieved_context: List[str] = []  # noqa: UP006
    if source_entities and triplet_retriever:
        triplet_context = triplet_retriever.retrieve(query, source_entities)
        self._add_to_context(retrieved_context, triplet_context)
    assert retrieved_context[0] == "A uses F"


@pytest.mark.requirement("S3-08")
def test_block_3_paths_of_a_reply_are_followed(traversal: GTraversal) -> None:
    artifacts = KGLinker(Llm("")).parse_response("<paths>\n uses->next \n</paths>")
    explored_entities, linked_answers = {"F"}, ["C"]
    path_retriever = PathRetriever(traversal)
    if "path-extraction" in artifacts and explored_entities and path_retriever:
        metapaths = [[component.strip() for component in path.split("->")]
                     for path in artifacts["path-extraction"]]  # fmt: skip
        path_context = path_retriever.retrieve(list(explored_entities), metapaths, linked_answers)
    assert path_context == ["B uses F; B next C"]


@pytest.mark.parametrize("kind", ["opencypher", "opencypher-neptune-rdf", "opencypher-neptune"])
@pytest.mark.requirement("S3-09")
def test_block_4_every_query_type_is_run(kind: str, graph_store: LocalKGStore) -> None:
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    graph_query_executor = GraphQueryRetriever(graph_store)
    reply = f"<{kind}>\nMATCH (a:Node {{id: 'A'}})\nRETURN a.name AS name\n</{kind}>"
    artifacts = KGLinker(Llm("")).parse_response(reply)
    for query_type in ["opencypher", "opencypher-neptune-rdf", "opencypher-neptune"]:
        if query_type in artifacts and graph_query_executor:
            graph_query = " ".join(artifacts[query_type])
            context = graph_query_executor.retrieve(graph_query, return_answers=False)
    assert context == ["name: A"]


@pytest.mark.process
@pytest.mark.requirement("S3-09")
def test_a_query_of_a_reply_in_sparql_is_run_too(graph_store: LocalKGStore) -> None:
    pytest.importorskip("pyoxigraph", reason="the package pyoxigraph is not installed")
    llm = Llm("<sparql>\nSELECT ?b\nWHERE { ?b r:next n:C }\n</sparql>", FINISH)
    linker = KGLinker(llm, tasks=("sparql",))
    engine = ByoKGQueryEngine(graph_store, llm_generator=llm, kg_linker=linker)
    assert engine.query("what is before C") == ["b: B"]
    assert "prefixes n: (nodes)" in llm.prompts[0]


@pytest.mark.process
@pytest.mark.parametrize("block", [True, False])
@pytest.mark.requirement("S3-15")
def test_sparql_that_changes_or_leaves_the_graph_is_refused(
    block: bool, graph_store: LocalKGStore
) -> None:
    pytest.importorskip("pyoxigraph", reason="the package pyoxigraph is not installed")
    executor = GraphQueryRetriever(graph_store, block_graph_modification=block)
    for query in (
        "PREFIX x: <urn:x:> INSERT DATA { x:a x:b x:c }",
        "SELECT ?a WHERE { SERVICE <http://127.0.0.1:9/> { ?a ?b ?c } }",
        "CONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c }",
    ):
        (text,) = executor.retrieve(query)
        assert text.startswith("The query was not run. query:")
    assert executor.retrieve("ASK { n:A r:uses n:F }") == ["answer: yes"]


@pytest.mark.requirement("S3-10")
def test_blocks_5_7_and_8_the_loop_of_the_guide_runs(graph_store: LocalKGStore) -> None:
    llm = Llm(REPLY, FINISH)
    self = ByoKGQueryEngine(graph_store=graph_store, llm_generator=llm)
    query, iterations = "what does A use", 3
    retrieved_context: List[str] = []  # noqa: UP006
    explored_entities: Set[str] = set()  # noqa: UP006
    for iteration in range(iterations):
        # Use different prompts for different iterations
        if iteration == 0:
            task_prompts = self.kg_linker_prompts
        else:
            task_prompts = self.kg_linker_prompts_iterative
        # Generate response with accumulated context
        response = self.kg_linker.generate_response(
            question=query,
            schema=self.schema,
            graph_context="\n".join(retrieved_context),
            task_prompts=task_prompts,
        )
        artifacts = self.kg_linker.parse_response(response)
        linked_entities = self.entity_linker.link(
            artifacts.get("entity-extraction", []), return_dict=False
        )
        # Update with newly linked entities
        explored_entities.update(linked_entities)
        self._add_to_context(retrieved_context, [f"seen {e}" for e in sorted(explored_entities)])
        task_completion = parse_response(response, r"<task-completion>(.*?)</task-completion>")
        if "FINISH" in " ".join(task_completion):
            break
    assert (iteration, explored_entities) == (1, {"A"})
    assert self.kg_linker_prompts in llm.prompts[0]
    assert self.kg_linker_prompts_iterative in llm.prompts[1]
    assert "seen A" in llm.prompts[1]


@pytest.mark.requirement("S3-11")
def test_block_6_context_keeps_order_and_drops_repetition(graph_store: LocalKGStore) -> None:
    context_list = ["b", "a"]
    ByoKGQueryEngine(graph_store=graph_store)._add_to_context(
        context_list, ["c", "a", "c", "b", "d"]
    )
    assert context_list == ["b", "a", "c", "d"]


@pytest.mark.requirement("S3-02")
def test_block_9_a_question_with_its_own_number_of_iterations(
    graph_store: LocalKGStore,
) -> None:
    query_engine = ByoKGQueryEngine(graph_store=graph_store)
    context = query_engine.query(
        question="Your question here about A and C",
        iterations=3,  # Number of multi-strategy iterations
    )
    assert "A uses F" in context
    assert len(context) == len(set(context))


@pytest.mark.requirement("S3-06")
def test_block_10_direct_query_linking_finds_nodes_by_meaning() -> None:
    graph_store = LocalKGStore([("skull stripping", "needs", "brain mask")])
    query_engine = ByoKGQueryEngine(
        graph_store=graph_store,
        direct_query_linking=True,  # Enable semantic entity linking
        encoder=HashingEncoder(),
    )
    assert "skull stripping needs brain mask" in query_engine.query("stripping of a skull")
    plain = ByoKGQueryEngine(graph_store=graph_store)
    assert plain.query("stripping of a skull") == []


@pytest.mark.model
@pytest.mark.requirement("S3-06")
def test_block_10_the_setting_alone_links_with_the_packaged_encoder() -> None:
    graph_store = LocalKGStore([("skull stripping", "needs", "brain mask")])
    query_engine = ByoKGQueryEngine(graph_store=graph_store, direct_query_linking=True)
    assert "skull stripping needs brain mask" in query_engine.query("remove bone from the head")
    assert query_engine.linking_gap == ""


@pytest.mark.requirement("S3-06")
def test_block_10_says_why_it_links_nothing_by_meaning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Away(HashingEncoder):
        def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
            raise StageUnavailable("the weights are not there; run models fetch")

    graph_store = LocalKGStore([("skull stripping", "needs", "brain mask")])
    query_engine = ByoKGQueryEngine(graph_store, direct_query_linking=True, encoder=Away())
    assert query_engine.query("stripping of a skull") == []
    assert query_engine.linking_gap == "the weights are not there; run models fetch"
    assert "direct_query_linking: the weights are not there" in caplog.text


@pytest.mark.requirement("S3-01")
def test_block_11_components_can_be_handed_in(
    graph_store: LocalKGStore, traversal: GTraversal
) -> None:
    llm, verbalizer = Llm(json.dumps({"relations": ["uses"]}), FINISH), TripletGVerbalizer()
    custom_triplet_retriever = AgenticRetriever(
        llm_generator=llm,
        graph_traversal=traversal,
        graph_verbalizer=verbalizer,
        max_num_iterations=4,
        max_num_relations=10,
    )
    query_engine = ByoKGQueryEngine(
        graph_store=graph_store, triplet_retriever=custom_triplet_retriever
    )
    assert "A uses F" in query_engine.query("What does A use?")


@pytest.mark.requirement("S3-01")
def test_every_named_argument_is_taken(graph_store: LocalKGStore) -> None:
    class Mine:
        def link(self, names: list[str], return_dict: bool = True) -> list[str]:
            return ["A"]

        def retrieve(self, *args: Any, **kwargs: Any) -> list[str]:
            return [f"mine {len(args)}"]

    llm = Llm(REPLY, FINISH)
    engine = ByoKGQueryEngine(
        graph_store,
        entity_linker=Mine(),
        triplet_retriever=Mine(),
        path_retriever=Mine(),
        graph_query_executor=Mine(),
        llm_generator=llm,
        kg_linker=KGLinker(llm, graph_store),
        cypher_kg_linker=CypherKGLinker(llm),
        direct_query_linking=False,
    )
    assert engine.query("Q", iterations=1, user_input="more") == ["mine 2", "mine 3"]
    assert "Q more" in llm.prompts[0]
