"""Stores by setting: the same answers from each, and a visible reason where one is missing."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec

import pytest

import retrieval.wiring.index.stores as stores
import retrieval.wiring.index.token_vectors as token_vectors
import retrieval.wiring.preparation as preparing
from retrieval import BadInput
from retrieval.catalog.load import load_catalog
from retrieval.core.types import Selection
from retrieval.dense.loading import Loading
from retrieval.engine.engine import Engine
from retrieval.net.permission import OutsideCalls
from retrieval.settings import Settings, read_settings
from retrieval.wiring.index.indexes import HYBRID, folder_of
from retrieval.wiring.index.sync import sync
from retrieval.wiring.parts import Sizes
from retrieval.wiring.preparation import Preparation
from tests.damage import WAYS
from tests.fakes import HashingEncoder, ids, parts_of

pytestmark = pytest.mark.process

PARTS = ["lung", "brain", "cell", "heart", "bone", "eye"]
ROWS = [
    {
        "id": f"t{n:02}",
        "name": f"Tool {n}",
        "description": f"segments {PARTS[n % 6]} images, kind {n}",
        "tasks": ["segmentation"] if n % 2 else ["registration"],
        "requires_tool": [f"t{n // 2:02}"] if n else [],
    }
    for n in range(24)
]
milvus = pytest.mark.skipif(
    find_spec("milvus_lite") is None, reason="milvus-lite is not installed: .[milvus-lite]"
)


@pytest.fixture
def settings(tmp_path, monkeypatch):
    def loading(*_):
        return Loading(HashingEncoder, id="hashing", dim=64)

    monkeypatch.setattr(preparing, "loading_encoder", loading)
    catalog = tmp_path / "catalog.jsonl"
    catalog.write_text("\n".join(map(json.dumps, ROWS)))
    return Settings(
        _env_file=None,
        catalog=catalog,
        index_dir=tmp_path / "index",
        cache_dir=tmp_path / "cache",
        plaza_encoder="",
    )


def opened(settings, **fields):
    """An engine with everything ready, and what it is made of."""
    chosen = settings.model_copy(update=fields)
    made = Preparation(chosen, Sizes(per_list=6))
    made.begin(load_catalog(chosen.catalog))
    made.complete()
    return Engine(made.snapshot()), made


def listed(engine, stage):
    found = parts_of(engine.run("segment the lung").result)[stage]
    return {c.tool.id: c.scores[stage] for c in found.state.candidates}


def told(engine):
    return list(engine.run("segment the lung").mode.notices)


@pytest.mark.parametrize("kind", ["numpy", "faiss", pytest.param("milvus", marks=milvus)])
@pytest.mark.requirement("S1-20")
def test_each_vector_store_gives_the_same_list(settings, kind, tmp_path):
    sync(settings, HashingEncoder())
    plain, _ = opened(settings)
    uri = str(tmp_path / "vectors.db") if kind == "milvus" else ""
    engine, made = opened(settings, vector_store=kind, milvus_uri=uri)
    served = "failover" if kind == "milvus" else kind
    assert served in type(made.parts.vectors).__name__.casefold()
    found, expected = listed(engine, "fused/dense"), listed(plain, "fused/dense")
    assert [*found] == [*expected]
    assert found == pytest.approx(expected)
    assert told(engine) == []


@milvus
def test_an_address_alone_chooses_milvus_and_sync_fills_it(settings, tmp_path):
    chosen = settings.model_copy(update={"milvus_uri": str(tmp_path / "vectors.db")})
    assert sync(chosen, HashingEncoder())["fallbacks"] == []
    stored = folder_of(chosen.index_dir, HYBRID).load()
    store = stores.served_by_milvus(stored, chosen, OutsideCalls())
    query = HashingEncoder().encode(["lung"])[0]
    keep = Selection(keep=frozenset({"t03", "t07", "t09"}))
    assert dict(store.search(query, 5, keep)) == pytest.approx(
        dict(stored.store.search(query, 5, keep))
    )


@pytest.mark.parametrize(
    ("uri", "reason"),
    [("", "SCANSCOUT_MILVUS_URI"), ("/nowhere/at/all", "SCANSCOUT_MILVUS_URI")],
)
def test_a_milvus_that_is_nowhere_is_told_and_faiss_answers(settings, uri, reason):
    engine, _ = opened(settings, vector_store="milvus", milvus_uri=uri)
    [(stage, used, why)] = told(engine)
    assert (stage, used) == ("dense", "FAISS in memory")
    assert reason in why
    assert listed(engine, "fused/dense")
    [notice] = sync(
        settings.model_copy(update={"vector_store": "milvus", "milvus_uri": uri}), HashingEncoder()
    )["fallbacks"]
    assert (notice["stage"], reason in notice["reason"]) == ("dense", True)


def test_a_missing_extra_is_told_with_how_to_get_it(settings, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    engine, _ = opened(settings, vector_store="milvus", milvus_uri=str(tmp_path / "vectors.db"))
    reasons = {stage: (used, why) for stage, used, why in told(engine)}
    assert reasons["dense"][0] == "FAISS in memory"
    assert "pip install 'scanscout[milvus-lite]'" in reasons["dense"][1]


def test_only_a_milvus_server_may_be_called_outside(settings):
    def purposes(**fields):
        return stores.store_purposes(settings.model_copy(update=fields))

    assert purposes() == purposes(milvus_uri="x.db") == frozenset()
    assert purposes(milvus_uri="https://m.example") == {"vector store"}
    assert purposes(milvus_uri="https://m.example", vector_store="faiss") == frozenset()


@pytest.mark.parametrize("kind", ["networkx", "arrays"])
@pytest.mark.requirement("S0-26")
def test_each_graph_store_gives_the_same_list(settings, kind):
    plain, _ = opened(settings, vector_search=False)
    engine, made = opened(settings, vector_search=False, graph_store=kind)
    name = {"arrays": "ArrayStore"}.get(kind, f"{kind.capitalize()}Store")
    assert type(made.parts.graph).__name__ == name
    graph = parts_of(engine.run("segment the lung").result)["graph"]
    expected = parts_of(plain.run("segment the lung").result)["graph"]
    assert ids(graph) == ids(expected)
    assert graph.graph.nodes == expected.graph.nodes
    assert graph.graph.edges == expected.graph.edges
    assert told(engine) == []


def test_the_graph_of_a_large_catalog_is_built_behind_the_first_answers(settings, monkeypatch):
    monkeypatch.setattr(stores, "SMALL", 10)
    chosen = settings.model_copy(update={"vector_search": False})
    made = Preparation(chosen, Sizes())
    engine = Engine(made.begin(load_catalog(chosen.catalog)))
    early = parts_of(engine.run("segment the lung").result)["graph"]
    assert (early.status, early.note) == ("skipped", "the graph of this catalog is being built")
    made.complete()
    engine = Engine(made.snapshot())
    assert parts_of(engine.run("segment the lung").result)["graph"].status == "ok"
    monkeypatch.setattr(stores, "built", None)
    again = Preparation(chosen, Sizes())
    engine = Engine(again.begin(load_catalog(chosen.catalog)))
    assert parts_of(engine.run("segment the lung").result)["graph"].status == "ok"


@pytest.mark.requirement("S0-08")
def test_sync_saves_the_graph_and_makes_it_again_only_for_another_catalog(settings):
    sync(settings, HashingEncoder())
    folder = settings.index_dir / "graph"
    first = {p.name: p.stat().st_mtime_ns for p in folder.glob("*.npz")}
    sync(settings, HashingEncoder())
    assert {p.name: p.stat().st_mtime_ns for p in folder.glob("*.npz")} == first
    settings.catalog.write_text("\n".join(map(json.dumps, ROWS[:9])))
    sync(settings, HashingEncoder())
    [graph] = folder.glob("*.npz")
    assert graph.name not in first


@pytest.mark.parametrize(
    ("wanted", "many", "status"),
    [
        ("auto", False, "ok"),
        ("auto", True, "skipped"),
        ("on", True, "ok"),
        ("off", False, "skipped"),
    ],
)
def test_token_vectors_are_off_for_many_records_unless_asked_for(
    settings, monkeypatch, wanted, many, status
):
    monkeypatch.setattr(token_vectors, "TOKENS", 10 if many else 100)
    engine, _ = opened(settings, token_vectors=wanted)
    answer = engine.run("segment the lung")
    [late] = [n for n in answer.result.walk() if n.name == "fused/late interaction"]
    assert late.status == status
    assert status == "ok" or "token vectors are" in late.note


@pytest.mark.parametrize("name", ["VECTOR_STORE", "GRAPH_STORE", "TOKEN_VECTORS"])
def test_a_store_that_does_not_exist_is_refused_naming_the_variable(monkeypatch, name):
    monkeypatch.setenv(f"SCANSCOUT_{name}", "cupboard")
    with pytest.raises(BadInput, match=f"SCANSCOUT_{name}"):
        read_settings(None)


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_saved_graph_is_built_and_saved_again(settings, way):
    sync(settings, HashingEncoder())
    expected = listed(opened(settings)[0], "graph")
    graphs = stores.Graphs(settings)
    key = graphs.key(load_catalog(settings.catalog))
    [path] = graphs.folder.root.glob(f"{key}-*.npz")
    WAYS[way](path)
    engine, _ = opened(settings)
    assert listed(engine, "graph") == expected
    if way != "missing":  # one that was never saved is a sync's to save
        assert graphs.folder.load(key)
