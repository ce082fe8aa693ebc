"""BYOKG-RAG's names: what its own code gets wrong, and the rest."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from retrieval.compat.byokg_rag.byokg_query_engine import ByoKGQueryEngine
from retrieval.compat.byokg_rag.graph_retrievers import (
    EMPTY,
    AgenticRetriever,
    GraphQueryRetriever,
    GTraversal,
    PathRetriever,
    PathVerbalizer,
    TripletGVerbalizer,
)
from retrieval.compat.byokg_rag.graph_scoring import GraphScoringRetriever, LocalGReranker
from retrieval.compat.byokg_rag.graphstore import LocalKGStore
from retrieval.compat.byokg_rag.indexing import FuzzyStringIndex
from retrieval.compat.byokg_rag.llm import ModelGenerator
from retrieval.core.errors import BadInput
from tests.compat.byokg_parts import FINISH, TRIPLES, Llm
from tests.fakes import ScriptedModel


@pytest.mark.requirement("S3-02")
def test_queries_alone_are_tried_where_nothing_else_gave_context(
    graph_store: LocalKGStore,
) -> None:
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    query = "<opencypher>\nMATCH (a:Node)-[:next]->(b:Node) RETURN b.name AS name\n</opencypher>"
    engine = ByoKGQueryEngine(graph_store, llm_generator=Llm(FINISH, query, FINISH))
    assert engine.query("Q", iterations=1, cypher_iterations=2) == ["name: C"]
    assert engine.stopped == "the model said FINISH"


@pytest.mark.requirement("S3-13")
def test_finish_on_the_first_reply_ends_the_loop_after_the_query_beside_it(
    graph_store: LocalKGStore,
) -> None:
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    query = "MATCH (a:Node)-[:next]->(b:Node) RETURN b.name AS name"
    llm = Llm(f"{FINISH}\n<opencypher>\n{query}\n</opencypher>")
    engine = ByoKGQueryEngine(graph_store, llm_generator=llm)
    assert engine.query("Q", iterations=5, cypher_iterations=0) == ["name: C"]
    assert len(llm.prompts) == 1
    assert engine.stopped == "the model said FINISH"


@pytest.mark.requirement("S3-14")
def test_without_a_model_linking_walking_and_paths_still_give_context(
    graph_store: LocalKGStore,
) -> None:
    context = ByoKGQueryEngine(graph_store).query("How are A and C connected?")
    assert "A uses F" in context
    assert "A uses F; B uses F; B next C" in context


@pytest.mark.parametrize(
    "query",
    [
        "CREATE (n)",
        "CALL { MATCH (n) DELETE n }",
        "LOAD CSV FROM 'x' AS r RETURN r",
        "CRE/**/ATE (n)",
    ],
)
@pytest.mark.requirement("S3-15")
def test_queries_that_change_are_refused_in_front_of_any_store(query: str) -> None:
    class Store:
        asked: list[str] = []  # noqa: RUF012 - one test reads it

        def execute_query(self, query: str) -> list[dict[str, str]]:
            self.asked.append(query)
            return [{"n": "1"}]

    store = Store()
    (told,) = GraphQueryRetriever(store).retrieve(query)
    assert told.startswith("The query was not run.")
    assert store.asked == []
    assert GraphQueryRetriever(store, block_graph_modification=False).retrieve(query) == ["n: 1"]


@pytest.mark.requirement("S3-15")
def test_failure_honest_text_is_not_refused(graph_store: LocalKGStore) -> None:
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    executor = GraphQueryRetriever(graph_store)
    for text in ("Data Set", "call peaks", "DELETE"):
        assert executor.retrieve(f"MATCH (a:Node) WHERE a.name = '{text}' RETURN a") == [EMPTY]


@pytest.mark.requirement("S3-16")
def test_failure_refusal_and_nothing_found_have_different_words(
    graph_store: LocalKGStore,
) -> None:
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    executor = GraphQueryRetriever(graph_store)
    queries = (
        "MATCH (a) DELETE a",
        "MATCH (a:Nowhere) RETURN a",
        "MATCH (a:Node {id: 'x'}) RETURN a",
    )
    starts = [executor.retrieve(query)[0][:14] for query in queries]
    assert starts == ["The query was ", "The query fail", "The query ran "]
    context, answers = executor.retrieve(
        "MATCH (a:Node {id: 'A'}) RETURN a.name AS name", return_answers=True
    )
    assert (context, answers) == (["name: A"], ["A"])


@pytest.mark.requirement("S3-17")
def test_a_response_has_answers_and_text_with_and_without_a_model(
    graph_store: LocalKGStore,
) -> None:
    llm = Llm("<answers>\nF\n</answers>")
    assert ByoKGQueryEngine(graph_store, llm_generator=llm).generate_response("Q", "A uses F") == (
        ["F"],
        "<answers>\nF\n</answers>",
    )
    assert "A uses F" in llm.prompts[0]
    plain = ByoKGQueryEngine(graph_store).generate_response("Q", "A uses F")
    assert plain == (["A uses F"], "A uses F")


@pytest.mark.requirement("S3-18")
def test_a_store_is_read_from_a_file_of_triples(tmp_path: Path) -> None:
    path = tmp_path / "kg.csv"
    path.write_text("head,relation,tail\nA,uses,F\nB,uses,F\nB,next,C\n")
    store = LocalKGStore()
    store.read_from_csv(path)
    assert store.nodes() == ["A", "F", "B", "C"]
    assert store.get_triplets() == store.edges() == sorted(TRIPLES)
    assert store.get_nodes(["A", "nobody"]) == {"A": {"name": "A"}}
    assert store.get_one_hop_edges(["F"]) == {
        "F": {"uses": [("A", "uses", "F"), ("B", "uses", "F")]}
    }
    assert "(:Node)-[:uses]->(:Node)" in store.get_schema()
    assert "opencypher" in store.get_linker_tasks()


@pytest.mark.parametrize("rows", ["A,uses\n", "A,uses,F,more\n"])
@pytest.mark.requirement("S3-18")
def test_a_row_without_three_columns_is_named(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "kg.csv"
    path.write_text(f"h,r,t\n{rows}")
    with pytest.raises(BadInput, match="row 1 has"):
        LocalKGStore().read_from_csv(path)
    with pytest.raises(BadInput, match="could not be read"):
        LocalKGStore().read_from_csv(tmp_path / "none.csv")


@pytest.mark.requirement("S3-18")
def test_failure_one_hop_expand_works_on_the_local_store(traversal: GTraversal) -> None:
    assert traversal.one_hop_expand(["A"]) == [("A", "uses", "F")]


@pytest.mark.requirement("S3-08")
def test_failure_two_hops_reach_what_shares_a_node(traversal: GTraversal) -> None:
    reached = {n for h, _, t in traversal.multi_hop_expand(["A"], 2) for n in (h, t)}
    assert reached == {"A", "F", "B"}


@pytest.mark.requirement("S3-08")
def test_failure_more_arguments_and_the_order_of_paths(traversal: GTraversal) -> None:
    retriever = PathRetriever(traversal, PathVerbalizer(), anything="goes")
    first = retriever.retrieve(["F"], [["uses"]], [], and_here="too")
    assert first == ["A uses F", "B uses F"]
    assert retriever.retrieve([], [["uses"]]) == []


@pytest.mark.parametrize("limit", [1, 2])
@pytest.mark.requirement("S3-07")
def test_failure_limits_of_relations_and_triplets_limit(limit: int) -> None:
    store = LocalKGStore([("A", f"r{n}", f"x{n}") for n in range(9)])
    args = (Llm("nonsense"), GTraversal(store), TripletGVerbalizer())
    told = AgenticRetriever(*args, max_num_relations=limit, max_num_iterations=1).retrieve(
        "q", ["A"]
    )
    assert len(told) == limit
    told = AgenticRetriever(*args, max_num_triplets=limit).retrieve("q", ["A"])
    assert len(told) == limit


class Length:
    """Scores a text by how many words it shares with the question."""

    id = "overlap"

    def scores(self, query: str, texts: Iterable[str]) -> list[float]:
        return [float(len(set(query.split()) & set(t.split()))) for t in texts]


@pytest.mark.requirement("S3-19")
def test_triplets_by_relevance_cut_to_their_limits(traversal: GTraversal) -> None:
    args = (traversal, TripletGVerbalizer(), LocalGReranker(Length(), topk=10))
    both = GraphScoringRetriever(*args, hops=2).retrieve("B next C", ["F"])
    assert both[0] == "B next C"
    one = GraphScoringRetriever(*args, hops=2, max_num_relations=1, max_num_triplets=1)
    assert one.retrieve("what is next", ["F"]) == ["B next C"]


@pytest.mark.requirement("S3-05")
def test_the_fuzzy_index_has_the_source_s_shape() -> None:
    index = FuzzyStringIndex()
    assert index.query("x") == {"hits": []}
    index.add(["Amazon", "Google"])
    (hit,) = index.query("Amazon", topk=1)["hits"]
    assert (hit["document"], hit["match_score"]) == ("Amazon", 100.0)


def test_our_models_serve_as_generators() -> None:
    assert ModelGenerator(ScriptedModel("yes")).generate("?") == "yes"
    engine = ByoKGQueryEngine(LocalKGStore(TRIPLES), llm_generator=ScriptedModel(FINISH))
    assert engine.query("Q", cypher_iterations=0) == []


def test_importing_the_fronts_loads_neither_cloud_clients_nor_torch() -> None:
    code = (
        "import sys, retrieval.compat.byokg_rag.byokg_query_engine, "
        "retrieval.compat.byokg_rag.graph_scoring\n"
        "print([m for m in ('boto3', 'torch', 'ladybug', 'gradio') if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
