"""SPARQL that only reads, on the real store in its own process."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.graph.build import build_graph
from retrieval.graph.facts import FactBase, catalog_facts
from retrieval.graph.querying import QueryFailed, Refused
from retrieval.graphdb.cypher_guard import Bounds
from retrieval.graphdb.sparql import SparqlStore
from retrieval.graphdb.sparql_guard import reading_sparql
from tests.fakes import make_tool
from tests.graphdb.query_texts import FORBIDDEN_SPARQL, HONEST_SPARQL
from tests.graphdb.test_cypher import TOOLS

pytestmark = pytest.mark.process

pytest.importorskip("pyoxigraph", reason="the package pyoxigraph is not installed")


@pytest.fixture(scope="module")
def base() -> FactBase:
    return catalog_facts(TOOLS, build_graph(TOOLS))


@pytest.fixture(scope="module")
def store(base: FactBase, tmp_path_factory: pytest.TempPathFactory) -> SparqlStore:
    return SparqlStore.fill(base, tmp_path_factory.mktemp("sparql") / "rdf", Bounds(seconds=20))


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "canary.nt"
    path.write_text("<urn:secret-canary> <urn:a> <urn:b> .\n")
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    yield path
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [p.name for p in tmp_path.iterdir()] == ["canary.nt"]


def test_there_are_at_least_fifty_forbidden_and_ten_honest_sparql_texts() -> None:
    assert len(set(FORBIDDEN_SPARQL)) >= 50
    assert len(set(HONEST_SPARQL)) >= 10


@pytest.mark.parametrize("text", FORBIDDEN_SPARQL)
@pytest.mark.requirement("S3-15")
def test_a_sparql_text_that_does_more_than_read_is_refused(
    text: str, store: SparqlStore, canary: Path
) -> None:
    with pytest.raises(Refused) as told:
        store.run(text.replace("{canary}", str(canary)))
    assert "secret-canary" not in str(told.value)


@pytest.mark.parametrize("text", HONEST_SPARQL)
@pytest.mark.requirement("S3-15")
def test_an_honest_sparql_text_runs(text: str, store: SparqlStore) -> None:
    assert store.run(text).language == "SPARQL"


@pytest.mark.requirement("S3-09")
def test_sparql_rows_tell_nodes_by_their_ids(store: SparqlStore) -> None:
    rows = store.run("SELECT ?t WHERE { ?t r:accepts n:format%3ADICOM }")
    assert (rows.language, rows.columns, rows.rows) == ("SPARQL", ("t",), (("dcm2niix",),))
    assert rows.nodes == ("dcm2niix",)


def test_sparql_rows_are_bounded_whatever_the_query_asks(base: FactBase, tmp_path: Path) -> None:
    store = SparqlStore.fill(base, tmp_path / "rdf", Bounds(rows=2, seconds=20))
    rows = store.run("SELECT * WHERE { ?a ?b ?c } LIMIT 1000000")
    assert (len(rows.rows), rows.cut) == (2, True)


def test_a_sparql_query_that_takes_too_long_is_ended_with_its_process(tmp_path: Path) -> None:
    tools = [make_tool(f"t{n}", tasks=("conversion",)) for n in range(600)]
    base = catalog_facts(tools, build_graph(tools))
    store = SparqlStore.fill(base, tmp_path / "rdf", Bounds(seconds=1))
    with pytest.raises(QueryFailed, match="did not end within 1 s"):
        store.run("SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")


def test_a_sparql_query_that_takes_memory_is_ended_with_its_process(tmp_path: Path) -> None:
    tools = [make_tool(f"t{n}", tasks=("conversion",)) for n in range(1_000)]
    base = catalog_facts(tools, build_graph(tools))
    store = SparqlStore.fill(base, tmp_path / "rdf", Bounds(seconds=60))
    with pytest.raises(QueryFailed, match="256 MB beside the graph"):
        store.run("SELECT * WHERE { ?a ?b ?c . ?d ?e ?f } ORDER BY ?a ?f")
    assert store.run("SELECT ?a WHERE { ?a ?b ?c } LIMIT 3").cut is False


def test_what_sparql_cannot_run_is_told_in_plain_words(store: SparqlStore) -> None:
    with pytest.raises(QueryFailed, match="the store could not run it"):
        store.run("SELECT ?t WHERE { ?t r:accepts }")


def test_the_sparql_schema_names_prefixes_and_relations(store: SparqlStore) -> None:
    assert "PREFIX r: <urn:scanscout:relation:>" in store.schema()
    assert "?a a k:tool. ?a r:accepts ?b. ?b a k:format" in store.schema()


def test_the_prefixes_stay_known_where_a_query_declares_one_of_its_own(store: SparqlStore) -> None:
    own = "PREFIX label: <http://www.w3.org/2000/01/rdf-schema#> "
    rows = store.run(own + 'SELECT ?t WHERE { ?t r:accepts ?f . ?f label:label "DICOM" }')
    again = store.run("PREFIX r: <urn:other:> SELECT ?t WHERE { ?t r:accepts ?f }")
    assert (rows.rows, again.rows) == ((("dcm2niix",),), ())


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["INSERT DATA", "DELETE", "LOAD", "SERVICE", "FROM", "CLEAR", "DROP", "COPY"]),
    st.text(alphabet=" \t\n", min_size=1, max_size=4),
    st.sampled_from(
        [
            "{w} SELECT * WHERE { ?a ?b ?c }",
            "SELECT * {w} WHERE { ?a ?b ?c }",
            "SELECT * WHERE { ?a ?b ?c {w} }",
            "SELECT * WHERE { ?a ?b ?c } {w}",
            "SELECT * WHERE { ?a ?b ?c FILTER(?a<?b){w}<urn:x> }",
        ]
    ),
    st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_property_no_sparql_word_of_change_passes_wherever_it_stands(
    word: str, gap: str, shape: str, capitals: list[bool]
) -> None:
    cased = "".join(c if up else c.lower() for c, up in zip(word, capitals, strict=False))
    with pytest.raises(Refused):
        reading_sparql(shape.replace("{w}", gap.join(cased.split(" "))))


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=80))
def test_property_any_sparql_text_is_refused_or_written_anew(text: str) -> None:
    try:
        told = reading_sparql(text)
    except Refused:
        return
    assert reading_sparql(told) == told


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(exclude_characters="'\"\\\r\n", codec="utf-8"), max_size=30))
def test_property_whatever_stands_in_sparql_quotes_is_honest_and_kept(text: str) -> None:
    told = reading_sparql(f"SELECT ?t WHERE {{ ?t r:x '{text}' }}")
    assert f"'{text}'" in told
