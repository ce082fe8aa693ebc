"""Wishes about software in words, as chips say them; pure."""

from __future__ import annotations

from retrieval import Wish

STRENGTHS = {"wanted": "", "required": "only ", "unwanted": "not "}


def wish_words(wish: Wish) -> str:
    """A wish as its chip says it: ``Python``, ``only open source``, ``not FSL``."""
    value = f"since {wish.value}" if wish.kind == "since" else wish.value
    return f"{STRENGTHS[wish.strength]}{value}"
