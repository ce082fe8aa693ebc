"""What each stage handed to an encoder, an index or a model, as it was recorded at the call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from retrieval.core import State
from retrieval.fit import WEIGHED


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One text that a stage handed to a reader, and what became of the tokens in it.

    ``tokens``: ``searched`` where they are words of the text, ``weighed`` where a stage raised the
    tools that state them, ``none`` where the text holds none.
    """

    stage: str
    reader: str
    text: str
    tokens: Literal["searched", "weighed", "none"]


def ledger_of(state: State, tokens: Sequence[str]) -> tuple[Reading, ...]:
    """Every text once per stage and reader, sorted: rounds of one search run side by side."""
    return tuple(
        Reading(stage=stage, reader=reader, text=text, tokens=_use(reader, text, tokens))
        for stage, reader, text in sorted(set(state.calls))
    )


def _use(reader: str, text: str, tokens: Sequence[str]) -> Literal["searched", "weighed", "none"]:
    if reader == WEIGHED:
        return "weighed"
    return "none" if set(tokens).isdisjoint(text.split()) else "searched"
