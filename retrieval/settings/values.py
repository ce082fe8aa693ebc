"""Types of settings beside numbers and words, each with a check and a readable message."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator


def _address(value: str) -> str:
    parts = urlsplit(value)
    if value and not (parts.scheme in {"http", "https"} and parts.hostname):
        raise ValueError("is no web address; write one such as https://example.org/api")
    return value.rstrip("/")


Address = Annotated[str, AfterValidator(_address)]
"""A web address without a slash at its end, or an empty text for the public one."""


def _networks(value: str) -> str:
    for part in filter(None, map(str.strip, value.split(","))):
        try:
            ip_network(part, strict=False)
        except ValueError:
            raise ValueError(f"{part!r} is no network; write 10.0.0.0/8 or an address") from None
    return value


Networks = Annotated[str, AfterValidator(_networks)]
"""Networks separated by commas."""


def _hosts(value: str) -> str:
    for part in filter(None, map(str.strip, value.split(","))):
        if not HOST_NAME.fullmatch(part):
            raise ValueError(f"{part[:60]!r} is no host; write example.org or *.example.org")
    return value


HOST_NAME = re.compile(r"(\*\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?|[0-9A-Fa-f:]+")
"""A name, with or without a star for all names below it, or an address; no scheme, no port."""

Hosts = Annotated[str, AfterValidator(_hosts)]
"""Names of hosts separated by commas."""


def _device(value: str) -> str:
    if not re.fullmatch(r"cpu|mps|cuda(:\d+)?", value):
        raise ValueError(f"{value[:40]!r} is no device; choose one of: cpu, cuda, cuda:N, mps")
    return value


Device = Annotated[str, AfterValidator(_device)]
"""A device in the words of torch."""


def _region(value: str) -> str:
    if value and not re.fullmatch(r"[a-z]{2}(-[a-z]+)+-\d+", value):
        raise ValueError(f"{value[:40]!r} is no region; write one such as us-west-2")
    return value


Region = Annotated[str, AfterValidator(_region)]
"""The code of a region of a cloud, which becomes part of an address; or an empty text."""
