"""S1-05 to S1-08 and W1: what a typed text and its toggles ask for."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.errors import BadInput
from retrieval.core.types import Filters, format_token
from retrieval.query import text_notes
from retrieval.query.parse import MAX_TEXT, MAX_TOP_K, parse_query

PLACES = ["{} segment lungs", "segment {} lungs", "segment lungs {}", "segment{}lungs"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "tag", ["[EXCLUDE:tool1|tool2]", "[exclude: tool1 | tool2 ]", "[ Exclude :tool1|tool2]"]
)
@pytest.mark.requirement("S1-05")
def test_exclude_gives_the_names_and_leaves_the_clean_text(place, tag):
    query = parse_query(place.format(tag))
    assert query.text == "segment lungs"
    assert query.excluded == ("tool1", "tool2")
    assert query.rerank


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("tag", ["[NO_RERANK]", "[no_rerank]", "[No_Rerank ]"])
@pytest.mark.requirement("S1-06")
def test_no_rerank_is_taken_out_of_the_text_in_any_place_and_case(place, tag):
    query = parse_query(place.format(tag))
    assert (query.text, query.rerank, query.refine) == ("segment lungs", False, False)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("tag", ["[REFINE]", "[refine]", "[ Refine]"])
@pytest.mark.requirement("S1-07")
def test_refine_is_taken_out_of_the_text_in_any_place_and_case(place, tag):
    query = parse_query(place.format(tag))
    assert (query.text, query.rerank, query.refine) == ("segment lungs", True, True)


@pytest.mark.requirement("S1-08")
def test_tags_combine_and_repeat():
    query = parse_query("[EXCLUDE:a]x [REFINE][exclude:b|a] y[NO_RERANK] [NO_RERANK]")
    assert (query.text, query.excluded) == ("x y", ("a", "b"))
    assert not query.rerank
    assert query.refine


@pytest.mark.parametrize(
    "text",
    [
        "[CT/MRI] scan",
        "[EXCLUDE] x",
        "[EXCLUDED:x] y",
        "[NO RERANK] x",
        "[REFINED] x",
        "a[0] b",
        "[EXCLUDE:x",
        "][",
    ],
)
@pytest.mark.requirement("S1-08")
def test_other_brackets_stay_text(text):
    query = parse_query(text)
    assert query.text == text
    assert query.excluded == ()
    assert query.rerank
    assert not query.refine


def test_an_empty_exclude_excludes_nothing():
    assert parse_query("x [EXCLUDE:] [EXCLUDE: | |]").excluded == ()


def test_tags_inside_a_tag_are_both_taken():
    query = parse_query("x [EXCLUDE:a|[NO_RERANK]b] y")
    assert (query.text, query.excluded, query.rerank) == ("x y", ("a", "b"), False)


@pytest.mark.requirement("W1")
def test_no_tag_reaches_the_search_text_whatever_its_case():
    query = parse_query("x [REFINE] y [EXCLUDE:a] z [EXCLUDE:b] [no_rerank]")
    assert query.search_text == "x y z"
    assert query.excluded == ("a", "b")


def test_toggles_set_the_fields_that_tags_set():
    typed = parse_query("segment lungs [EXCLUDE:a|b] [NO_RERANK] [REFINE]")
    toggled = parse_query("segment lungs", excluded=["a", "b"], rerank=False, refine=True)
    assert (typed.text, typed.excluded) == (toggled.text, toggled.excluded)
    assert (typed.rerank, typed.refine) == (toggled.rerank, toggled.refine)


def test_a_toggle_that_is_off_does_not_undo_a_tag():
    assert not parse_query("x [NO_RERANK]", rerank=True).rerank
    assert parse_query("x [REFINE]", refine=False).refine


FORMS = {
    "open": "[" * 200_000,
    "close": "]" * 200_000,
    "pairs": "[]" * 100_000,
    "exclude begins": "[EXCLUDE:" * 22_000,
    "exclude spaces": "[EXCLUDE:" + " " * 200_000,
    "spaces in tag": "[" + " " * 200_000 + "REFINE]",
    "bars": "[EXCLUDE:" + "a|" * 100_000 + "]",
    "nested": "[EXCLUDE:" * 11_000 + "]" * 11_000,
    "refines": "[REFINE]" * 25_000,
    "half": "[REFINE" * 28_000,
    "spaces": " " * 200_000,
}


@pytest.mark.parametrize("form", FORMS)
def test_parsing_takes_linear_time_on_200_kilobytes_of_brackets(form):
    text = FORMS[form]
    half, whole = (min(_seconds(part) for _ in range(2)) for part in (text[: len(text) // 2], text))
    assert whole < 1.0
    assert whole < 8 * half + 0.1


def _seconds(text):
    start = perf_counter()
    parse_query(text)
    return perf_counter() - start


@given(st.text(alphabet=st.sampled_from("[]|: EXCLUDErefineNO_RRANK肺é\ud800\x00\n"), max_size=60))
def test_any_text_gives_a_clean_text_that_can_be_written(text):
    query = parse_query(text)
    query.text.encode("utf-8")
    assert query.text == " ".join(query.text.split())
    assert "\x00" not in query.text
    assert "[NO_RERANK]" not in query.text.upper()


@pytest.mark.requirement("W16")
def test_words_of_every_language_stay():
    assert parse_query("分割肺部CT").text == "分割肺部CT"
    assert parse_query("segmentación del pulmón").text == "segmentación del pulmón"


def test_text_over_the_limit_is_refused_with_its_size():
    with pytest.raises(BadInput, match=r"250,001 characters; shorten it to 250,000"):
        parse_query("x" * (MAX_TEXT + 1))


@pytest.mark.parametrize(
    ("text", "is_cut"),
    [
        ("lung " * 1_000, False),
        ("lung " * 1_001, True),
        ("lung" + " " * 6_000, False),
        ("segment lungs [EXCLUDE:" + "some tool|" * 900 + "]", False),
        ("肺分割" * 2_000, True),
    ],
)
def test_a_text_of_which_the_end_is_not_searched_says_so(text, is_cut):
    assert is_cut == any("its first 5,000 characters" in note for note in text_notes(text, "lung"))


@pytest.mark.parametrize("top_k", [0, -1, 51, 10_000])
def test_top_k_outside_its_range_is_refused_naming_the_field(top_k):
    with pytest.raises(BadInput, match=f"top_k: {top_k} .* 1 to 50"):
        parse_query("x", top_k=top_k)


def test_top_k_inside_its_range_is_kept():
    assert [parse_query("x", top_k=k).top_k for k in (None, 1, MAX_TOP_K)] == [None, 1, 50]


@pytest.mark.parametrize("token", ["format:JOHN_DOE", "", "format:", "DICOM; drop", "x" * 500])
def test_a_token_outside_the_closed_vocabularies_is_refused(token):
    with pytest.raises(BadInput, match=r"tokens: .* write for example format:DICOM"):
        parse_query("x", tokens=[token])


def test_tokens_are_taken_in_any_spelling_once_and_written_in_one():
    query = parse_query("x", tokens=["dcm", "format:MR", "format:3D", "DICOM"])
    assert query.tokens == ("format:DICOM", "format:MRI", "format:3D")


@pytest.mark.parametrize("code", [*Format, *Modality, *Dimension])
def test_every_token_this_app_writes_is_a_token_it_takes(code):
    token = format_token(code)
    assert parse_query("x", tokens=[token]).tokens == (token,)


def test_search_text_is_clean_text_and_tokens():
    query = parse_query("segment lungs [REFINE]", tokens=["format:DICOM", "format:CT", "format:3D"])
    assert query.search_text == "segment lungs format:DICOM format:CT format:3D"


def test_filters_default_to_nothing_asked():
    assert parse_query("x").filters == Filters()


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("lungs [EXCLUDE:tool1", "[EXCLUDE:name|name]"),
        ("lungs [NO_RERANK] [require:language=R", "[REQUIRE:kind=value]"),
        ("lungs [NO_RERANK", "[NO_RERANK]"),
    ],
)
def test_a_tag_without_its_bracket_stays_text_and_is_noted_with_the_remedy(text, remedy):
    query = parse_query(text)
    assert "[" in query.text
    [note] = text_notes(query.raw, query.text)
    assert "no closing bracket" in note
    assert note.endswith(f"write {remedy}.")


@pytest.mark.parametrize("text", ["lungs [EXCLUDE:a]", "[CT/MRI] scan", "[EXCLUDED:x", "a[0"])
def test_other_brackets_are_not_noted(text):
    assert text_notes(text, parse_query(text).text) == ()


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("сегментация легких на КТ", "Cyrillic"),
        ("تقسيم الرئتين CT", "Arabic"),
        ("폐 분할 CT", "Hangul"),
        ("ตรวจปอด", "Thai"),
    ],
)
def test_a_script_that_is_not_read_is_noted(text, script):
    [note] = text_notes(text, text)
    assert note.startswith(f"Text in {script} letters is not read")


@pytest.mark.parametrize(
    "text", ["分割肺部CT", "肺がんの検出", "β-amyloid PET, Δψ in µm", "Läsion", ""]
)
def test_a_language_that_is_read_is_not_noted(text):
    assert text_notes(text, text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "jak policzyć komórki pod mikroskopem",
        "BT görüntülerinde akciğer bölütleme",
        "segmentace jater na řezech CT",
    ],
)
def test_a_language_in_latin_letters_that_is_not_read_is_said(text):
    [note] = text_notes(text, text)
    assert note.startswith("The language with the letter ")


@pytest.mark.parametrize(
    "text",
    [
        "naïve T cells at 3 ångström",
        "Läsionen im Gehirn, segmentação, recalage d'images, cellule più grandi, células",
        "the method of Škoda and Łukasz for fMRI",
        "T1 µm",
    ],
)
def test_a_language_that_is_read_and_names_get_no_note(text):
    assert text_notes(text, text) == ()


@pytest.mark.parametrize(
    ("names", "why"),
    [(["x" * 301], "301 characters"), ([f"n{n}" for n in range(2_001)], "2,001 names")],
)
def test_exclusions_that_no_saved_answer_can_hold_are_refused(names, why):
    with pytest.raises(BadInput, match=f"exclude: .*{why}"):
        parse_query("segment lungs", excluded=names)
    with pytest.raises(BadInput, match=why):
        parse_query(f"segment lungs [EXCLUDE:{'|'.join(names)}]")
