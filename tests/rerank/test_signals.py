"""Every signal alone: what it counts, and what it leaves out."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.dense.signals import MeaningSignal, NeighbourSignal
from retrieval.dense.stores import NumpyStore
from retrieval.lexical.grams import GramIndex, GramSignal
from retrieval.lexical.mentions import MentionTable, NamedByOthers, WellKnown
from retrieval.query.core_text import core_text
from retrieval.rerank.overlap import (
    ConceptOverlap,
    ConceptTable,
    OperationTable,
    everything,
    operations,
    wider,
)
from retrieval.wiring.concepts import lexicon
from tests.fakes import HashingEncoder, make_state, make_tool


def state_of(text, tools, scores=None):
    from retrieval.core.types import Candidate

    given = scores or [1.0 - n / 10 for n in range(len(tools))]
    return make_state(
        text, *(Candidate(tool=t, score=s) for t, s in zip(tools, given, strict=True))
    )


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("Viewers (neuroimaging)", "Viewers"),
        ("quality control neuroimaging", "quality control"),
        ("How do I segment cell nuclei?", "segment cell nuclei"),
        ("which tools can I use to register brains", "register brains"),
        ("segment lungs in CT", "segment lungs in CT"),
        ("neuroimaging", "neuroimaging"),
        ("", ""),
    ],
)
def test_the_core_of_a_text_is_without_its_field_and_the_words_of_asking(text, core):
    assert core_text(text, lexicon().annotator) == core


def test_pieces_of_words_meet_where_whole_words_do_not():
    tools = [
        make_tool("bet", description="Skull stripping of the head."),
        make_tool("reg", description="Registration of volumes."),
    ]
    signal = GramSignal(GramIndex(tools), lambda s: s.query.text)
    strips, registers = signal.values(state_of("skullstripping", tools))
    assert strips > 2 * registers


def test_pieces_give_nothing_for_a_text_without_words():
    tools = [make_tool("bet")]
    assert GramIndex(tools).scores("…", ["bet", "unknown"]).tolist() == [0.0, 0.0]


MENTIONS = (
    make_tool("fsl", name="FSL", description="A library."),
    make_tool("opti", description="Combines FSL and others."),
    make_tool("wrap", description="A wrapper round FSL tools."),
    make_tool("fast", name="fast", description="A segmenter of tissue."),
    make_tool("quick", description="A fast, faster, fastest viewer."),
    make_tool("runs", name="running", description="Runs at once; run again while running."),
)


def test_a_record_names_another_tool_by_its_name_in_any_form():
    table = MentionTable(MENTIONS)
    assert table.named["opti"] == table.named["wrap"] == {"fsl"}
    assert table.times["fsl"] == 2


def test_an_ordinary_word_is_no_mention_of_a_tool_of_that_name():
    table = MentionTable((*MENTIONS, make_tool("more", description="It is running all day.")))
    assert "runs" not in table.named["more"]


def test_a_tool_that_the_results_name_gains_and_the_best_result_hands_on_most():
    table = MentionTable(MENTIONS)
    first = NamedByOthers(table).values(state_of("x", MENTIONS[:4], [0.1, 1.0, 0.5, 0.0]))
    later = NamedByOthers(table).values(state_of("x", MENTIONS[:4], [0.1, 0.2, 0.5, 0.0]))
    assert first[0] > 0
    assert first[1:].tolist() == [0.0, 0.0, 0.0]
    assert first[0] != later[0]
    assert WellKnown(table).values(state_of("x", MENTIONS[:2])).tolist() == pytest.approx(
        [np.log1p(2), 0.0]
    )


CONCEPTS = (
    make_tool("nuclei", description="Segments cell nuclei on fluorescence images."),
    make_tool("align", description="Registers brain MRI volumes."),
    make_tool("facts", description="Does something.", tasks=("segmentation",)),
)


def overlap(asked, text):
    found = lexicon()
    table = ConceptTable(CONCEPTS, found.annotator, found.parents)
    return (
        ConceptOverlap(table, asked, "o", lambda text: 1.0)
        .values(state_of(text, CONCEPTS))
        .tolist()
    )


def test_a_candidate_that_is_about_all_that_was_asked_gets_one():
    nuclei, align, facts = overlap(everything, "segmentation")
    assert (nuclei, align, facts) == (1.0, 0.0, 1.0)


def test_only_what_there_is_to_do_counts_for_the_operations():
    assert overlap(operations, "register brain MRI")[1] == 1.0
    assert overlap(operations, "brain MRI") == [0.0, 0.0, 0.0]


class CountingAnnotator:
    """The shipped annotator, with the number of texts that it has looked through."""

    def __init__(self):
        self.texts = 0

    def concepts(self, text):
        self.texts += 1
        return lexicon().annotator.concepts(text)


def test_tasks_that_a_record_states_replace_what_its_words_name_and_no_text_is_read_again():
    tools = (
        make_tool("states", description="Registers brain MRI.", tasks=("segmentation",)),
        make_tool("silent", description="Registers brain MRI."),
        # Completed from elsewhere: its own record states no task, so its words count too.
        make_tool("completed", description="Registers brain MRI.", tasks=("segmentation",)),
    )
    annotator, ids = CountingAnnotator(), [tool.id for tool in tools]
    table = ConceptTable(tools, annotator, lexicon().parents)
    derived = OperationTable(table, tools, {"states"})
    assert annotator.texts == len(tools)
    segmenting, registering, brain = (
        {concept: 1.0} for concept in lexicon().annotator.concepts("segment, register the brain")
    )
    assert table.summed(segmenting, ids).tolist() == [1.0, 0.0, 1.0]
    assert derived.summed(segmenting, ids).tolist() == [1.0, 0.0, 1.0]
    assert table.summed(registering, ids).tolist() == [1.0, 1.0, 1.0]
    assert derived.summed(registering, ids).tolist() == [0.0, 1.0, 1.0]
    assert derived.summed(brain, ids).tolist() == [0.0, 1.0, 1.0]


def test_what_is_wider_than_the_question_counts_apart():
    nuclei, align, _ = overlap(wider, "nucleus segmentation")
    assert nuclei > align


def test_a_text_that_names_no_concept_tells_nothing():
    assert overlap(everything, "xyzzy") == [0.0, 0.0, 0.0]


def test_the_meaning_signal_is_the_cosine_of_its_text():
    encoder = HashingEncoder()
    tools = [make_tool("a", description="lungs"), make_tool("b", description="brain")]
    store = NumpyStore(["a", "b"], encoder.encode(["lungs", "brain"]))
    signal = MeaningSignal(encoder, store, lambda s: s.query.text)
    assert signal.values(state_of("lungs", tools))[0] == pytest.approx(1.0, abs=1e-5)


def test_a_candidate_with_good_neighbours_gains():
    rows = np.zeros((22, 4), dtype=np.float32)
    rows[:11, 0], rows[11:, 1] = 1.0, 1.0
    names = [f"t{n:02}" for n in range(22)]
    tools = [make_tool(n) for n in names]
    scores = [1.0, *([0.1] * 10), 0.3, *([0.0] * 10)]
    near = NeighbourSignal(NumpyStore(names, rows)).values(state_of("x", tools, scores))
    assert near.tolist() == [0.1, *([1.0] * 10), 0.0, *([0.3] * 10)]
    assert NeighbourSignal(None).values(state_of("x", tools, scores)).tolist() == [0.0] * 22


def test_neighbours_of_a_handful_are_nobody():
    tools = [make_tool("a"), make_tool("b")]
    store = NumpyStore(["a", "b"], np.eye(2, 4, dtype=np.float32))
    assert NeighbourSignal(store).values(state_of("x", tools)).tolist() == [0.0, 0.0]
