"""Where a Milvus store is, and what is said when it cannot be had; no call unless allowed."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from time import monotonic

import pytest

from retrieval.core.errors import OutsideCallRefused, StageUnavailable
from retrieval.dense.server.milvus import MilvusStore
from retrieval.dense.server.milvus_link import PURPOSE, MilvusAddress
from retrieval.net.permission import OutsideCalls
from tests.contracts.milvus_rows import (
    NOBODY,
    ROOT,
    exact_rows,
    installed,
    named,
    needs_client,
)

pytestmark = pytest.mark.process

CLUSTER = OutsideCalls(frozenset({PURPOSE}))


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
        MilvusStore.open(address, "any", ["a"], CLUSTER)
    assert monotonic() - begun < 25
    assert met.is_set()
    assert "secret" not in f"{no.value} {address!r}"


@needs_client
def test_a_cluster_that_is_not_there_says_what_to_check():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    address = MilvusAddress(uri=f"http://user:secret@127.0.0.1:{port}", seconds=5.0)
    with pytest.raises(StageUnavailable, match="check that it runs at this address") as no:
        MilvusStore.open(address, "any", ["a"], CLUSTER)
    assert "secret" not in f"{no.value} {address!r}"


def test_no_cluster_is_called_before_somebody_switched_it_on(listener):
    place, met = listener
    with pytest.raises(OutsideCallRefused, match="vector store is off"):
        MilvusStore.open(MilvusAddress(uri=f"http://{place}"), "any", ["a"], NOBODY)
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
    assert guard.recent == []
    assert not met.wait(0.2)


@installed
def test_a_file_that_another_process_has_open_says_so(tmp_path):
    address = MilvusAddress(uri=str(tmp_path / "vectors.db"))
    held = MilvusStore.fill(address, "held", named(9), exact_rows(9), NOBODY)
    code = (
        "import sys; from retrieval.core.errors import StageUnavailable;"
        "from retrieval.net.permission import OutsideCalls;"
        "from retrieval.dense.server.milvus import *\n"
        "try: MilvusStore.open(MilvusAddress(uri=sys.argv[1]), 'any', ['a'], OutsideCalls())\n"
        "except StageUnavailable as exc: sys.exit(str(exc))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, address.uri],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
    )
    assert len(held.ids) == 9
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
        MilvusStore.open(MilvusAddress(uri=uri), "any", ["a"], CLUSTER)


def test_importing_the_adapter_loads_no_client():
    code = (
        "import sys, retrieval.dense.server.milvus;"
        "sys.exit(bool({'pymilvus', 'milvus_lite', 'grpc'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=300, cwd=ROOT).returncode == 0


@installed
def test_the_client_brings_no_line_of_a_dotenv_file_into_the_environment(tmp_path):
    (tmp_path / ".env").write_text("SOME_TOKEN=secret\n")
    code = (
        f"import os, sys; sys.path.insert(0, {str(ROOT)!r});"
        "import numpy as np; from retrieval.net.permission import OutsideCalls;"
        "from retrieval.dense.server.milvus import *; rows = np.ones((1, 4), dtype=np.float32);"
        "MilvusStore.fill(MilvusAddress(uri='v.db'), 'c', ['a'], rows, OutsideCalls());"
        "sys.exit('SOME_TOKEN' in os.environ)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=300, cwd=tmp_path).returncode == 0
