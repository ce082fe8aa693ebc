"""S1-09 to S1-12: catalog terms near the query."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.catalog.vocabulary import catalog_terms
from retrieval.core.errors import StageUnavailable
from retrieval.query.terms.expand import Expand, expanded_text
from retrieval.query.terms.index import TermIndex
from tests.fakes import HashingEncoder, make_state, make_tool


class Plane:
    """Texts on a circle: the cosine of two of them is the cosine of their angle's difference."""

    id, dim = "plane", 2

    def __init__(self, **degrees):
        self.degrees = degrees

    def encode(self, texts, batch_size=32):
        turns = np.radians([self.degrees.get(t.replace(" ", "_"), 180) for t in texts])
        return np.stack([np.cos(turns), np.sin(turns)], axis=1).astype(np.float32)


def expand(encoder, terms, text="segment brain", **how):
    stage = Expand(encoder, TermIndex(terms, encoder.encode(terms)), **how)
    return stage.run(make_state(text))


NEAR = Plane(segment_brain=0, segmentation=20, parcellation=30, brain=10, far=80, segment=175)


@pytest.mark.requirement("S1-10")
def test_terms_above_the_threshold_come_nearest_first():
    result = expand(NEAR, ["far", "parcellation", "segmentation"])
    terms = result.state.query.expansion
    assert [t.term for t in terms] == ["segmentation", "parcellation"]
    assert terms[0].similarity == pytest.approx(np.cos(np.radians(20 - 10)), abs=1e-5)
    assert all(t.similarity > 0.75 for t in terms)


@pytest.mark.requirement("S1-10")
def test_threshold_and_number_can_be_set():
    assert (
        len(expand(NEAR, ["far", "parcellation", "segmentation"], limit=1).state.query.expansion)
        == 1
    )
    assert len(expand(NEAR, ["far", "parcellation"], threshold=0.0).state.query.expansion) == 2
    assert Expand(NEAR, None).limit == 10
    assert Expand(NEAR, None).threshold == 0.75


@pytest.mark.requirement("S1-11")
def test_words_of_the_query_are_not_added_again():
    terms = ["brain", "segment", "segment brain", "segmentation"]
    found = expand(NEAR, terms, text="Segment BRAIN").state.query.expansion
    assert [t.term for t in found] == ["segmentation"]


@pytest.mark.requirement("S1-11")
def test_terms_and_similarities_are_told_and_stay_out_of_the_search_text():
    result = expand(NEAR, ["segmentation"])
    assert result.note.startswith("segmentation 0.9")
    assert result.metrics["expansion_terms"] == 1
    assert result.state.query.search_text == "segment brain"
    assert expanded_text(result.state.query) == "segment brain segmentation"


@pytest.mark.requirement("S1-12")
def test_the_neighbours_come_from_the_catalog_alone_without_a_dictionary():
    encoder = HashingEncoder()
    terms = catalog_terms([make_tool("a", description="parcellate", keywords=("brain lobes",))])
    found = expand(encoder, list(terms), text="brain", threshold=0.5).state.query.expansion
    assert [t.term for t in found] == ["brain lobes"]


def test_no_near_term_is_said():
    result = expand(NEAR, ["far"])
    assert (result.note, result.state.query.expansion) == ("no term is near enough", ())


def test_ties_stand_in_the_order_of_spelling():
    same = Plane(x=0, beta=5, alpha=5, gamma=5)
    assert [
        t.term for t in expand(same, ["gamma", "beta", "alpha"], "x").state.query.expansion
    ] == [
        "alpha",
        "beta",
        "gamma",
    ]


def test_without_terms_or_text_or_when_switched_off_the_stage_says_why():
    encoder = HashingEncoder()
    index = TermIndex(["a"], encoder.encode(["a"]))
    for stage, state, why in (
        (Expand(encoder, None), make_state("x"), "still being embedded"),
        (Expand(encoder, index), make_state(""), "no text"),
        (Expand(encoder, index), make_state("x", off=frozenset({"expand"})), "switched off"),
    ):
        with pytest.raises(StageUnavailable, match=why):
            stage.run(state)


@pytest.mark.requirement("S1-09")
def test_the_vocabulary_is_names_keywords_and_description_words():
    tool = make_tool(
        "a", name="LungMask", description="Segments the lobes.", keywords=("chest CT",)
    )
    assert catalog_terms([tool]) == ("chest ct", "lobes", "lungmask", "segments", "the")


@pytest.mark.requirement("S1-09")
def test_a_changed_catalog_has_another_vocabulary():
    before = catalog_terms([make_tool("a", description="one")])
    assert set(catalog_terms([make_tool("a", description="two")])) - set(before) == {"two"}


def test_beyond_the_limit_the_terms_of_most_records_stay():
    tools = [make_tool(f"t{n}", description="common") for n in range(3)]
    assert catalog_terms(tools, limit=1) == ("common",)


@pytest.mark.requirement("S1-11")
def test_other_forms_of_a_typed_word_are_not_added_and_a_derived_word_is():
    terms = ["brains", "segmented", "segmenting", "brain segments", "segmentation", "parcellation"]
    near = Plane(segment=0, brain=0, segment_brain=0, **{t.replace(" ", "_"): 5 for t in terms})
    found = expand(near, terms).state.query.expansion
    assert [t.term for t in found] == ["parcellation", "segmentation"]


def test_two_forms_of_one_term_are_added_once():
    near = Plane(segment_brain=0, cortex=20, parcellation=30, parcellations=40)
    found = expand(near, ["parcellation", "parcellations", "cortex"]).state.query.expansion
    assert [t.term for t in found] == ["cortex", "parcellation"]
