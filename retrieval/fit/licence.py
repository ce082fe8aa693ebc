"""The kind of a licence, and whether it allows a purpose, for each part of a tool."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Literal

from retrieval.core import Fit, Tool
from retrieval.fit.verdict import judged
from retrieval.fit.wishes.trained import has_weights

Kind = Literal["permissive", "copyleft", "non-commercial", "other", "unknown"]
Group = Literal["open", "non-commercial", "unknown"]
Purpose = Literal["commercial product", "clinical research", "teaching"]

PURPOSES: tuple[Purpose, ...] = ("commercial product", "clinical research", "teaching")

_FREEST: tuple[Kind, ...] = ("permissive", "copyleft", "other", "non-commercial")
"""From the fewest conditions to the most; an unclassified licence may have any."""

CONDITIONS: dict[tuple[Kind, Purpose], str] = {
    ("copyleft", "commercial product"): "pass on your changes under the same licence",
    ("non-commercial", "clinical research"): "for research that is not paid for commercially",
    ("non-commercial", "teaching"): "for teaching that is not for profit",
}
"""The condition of a licence that allows a purpose."""

# The first kind of the file with a pattern that matches is the kind of a name.
_PATTERNS: dict[Kind, list[str]] = json.loads(
    files("retrieval.fit").joinpath("licences.json").read_text("utf-8")
)


@cache
def kind_of_licence(expression: str | None) -> Kind:
    """The kind of an SPDX expression; AND asks for all of it, OR lets one choose the freest."""
    words = iter(re.findall(r"[()]|[^\s()]+", expression or ""))
    return _any_of(words) if expression and expression.strip() else "unknown"


def _any_of(words: Iterator[str]) -> Kind:
    """Alternatives up to the end or a closing bracket; AND binds more closely than OR."""
    ways: list[list[Kind]] = [[]]
    for word in words:
        if word == ")":
            break
        if word.upper() == "OR":
            ways.append([])
        elif word.upper() == "WITH":
            next(words, "")
        elif word.upper() != "AND":
            ways[-1].append(_any_of(words) if word == "(" else _kind_of_name(word))
    strictest = [max(way, key=_FREEST.index) for way in ways if way]
    return min(strictest, key=_FREEST.index) if strictest else "other"


def _kind_of_name(name: str) -> Kind:
    plain = name.rstrip("+").casefold()
    for kind, patterns in _PATTERNS.items():
        if any(fnmatchcase(plain, pattern.casefold()) for pattern in patterns):
            return kind
    return "other"


def group_of(expression: str | None) -> Group:
    """Open, non-commercial or unknown: the three groups that people choose among."""
    kind = kind_of_licence(expression)
    if kind in ("permissive", "copyleft"):
        return "open"
    return "non-commercial" if kind == "non-commercial" else "unknown"


def allowed(expression: str | None, purpose: Purpose) -> bool | None:
    """Whether a licence allows a purpose; None where it is not classified.

    Non-commercial licences allow research and teaching; CONDITIONS says on what terms.
    """
    kind = kind_of_licence(expression)
    if kind in ("other", "unknown"):
        return None
    return not (kind == "non-commercial" and purpose == "commercial product")


def commercial_use(expression: str) -> str:
    """In words what a licence says of a commercial product: allowed, ruled out, not classified."""
    verdict = allowed(expression, "commercial product")
    if verdict is None:
        return "not classified"
    condition = CONDITIONS.get((kind_of_licence(expression), "commercial product"))
    return ("allowed if you " + condition if condition else "allowed") if verdict else "ruled out"


def licence_fit(tool: Tool, purpose: Purpose) -> tuple[Fit, ...]:
    """A verdict on the licence of each part of a tool.

    The code always has one, so have weights that belong to the tool; training data and output
    where their licence is stated.
    """
    parts = (
        ("code", "license", tool.license),
        ("weights", "license_weights", tool.license_weights),
        ("training data", "license_data", tool.license_data),
        ("output", "license_output", tool.license_output),
    )
    fits = []
    for part, name, expression in parts:
        fact = f"licence of the {part}"
        if expression is not None:
            kind = kind_of_licence(expression)
            condition = CONDITIONS.get((kind, purpose))
            stated = f"{name}: {expression} ({kind}{f'; {condition}' if condition else ''})"
            fits.append(judged(fact, allowed(expression, purpose), purpose, stated))
        elif part == "code" or (part == "weights" and has_weights(tool)):
            fits.append(judged(fact, None, purpose, None))
    return tuple(fits)
