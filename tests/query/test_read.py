"""Reading a text in another language."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from retrieval.query.read import Read
from tests.fakes import make_state


@dataclass(frozen=True)
class Words:
    """An annotator that knows a concept by each of its words."""

    known: dict[str, str]

    def concepts(self, text: str) -> tuple[str, ...]:
        return tuple(self.known[w] for w in text.split() if w in self.known)


ENGLISH = {"lung": "anatomy:lung", "CT": "modality:CT"}
FULL = {**ENGLISH, "pulmón": "anatomy:lung", "segmentar": "operation:segmentation"}
LABELS = {"anatomy:lung": "lung", "modality:CT": "computed tomography"}
READ = Read(Words(FULL), Words(ENGLISH), LABELS)


def reading(text):
    return READ.run(make_state(text)).state.query


@pytest.mark.requirement("W16")
def test_a_foreign_text_is_read_as_all_its_concepts():
    query = reading("segmentar pulmón CT")
    assert query.reading == ("segmentation", "lung", "computed tomography")
    assert query.english_text == "segmentation lung computed tomography"
    assert query.worded_text.startswith("segmentar pulmón CT segmentation")


def test_an_english_text_is_left_alone():
    query = reading("lung CT")
    assert query.reading == ()
    assert query.english_text == query.worded_text == "lung CT"


def test_without_a_concept_layer_the_text_stands():
    result = Read(None, None, {}).run(make_state("segmentar pulmón"))
    assert result.state.query.reading == ()
    assert result.ran
    assert not result.listed


KNOWN = Read(
    Words({**FULL, "class": "operation:classification", "tumor": "disease:tumour"}),
    Words(ENGLISH),
    LABELS,
    known=lambda word: word.casefold() in {"class", "tumor"},
)


@pytest.mark.requirement("W16")
def test_an_english_word_that_another_language_shares_makes_no_text_foreign():
    for text in ("find a yoga class", "lung class", "tumor CT"):
        assert KNOWN.run(make_state(text)).state.query.reading == ()


@pytest.mark.requirement("W16")
def test_one_word_that_english_does_not_know_makes_the_whole_text_foreign():
    query = KNOWN.run(make_state("segmentar tumor CT")).state.query
    assert query.reading == ("segmentation", "tumour", "computed tomography")


@pytest.mark.requirement("W16")
def test_accents_tell_another_language_whatever_its_words():
    accented = Read(Words({"tumor": "disease:tumour"}), Words({}), {}, known=lambda word: True)
    assert accented.run(make_state("tumor óseo")).state.query.reading == ("tumour",)


@pytest.mark.requirement("W16")
def test_letters_of_units_and_proteins_tell_no_other_language():
    for text in ("tumor 5 µm", "3 Å tumor", "α-actin tumor – “CT”"):
        assert KNOWN.run(make_state(text)).state.query.reading == ()


@pytest.mark.requirement("W16")
def test_words_that_are_no_concepts_are_read_in_their_place():
    def words(text):
        return ("segmentation", "nodule") if "nódulo" in text else ()

    worded = Read(Words(FULL), Words(ENGLISH), LABELS, words=words)
    read = worded.run(make_state("segmentar nódulo pulmón")).state.query.reading
    assert read == ("segmentation", "nodule", "lung")
    assert worded.run(make_state("lung CT nódulo")).state.query.reading == ()


@pytest.mark.parametrize("text", ["Lunge im CT der lung", "la gordura viscéral en lung"])
def test_a_text_that_says_a_concept_twice_or_has_letters_of_its_own_is_read(text):
    read = Read(
        Words({**FULL, "Lunge": "anatomy:lung"}),
        Words(ENGLISH),
        LABELS,
        known=lambda word: word in {"lung", "CT"},
    )
    assert read.run(make_state(text)).state.query.reading


def test_a_text_with_english_grammar_is_not_read_for_one_name():
    read = Read(
        Words({**FULL, "Lunge": "anatomy:lung"}),
        Words(ENGLISH),
        LABELS,
        known=lambda word: word in {"lung", "CT"},
    )
    assert read.run(make_state("the lung by Lunge")).state.query.reading == ()
