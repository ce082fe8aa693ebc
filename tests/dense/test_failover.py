"""A store on a server with one on this machine behind it."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import retrieval.dense.server.failover as failover
from retrieval.core.errors import StageUnavailable
from retrieval.dense.server.failover import FailoverStore
from retrieval.dense.stores import NumpyStore

ROWS = np.eye(4, dtype=np.float32)


class Server(NumpyStore):
    """A store that is up or down, as a test sets it; it counts what it is asked."""

    up, calls = True, 0

    def search(self, *what):
        self.calls += 1
        if not self.up:
            raise StageUnavailable("the server is down")
        return super().search(*what)


@pytest.fixture
def server():
    return Server(list("abcd"), ROWS)


def finish_looks():
    for thread in threading.enumerate():
        if thread.name == "vector server":
            thread.join(10)


def test_the_spare_is_opened_when_the_server_fails_and_not_before(server):
    opened = []

    def spare():
        opened.append(1)
        return NumpyStore(list("abcd"), ROWS)

    store = FailoverStore(server, spare)
    hits = store.search(ROWS[2], 2)
    assert (opened, store.problem) == ([], "")
    server.up = False
    assert store.search(ROWS[2], 2) == hits
    assert store.search(ROWS[2], 2) == hits
    assert (opened, store.problem, server.calls) == ([1], "the server is down", 2)


def test_queries_go_to_the_server_again_once_it_answers(server, monkeypatch):
    monkeypatch.setattr(failover, "PAUSE_S", 0.0)
    store = FailoverStore(server, lambda: NumpyStore(list("abcd"), ROWS))
    server.up = False
    store.search(ROWS[0], 1)
    server.up = True
    assert store.search(ROWS[0], 1) == [("a", 1.0)]
    finish_looks()
    assert store.problem == ""
    calls = server.calls
    store.search(ROWS[0], 1)
    assert server.calls == calls + 1


def test_without_a_spare_both_reasons_are_given(server):
    def none():
        raise StageUnavailable("there is no index; run a sync")

    server.up = False
    with pytest.raises(StageUnavailable, match=r"the server is down; and here there is no index"):
        FailoverStore(server, none).search(ROWS[0], 1)
