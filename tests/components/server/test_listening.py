"""Hosts and ports on which the page can listen, and what is said where it cannot."""

from __future__ import annotations

import asyncio
import socket

import gradio as gr
import httpx
import pytest

from components.serve import serve
from components.server.connections.listening import listening_sockets
from retrieval import Settings


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("host", "reached"),
    [
        ("::1", ["[::1]"]),
        ("[::1]", ["[::1]"]),
        ("::", ["[::1]", "127.0.0.1"]),
        ("0.0.0.0", ["127.0.0.1", "localhost"]),
        ("localhost", ["127.0.0.1", "localhost"]),
    ],
)
def test_the_page_listens_at_each_kind_of_host(host, reached):
    port = free_port()
    with gr.Blocks() as blocks:
        gr.Markdown("here")
    serve(blocks, Settings(_env_file=None, host=host, port=port), prevent_thread_lock=True)
    try:
        for name in reached:
            assert httpx.get(f"http://{name}:{port}/health", trust_env=False).status_code == 200
            assert httpx.get(f"http://{name}:{port}/", trust_env=False).status_code == 200
    finally:
        blocks.close(verbose=False)


@pytest.mark.parametrize("host", ["192.0.2.7", "no-such-host.invalid", "2001:db8::7", "x" * 300])
def test_a_wrong_host_is_named_and_not_the_port(host):
    with pytest.raises(SystemExit, match=r"^SCANSCOUT_HOST: ") as caught:
        listening_sockets(host, 7860)
    assert "PORT" not in str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "::", "localhost"])
def test_a_port_in_use_is_named_and_not_the_host(host):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as other:
        other.bind(("::1" if ":" in host else "127.0.0.1", 0))
        other.listen()
        with pytest.raises(SystemExit, match=r"^SCANSCOUT_PORT: port \d+ of .*cannot be used"):
            listening_sockets(host, other.getsockname()[1])


def test_without_a_port_the_next_free_one_is_used():
    first = listening_sockets("127.0.0.1", None)
    for one in first:
        one.listen()
    second = listening_sockets("127.0.0.1", None)
    ports = {one.getsockname()[1] for one in (*first, *second)}
    for one in (*first, *second):
        one.close()
    assert len(ports) == 2
    assert all(7860 <= port < 7960 for port in ports)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_accepted_connections_send_small_pieces_at_once(host):
    """A body that waits for the acknowledgement of its header comes 40 ms late."""

    async def accepted() -> int:
        connected = asyncio.get_running_loop().create_future()

        class Recording(asyncio.Protocol):
            def connection_made(self, transport):
                one = transport.get_extra_info("socket")
                connected.set_result(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                transport.close()

        (listening,) = listening_sockets(host, 0)
        async with await asyncio.get_running_loop().create_server(Recording, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            writer.close()
            return await asyncio.wait_for(connected, 30)

    assert asyncio.run(accepted()) != 0
