"""The interfaces and hosts of records, against wishes for one and against wishes to do without."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from retrieval.core import Fit, Tool, Wish
from retrieval.fit.machine import SYSTEMS
from retrieval.fit.verdict import field

INTERFACES: Mapping[str, frozenset[str]] = {
    "graphical": frozenset({"desktop", "web"}),
    "browser": frozenset({"web"}),
}
"""Interfaces that meet a wish of another name; the others are met by their own."""

DIRECT: Mapping[str, str] = {
    "graphical": "desktop",
    "browser": "web",
    "iOS": "browser",
    "Android": "browser",
}
"""What a record states that has itself what a wish names; of other wishes it is their own value."""

IMAGES = frozenset({"docker", "apptainer"})
"""Kinds of installation that fetch a container."""

WINDOWED = frozenset({"graphical", "desktop"})
"""Interfaces that a plug-in may have from its host."""

WINDOWED_HOSTS = frozenset({"3dslicer", "napari", "fiji", "qupath", "mitk", "icy"})
"""Hosts, folded, whose own records state a desktop program: a plug-in is used in their windows."""

SAME_HOST: Mapping[str, str] = {"imagej": "fiji", "imagej2": "fiji"}
"""Hosts that run the plug-ins of another: Fiji is ImageJ with plug-ins."""

EITHER = " or "
"""Between two values of one wish: one of them is enough."""

COMMANDS = "command line"
"""Value of the interface that commands are typed in."""

_LIBRARY = re.compile(
    r"\b(?:librar(?:y|ies)|toolkit|apis?|sdk|bindings?|bibliothek\w*|bibliothèques?|bibliotecas?"
    r"|librer[ií]as?)\b|库",
    re.IGNORECASE,
)
"""Words of a wish for a language that ask for something to call from it."""

Stated = tuple[bool | None, str | None]
"""Whether a record meets a value, and the field with what it states; None where it states none."""


@lru_cache(maxsize=1024)
def folded(name: str) -> str:
    """A name without its case, blanks and hyphens."""
    return "".join(c for c in name.casefold() if c.isalnum())


def program(name: str) -> str:
    """The name of a host, folded; one for those that run each other's plug-ins."""
    key = folded(name)
    return SAME_HOST.get(key, key)


def stated_interface(tool: Tool, value: str) -> Stated:
    """Whether a record has an interface; None for a plug-in whose host may have no windows."""
    stated = field("interfaces", tool.interfaces)
    holds: bool | None = not INTERFACES.get(value, {value}).isdisjoint(tool.interfaces)
    if value == "browser" and "browser" in tool.platforms:
        return True, field("platforms", tool.platforms)
    if value == "container" and not holds:
        images = [kind for kind, *_ in tool.install if kind in IMAGES]
        if images:
            return True, field("install", dict.fromkeys(images))
    if value in WINDOWED and not holds:
        # What runs in a program with windows is used there, by commands or not.
        hosts = [p for p in tool.platforms if program(p) in WINDOWED_HOSTS]
        is_plugin = "plugin" in tool.interfaces
        if hosts and is_plugin:
            return True, f"interfaces: plugin in {', '.join(hosts)}"
        if hosts or not is_plugin:
            return bool(hosts), field("platforms", hosts) or stated
        # Where no program is stated that it runs in, a plug-in is one of those it works with.
        partners = [p for p in tool.compatible_with if program(p) in WINDOWED_HOSTS]
        if partners and set(tool.platforms) <= set(SYSTEMS):
            return True, f"interfaces: plugin; {field('compatible_with', partners)}"
        # Of another host it is not known whether it has windows.
        holds = None
    return holds, stated


def stated_host(tool: Tool, value: str) -> Stated:
    """Whether a tool runs in a program, needs it, is of its suite, or is that program."""
    name = program(value)
    fields = (
        ("platforms", tool.platforms),
        ("requires_tool", tool.requires_tool),
        ("suite", (tool.suite or "",)),
        ("name", (tool.name, tool.id)),
    )
    for label, values in fields:
        if any(program(one) == name for one in values):
            return True, field(label, [v for v in values if program(v) == name][:1])
    # Working together with a program may mean its files alone; a plug-in that does runs inside it,
    # unless another program that it works with is stated as the one that it runs in.
    if partners := [v for v in tool.compatible_with if program(v) == name]:
        homes = {folded(v) for v in tool.platforms} & {folded(v) for v in tool.compatible_with}
        is_inside = "plugin" in tool.interfaces and not homes
        return is_inside or None, field("compatible_with", partners[:1])
    return False, field("platforms", tool.platforms)


def without_interface(tool: Tool, value: str) -> bool | None:
    """Whether a tool can be used by whoever rules out an interface; None where that is not stated.

    A tool is no container and no web page because it can be had as one as well. Who rules out the
    command line needs windows to click in: of a library it is not known whether it serves.
    """
    if not tool.interfaces:
        return None
    is_offered = stated_interface(tool, value)[0]
    if value == COMMANDS:
        has_windows = stated_interface(tool, "graphical")[0]
        return None if has_windows is False and not is_offered else has_windows
    if not is_offered:
        return None if is_offered is None else True
    if value == "browser" and tool.platforms == ("browser",):
        return False
    others = set(tool.interfaces) - INTERFACES.get(value, {value}) - {"REST"}
    # The commands of a tool in a container may be those inside it.
    return None if value == "container" and others == {COMMANDS} else bool(others)


def is_direct(tool: Tool, wish: Wish) -> bool:
    """Whether a record states the wanted interface or system, and not what does as well alone.

    What is written in a language is no library: that states the language as an interface.
    Of an unwanted interface: whether the record does not offer it beside others. Of an unwanted
    graphics card: whether the record recommends none.
    """
    if wish.kind == "gpu":
        return wish.strength != "unwanted" or tool.gpu != "recommended"
    if wish.strength == "unwanted" and wish.kind == "interface":
        values = wish.value.split(EITHER)
        if values == [COMMANDS]:
            return stated_interface(tool, "graphical")[0] is True
        return all(stated_interface(tool, value)[0] is False for value in values)
    if wish.kind == "language" and wish.strength != "unwanted" and _LIBRARY.search(wish.text):
        return not set(wish.value.split(EITHER)).isdisjoint(tool.interfaces)
    stated = {"interface": tool.interfaces, "system": tool.platforms}.get(wish.kind)
    if stated is None or wish.strength == "unwanted":
        return True
    return any(DIRECT.get(value, value) in stated for value in wish.value.split(EITHER))


def by_browser(fit: Fit) -> bool:
    """Whether a browser alone meets a wished system, which the record does not state itself."""
    value, _, strength = (fit.asked or "").rpartition(", ")
    is_met = (fit.fact, fit.verdict) == ("system", "pass") and strength != "unwanted"
    stated = (fit.tool or "").partition(": ")[2].split(", ")
    return is_met and set(value.split(EITHER)).isdisjoint(stated)
