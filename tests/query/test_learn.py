"""Terms learned from use: keywords that the tools chosen for such requests share."""

from __future__ import annotations

import json

import numpy as np
import pytest

from components.data import Data, Form
from components.run import sought
from components.taste import Taste
from retrieval.core.errors import StageUnavailable
from retrieval.export.serialise import to_json
from retrieval.query.terms.expand import expanded_text
from retrieval.query.terms.index import TermIndex
from retrieval.query.terms.learn import LEARNED, MOST, LearnTerms
from tests.fakes import make_state, make_tool

COSINES = {
    "skull stripping": 0.6,
    "brain extraction": 0.5,
    "brain mask": 0.45,
    "tumour": 0.3,
    "defacing": 0.41,
    "python": 0.1,
    "cell tracking": 0.0,
    "skulls": 0.9,
}
TOOLS = {
    tool.id: tool
    for tool in (
        make_tool("a", keywords=("Skull stripping", "brain mask", "python", "skulls")),
        make_tool("b", keywords=("skull stripping", "brain mask", "brain extraction", "skulls")),
        make_tool("c", keywords=("brain extraction", "skull stripping", "defacing", "python")),
        make_tool("d", keywords=("cell tracking", "tumour")),
        make_tool("e", keywords=("cell tracking", "tumour", "never indexed")),
    )
}


class Ray:
    """The cosine of a term with any request is the one of COSINES."""

    id, dim = "ray", 2

    def encode(self, texts, batch_size=32):
        cosines = np.array([COSINES.get(text, 1.0) for text in texts])
        return np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1).astype(np.float32)


def learned(*liked, text="remove the skull", **query):
    terms = sorted(COSINES)
    stage = LearnTerms(Ray(), TermIndex(terms, Ray().encode(terms)), TOOLS)
    return stage.run(make_state(text, liked=liked, **query))


def terms_of(result):
    return [term.term for term in result.state.query.expansion]


@pytest.mark.requirement("S1-33")
def test_keywords_that_chosen_tools_share_are_added_and_the_note_gives_the_reason():
    result = learned("a", "b", "c")
    assert terms_of(result) == ["skull stripping", "brain extraction", "brain mask"]
    assert result.note.startswith("skull stripping (3 of your choices), brain extraction (2 ")
    assert result.metrics == {LEARNED: MOST, "expansion_terms": MOST}
    assert expanded_text(result.state.query).startswith("remove the skull skull stripping")


@pytest.mark.requirement("S1-33")
@pytest.mark.parametrize("liked", [(), ("a",), ("d", "e"), ("gone", "a"), ("a", "d")])
def test_nothing_is_learned_from_no_choice_one_choice_or_choices_for_other_requests(liked):
    result = learned(*liked)
    assert terms_of(result) == []
    assert result.state.query == make_state("remove the skull", liked=liked).query


def test_the_order_in_which_tools_were_chosen_changes_nothing():
    assert terms_of(learned("a", "b", "c")) == terms_of(learned("c", "b", "a"))


def test_typed_words_and_terms_of_the_expansion_are_not_added_again():
    before = learned("a", "b").state.query.expansion
    assert "skulls" not in terms_of(learned("a", "b"))
    assert terms_of(learned("a", "b", expansion=before)) == [term.term for term in before]


@pytest.mark.parametrize("name", ["taste", "learned"])
def test_it_is_switched_off_with_taste_or_by_its_own_name(name):
    with pytest.raises(StageUnavailable, match="switched off"):
        learned("a", "b", off=frozenset({name}))


def test_without_the_vectors_of_the_terms_it_says_so():
    stage = LearnTerms(Ray(), None, TOOLS)
    with pytest.raises(StageUnavailable, match="still being embedded"):
        stage.run(make_state("x", liked=("a", "b")))


CHOSEN = ("3dskullstrip", "hd_bet", "slicer_hd_brain_extraction")
REQUEST = "remove the skull from brain MRI"


@pytest.mark.model
@pytest.mark.requirement("S1-33")
def test_plaza_searches_with_terms_of_a_visitors_own_choices_on_the_page(engine):
    data = Data(taste=Taste(on=True, liked=CHOSEN))
    form = Form(text=REQUEST, mode="plaza")
    answer = engine.run(REQUEST, "plaza", **sought(form, data))
    node = next(n for n in answer.result.walk() if n.name.endswith("learned"))
    assert "brain extraction (3 of your choices)" in node.note
    assert any("brain extraction" in reading.text for reading in answer.ledger)
    exported = to_json(answer)
    assert "brain extraction" in [one["term"] for one in exported["query"]["expansion"]]
    assert exported["query"]["liked"] == list(CHOSEN)


@pytest.mark.model
@pytest.mark.parametrize("off", [(), ("taste",)])
def test_choices_for_other_requests_leave_the_list_of_plaza_as_it_is(engine, off):
    liked = CHOSEN if off else ("bcftools", "samtools")
    plain, other = (
        engine.run(REQUEST, "plaza"),
        engine.run(REQUEST, "plaza", liked=liked, off=off),
    )
    scores = [[(c.tool.id, c.score) for c in one.candidates] for one in (plain, other)]
    assert scores[0] == scores[1]
    assert to_json(other)["query"]["liked"] == []
    assert "hd_bet" not in json.dumps(to_json(other)["query"])
