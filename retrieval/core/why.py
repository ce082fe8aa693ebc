"""Reasons for a place in a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.core.lazy import Made


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """One reason for a place in a list: which stage, what it saw, and its share of the score."""

    kind: str
    stage: str
    text: str
    value: float | None = None


Whys = Sequence[Why]
"""The reasons of a candidate, in the order in which they were found."""


class Reasons(Made[Why]):
    """Reasons that are made when they are first looked at.

    Of the hundreds of candidates that a stage weighs, few are ever asked why.
    """

    __slots__ = ()
