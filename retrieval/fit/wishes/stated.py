"""What a record states about each kind of wish, and whether that meets the wish."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from retrieval.core import Fit, Tool, Wish
from retrieval.fit.freshness import is_kept_up
from retrieval.fit.licence import Purpose, kind_of_licence, licence_fit
from retrieval.fit.machine import SYSTEMS, runs_on
from retrieval.fit.verdict import NOT_STATED, field, judged, worst_of
from retrieval.fit.wishes.interface import (
    EITHER,
    WINDOWED_HOSTS,
    Stated,
    program,
    stated_host,
    stated_interface,
    without_interface,
)
from retrieval.fit.wishes.offline import HOSTING, stated_hosted, stated_offline
from retrieval.fit.wishes.program import LIKE, is_alternative, stated_program
from retrieval.fit.wishes.trained import trained_model

LANGUAGES = frozenset(
    {"Python", "R", "MATLAB", "Julia", "Java", "JavaScript", "C", "C++", "C#", "Rust"}
)
"""Names of languages; records state them as interfaces too: what a tool can be called from."""

COMPILED: Mapping[str, frozenset[str]] = {"JavaScript": frozenset({"TypeScript"})}
"""Languages that are compiled to another one, whose wish they meet."""

GOALS: Mapping[str, Purpose] = {
    "commercial": "commercial product",
    "clinical research": "clinical research",
}
"""What a licence is held against, by the value of a wish for a purpose; others are teaching."""

FREE, MAINTAINED = "free of charge", "maintained"
"""Values of a wish about the licence, and about the last release."""

STRICTER = {"LGPL": "GPL"}
"""Licences, with the name of the group that whoever wants none of them wants none of either: the
LGPL lets a program that links keep its own licence, and the GPL does not."""

_UPKEEP = re.compile(
    r"\b(?:maintain|updat|commit|abandon|aktualisier|gepflegt|weiterentwickel|mise?s? à jour"
    r"|maintenu|entretenu|actualiz|mantenid|mantid|atualizad|aggiornat|mantenut)|更新|维护",
    re.IGNORECASE,
)
"""Words of a wish for a year in which somebody still worked on a tool."""


def _language(tool: Tool, value: str) -> Stated:
    """Whether a tool is written in a language, can be called from it or runs inside it."""
    stated = {
        "languages": tool.languages,
        "interfaces": tuple(i for i in tool.interfaces if i in LANGUAGES),
        "platforms": tuple(p for p in tool.platforms if p in LANGUAGES),
    }
    names = COMPILED.get(value, frozenset()).union([value])
    holds = any(not names.isdisjoint(values) for values in stated.values())
    texts = [field(name, values) for name, values in stated.items()]
    return holds, "; ".join(filter(None, texts)) or None


def _without_language(tool: Tool, value: str) -> bool:
    """Whether a tool can be used by whoever rules out a language.

    A program in another language with windows or commands of its own is none of a language because
    it can be called from that as well.
    """
    if value in tool.languages or value in tool.platforms:
        return False
    others = [i for i in tool.interfaces if i not in LANGUAGES and i not in ("notebook", "REST")]
    return bool(tool.languages and others) or value not in tool.interfaces


def _without_system(tool: Tool, values: Collection[str]) -> bool | None:
    """Whether a tool does without operating systems: it states another one, or needs none.

    Who rules out Linux has another system, so a tool for Linux and Windows is as wished. Where it
    is not stated that the tool runs elsewhere, the verdict is fail only if nothing else may do.
    """
    others = [runs_on(tool, one)[0] for one in SYSTEMS if one not in values]
    return True if True in others else None if None in others else False


def _gpu(tool: Tool, value: str) -> Stated:
    return tool.gpu != "none", field("gpu", [tool.gpu] if tool.gpu else ())


def _licence(tool: Tool, value: str) -> Stated:
    if not tool.license:
        return None, None
    kind = kind_of_licence(tool.license)
    stated = f"license: {tool.license} ({kind})"
    if value == "open source":
        return None if kind == "other" else kind in ("permissive", "copyleft"), stated
    if value == FREE:
        # A licence for research alone gives the tool for nothing to whoever it is for.
        return None if kind in ("other", "unknown") else True, stated
    if value == "permissive":
        return None if kind == "other" else kind == "permissive", stated
    ways = tool.license.replace("(", " ").replace(")", " ").split(" OR ")
    # One may choose among ways, so each must be of the name.
    return all(_is_of(value, way) for way in ways), stated


def _is_of(value: str, way: str) -> bool:
    # A clause against commerce makes another licence of the one that it is added to.
    if kind_of_licence(way.strip()) == "non-commercial":
        return False
    names = (part.strip().removeprefix("LicenseRef-") for part in way.split(" AND "))
    # LGPL and AGPL are kinds of GPL to whoever asks for, or wants none of, the GPL.
    starts = ("GPL", "LGPL", "AGPL") if value == "GPL" else (value,)
    return any(name.startswith(starts) for name in names)


def _purpose(tool: Tool, value: str) -> Stated:
    fits = licence_fit(tool, GOALS.get(value, "teaching"))
    holds, stated = worst_of(fits)
    if holds is None and stated is not None:
        # Beside a licence of the code it is told whose licence is missing.
        stated = "; ".join((stated, *(f"{f.fact}{NOT_STATED}" for f in fits if f.tool is None)))
    return holds, stated


def _since(tool: Tool, value: str) -> Stated:
    if value == MAINTAINED:
        holds, last = is_kept_up(tool)
        return holds, field("last_release or last_commit", [last] if last else ())
    if tool.last_release is None:
        return None, None
    return tool.last_release[:4] >= value, field("last_release", [tool.last_release])


def _kept_up_since(tool: Tool, value: str) -> Stated:
    """What a year of upkeep is held against: a commit in it or later is enough, as a release is."""
    if tool.last_commit and str(tool.last_commit) >= value:
        return True, field("last_commit", [tool.last_commit])
    return _since(tool, value)


def _memory(tool: Tool, value: str) -> Stated:
    """Whether the memory that the record asks for is there; ``8 GB``, or ``8 GB GPU``."""
    of_card = value.endswith("GPU")
    needed = tool.needs.gpu_gb if of_card else tool.needs.ram_gb
    if of_card and tool.gpu == "none":
        return True, field("gpu", [tool.gpu])
    name = "requirements.gpu_gb" if of_card else "requirements.ram_gb"
    available = re.match(r"[\d.]+", value)
    if needed is None or available is None:
        return None, field(name, [f"{needed:g} GB"] if needed else ())
    return needed <= float(available.group()), field(name, [f"{needed:g} GB"])


def _method(tool: Tool, value: str) -> Stated:
    """A tool whose record tells of a trained model fails; no field says that a tool uses none."""
    stated = trained_model(tool)
    return False if stated else None, stated


STATED: Mapping[str, Callable[[Tool, str], Stated]] = {
    "language": _language,
    "interface": stated_interface,
    "host": stated_host,
    "system": runs_on,
    "gpu": _gpu,
    "licence": _licence,
    "purpose": _purpose,
    "since": _since,
    "tool": stated_program,
    "memory": _memory,
    "offline": lambda tool, value: stated_offline(tool),
    "method": _method,
}
"""What a record states, by kind of wish."""


def _stating(wish: Wish) -> Callable[[Tool, str], Stated]:
    """What of records is held against a wish, by its kind and its own words."""
    if wish.kind == "since" and wish.value != MAINTAINED and _UPKEEP.search(wish.text):
        return _kept_up_since
    if wish.kind == "offline" and HOSTING.search(wish.text):
        return lambda tool, value: stated_hosted(tool)
    return STATED[wish.kind]


def wish_fit(tool: Tool, wish: Wish) -> Fit:
    """The verdict on a record; what it does not state is unknown, never a pass.

    Of a wish for one of two values the better verdict counts.
    """
    state = _stating(wish)
    values = wish.value.split(EITHER)
    if wish.strength == "unwanted":
        values = [STRICTER.get(value, value) for value in values]
    several = [state(tool, value) for value in values]
    holds, stated = min(several, key=lambda one: (one[0] is not True, one[0] is not None))
    if wish.strength == "unwanted":
        holds = _is_without(tool, wish, holds)
    request = f"{wish.value}, {wish.strength}"
    return replace(judged(wish.kind, holds, request, stated), scan=None, asked=request)


def _is_without(tool: Tool, wish: Wish, holds: bool | None) -> bool | None:
    """Whether a tool does without what is unwanted; ``holds``: whether it states that value."""
    values = wish.value.split(EITHER)
    if wish.kind == "system":
        return _without_system(tool, values)
    if wish.kind == "language" and holds:
        return all(_without_language(tool, value) for value in values)
    if wish.kind == "interface":
        verdicts = [without_interface(tool, value) for value in values]
        return False if False in verdicts else None if None in verdicts else True
    if holds and wish.kind == "tool" and LIKE.search(wish.text):
        return all(is_alternative(tool, value) for value in values)
    if holds is None:
        return None
    # A tool that can use a graphics card does without one, unless it needs it.
    return tool.gpu != "required" if wish.kind == "gpu" else not holds


def is_open_in_part(tool: Tool, wish: Wish) -> bool:
    """Whether a tool may do as wished though its record leaves it open.

    The code may serve a purpose and nothing else is stated not to; the tool works together with
    the program that it is to run in; or that program runs on the system, as most of them do.
    """
    if wish.kind == "host":
        return any(program(one) == program(wish.value) for one in tool.compatible_with)
    if wish.kind == "system":
        hosts = {program(one) for one in tool.platforms}
        return not hosts.isdisjoint(WINDOWED_HOSTS)
    if wish.kind != "purpose":
        return False
    code, *others = licence_fit(tool, GOALS.get(wish.value, "teaching"))
    return code.verdict == "pass" and all(fit.verdict != "fail" for fit in others)


def stated_shares(tools: Sequence[Tool]) -> dict[str, float]:
    """The share of records that state the field of each kind of wish."""
    # A value that no record states, so that what is there is the field and not the value.
    return {
        kind: sum(state(tool, "none of them")[1] is not None for tool in tools) / max(1, len(tools))
        for kind, state in STATED.items()
    }
