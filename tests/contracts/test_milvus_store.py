"""The VectorStore suite over Milvus (a milvus-lite file), held to the values of NumpyStore."""

from __future__ import annotations

import hashlib
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

import tests.contracts.test_vector_store as suite
from retrieval.core.errors import OutsideCallRefused, StageUnavailable
from retrieval.core.guard import OutsideCalls
from retrieval.core.types import Selection
from retrieval.dense import IndexFolder, NumpyStore
from retrieval.dense.milvus import (
    PURPOSE,
    SPARE,
    WINDOW,
    MilvusAddress,
    MilvusStore,
    collection_name,
)

ROOT = Path(__file__).parents[2]
MISSING = [name for name in ("pymilvus", "milvus_lite") if find_spec(name) is None]
installed = pytest.mark.skipif(
    bool(MISSING), reason=f"{MISSING} not installed: pip install -e '.[milvus-lite]'"
)
needs_client = pytest.mark.skipif(
    "pymilvus" in MISSING, reason="pymilvus is not installed: pip install -e '.[milvus]'"
)
NOBODY = OutsideCalls()
CLUSTER = OutsideCalls(frozenset({PURPOSE}))

globals().update(
    {
        name: installed(test)
        for name, test in vars(suite).items()
        if name.startswith("test_") and "kind" in signature(test).parameters
    }
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return MilvusAddress(uri=str(tmp_path_factory.mktemp("milvus") / "vectors.db"))


@pytest.fixture(scope="module")
def filled(address):
    def fill(ids, vectors):
        content = hashlib.sha256("\n".join(ids).encode() + vectors.tobytes()).hexdigest()
        name = collection_name(content, "test", "test")
        return MilvusStore.fill(address, name, ids, vectors, NOBODY)

    return fill


@pytest.fixture
def kind(filled):
    def store_of(ids, vectors):
        store = filled(ids, vectors)
        store.vectors = vectors
        return store

    return store_of


def exact_rows(n, dim=64, seed=0):
    """Unit rows of sixteen quarters each: their inner products are exact, and many are equal."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((n, dim), dtype=np.float32)
    for row in rows:
        row[rng.choice(dim, 16, replace=False)] = rng.choice([-0.25, 0.25], 16)
    return rows


def named(n, seed=0):
    return [f"tool-{i:05}" for i in np.random.default_rng(seed).permutation(n)]


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
def test_ids_come_back_whole_and_in_order_over_several_pages(large):
    store, plain = large
    assert tuple(store.ids) == plain.ids


@installed
@pytest.mark.parametrize("kept", [SPARE, WINDOW + 500])
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
def test_a_collection_outlives_its_process(tmp_path):
    address = MilvusAddress(uri=str(tmp_path / "new folder" / "vectors.db"))
    ids, vectors = named(50), exact_rows(50)
    code = (
        "import sys; from tests.contracts.test_milvus_store import *;"
        "address, rows = MilvusAddress(uri=sys.argv[1]), exact_rows(50);"
        "MilvusStore.fill(address, 'kept', named(50), rows, NOBODY)"
    )
    subprocess.run([sys.executable, "-c", code, address.uri], check=True, timeout=60, cwd=ROOT)
    store = MilvusStore.open(address, "kept", NOBODY)
    assert store.search(vectors[0], 9) == NumpyStore(ids, vectors).search(vectors[0], 9)


@installed
def test_a_half_written_collection_is_never_read_and_is_written_again(address):
    store = MilvusStore.fill(address, "half_filling", named(3), exact_rows(3), NOBODY)
    assert len(store.ids) == 3
    with pytest.raises(StageUnavailable, match="has no vectors of this catalog; run a sync"):
        MilvusStore.open(address, "half", NOBODY)
    store = MilvusStore.fill(address, "half", named(20), exact_rows(20), NOBODY)
    assert list(store.ids) == named(20)


@installed
def test_a_collection_with_other_ids_is_replaced(address):
    MilvusStore.fill(address, "same_name", named(20), exact_rows(20), NOBODY)
    store = MilvusStore.fill(address, "same_name", ["b", "a"], exact_rows(2), NOBODY)
    assert store.ids == ("b", "a")
    assert store.search(exact_rows(2)[0], 5) == NumpyStore(("b", "a"), exact_rows(2)).search(
        exact_rows(2)[0], 5
    )


def test_a_collection_is_named_by_catalog_model_and_template():
    names = {collection_name(c, m, t) for c in "ab" for m in "ab" for t in "ab"}
    assert len(names) == 8
    assert all(name.isidentifier() and len(name) < 64 for name in names)


@pytest.fixture
def listener():
    """A port that takes connections and never answers; ``met`` says whether anybody came."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        met = threading.Event()

        def take():
            try:
                held = server.accept()
            except OSError:
                return
            met.set()
            stop.wait(30)
            held[0].close()

        stop = threading.Event()
        threading.Thread(target=take, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}", met
        stop.set()


@needs_client
def test_a_cluster_that_never_answers_is_given_up_in_time_with_the_remedy(listener):
    place, met = listener
    address = MilvusAddress(uri=f"http://{place}", token="root:secret", seconds=1.0)
    begun = monotonic()
    with pytest.raises(
        StageUnavailable, match=r"Milvus at 127\.0\.0\.1 .*check that it runs"
    ) as no:
        MilvusStore.open(address, "any", CLUSTER)
    assert monotonic() - begun < 10
    assert met.is_set()
    assert "secret" not in f"{no.value} {address!r}"


@needs_client
def test_a_cluster_that_is_not_there_says_what_to_check():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    address = MilvusAddress(uri=f"http://user:secret@127.0.0.1:{port}", seconds=5.0)
    with pytest.raises(StageUnavailable, match="check that it runs at this address") as no:
        MilvusStore.open(address, "any", CLUSTER)
    assert "secret" not in f"{no.value} {address!r}"


def test_no_cluster_is_called_before_somebody_switched_it_on(listener):
    place, met = listener
    with pytest.raises(OutsideCallRefused, match="vector store is off"):
        MilvusStore.open(MilvusAddress(uri=f"http://{place}"), "any", NOBODY)
    assert not met.wait(0.2)


@installed
def test_a_file_makes_no_outside_call_even_with_a_proxy_in_the_environment(
    tmp_path, listener, monkeypatch
):
    place, met = listener
    for name in ("http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, f"http://{place}")
    for name in ("no_proxy", "NO_PROXY", "no_grpc_proxy"):
        monkeypatch.delenv(name, raising=False)
    guard = OutsideCalls()
    address = MilvusAddress(uri=str(tmp_path / "vectors.db"))
    store = MilvusStore.fill(address, "quiet", named(9), exact_rows(9), guard)
    assert len(store.search(exact_rows(9)[0], 5)) == 5
    assert guard.made == []
    assert not met.wait(0.2)


@installed
def test_a_file_that_another_process_has_open_says_so(address, filled):
    filled(named(9), exact_rows(9))
    code = (
        "import sys; from retrieval.core.errors import StageUnavailable;"
        "from retrieval.core.guard import OutsideCalls; from retrieval.dense.milvus import *\n"
        "try: MilvusStore.open(MilvusAddress(uri=sys.argv[1]), 'any', OutsideCalls())\n"
        "except StageUnavailable as exc: sys.exit(str(exc))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, address.uri],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
    )
    assert told.returncode == 1
    assert "vectors.db" in told.stderr.splitlines()[-1]
    assert "no other process has it open" in told.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("package", "uri", "extra"),
    [
        ("pymilvus", "http://127.0.0.1:1", "milvus"),
        ("pymilvus", "vectors.db", "milvus-lite"),
        pytest.param("milvus_lite", "vectors.db", "milvus-lite", marks=needs_client),
    ],
)
def test_a_missing_package_names_the_extra(tmp_path, monkeypatch, package, uri, extra):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(StageUnavailable, match=rf"{package} .*pip install 'scanscout\[{extra}\]'"):
        MilvusStore.open(MilvusAddress(uri=uri), "any", CLUSTER)


def test_importing_the_adapter_loads_no_client():
    code = (
        "import sys, retrieval.dense.milvus;"
        "sys.exit(bool({'pymilvus', 'milvus_lite', 'grpc'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, cwd=ROOT).returncode == 0


@installed
def test_the_client_brings_no_line_of_a_dotenv_file_into_the_environment(tmp_path):
    (tmp_path / ".env").write_text("SOME_TOKEN=secret\n")
    code = (
        f"import os, sys; sys.path.insert(0, {str(ROOT)!r});"
        "import numpy as np; from retrieval.core.guard import OutsideCalls;"
        "from retrieval.dense.milvus import *; rows = np.ones((1, 4), dtype=np.float32);"
        "MilvusStore.fill(MilvusAddress(uri='v.db'), 'c', ['a'], rows, OutsideCalls());"
        "sys.exit('SOME_TOKEN' in os.environ)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, cwd=tmp_path).returncode == 0
