"""One verdict from two values; where either is not stated it is unknown, never a pass."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from retrieval.core import Fit

NOT_STATED = ": not stated"
"""Behind the name of a fact of several parts, among what a record states of the others."""

ALSO = "; also needs "
"""On the tool's side, between what is stated and what of it the upload lacks."""


@lru_cache(maxsize=16_384)
def judged(fact: str, holds: bool | None, scan: str | None, tool: str | None) -> Fit:
    """Pass or fail where both values are stated and ``holds`` is known; else unknown."""
    if scan is None or tool is None or holds is None:
        return Fit(fact=fact, verdict="unknown", scan=scan, tool=tool)
    return Fit(fact=fact, verdict="pass" if holds else "fail", scan=scan, tool=tool)


def worst_of(fits: Sequence[Fit]) -> tuple[bool | None, str | None]:
    """Whether all of these pass, None where one is unknown and none fails; and what is stated.

    What decides is stated alone: of a failing list what fails, of a passing one all.
    """
    failed = [fit for fit in fits if fit.verdict == "fail"]
    is_known = all(fit.verdict == "pass" for fit in fits)
    stated = [fit.tool for fit in failed or fits if fit.tool]
    return False if failed else True if is_known else None, "; ".join(stated) or None


def field(name: str, values: Collection[object]) -> str | None:
    """A catalog field with its value, as evidence; None for an empty field."""
    return f"{name}: {', '.join(map(str, values))}" if values else None
