from __future__ import annotations

from math import log

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.errors import StageUnavailable
from retrieval.core.types import EVERYTHING, Selection
from retrieval.lexical.bm25 import Bm25Index, Bm25Scorer, Bm25Source, lexical_text
from retrieval.lexical.tokenise import tokenise
from tests.fakes import ids, make_candidate, make_state, make_tool

TOOLS = [
    make_tool("lungmask", description="Segments the lungs on chest CT.", modalities=(Modality.CT,)),
    make_tool("brainer", description="Segments the brain on MRI.", formats_in=(Format.NIFTI,)),
    make_tool("viewer", description="Shows volumes.", dimensions=(Dimension.D3,)),
    make_tool("cells", description="Counts cells in fluorescence images.", keywords=("肺部",)),
]
INDEX = Bm25Index(TOOLS)


def found(text, k=50, selection=EVERYTHING):
    return [hit.tool.id for hit in INDEX.search(text, k, selection)]


def test_no_record_without_a_matching_word_is_a_hit():
    assert found("segment lungs") == ["lungmask", "brainer"]
    assert found("quantum chromodynamics") == []
    assert found("") == []


def test_every_hit_scores_above_zero_best_first():
    scores = [hit.score for hit in INDEX.search("segment lungs ct", 50, EVERYTHING)]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


def test_k_is_clamped_to_the_corpus():
    assert len(found("segment", k=10_000)) == 2
    assert found("segment", k=1) == found("segment", k=2)[:1]
    assert found("segment", k=0) == []


def test_facts_of_the_record_are_terms():
    assert found("format:NIfTI") == ["brainer"]
    assert found("format:CT")[0] == "lungmask"
    assert found("format:3D") == ["viewer"]


def test_words_in_other_scripts_are_found():
    assert found("分割肺部") == ["cells"]


def test_a_tool_name_alone_puts_that_tool_first():
    assert found("brainer")[0] == "brainer"


def test_filters_are_exact():
    keep = Selection(keep=frozenset({"brainer", "viewer"}))
    assert found("segment lungs", selection=keep) == ["brainer"]
    assert found("segment lungs", k=1, selection=keep) == ["brainer"]


def test_excluded_records_make_room_for_the_next():
    drop = Selection(drop=frozenset({"lungmask"}))
    assert found("segment lungs", k=1, selection=drop) == ["brainer"]


def test_ties_stand_in_the_order_of_ids_also_at_the_cut():
    tools = [make_tool(i, name="same", description="same words") for i in "dbca"]
    hits = Bm25Index(tools).search("same words", 3, EVERYTHING)
    assert [hit.tool.id for hit in hits] == ["a", "b", "c"]


def test_an_empty_corpus_finds_nothing():
    assert Bm25Index([]).search("lungs", 50, EVERYTHING) == []
    assert Bm25Index([make_tool("a", name="!", description="?")]).search("a", 5, EVERYTHING) == []


def plain_bm25(text, docs, k1=1.2, b=0.75):
    """Robertson and Zaragoza (2009), equation 3.15, with Lucene's idf that is never negative."""
    mean = sum(map(len, docs)) / len(docs)
    scores = [0.0] * len(docs)
    for term in tokenise(text):
        held = sum(term in doc for doc in docs)
        idf = log(1 + (len(docs) - held + 0.5) / (held + 0.5))
        for n, doc in enumerate(docs):
            count = doc.count(term)
            scores[n] += idf * count / (count + k1 * (1 - b + b * len(doc) / mean))
    return scores


@pytest.mark.parametrize("text", ["chest ct", "segment the lungs", "cells cells brain", "xyzzy"])
def test_scores_are_those_of_a_plain_bm25(text):
    expected = plain_bm25(text, [tokenise(lexical_text(t)) for t in TOOLS])
    assert INDEX.all_scores(text).tolist() == pytest.approx(expected, abs=1e-5)


def test_the_stage_tells_the_words_that_matched():
    result = Bm25Source(INDEX).run(make_state("please segment Lungs", path="bm25"))
    first = result.state.candidates[0]
    assert first.tool.id == "lungmask"
    assert [(w.kind, w.text) for w in first.why] == [("words", "segments, Lungs")]
    assert first.scores == {"bm25": first.score}


def test_a_query_of_unknown_words_says_so():
    result = Bm25Source(INDEX).run(make_state("xyzzy"))
    assert ids(result) == []
    assert result.note == "no record holds a word of the query"


def test_the_scorer_loses_and_finds_nothing():
    had = [make_candidate(i) for i in ("viewer", "lungmask", "gone")]
    result = Bm25Scorer(INDEX).run(make_state("lungs", *had))
    assert ids(result) == ["lungmask", "gone", "viewer"]
    assert result.state.candidates[1].score == 0.0


@pytest.mark.parametrize("stage", [Bm25Source(INDEX), Bm25Scorer(INDEX, name="bm25")])
def test_switched_off_it_says_so(stage):
    with pytest.raises(StageUnavailable, match="switched off"):
        stage.run(make_state("lungs", off=frozenset({"bm25"})))


def test_the_best_share_weighs_words_by_rarity_and_counts_words_that_nobody_has():
    index = Bm25Index(
        [
            make_tool("a", description="stitch tiles"),
            make_tool("b", description="stitch nuclei"),
            make_tool("c", description="lungs"),
        ]
    )
    assert index.best_share("stitch tiles") == 1.0
    assert index.best_share("tiles sweater") < index.best_share("tiles stitch sweater") < 1.0
    assert 0 < index.best_share("stitch sweater") < index.best_share("tiles sweater")
    assert index.best_share("sweater") == index.best_share("") == 0.0
    assert Bm25Index([]).best_share("stitch") == 0.0


def test_words_of_descriptions_are_known_in_their_own_form_alone():
    index = Bm25Index([make_tool("a", name="Rost", description="Finds the Class of cells")])
    assert index.knows("class")
    assert index.knows("CELLS")
    assert not index.knows("cell")
    assert not index.knows("rost")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # The record's own form of a word, not the visitor's.
        ("Lunges in CT", "lung, CT"),
        ("lung", "lung"),
        ("Segmenting lungs", "segments, lung"),
        # What is in every text tells nothing of this one.
        ("find how well it segments, after surgery", "segments"),
    ],
)
def test_a_word_that_matched_is_told_as_the_record_writes_it(text, words):
    about = "Segments the lung in CT; works well, also after resection. You find it on PyPI."
    tool = make_tool("one", description=about)
    [one] = Bm25Source(Bm25Index([tool])).run(make_state(text)).state.candidates
    assert one.why[0].text.casefold() == words.casefold()
