"""What a licence allows: its kind, and whether a purpose is within it, each part apart."""

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

Kind = Literal["permissive", "copyleft", "non-commercial", "other", "unknown"]
Group = Literal["open", "non-commercial", "unknown"]
Purpose = Literal["commercial product", "clinical research", "teaching"]

PURPOSES: tuple[Purpose, ...] = ("commercial product", "clinical research", "teaching")

_FREEST: tuple[Kind, ...] = ("permissive", "copyleft", "other", "non-commercial")
"""From the fewest conditions to the most; what nobody classified may hold any."""

CONDITIONS: dict[tuple[Kind, Purpose], str] = {
    ("copyleft", "commercial product"): "pass on your changes under the same licence",
    ("non-commercial", "clinical research"): "for research that is not paid for commercially",
    ("non-commercial", "teaching"): "for teaching that is not for profit",
}
"""What a licence asks where it allows a purpose."""


ALWAYS = 2
"""Parts that are told of in any case."""


@cache
def _patterns() -> dict[str, list[str]]:
    text = files("retrieval.fit").joinpath("licences.json").read_text("utf-8")
    patterns: dict[str, list[str]] = json.loads(text)
    return patterns


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
            ways[-1].append(_any_of(words) if word == "(" else _single(word))
    strictest = [max(way, key=_FREEST.index) for way in ways if way]
    return min(strictest, key=_FREEST.index) if strictest else "other"


def _single(name: str) -> Kind:
    low = name.rstrip("+").casefold()
    kinds: tuple[Kind, ...] = ("non-commercial", "permissive", "copyleft")
    for kind in kinds:
        if any(fnmatchcase(low, pattern.casefold()) for pattern in _patterns()[kind]):
            return kind
    return "other"


def group_of(expression: str | None) -> Group:
    """Open, non-commercial or unknown: the three groups that people choose among."""
    kind = kind_of_licence(expression)
    if kind in ("permissive", "copyleft"):
        return "open"
    return "non-commercial" if kind == "non-commercial" else "unknown"


def allowed(expression: str | None, purpose: Purpose) -> bool | None:
    """Whether a licence allows a purpose; None where nobody classified it.

    Non-commercial licences allow research and teaching; CONDITIONS says on what terms.
    """
    kind = kind_of_licence(expression)
    if kind in ("other", "unknown"):
        return None
    return not (kind == "non-commercial" and purpose == "commercial product")


def licence_fit(tool: Tool, purpose: Purpose) -> tuple[Fit, ...]:
    """The licences of a tool's parts against a purpose, each by itself.

    Code and weights always; training data and output where a source states theirs.
    """
    parts = (
        ("code", "license", tool.license),
        ("weights", "license_weights", tool.license_weights),
        ("training data", "license_data", tool.license_data),
        ("output", "license_output", tool.license_output),
    )
    fits = []
    for n, (part, name, expression) in enumerate(parts):
        fact = f"licence of the {part}"
        if expression is not None:
            kind = kind_of_licence(expression)
            condition = CONDITIONS.get((kind, purpose))
            shown = f"{name}: {expression} ({kind}{f'; {condition}' if condition else ''})"
            fits.append(judged(fact, allowed(expression, purpose), purpose, shown))
        elif n < ALWAYS:
            fits.append(judged(fact, None, purpose, None))
    return tuple(fits)
