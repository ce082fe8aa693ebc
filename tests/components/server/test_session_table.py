import pytest

from components.server.visitors.session_table import (
    ForeignSession,
    SessionLimits,
    SessionTable,
    TooManySessions,
)

OWN, OTHER = frozenset({"own"}), frozenset({"other"})
NOBODY: frozenset[str] = frozenset()


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def table(clock):
    limits = SessionLimits(total=6, per_address=4, idle_s=7200)
    return SessionTable(limits, clock)


def used(table, name, address="10.0.0.1", *, values=True):
    session = table.use(name, address, OWN)
    session.has_values = values
    return session


def test_a_session_answers_its_own_secret_only(table):
    table.use("a", "10.0.0.1", OWN)
    assert table.check("a", "10.9.9.9", OWN | OTHER)
    for secrets in (OTHER, NOBODY):
        with pytest.raises(ForeignSession, match="another browser"):
            table.use("a", "10.0.0.1", secrets)


def test_a_session_without_a_secret_is_bound_to_its_address(table):
    table.use("a", "10.0.0.1", NOBODY)
    assert table.check("a", "10.0.0.1", NOBODY)
    with pytest.raises(ForeignSession):
        table.check("a", "10.0.0.2", NOBODY)


def test_a_secret_that_comes_later_binds_from_then_on(table):
    table.use("a", "10.0.0.1", NOBODY)
    table.use("a", "10.0.0.1", OWN)
    with pytest.raises(ForeignSession):
        table.check("a", "10.0.0.1", NOBODY)


def test_a_flood_of_empty_sessions_ends_empty_sessions_of_its_own_address(table):
    used(table, "mine", "10.0.0.1")
    used(table, "neighbour", "10.0.0.2")
    used(table, "empty neighbour", "10.0.0.2", values=False)
    for number in range(100):
        used(table, f"flood {number}", "10.0.0.1", values=False)
    assert all(name in table for name in ("mine", "neighbour", "empty neighbour", "flood 99"))
    assert len(table) == 6


def test_an_active_session_is_not_ended_for_another_of_its_address(table):
    for number in range(4):
        used(table, f"a{number}")
    with pytest.raises(TooManySessions, match="4 pages are open from your network"):
        used(table, "a4")
    assert all(f"a{number}" in table for number in range(4))
    used(table, "b0", "10.0.0.2")


def test_the_longest_idle_session_of_the_address_makes_room(table, clock):
    for number in range(4):
        used(table, f"a{number}")
    used(table, "b0", "10.0.0.2")
    clock.now = 601
    used(table, "a0")
    used(table, "a4")
    assert "a1" not in table
    assert all(name in table for name in ("a0", "a2", "a3", "a4", "b0"))


def test_a_closed_page_makes_room_at_once(table):
    for number in range(4):
        used(table, f"a{number}").closed = number == 2
    used(table, "a4")
    assert "a2" not in table


def test_a_full_house_says_busy_and_keeps_its_guests(table, clock):
    for number in range(6):
        used(table, str(number), f"10.0.0.{number}")
    with pytest.raises(TooManySessions, match="all 6 places"):
        used(table, "new", "10.1.0.0")
    clock.now = 601
    used(table, "new", "10.1.0.0")
    assert "0" not in table
    assert len(table) == 6


def test_a_session_with_an_event_under_way_is_not_ended(table, clock):
    table.is_busy = lambda name: name == "0"
    for number in range(4):
        used(table, str(number), values=False)
    used(table, "new")
    assert "0" in table
    assert "1" not in table
    clock.now = 10_000
    table.end_idle()
    assert list(filter(table.__contains__, ("0", "2", "new"))) == ["0"]


def test_an_idle_session_ends_and_what_it_held_is_discarded(table, clock):
    gone = []
    table.discard = gone.append
    used(table, "a")
    clock.now = 3600
    used(table, "b")
    clock.now = 7201
    table.end_idle()
    assert gone == ["a"]
    assert "b" in table
