"""What is read in the text of a query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A catalog term near the query; similarity is a cosine."""

    term: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a visitor wants of software, as typed; ``searched``: its words stay in the text."""

    kind: str
    value: str
    text: str
    strength: Literal["wanted", "required", "unwanted"]
    searched: bool = True
