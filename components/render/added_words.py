"""Words of a search that its visitor did not type; pure."""

from __future__ import annotations

from itertools import takewhile

from components.render.codes import token_words

AROUND = ",.;:!?()[]\"'"
"""Marks around a word that are no part of it."""


def added_words(text: str, typed: str) -> list[str]:
    """The words of a text that are not among the typed ones, without the marks around them."""
    present = {word.strip(AROUND).casefold() for word in typed.split()}
    words = (word.strip(AROUND) for word in text.split())
    return [word for word in words if word and word.casefold() not in present]


SAME = 5
"""Letters that the forms of one word begin with alike ("segmentieren", "segmentation")."""


def _is_form_of(word: str, typed: str) -> bool:
    """Whether a word is a form of a typed one: it or the other whole, or long enough a beginning.

    A record has "lung" where a visitor types "lungs" or "Lunge".
    """
    one, other = word.casefold(), typed.strip(AROUND).casefold()
    letters = zip(one, other, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], letters))
    return shared >= min(SAME, max(3, min(len(one), len(other))))


def words_used(text: str, typed: str) -> str:
    """The words of a visitor in the record's form, then those that were searched beside them."""
    words = [word.strip(AROUND) for word in text.split(", ") if word][:6]
    others_typed = added_words(" ".join(words), typed)
    added = [w for w in others_typed if not any(_is_form_of(w, one) for one in typed.split())]
    own = ", ".join(token_words(word) for word in words if word not in added)
    others = ", ".join(map(token_words, added))
    parts = [
        f"of the search: {own}" if own else "",
        f"added to the search: {others}" if others else "",
    ]
    return f"Uses words {'; and words '.join(part for part in parts if part)}"
