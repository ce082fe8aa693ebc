"""Which connection makes room when too many are open, and which end for being late."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from components.server import parse_networks
from components.server.connections.connections import Connections
from components.server.connections.descriptors import connections_within, raised_limit


@dataclass(eq=False)
class Client:
    """A connection as the limits see it."""

    peer: str = "192.0.2.1"
    awaits_client: bool = True
    late: bool = False
    refused: list[int] = field(default_factory=list)

    def overdue(self, now: float) -> bool:
        return self.late and not self.refused

    def refuse(self, status: int, words: str) -> None:
        self.refused.append(status)


def entered(clients, **limits) -> Connections:
    async def enter() -> Connections:
        connections = Connections(**limits)
        for client in clients:
            connections.enter(client)
        return connections

    return asyncio.run(enter())


def refused(clients) -> list[int]:
    return [index for index, client in enumerate(clients) if client.refused]


def test_the_connection_that_was_silent_longest_makes_room():
    clients = [Client() for _ in range(4)]
    assert len(entered(clients, per_address=3)) == 3
    assert refused(clients) == [0]


def test_one_that_sent_a_byte_since_then_is_kept_open():
    clients = [Client() for _ in range(4)]

    async def enter() -> None:
        connections = Connections(per_address=3)
        for client in clients[:3]:
            connections.enter(client)
        connections.received(clients[0])
        connections.enter(clients[3])

    asyncio.run(enter())
    assert refused(clients) == [1]


def test_a_connection_that_is_being_answered_is_never_closed_for_another():
    clients = [*(Client(awaits_client=False) for _ in range(3)), Client()]
    entered(clients, per_address=3)
    assert refused(clients) == [3]


def test_one_address_does_not_use_up_what_others_have():
    many, other = [Client() for _ in range(9)], Client(peer="192.0.2.2")
    entered([other, *many], per_address=3)
    assert refused([other]) == []
    assert len(refused(many)) == 6


def test_all_addresses_together_have_a_limit():
    clients = [Client(peer=f"192.0.2.{n}") for n in range(6)]
    assert len(entered(clients, total=4)) == 4
    assert refused(clients) == [0, 1]


def test_a_trusted_proxy_stands_for_many_visitors():
    clients = [Client(peer="10.0.0.1") for _ in range(9)]
    entered(clients, per_address=3, trusted=parse_networks("10.0.0.0/8"))
    assert refused(clients) == []


def test_a_late_connection_is_told_so_within_two_seconds():
    late, early = Client(late=True), Client()

    async def wait() -> None:
        connections = Connections()
        connections.enter(late)
        connections.enter(early)
        async with asyncio.timeout(20):
            while not late.refused:
                await asyncio.sleep(0.05)

    asyncio.run(wait())
    assert (late.refused, early.refused) == ([408], [])


def test_a_closed_connection_counts_no_longer():
    async def enter() -> int:
        connections, client = Connections(), Client()
        connections.enter(client)
        connections.leave(client)
        connections.leave(client)
        return len(connections)

    assert asyncio.run(enter()) == 0


def test_the_limit_of_descriptors_is_raised_as_far_as_the_system_allows():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] < 600:
        pytest.skip("the hard limit of descriptors is too low to lower the soft one below it")
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, before[1]))
        raised = raised_limit()
        assert raised > 512
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == raised
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_fewer_descriptors_let_fewer_connections_in_and_that_is_logged(caplog):
    assert connections_within(8192, 2000) == 2000
    assert caplog.text == ""
    assert connections_within(1024, 2000) == 512
    assert connections_within(100, 2000) == 64
    assert "ulimit -n" in caplog.text
