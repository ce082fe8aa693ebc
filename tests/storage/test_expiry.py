"""Names end once their time is over, in the order of their last renewal."""

from __future__ import annotations

import queue

import pytest

from retrieval.storage.expiry import Expiry


def test_each_name_ends_once_after_its_time() -> None:
    ended: queue.Queue[str] = queue.Queue()
    expiry = Expiry(ended.put, 0.05)
    expiry.renew("a")
    expiry.renew("b")
    assert [ended.get(timeout=20), ended.get(timeout=20)] == ["a", "b"]
    expiry.renew("a")
    assert ended.get(timeout=20) == "a"
    assert ended.empty()


def test_a_dropped_name_does_not_end_and_a_renewed_one_ends_later() -> None:
    ended: queue.Queue[str] = queue.Queue()
    expiry = Expiry(ended.put, 0.3)
    for name in "abc":
        expiry.renew(name)
    expiry.drop("b")
    expiry.renew("a")
    assert [ended.get(timeout=20), ended.get(timeout=20)] == ["c", "a"]
    with pytest.raises(queue.Empty):
        ended.get(timeout=0.5)


def test_one_name_that_cannot_be_ended_holds_no_other_up() -> None:
    ended: queue.Queue[str] = queue.Queue()

    def end(name: str) -> None:
        if name == "a":
            raise OSError
        ended.put(name)

    expiry = Expiry(end, 0.05)
    for name in "ab":
        expiry.renew(name)
    assert ended.get(timeout=20) == "b"
