"""The words of a search that a record holds, as the record writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

from retrieval.lexical.tokenise import tokenise

Words = Sequence[tuple[str, Sequence[str]]]
"""Words as typed, each with its terms."""

MOST = 8
"""Words that a reason names."""

_AROUND = ",.;:!?()[]\"'/"
_UNSPECIFIC = frozenset(
    files("retrieval.lexical").joinpath("unspecific.txt").read_text("utf-8").split()
)
"""Words that match and tell nothing: "well" and "after" are in hundreds of descriptions."""


def words_of(text: str) -> Words:
    """The words of a text in the order typed, once each."""
    return [(word, tokenise(word)) for word in dict.fromkeys(text.split())]


def matching_words(words: Words, terms: frozenset[str], record_text: str) -> tuple[str, ...]:
    """Up to MOST words whose terms a record holds, in the order typed and as its text has them.

    "Lunge" has the term of "lung": the record's word is what can be found in it. A word that the
    text has in this form stays as typed.
    """
    written = {word.strip(_AROUND).casefold(): word.strip(_AROUND) for word in record_text.split()}
    return tuple(dict.fromkeys(_matching(words, terms, written)))[:MOST]


def _matching(words: Words, terms: frozenset[str], written: dict[str, str]) -> Iterator[str]:
    for word, of_word in words:
        folded = word.strip(_AROUND).casefold()
        if terms.isdisjoint(of_word) or folded in _UNSPECIFIC:
            continue
        if folded in written:
            yield word.strip(_AROUND)
            continue
        shared = terms.intersection(of_word)
        forms = (_uncapitalised(own) for key, own in written.items() if shared & set(tokenise(key)))
        yield next(forms, word.strip(_AROUND))


def _uncapitalised(word: str) -> str:
    """A word without the capital of a sentence's beginning; an acronym as it is."""
    return word.lower() if word[1:].islower() else word
