"""Which hosts a request may name."""

from __future__ import annotations

import pytest

from components.server import AllowedHosts
from components.server.requests.hosts import parse_host, parse_origin
from retrieval import read_settings
from retrieval.core.errors import BadInput

HOSTS = AllowedHosts.of(["127.0.0.1", "scouts.example.org", "*.lab.example"])


@pytest.mark.parametrize(
    "text",
    [
        "localhost:7860",
        "LOCALHOST",
        "localhost.:80",
        "page.localhost",
        "127.0.0.1:1",
        "127.8.8.8",
        "[::1]:7860",
        "192.0.2.7:7860",
        "[2001:db8::7]",
        "Scouts.Example.org:8443",
        "a.lab.example",
    ],
)
def test_loopback_numbers_and_named_hosts_are_allowed_at_any_port(text):
    assert HOSTS.allows(parse_host(text))


@pytest.mark.parametrize(
    "text",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "scouts.example.org.evil.example",
        "lab.example",
        "evillab.example",
        "2130706433",
        "0x7f000001",
    ],
)
def test_any_other_name_is_not(text):
    assert not HOSTS.allows(parse_host(text))


@pytest.mark.parametrize("text", ["", "a@b", "a/b", "[::1", "a:port", "http://a", "a?b"])
def test_what_is_no_host_is_none(text):
    assert parse_host(text) is None


def test_an_origin_is_a_scheme_and_a_host():
    assert parse_origin("https://a.example:443") == parse_host("a.example")
    assert parse_origin("http://a.example:81") != parse_host("a.example")
    assert parse_origin("null") is None
    assert parse_origin("file://a") is None


def test_the_hosts_of_the_page_come_from_three_settings(monkeypatch):
    monkeypatch.setenv("SCANSCOUT_HOST", "scout-box")
    monkeypatch.setenv("SCANSCOUT_ALLOWED_HOSTS", "a.example, *.b.example")
    monkeypatch.setenv("SPACE_HOST", "owner-name.hf.space,custom.example")
    hosts = AllowedHosts.of(read_settings(None).page_hosts)
    names = "scout-box a.example x.b.example owner-name.hf.space custom.example"
    assert all(hosts.allows(parse_host(name)) for name in names.split())
    assert not hosts.allows(parse_host("other.hf.space"))


@pytest.mark.parametrize("value", ["https://a.example", "a.example:80", "*", "a b"])
def test_an_allowed_host_that_is_none_is_refused_by_name(monkeypatch, value):
    monkeypatch.setenv("SCANSCOUT_ALLOWED_HOSTS", value)
    with pytest.raises(BadInput, match="SCANSCOUT_ALLOWED_HOSTS"):
        read_settings(None)
