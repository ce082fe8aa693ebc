"""The VectorStore suite over Milvus (a file and a server), held to the values of NumpyStore."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from time import time

import numpy as np
import pytest

import tests.contracts.test_vector_store as suite
from retrieval.core.errors import StageUnavailable
from retrieval.core.types import Selection
from retrieval.dense.folder import IndexFolder
from retrieval.dense.inverted import InvertedStore
from retrieval.dense.server.milvus import SPARE, WINDOW, MilvusStore, collection_name
from retrieval.dense.server.milvus_link import PURPOSE, Link, MilvusAddress
from retrieval.dense.server.milvus_writing import MOST_OTHERS, create, point, write_collection
from retrieval.dense.stores import NumpyStore
from retrieval.net.permission import OutsideCalls
from tests.contracts.milvus_rows import NOBODY, ROOT, exact_rows, installed, named

pytestmark = pytest.mark.process

globals().update(
    {
        name: installed(test)
        for name, test in vars(suite).items()
        if name.startswith("test_") and "kind" in signature(test).parameters
    }
)


ALLOWED = OutsideCalls(frozenset({PURPOSE}))


@pytest.fixture(scope="module", params=["file", "server"])
def address(request, tmp_path_factory):
    if request.param == "file":
        return MilvusAddress(uri=str(tmp_path_factory.mktemp("milvus") / "vectors.db"))
    return MilvusAddress(uri=request.getfixturevalue("milvus_server").uri)


@pytest.fixture(scope="module")
def filled(address):
    def fill(ids, vectors, probes=0):
        content = hashlib.sha256("\n".join(ids).encode() + vectors.tobytes()).hexdigest()
        name = collection_name(content, "test", str(probes), ids)
        return MilvusStore.fill(address, name, ids, vectors, ALLOWED, probes)

    return fill


@pytest.fixture
def kind(filled):
    def store_of(ids, vectors):
        store = filled(ids, vectors)
        store.vectors = vectors
        return store

    return store_of


@installed
@pytest.mark.parametrize("seed", range(3))
def test_hits_and_scores_are_those_of_the_plain_backend_to_the_last_digit(filled, seed):
    ids, vectors = named(300, seed), exact_rows(300, seed=seed)
    store, plain = filled(ids, vectors), NumpyStore(ids, vectors)
    assert tuple(store.ids) == plain.ids
    rng = np.random.default_rng(seed)
    for k in (1, 20, 299, 1000):
        query = vectors[rng.integers(300)]
        drop = frozenset(rng.choice(ids, 40, replace=False).tolist()) | {"nobody"}
        keep = frozenset(rng.choice(ids, 60, replace=False).tolist()) | {"nobody"}
        for chosen in (
            Selection(),
            Selection(drop=drop),
            Selection(keep=keep),
            Selection(keep=keep, drop=drop),
        ):
            assert store.search(query, k, chosen) == plain.search(query, k, chosen)
        asked = [*ids[:30], "nobody", ids[3]]
        assert store.scores(query, asked) == plain.scores(query, asked)


@installed
def test_values_over_the_shipped_vectors_are_those_of_the_plain_backend(filled):
    held = IndexFolder(ROOT / "assets" / "index").load()
    ids, vectors = held.meta.ids, held.store.vectors
    store, plain = filled(ids, vectors), NumpyStore(ids, vectors)
    for row in range(0, len(ids), 40):
        drop = Selection(drop=frozenset(ids[row : row + 5]))
        truth = dict(plain.search(vectors[row], len(ids), drop))
        hits, expected = store.search(vectors[row], 50, drop), plain.search(vectors[row], 50, drop)
        assert [s for _, s in hits] == pytest.approx([s for _, s in expected], abs=2e-6)
        assert [s for _, s in hits] == pytest.approx([truth[i] for i, _ in hits], abs=2e-6)
    told = store.scores(vectors[0], ids)
    assert told == pytest.approx(plain.scores(vectors[0], ids), abs=2e-6)


@pytest.fixture(scope="module")
def large(filled):
    """More rows than one answer of Milvus may hold."""
    ids, vectors = named(WINDOW + 2000), exact_rows(WINDOW + 2000, dim=24)
    return filled(ids, vectors), NumpyStore(ids, vectors)


@installed
@pytest.mark.parametrize("kept", [SPARE, 7000, WINDOW + 500])
def test_a_large_filter_is_exact_whether_fetched_past_or_split(large, kept):
    store, plain = large
    keep = frozenset(plain.ids[:kept])
    for selection in (Selection(keep=keep), Selection(drop=frozenset(plain.ids) - keep)):
        query = plain.vectors[7]
        assert store.search(query, 40, selection) == plain.search(query, 40, selection)


@installed
def test_a_filter_finds_rows_that_stand_behind_all_that_one_answer_may_hold(large):
    store, plain = large
    query = plain.vectors[7]
    last = frozenset(i for i, _ in plain.search(query, len(plain.ids))[-900:])
    assert store.search(query, 40, Selection(keep=last)) == plain.search(
        query, 40, Selection(keep=last)
    )


@installed
def test_k_is_clamped_to_what_one_answer_may_hold(large):
    store, plain = large
    assert len(store.search(plain.vectors[0], 10**6)) == WINDOW
    assert store.search(plain.vectors[0], 0) == []


@installed
def test_a_tie_wider_than_the_first_fetch_is_cut_by_id(filled):
    ids, vectors = named(500), np.repeat(exact_rows(1), 500, axis=0)
    store = filled(ids, vectors)
    assert [i for i, _ in store.search(vectors[0], 3)] == sorted(ids)[:3]
    drop = Selection(drop=frozenset(sorted(ids)[:3]))
    assert [i for i, _ in store.search(vectors[0], 3, drop)] == sorted(ids)[3:6]


@installed
def test_threads_get_the_same_answers_as_one(filled):
    ids, vectors = named(300), exact_rows(300)
    store, plain = filled(ids, vectors), NumpyStore(ids, vectors)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda row: store.search(row, 20), vectors[:40]))
    assert found == [plain.search(row, 20) for row in vectors[:40]]


@installed
def test_cells_find_nearly_all_and_a_filter_finds_exactly(filled, address):
    rng = np.random.default_rng(3)
    centres = suite.unit(rng.standard_normal((40, 32)))
    noise = 0.4 * rng.standard_normal((20_000, 32)) / np.sqrt(32)
    vectors = suite.unit(centres[rng.integers(40, size=20_000)] + noise)
    ids = named(20_000)
    probes = InvertedStore.fill(ids, vectors).index.nprobe
    store, plain = filled(ids, vectors, probes), NumpyStore(ids, vectors)
    queries = suite.unit(centres + 0.4 * rng.standard_normal((40, 32)) / np.sqrt(32))
    shares = [
        len({i for i, _ in store.search(q, 50)} & {i for i, _ in plain.search(q, 50)}) / 50
        for q in queries
    ]
    assert np.mean(shares) >= 0.97
    for kept in (30, 15_000):
        selection = Selection(keep=frozenset(rng.choice(ids, kept, replace=False).tolist()))
        for query in queries[:5]:
            found, best = store.search(query, 50, selection), plain.search(query, 50, selection)
            assert [s for _, s in found] == pytest.approx([s for _, s in best], abs=2e-6)


@installed
def test_a_collection_outlives_its_process(tmp_path):
    address = MilvusAddress(uri=str(tmp_path / "new folder" / "vectors.db"))
    ids, vectors = named(50), exact_rows(50)
    code = (
        "import sys; from tests.contracts.test_milvus_store import *;"
        "address, rows = MilvusAddress(uri=sys.argv[1]), exact_rows(50);"
        "MilvusStore.fill(address, 'kept', named(50), rows, NOBODY)"
    )
    subprocess.run([sys.executable, "-c", code, address.uri], check=True, timeout=300, cwd=ROOT)
    store = MilvusStore.open(address, "kept", ids, NOBODY)
    assert store.search(vectors[0], 9) == NumpyStore(ids, vectors).search(vectors[0], 9)


def alias_of(text):
    return collection_name(text, "alias", "test")


@installed
def test_a_half_written_collection_is_never_read_and_is_written_again(address, monkeypatch):
    alias, ids, vectors = alias_of("half"), named(20), exact_rows(20)

    def killed(*_):
        raise StageUnavailable("killed before the last step")

    with monkeypatch.context() as patch:
        patch.setattr("retrieval.dense.server.milvus_writing.point", killed)
        with pytest.raises(StageUnavailable, match="killed"):
            MilvusStore.fill(address, alias, ids, vectors, ALLOWED)
    with pytest.raises(StageUnavailable, match="has no vectors of this catalog; run a sync"):
        MilvusStore.open(address, alias, ids, ALLOWED)
    store = MilvusStore.fill(address, alias, ids, vectors, ALLOWED)
    assert store.search(vectors[3], 5) == NumpyStore(ids, vectors).search(vectors[3], 5)


@installed
def test_a_collection_that_lost_rows_is_replaced_while_it_is_asked(address):
    alias, ids, vectors = alias_of("lost"), named(20), exact_rows(20)
    link = Link(address, ALLOWED)
    write_collection(link, alias, vectors[:3], 0)
    asked = MilvusStore(link, alias, ids)
    assert len(asked.search(vectors[0], 20)) == 3
    MilvusStore.fill(address, alias, ids, vectors, ALLOWED)
    assert asked.search(vectors[0], 20) == NumpyStore(ids, vectors).search(vectors[0], 20)


@installed
def test_a_second_writer_of_the_same_rows_takes_the_alias_and_both_answer(address):
    alias, ids, vectors = alias_of("twice"), named(20), exact_rows(20)
    links = Link(address, ALLOWED), Link(address, ALLOWED)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda link: write_collection(link, alias, vectors, 0), links))
    for link in links:
        found = MilvusStore(link, alias, ids).search(vectors[0], 5)
        assert found == NumpyStore(ids, vectors).search(vectors[0], 5)


@installed
def test_old_collections_go_and_those_of_other_catalogs_stay_up_to_a_number(address):
    link = Link(MilvusAddress(uri=address.uri, fill_seconds=60.0), ALLOWED)
    stamps = [int(time()) - 100 - n for n in range(MOST_OTHERS + 2)]
    others = [f"{alias_of(str(stamp))}_{stamp:08x}_abcdef" for stamp in stamps]
    own = f"{alias_of('live')}_{stamps[0]:08x}_abcdef"
    for name in (*others, own):
        create(link, name, 4)
        point(link, name[:42], name)
    write_collection(link, alias_of("live"), exact_rows(3), 0)
    left = link.client.list_collections()
    # Other tests left collections here as well, each of a catalog of its own.
    named_by_age = sorted(left, key=lambda name: name.rsplit("_", 2)[1])
    old = [n for n in named_by_age if int(n.rsplit("_", 2)[1], 16) < time() - 60]
    assert len(old) == MOST_OTHERS
    assert own not in left
    assert others[0] in left
    assert others[-1] not in left
    assert not link.client.has_collection(others[-1][:42])
    assert link.count(alias_of("live")) == 3


def test_a_collection_is_named_by_catalog_model_template_and_ids():
    two = "ab"
    names = {collection_name(c, m, t, i) for c in two for m in two for t in two for i in ("x", "y")}
    assert len(names) == 16
    assert all(name.isidentifier() and len(name) < 64 for name in names)
