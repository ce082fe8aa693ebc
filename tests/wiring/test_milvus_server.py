"""An engine on a Milvus server that is killed, started again, locked and encrypted."""

from __future__ import annotations

import subprocess
from time import monotonic, sleep

import pytest

import retrieval.dense.server.failover as failover
from retrieval.core.errors import StageUnavailable
from retrieval.dense.server.milvus_link import PURPOSE, Link, MilvusAddress
from retrieval.net.permission import OutsideCalls
from retrieval.wiring.index.sync import sync
from tests.contracts.milvus_rows import needs_client
from tests.fakes import HashingEncoder, parts_of
from tests.milvus_server import started
from tests.wiring.test_stores import listed, opened, settings, told  # noqa: F401 - a fixture

pytestmark = [pytest.mark.process, needs_client]

ALLOWED = OutsideCalls(frozenset({PURPOSE}))


def stage(engine, name="fused/dense"):
    return parts_of(engine.run("segment the lung").result)[name]


def until(condition, seconds=60):
    end = monotonic() + seconds
    while not condition():
        assert monotonic() < end
        sleep(0.5)


def test_a_server_killed_and_started_again_loses_nothing(settings, milvus_server):  # noqa: F811
    on_server = {"milvus_uri": milvus_server.uri}
    chosen = settings.model_copy(update=on_server)
    assert sync(chosen, HashingEncoder())["fallbacks"] == []
    plain, _ = opened(settings)
    engine, made = opened(settings, **on_server)
    assert isinstance(made.parts.vectors, failover.FailoverStore)
    assert stage(engine).status == "ok"
    before = listed(engine, "fused/dense")
    assert before == pytest.approx(listed(plain, "fused/dense"))

    milvus_server.kill()
    meets = stage(engine)
    assert (meets.status, meets.note.count("Milvus at 127.0.0.1")) == ("fallback", 1)
    begun = monotonic()
    assert listed(engine, "fused/dense") == pytest.approx(before)
    assert monotonic() - begun < 2
    restarted, _ = opened(settings, **on_server)
    assert listed(restarted, "fused/dense") == pytest.approx(before)
    assert [used for _, used, _ in told(restarted)] == ["FAISS in memory"]
    [notice] = sync(chosen, HashingEncoder())["fallbacks"]
    assert "check that it runs" in notice["reason"]

    milvus_server.start()
    until(lambda: stage(engine).status == "ok")
    assert listed(engine, "fused/dense") == pytest.approx(before)
    assert sync(chosen, HashingEncoder())["fallbacks"] == []


def test_a_server_killed_while_a_sync_writes_is_told_and_the_next_sync_mends(
    settings,  # noqa: F811
    milvus_server,
    monkeypatch,
):
    chosen = settings.model_copy(update={"milvus_uri": milvus_server.uri})
    chosen.catalog.write_text(chosen.catalog.read_text().replace("Tool 3", "Tool 333"))

    def killing(*_):
        milvus_server.kill()
        raise StageUnavailable("Milvus at 127.0.0.1 refused or did not answer")

    with monkeypatch.context() as patch:
        patch.setattr("retrieval.dense.server.milvus_writing._await_rows", killing)
        counts = sync(chosen, HashingEncoder())
    assert counts["added"] == 24
    assert counts["fallbacks"][0]["used"] == "FAISS in memory"
    milvus_server.start()
    assert sync(chosen, HashingEncoder())["fallbacks"] == []
    engine, _ = opened(chosen)
    assert stage(engine).status == "ok"
    assert told(engine) == []


def test_a_server_that_wants_a_user_and_encrypts_is_asked_by_settings(tmp_path, milvus_server):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout {key} -out {certificate} "
        "-subj /CN=localhost -addext subjectAltName=DNS:localhost",
        shell=True,
        check=True,
        capture_output=True,
    )
    milvus_server.kill()
    options = ["--authorization-enabled", "true", "--tls-mode", "1"]
    files = ["--server-pem-path", str(certificate), "--server-key-path", str(key)]
    locked = started(tmp_path, *options, *files)
    try:
        uri = f"https://localhost:{locked.port}"
        fields = {"uri": uri, "user": "root", "ca_file": str(certificate)}
        address = MilvusAddress(**fields, password="Milvus")
        assert Link(address, ALLOWED).client.list_collections() == []
        for wrong in (MilvusAddress(**fields, password="x"), MilvusAddress(uri=uri)):
            with pytest.raises(StageUnavailable, match="password or token is right") as refused:
                Link(wrong, ALLOWED).client.list_collections()
            assert "Milvus at localhost" in str(refused.value)
    finally:
        locked.kill()
        milvus_server.start()
