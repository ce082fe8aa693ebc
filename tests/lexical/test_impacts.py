"""BM25 weights laid out by term, held against a library of the same formula."""

from __future__ import annotations

import random

import bm25s
import numpy as np
import pytest

from retrieval.lexical.grams import Impacts

WORDS = [f"w{n}" for n in range(60)]


def corpus(documents, seed=3):
    chance = random.Random(seed)
    return [chance.choices(WORDS, k=chance.randint(1, 40)) for _ in range(documents)]


@pytest.mark.parametrize("size", [1, 2, 200])
def test_scores_are_those_of_bm25s(size):
    documents = corpus(size)
    ours = Impacts(documents, k1=1.2, b=0.75)
    theirs = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    numbers = ours.vocabulary
    theirs.index(
        ([[numbers[t] for t in d] for d in documents], numbers),
        show_progress=False,
        create_empty_token=False,
    )
    for query in corpus(20, seed=8):
        known = [numbers[t] for t in query if t in numbers]
        expected = theirs.get_scores(known) if known else np.zeros(size)
        assert ours.scores(query) == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_a_term_names_the_documents_that_have_it_and_an_unknown_one_names_none():
    held = Impacts([["a", "b"], ["b", "b"], []], k1=1.2, b=0.75)
    assert held.rows("b").tolist() == [0, 1]
    assert held.rows("zebra").tolist() == []
    assert held.scores(["zebra"]).tolist() == [0.0, 0.0, 0.0]


def test_a_term_that_comes_twice_in_a_query_counts_twice():
    held = Impacts([["a", "b"], ["b"]], k1=1.2, b=0.75)
    assert held.scores(["b", "b"]) == pytest.approx(2 * held.scores(["b"]))


def test_no_documents_give_no_scores():
    assert Impacts([], k1=1.2, b=0.75).scores(["a"]).shape == (0,)
    assert Impacts([[], []], k1=1.2, b=0.75).scores(["a"]).tolist() == [0.0, 0.0]
