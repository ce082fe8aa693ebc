"""How far a list can be trusted, and what the ranker makes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from retrieval.catalog.trust import rarity_needed, trust_of
from retrieval.lexical.bm25 import Bm25Index, Bm25Signal
from retrieval.lexical.grams import GramIndex, GramSignal
from retrieval.lexical.mentions import MentionTable, WellKnown
from retrieval.rerank.learned import LearnedRank
from retrieval.wiring.concepts import coverage, lexicon
from retrieval.wiring.ranking import ranking_of
from tests.fakes import make_candidate, make_state, make_tool

TOOLS = [
    make_tool("bet", name="Stripper", description="Brain extraction for head scans."),
    make_tool("reg", name="Aligner", description="Registers brain volumes to a template."),
    make_tool("see", name="Looker", description="Shows volumes of the heart."),
]
STATE = make_state("x", *(make_candidate(t.id, 1.0) for t in TOOLS))


def text_of(text):
    return lambda state: text


@dataclass
class Doubtful:
    """A signal that trusts itself as far as it was made to."""

    name: str
    numbers: tuple[float, ...]
    sure: float

    def values(self, state):
        return np.array(self.numbers)

    def trust(self, state, values):
        assert values.tolist() == list(self.numbers)
        return self.sure


def test_half_of_what_was_asked_is_trusted_by_a_quarter_and_all_of_it_fully():
    assert trust_of(5.0, 10.0) == 0.25
    assert trust_of(10.0, 10.0) == trust_of(12.0, 10.0) == 1.0
    assert trust_of(0.0, 10.0) == trust_of(1.0, 0.0) == 0.0


def test_a_long_request_needs_no_more_than_what_tells_one_record_from_all():
    assert rarity_needed([1.0, 2.0], rarest=5.0) == 3.0
    assert rarity_needed([1.0] * 40, rarest=5.0) == 5.0
    assert rarity_needed([1.0] * 40, rarest=5.0, terms_a_word=4) == 20.0


@pytest.mark.parametrize(
    "signal",
    [
        lambda text: Bm25Signal(Bm25Index(TOOLS), text_of(text)),
        lambda text: GramSignal(GramIndex(TOOLS), text_of(text)),
    ],
)
def test_words_are_trusted_more_where_a_record_holds_more_of_them(signal):
    def trust(text):
        one = signal(text)
        return one.trust(STATE, one.values(STATE))

    held = trust("brain extraction")
    assert held > trust("brain colouring") > 0
    assert trust("xyzzy") == 0.0


def test_a_catalog_whose_records_name_no_other_says_nothing_by_names():
    assert MentionTable(TOOLS).density == 0.0
    naming = [*TOOLS, make_tool("uses", name="Chain", description="Runs Stripper, then Looker.")]
    table = MentionTable(naming)
    assert table.density == 0.5
    values = WellKnown(table).values(STATE)
    assert WellKnown(table).trust(STATE, values) == 0.5


def test_a_signal_counts_by_its_trust_and_the_note_names_those_that_tell_little():
    stage = LearnedRank(
        [Doubtful("sure", (0.0, 1.0, 0.5), 1.0), Doubtful("unsure", (9.0, 0.0, 0.0), 0.1)],
        {"sure": 0.5, "unsure": 0.5},
    )
    result = stage.run(make_state("x", *(make_candidate(i, 1.0) for i in "abc"), path="rank"))
    scores = {c.tool.id: c.score for c in result.state.candidates}
    assert scores == pytest.approx({"a": 0.05, "b": 0.5, "c": 0.25})
    assert result.note == "little told by unsure 0.10"


def test_a_request_outside_the_concepts_is_covered_less_than_one_inside():
    assert coverage("brain segmentation") == 1.0
    assert coverage("brew coffee at dawn") < 0.5


def test_without_namesakes_a_record_is_ranked_by_its_own_words():
    bare = make_tool("mine", name="mricro-GL", description="A desktop program.")
    tools, asked = [bare, *TOOLS], {"operation:visualisation": 1.0}
    annotator = lexicon().annotator
    told = ranking_of(tools, annotator).concepts.summed(asked, ["mine"])
    alone = ranking_of(tools, annotator, lambda every: {}).concepts.summed(asked, ["mine"])
    assert (told.tolist(), alone.tolist()) == ([1.0], [0.0])
