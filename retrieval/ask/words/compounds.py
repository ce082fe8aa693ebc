"""*Free* as a word of its own: free software, but neither a label-free method nor free water."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.ask.cues import Cue

PRICED = ("free", "paid")
OPEN_CUES = ("open", "free")
"""Cues for an open licence; what is under one costs nothing."""
COMPOUNDS = re.compile(
    r"\s+(water|breathing|induction|energy|text|form|hand|radicals?|floating|response)\b",
    re.IGNORECASE,
)
"""What *free* before these words names is no price."""


def without_compounds(text: str, cues: Sequence[Cue]) -> tuple[Cue, ...]:
    """The cues, of which a word for the price is none as a part of another: *label-free*.

    What something *allows* is asked of licences alone.
    """
    licensed = any(cue.kind == "license" for cue in cues)
    cues = [cue for cue in cues if cue.kind != "allows" or licensed]
    return tuple(cue for cue in cues if cue.kind not in PRICED or _is_alone(text, cue))


def _is_alone(text: str, cue: Cue) -> bool:
    """Whether a word is joined to no other, by a hyphen or as a term."""
    before, after = text[: cue.start], text[cue.end :]
    hyphened = before.endswith("-") or after.startswith("-")
    return not (hyphened or (cue.kind == "free" and COMPOUNDS.match(after)))
