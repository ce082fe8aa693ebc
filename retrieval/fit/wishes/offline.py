"""Whether a tool can be used without a network, by the words and interfaces of its record."""

from __future__ import annotations

import re

from retrieval.core import Tool
from retrieval.fit.machine import SYSTEMS, in_container
from retrieval.fit.verdict import field
from retrieval.fit.wishes.interface import Stated

REMOTE = frozenset({"web", "REST"})
"""Interfaces that are used over a network."""

PROGRAM = frozenset({"command line", "desktop", "container", "plugin", "notebook"})
"""Interfaces of what is on one's own machine. A language may be that of the client of a service."""

LOCAL_KEYWORDS = frozenset({"offline", "no upload", "client-side", "runs locally"})

_LOCAL = re.compile(
    r"\b(?:runs?|running|works?|computes?|usable|used)\b[^.;]{0,60}\blocally\b"
    r"|\b(?:cloud|online|service|container)\b[^.;]{0,40}\bor locally\b"
    r"|\blocally\b[^.;]{0,60}\bor (?:on|in|through|as) (?:the|an?|its)\b"
    r"|\bown (?:machine|computer)\b"
    r"|\blocal (?:large )?language models?\b"
    r"|\b(?:runs?|works?|usable|used|fully|completely) off-?line\b"
    r"|\bwithout (?:an? |any )?(?:internet|network (?:connection|access))\b",
    re.IGNORECASE,
)
"""Words of a record that say that the tool does its work on the user's machine."""

_SERVER = re.compile(r"\b(?:a|the|public|remote) servers?\b", re.IGNORECASE)
"""Words of a record that speak of another machine: part of the work may be done there."""

HOSTING = re.compile(r"host|héberg|aloja|aloje|hosped|ospitat|deploy|托管|部署", re.IGNORECASE)
"""Words of a wish for a service that one runs on a server of one's own."""


def stated_hosted(tool: Tool) -> Stated:
    """Met by what is used over a network and can be put on a server; else as for offline use."""
    ways = [one for one in tool.interfaces if one in REMOTE]
    if not ways or _is_service(tool):
        return stated_offline(tool)
    can_be_put = tool.install or in_container(tool) or not set(SYSTEMS).isdisjoint(tool.platforms)
    return True if can_be_put else None, field("interfaces", tool.interfaces)


def stated_offline(tool: Tool) -> Stated:
    """Met where words say so; not met by a service that nothing brings to one's own machine."""
    words = [word for word in tool.keywords if word.casefold() in LOCAL_KEYWORDS]
    if words:
        return True, field("keywords", words[:1])
    match = _LOCAL.search(tool.description)
    if match and not _SERVER.search(tool.description):
        return True, field("description", [match.group()])
    is_remote = _is_service(tool)
    return False if is_remote else None, field("interfaces", tool.interfaces if is_remote else ())


def _is_service(tool: Tool) -> bool:
    """Whether the record states ways over a network alone, and nothing to install or run it on.

    Of a service with a REST interface and no language of its own, the languages that it can be
    called from are those of its clients.
    """
    ways = frozenset(tool.interfaces)
    if not ways or tool.install or not set(SYSTEMS).isdisjoint(tool.platforms):
        return False
    is_called = "REST" in ways and not tool.languages and ways.isdisjoint(PROGRAM)
    return is_called or ways <= REMOTE
