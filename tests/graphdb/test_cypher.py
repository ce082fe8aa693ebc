"""Cypher that only reads, on the real embedded store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.core.codes import Format
from retrieval.core.errors import StageUnavailable
from retrieval.graph.build import build_graph
from retrieval.graph.facts import catalog_facts
from retrieval.graph.querying import QueryFailed, Refused
from retrieval.graphdb.cypher import CypherStore
from retrieval.graphdb.cypher_guard import Bounds, cypher_refusal, reading_cypher
from retrieval.graphdb.lexer import MAX_QUERY
from tests.fakes import make_tool
from tests.graphdb.query_texts import FORBIDDEN_CYPHER, HONEST_CYPHER

pytestmark = pytest.mark.process

pytest.importorskip("ladybug", reason="the package ladybug is not installed")

TOOLS = (
    make_tool(
        "dcm2niix",
        formats_in=(Format.DICOM,),
        formats_out=(Format.NIFTI,),
        tasks=("conversion",),
        license="BSD-2-Clause",
    ),
    make_tool("fsl", formats_in=(Format.NIFTI,), tasks=("skull stripping",), suite="FSL"),
    make_tool("nd2", formats_in=(Format.ND2, Format.CZI), requires_tool=("fsl",)),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> CypherStore:
    base = catalog_facts(TOOLS, build_graph(TOOLS))
    return CypherStore.fill(base, tmp_path_factory.mktemp("cypher") / "graph.db")


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Path]:
    """A file that no query may read, and beside which none may write."""
    path = tmp_path / "canary.csv"
    path.write_text("id\nsecret-canary\n")
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    yield path
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [p.name for p in tmp_path.iterdir()] == ["canary.csv"]


def test_there_are_at_least_fifty_forbidden_and_ten_honest_texts() -> None:
    assert len(set(FORBIDDEN_CYPHER)) >= 50
    assert len(set(HONEST_CYPHER)) >= 10


@pytest.mark.parametrize("text", FORBIDDEN_CYPHER)
@pytest.mark.requirement("S3-15")
def test_a_text_that_does_more_than_read_is_refused(
    text: str, store: CypherStore, canary: Path
) -> None:
    query = text.replace("{canary}", str(canary))
    with pytest.raises(Refused) as told:
        store.run(query)
    assert "secret-canary" not in str(told.value)
    assert store.run("MATCH (t:Tool) RETURN count(*) AS n").rows == (("3",),)


@pytest.mark.parametrize("text", HONEST_CYPHER)
@pytest.mark.requirement("S3-15")
def test_an_honest_text_runs(text: str, store: CypherStore) -> None:
    rows = store.run(text)
    assert (rows.language, bool(rows.columns)) == ("Cypher", True)


@pytest.mark.requirement("S3-04")
def test_failure_words_inside_strings_and_names_are_not_refused() -> None:
    for text in HONEST_CYPHER:
        assert cypher_refusal(text) == ""


@pytest.mark.parametrize("name", ["CREATED_AT", "SETTINGS", "OFFSET", "DROPPED_ITEMS"])
def test_names_that_begin_as_words_of_change_are_honest(name: str, store: CypherStore) -> None:
    rows = store.run(f"MATCH (t:Tool) RETURN t.name AS {name} ORDER BY {name} LIMIT 1")
    assert rows.columns == (name,)


def test_with_the_block_off_everything_is_allowed() -> None:
    assert cypher_refusal("CREATE (n)", block_changes=False) == ""
    assert "CREATE" in cypher_refusal("CREATE (n)")


def test_rows_tell_nodes_by_name_and_keep_their_ids(store: CypherStore) -> None:
    rows = store.run("MATCH (t:Tool)-[:accepts]->(f:Format {name: 'DICOM'}) RETURN t, f.name")
    assert rows.columns == ("t", "f.name")
    assert rows.rows == (("dcm2niix", "DICOM"),)
    assert rows.nodes == ("dcm2niix",)


def test_rows_are_bounded_whatever_the_query_asks(tmp_path: Path) -> None:
    base = catalog_facts(TOOLS, build_graph(TOOLS))
    store = CypherStore.fill(base, tmp_path / "graph.db", Bounds(rows=2))
    rows = store.run("MATCH (t:Tool) RETURN t.name LIMIT 1000")
    assert (len(rows.rows), rows.cut) == (2, True)


def test_a_query_that_takes_too_long_is_stopped_and_the_store_goes_on(tmp_path: Path) -> None:
    tools = [make_tool(f"t{n}", tasks=("conversion",)) for n in range(700)]
    store = CypherStore.fill(
        catalog_facts(tools, build_graph(tools)), tmp_path / "graph.db", Bounds(seconds=0.3)
    )
    slow = "MATCH (a:Tool), (b:Tool), (c:Tool) WHERE a.name < b.name AND b.name < c.name"
    with pytest.raises(QueryFailed, match=r"did not end within|memory"):
        store.run(f"{slow} RETURN max(a.name + b.name + c.name)")
    assert store.run("MATCH (t:Tool {id: 't1'}) RETURN t.name").rows == (("t1",),)


def test_what_the_store_cannot_run_is_told_in_plain_words(store: CypherStore) -> None:
    with pytest.raises(QueryFailed, match="the store could not run it"):
        store.run("MATCH (t:Nowhere) RETURN t")


def test_the_schema_names_labels_relations_and_properties(store: CypherStore) -> None:
    assert "(:Tool {id, name, license" in store.schema()
    assert "(:Tool)-[:accepts]->(:Format)" in store.schema()


def test_a_missing_database_says_so(tmp_path: Path) -> None:
    with pytest.raises(StageUnavailable, match=r"missing\.db"):
        CypherStore(tmp_path / "missing.db", "")


@pytest.mark.parametrize(
    "text", ["(" * 2000, "RETURN " + "(" * 900, "MATCH " + "({a: " * 500, "RETURN " + "NOT " * 900]
)
def test_deep_nesting_is_refused_and_not_run_into(text: str) -> None:
    with pytest.raises(Refused):
        reading_cypher(text)


def test_a_long_query_is_refused() -> None:
    with pytest.raises(Refused, match="longer"):
        reading_cypher("MATCH (n) RETURN n" + " " * MAX_QUERY)


WRITING = st.sampled_from(
    ["CREATE (n)", "MERGE (n)", "DELETE n", "DETACH DELETE n", "SET n.x = 1", "REMOVE n.x",
     "DROP TABLE Tool", "CALL f()", "LOAD FROM 'f'", "COPY Tool TO 'f'", "EXPORT DATABASE 'f'",
     "INSTALL x", "ATTACH 'f' AS d"]
)  # fmt: skip
SHAPES = (
    "{w} {r} RETURN n",
    "{r} {w} RETURN n",
    "{r} RETURN n {w}",
    "{r} RETURN n;{w}",
    "{w}",
    "{r} WHERE n.x = 1 {w} RETURN n",
)
SPACE = st.text(alphabet=" \t\r\n", min_size=1, max_size=5)


@st.composite
def _hidden_writes(draw: st.DrawFn) -> str:
    """A writing clause in any case and spacing, before, inside or behind a reading query."""
    written = "".join(
        c.upper() if up else c.lower()
        for c, up in zip(
            draw(WRITING), draw(st.lists(st.booleans(), min_size=30, max_size=30)), strict=False
        )
    )
    gap = draw(SPACE)
    written = gap.join(written.split(" "))
    reading = "MATCH (n:Tool)"
    shape = draw(st.sampled_from(SHAPES))
    return str(shape).format(w=written, r=reading)


@settings(max_examples=300, deadline=None)
@given(_hidden_writes())
def test_property_no_writing_clause_passes_wherever_it_stands(text: str) -> None:
    assert cypher_refusal(text)


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=80))
def test_property_any_text_is_refused_or_written_anew(text: str) -> None:
    try:
        told = reading_cypher(text)
    except Refused:
        return
    assert reading_cypher(told) == told


QUOTABLE = st.text(alphabet=st.characters(exclude_characters="'\"\\`", codec="utf-8"), max_size=30)


@settings(max_examples=200, deadline=None)
@given(QUOTABLE)
def test_property_whatever_stands_in_quotes_is_honest_and_kept(text: str) -> None:
    told = reading_cypher(f"MATCH (t:Tool) WHERE t.name = '{text}' RETURN t.name")
    assert f"'{text}'" in told


@settings(max_examples=40, deadline=None)
@given(QUOTABLE)
def test_property_whatever_stands_in_quotes_runs_and_finds_nothing_else(
    store: CypherStore, text: str
) -> None:
    rows = store.run(f"MATCH (t:Tool) WHERE t.name = 'x{text}' RETURN t.name")
    assert rows.rows == ()
