"""The phrases of wishes about software."""

from __future__ import annotations

from retrieval.query.grammar import grammar


def test_equal_words_of_phrases_are_one_object():
    """Without that the words of the phrases take 30 MB."""
    phrases = (words for rows in grammar().phrases.values() for words, _ in rows)
    words = [word for one in phrases for word in one]
    assert len(words) > 300_000
    assert len({id(word) for word in words}) == len(set(words))
