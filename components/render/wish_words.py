"""Wishes about software in words: on chips, and on the cards of tools that miss one; pure."""

from __future__ import annotations

from collections.abc import Sequence

from components.render.markup import badge
from retrieval import Fit, Wish

STRENGTHS = {"wanted": "", "required": "only ", "unwanted": "not "}

MISSED = {
    ("language", "wanted"): "Not in {}",
    ("language", "unwanted"): "In {}",
    ("interface", "wanted"): "Interface is not {}",
    ("interface", "unwanted"): "Interface: {}",
    ("host", "wanted"): "Not for {}",
    ("host", "unwanted"): "For {}",
    ("system", "wanted"): "Not for {}",
    ("system", "unwanted"): "For {}",
    ("gpu", "wanted"): "Uses no {}",
    ("gpu", "unwanted"): "Needs a {}",
    ("licence", "wanted"): "Licence is not {}",
    ("licence", "unwanted"): "Licence is {}",
    ("purpose", "wanted"): "Not for {} use",
    ("purpose", "unwanted"): "For {} use",
    ("since", "wanted"): "Last release before {}",
    ("since", "unwanted"): "Released in {} or later",
    ("tool", "unwanted"): "Needs {}",
}
"""What a card says of a tool that states otherwise, by kind and strength; required as wanted."""

UNSTATED = {
    "language": "Language not stated",
    "interface": "Interface not stated",
    "host": "Host program not stated",
    "system": "System not stated",
    "gpu": "GPU use not stated",
    "since": "Last release not stated",
}
"""What a card says where a record is silent; every card has its licence, or that none is stated."""


def wish_words(wish: Wish) -> str:
    """A wish as its chip says it: ``Python``, ``only open source``, ``not FSL``."""
    value = f"since {wish.value}" if wish.kind == "since" else wish.value
    return f"{STRENGTHS[wish.strength]}{value}"


def wish_badge(fits: Sequence[Fit]) -> str:
    """The worst that is true of a tool in view of the wishes; nothing without a wish."""
    title = "; ".join(f"{f.fact}: you {f.asked}, tool {f.tool or 'not stated'}" for f in fits)
    failed = [_missed(fit) for fit in fits if fit.verdict == "fail"]
    if failed:
        return badge(f"✗ {', '.join(failed)}", "bad", title=title)
    unknown = [UNSTATED[f.fact] for f in fits if f.verdict == "unknown" and f.fact in UNSTATED]
    if unknown:
        return badge(f"? {', '.join(dict.fromkeys(unknown))}", "unknown", title=title)
    if any(fit.verdict == "pass" for fit in fits):
        return badge("✓ As you wish", "good", title=title)
    return ""


def _missed(fit: Fit) -> str:
    value, _, strength = (fit.asked or "").rpartition(", ")
    strength_shown = "unwanted" if strength == "unwanted" else "wanted"
    return MISSED.get((fit.fact, strength_shown), "Not {}").format(value)
