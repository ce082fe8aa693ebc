"""Facts that BYOKG-RAG's own tests state, and failures of its code, each by its number."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import unicodedata

import pytest

from retrieval.ask.linker import NameIndex
from retrieval.compat.byokg_rag.byokg_query_engine import ByoKGQueryEngine
from retrieval.compat.byokg_rag.graph_connectors import KGLinker
from retrieval.compat.byokg_rag.graph_retrievers import (
    EMPTY,
    AgenticRetriever,
    GraphQueryRetriever,
    GTraversal,
    PathRetriever,
    PathVerbalizer,
    TripletGVerbalizer,
)
from retrieval.compat.byokg_rag.graph_scoring import LocalGReranker
from retrieval.compat.byokg_rag.graphstore import LocalKGStore
from retrieval.graphdb.cypher_guard import cypher_refusal
from tests.compat.byokg_parts import FINISH, Llm

VOCABULARY = ("Amazon", "Microsoft", "Google")
CHANGES = (
    "CREATE (n)",
    "MERGE (n:T)",
    "MATCH (n) DELETE n",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n) SET n.a = 1",
    "MATCH (n) REMOVE n.a",
    "DROP INDEX x",
    "CALL { MATCH (n) RETURN n } RETURN 1",
    "CALL apoc.help('x')",
    "LOAD CSV FROM 'f' AS r RETURN r",
)
READS = (
    "MATCH (n:T) RETURN n",
    "MATCH (n:T) OPTIONAL MATCH (n)-[:r]->(m) RETURN n, m",
    "UNWIND [1, 2] AS x RETURN x",
    "MATCH (n:T) RETURN n.id ORDER BY n.id LIMIT 5",
    "MATCH (a:T)-[*1..3]->(b:T) RETURN b",
    "MATCH (n:T) RETURN n.CREATED_AT, n.SETTINGS, n.OFFSET, n.DROPPED_ITEMS",
    "MATCH (n:T) WHERE n.name = 'Data Set' RETURN n",
    "MATCH (n:T) WHERE n.name = 'call peaks' RETURN n",
)


def names(*told: str) -> NameIndex:
    return NameIndex((name, name) for name in told)


def test_5_6_fuzzy_hits_of_a_vocabulary() -> None:
    index = names(*VOCABULARY)
    assert index.fuzzy("Amazon", 1) == [("Amazon", 100.0)]
    (hit,) = index.fuzzy("Amzon", 1)
    assert hit[0] == "Amazon"
    assert hit[1] > 80
    assert len(index.fuzzy("Amazon", 2, cutoff=0)) <= 2
    assert names().fuzzy("Amazon") == []
    assert names("AWS").fuzzy("AWS cloud computing services", cutoff=0) == []
    scores = [score for _, score in index.fuzzy("Gogle", 3, cutoff=0)]
    assert scores == sorted(scores, reverse=True)


def wide(text: str) -> str:
    """The letters of a text in their full-width forms."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


@pytest.mark.parametrize("query", CHANGES)
def test_5_6_what_changes_is_refused_in_any_case_width_and_line(query: str) -> None:
    word = query.split()[0]
    forms = (
        query,
        query.lower(),
        query.title(),
        query.replace(word, f"{word[:3]}/**/{word[3:]}", 1),
        query.replace(word, wide(word), 1),
        f"MATCH (n) RETURN n\n{query}",
        f"RETURN 1; {query}",
    )
    assert unicodedata.normalize("NFKC", wide(word)) == word
    assert [form for form in forms if not cypher_refusal(form)] == []


@pytest.mark.parametrize("query", READS)
def test_5_6_what_only_reads_is_allowed(query: str) -> None:
    assert cypher_refusal(query) == ""


def test_5_6_with_the_flag_off_everything_is_allowed() -> None:
    class Store:
        def execute_query(self, query: str) -> list[dict[str, str]]:
            return [{"ran": query}]

    open_to_all = GraphQueryRetriever(Store(), block_graph_modification=False)
    assert [open_to_all.retrieve(query) for query in CHANGES] == [[f"ran: {q}"] for q in CHANGES]


def test_5_6_two_hops_from_a_reach_f_and_b_and_not_c(traversal: GTraversal) -> None:
    reached = {n for h, _, t in traversal.multi_hop_expand(["A"], 2) for n in (h, t)} - {"A"}
    assert reached == {"F", "B"}


def test_5_6_a_metapath_and_no_source(traversal: GTraversal) -> None:
    retriever = PathRetriever(traversal, PathVerbalizer())
    assert retriever.retrieve(["B"], [["next"]], []) == ["B next C"]
    assert retriever.retrieve([], [["uses", "next"]], []) == []


def test_5_6_context_is_told_once_and_finish_on_the_first_reply_runs_no_query(
    graph_store: LocalKGStore,
) -> None:
    reply = "<entities>\nA\n</entities>"
    engine = ByoKGQueryEngine(graph_store, llm_generator=Llm(reply))
    context = engine.query("Q", iterations=3, cypher_iterations=0)
    assert context
    assert len(context) == len(set(context))

    class Store(LocalKGStore):
        def execute_query(self, query: str) -> list[dict[str, str]]:
            raise AssertionError(query)

    first = f"{FINISH}\n<opencypher>\nMATCH (a) RETURN a\n</opencypher>"
    assert ByoKGQueryEngine(Store(), llm_generator=Llm(first)).query("Q") == []


@pytest.mark.parametrize("name", ["max_num_relations", "max_num_entities"])
def test_3_4_the_limits_of_the_agentic_retriever_change_what_it_walks(name: str) -> None:
    edges = [("A", f"r{n}", f"x{n}") for n in range(6)]
    edges += [(f"x{n}", "more", f"y{n}") for n in range(6)]
    traversal = GTraversal(LocalKGStore(edges))
    every = {"relations": ["more", *(f"r{n}" for n in range(6))]}
    ends = {"entities": [f"x{n}" for n in range(6)]}

    def walked(most: int) -> list[str]:
        how = {"max_num_relations": 6, "max_num_entities": 6, "max_num_iterations": 2, name: most}
        llm = Llm(*(json.dumps(reply) for reply in (every, ends, every, ends)))
        made = AgenticRetriever(llm, traversal, TripletGVerbalizer(), **how)
        return made.retrieve("q", ["A"])

    assert len(walked(1)) < len(walked(6))


def test_3_4_tools_that_share_a_format_are_within_two_hops(traversal: GTraversal) -> None:
    assert ("B", "uses", "F") in traversal.multi_hop_expand(["A"], 2)


def test_3_4_more_arguments_are_taken_and_the_order_of_paths_is_kept(
    traversal: GTraversal,
) -> None:
    retriever = PathRetriever(traversal, PathVerbalizer(), more=1)
    told = [tuple(retriever.retrieve(["F"], [["uses"]], [], even=2)) for _ in range(3)]
    assert set(told) == {("A uses F", "B uses F")}


@pytest.mark.parametrize("text", ["Data Set", "call peaks"])
def test_3_4_honest_text_runs_on_the_local_store(text: str, graph_store: LocalKGStore) -> None:
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    query = f"MATCH (a:Node) WHERE a.name = '{text}' RETURN a"
    assert GraphQueryRetriever(graph_store).retrieve(query) == [EMPTY]


def test_3_4_load_csv_is_refused_on_the_local_store(graph_store: LocalKGStore) -> None:
    (told,) = GraphQueryRetriever(graph_store).retrieve("LOAD CSV FROM 'x' AS r RETURN r")
    assert told.startswith("The query was not run.")


def test_3_4_one_hop_works_on_the_local_store(traversal: GTraversal) -> None:
    assert traversal.one_hop_expand(["B"]) == [("B", "next", "C"), ("B", "uses", "F")]


def test_3_4_the_local_store_offers_a_query_task(graph_store: LocalKGStore) -> None:
    assert "opencypher" in graph_store.get_linker_tasks()


def test_3_4_no_cloud_client_is_loaded_for_a_local_graph() -> None:
    code = (
        "import sys; from retrieval.compat.byokg_rag.graphstore import LocalKGStore\n"
        "LocalKGStore([('A', 'uses', 'F')]); print('boto3' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


def test_3_4_the_local_reranker_runs_on_a_processor_unless_told_otherwise() -> None:
    told = inspect.signature(LocalGReranker).parameters
    assert "cuda" not in str({name: one.default for name, one in told.items()})


def test_3_4_the_answer_has_one_tag_in_every_prompt() -> None:
    linker = KGLinker(Llm(""))
    for again in (False, True):
        told = linker.prompts(again=again)
        assert "<answers>" in told
        assert "<select" not in told
