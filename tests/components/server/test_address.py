"""Which machine sent a request, with and without a proxy in front."""

from __future__ import annotations

import pytest

from components.server import client_address, parse_networks

PROXIES = parse_networks("10.0.0.0/8, ::1")


def scope(peer: str | None, *forwarded: str):
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return {"client": (peer, 1) if peer else None, "headers": headers}


def test_the_peer_counts_where_it_is_no_trusted_proxy():
    assert client_address(scope("192.0.2.7", "203.0.113.9"), PROXIES) == "192.0.2.7"


def test_the_last_entry_counts_where_the_peer_is_a_trusted_proxy():
    sent = scope("10.1.2.3", "198.51.100.1, 198.51.100.2", "203.0.113.9")
    assert client_address(sent, PROXIES) == "203.0.113.9"


def test_a_trusted_proxy_without_an_entry_counts_itself():
    assert client_address(scope("::1"), PROXIES) == "::1"


def test_an_entry_that_is_no_address_is_unknown():
    assert client_address(scope("10.1.2.3", "<script>"), PROXIES) == "unknown"
    assert client_address(scope(None), PROXIES) == "unknown"


def test_an_ipv4_address_inside_ipv6_is_the_same_address():
    assert client_address(scope("::ffff:10.1.2.3", "::ffff:192.0.2.7"), PROXIES) == "192.0.2.7"


def test_a_network_that_is_none_is_refused():
    with pytest.raises(ValueError, match="toaster"):
        parse_networks("10.0.0.0/8, toaster")
