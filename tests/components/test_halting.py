"""Stop reaches the readings of its own page and no other's; counts are painted now and then."""

from __future__ import annotations

from types import SimpleNamespace

from components.server.visitors.halting import Halts, seen, so_far
from retrieval import Progress


def visitor(name: str) -> SimpleNamespace:
    return SimpleNamespace(session_hash=name)


def test_stop_reaches_every_reading_of_its_page_and_none_of_another():
    halts = Halts()
    with (
        halts.running(visitor("a")) as one,
        halts.running(visitor("a")) as two,
        halts.running(visitor("b")) as other,
    ):
        halts.ask(visitor("a"))
        assert (one.requested, two.requested, other.requested) == (True, True, False)


def test_nothing_is_kept_of_a_visitor_whose_readings_are_over():
    halts = Halts()
    with halts.running(visitor("a")) as first:
        pass
    halts.ask(visitor("a"))
    assert not first.requested
    assert not halts._running


def test_counts_that_come_closely_are_left_out_and_the_upload_never_is():
    parts = [*(Progress(read=n, of=99) for n in range(99)), "upload"]
    painted = list(seen(iter(parts)))
    assert painted[0] == Progress(read=0, of=99)
    assert painted[-1] == "upload"
    assert len(painted) < len(parts)


def test_the_file_under_way_is_counted_from_one():
    assert so_far(Progress(read=11, of=37)) == "Reading file 12 of 37 …"
    assert so_far(Progress(read=37, of=37)) == "Reading file 37 of 37 …"
