"""Words of a search that its visitor did not type; pure."""

from __future__ import annotations

from components.render.codes import token_words

AROUND = ",.;:!?()[]\"'"
"""Marks around a word that are no part of it."""


def added_words(text: str, typed: str) -> list[str]:
    """The words of a text that are not among the typed ones, without the marks around them."""
    present = {word.strip(AROUND).casefold() for word in typed.split()}
    words = (word.strip(AROUND) for word in text.split())
    return [word for word in words if word and word.casefold() not in present]


def words_used(text: str, typed: str) -> str:
    """The words of a visitor, then those that were searched beside or in place of them."""
    words = [word.strip(AROUND) for word in text.split(", ") if word][:6]
    added = added_words(" ".join(words), typed)
    own = ", ".join(token_words(word) for word in words if word not in added)
    others = ", ".join(map(token_words, added))
    parts = [
        f"of the search: {own}" if own else "",
        f"added to the search: {others}" if others else "",
    ]
    return f"Uses words {'; and words '.join(part for part in parts if part)}"
