"""What records state, in catalogs of any size."""

from __future__ import annotations

from time import process_time

import pytest

from retrieval.explain.stated import StatedFacts
from retrieval.wiring.concepts import lexicon
from tests.fakes import make_tool

SMALLER, LARGER = 10_000, 80_000


def facts_over(number):
    words = lexicon()
    tools = [make_tool(f"t{n}") for n in range(number)]
    return StatedFacts(tools, words.annotator, words.parents)


@pytest.mark.parametrize("rows", [(), (0,), (7, 8, 9), (0, 15, 16)])
def test_a_set_of_records_gives_the_ids_of_its_rows(rows):
    stated = facts_over(17)
    assert stated.ids(sum(1 << row for row in rows)) == {f"t{row}" for row in rows}
    assert len(stated.ids(stated.every)) == 17


@pytest.mark.process
def test_naming_the_records_of_a_set_takes_time_by_their_number_and_not_its_square():
    took = []
    for number in (SMALLER, LARGER):
        stated = facts_over(number)
        every = stated.every
        times = []
        for _ in range(9):
            start = process_time()
            stated.ids(every)
            times.append(process_time() - start)
        took.append(min(times))
    # Eight times the records: the square would be 64 times; a busy machine may cost threefold.
    assert took[1] < 40 * took[0]


def test_phrasings_of_a_record_for_several_kinds_are_its_words_where_they_are_wanted():
    words = lexicon()
    phrased = make_tool("p", modalities=["CT", "MRI"], asked_as=["hippocampus maps"])
    stating = make_tool("s", description="outlines the hippocampus")
    stated = StatedFacts([phrased, stating], words.annotator, words.parents)
    assert stated.ids(stated.with_stems(["hippocampus"])) == {"s"}
    assert stated.ids(stated.with_stems(["hippocampus"], phrased=True)) == {"p", "s"}
    assert not stated.with_stems([]) | stated.with_stems([], phrased=True)
