from __future__ import annotations

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import format_token
from retrieval.lexical.tokenise import tokenise


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("segment 3D CT", {"segment", "3d", "ct"}),
        ("10x Visium", {"10x"}),
        ("4D fMRI", {"4d", "fmri"}),
        ("il-6 response", {"il-6"}),
        ("肺の分割", {"肺", "分割"}),
        ("segmentación de pulmón", {"pulmón"}),
    ],
)
def test_5_7_numbers_with_letters_and_words_of_any_script_keep_their_tokens(text, kept):
    assert kept <= set(tokenise(text))


@pytest.mark.parametrize("code", ["3d", "t1", "10x", "4d", "il-6", "2d", "t2*"])
def test_short_codes_of_the_field_survive(code):
    assert code in tokenise(f"segment {code.upper()} data")


@pytest.mark.parametrize("code", [*Format, *Modality, *Dimension])
def test_a_format_token_is_one_term(code):
    token = format_token(code)
    assert tokenise(f"lungs {token} scan")[1:-1] == [token.casefold()]


def test_a_token_at_the_end_of_a_sentence_is_the_same_term():
    assert tokenise("is it format:CT.") == tokenise("it format:CT")


def test_words_are_stemmed_and_stop_words_go():
    assert tokenise("segmenting the lungs") == tokenise("segment a lung") == ["segment", "lung"]


@pytest.mark.requirement("W16")
def test_cjk_text_gives_its_characters_and_pairs():
    terms = tokenise("分割肺部CT")
    assert {"分", "割", "肺", "部", "分割", "肺部", "ct"} <= set(terms)


@pytest.mark.requirement("W16")
def test_accented_words_stay_whole():
    assert len(tokenise("segmentación del pulmón")) == 3
    assert tokenise("pulmón") == tokenise("PULMÓN")


def test_composed_and_decomposed_accents_are_one_word():
    assert tokenise("pulmo\u0301n") == tokenise("pulmón")


def test_full_width_letters_are_the_plain_ones():
    assert tokenise("ＣＴ") == tokenise("CT")


def test_a_hyphened_word_meets_its_parts_and_its_joined_form():
    terms = tokenise("nnU-Net")
    assert set(tokenise("nnunet")) <= set(terms)
    assert set(tokenise("net")) <= set(terms)


@pytest.mark.parametrize("text", ["", "   ", "!!! ??? []", "the of a"])
def test_text_without_a_word_gives_no_term(text):
    assert tokenise(text) == []
