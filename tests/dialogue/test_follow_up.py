"""A follow-up refines the query before it, by a closed vocabulary and concepts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from retrieval.core.types import Filters
from retrieval.dialogue import remark
from retrieval.dialogue.rules import (
    licences_of,
    longest_rule,
    takes_back,
    vocabulary,
    words_of,
)
from tests.dialogue.talking import DIALOGUE
from tests.fakes import make_query

BEFORE = make_query("segment brain on MRI")


def after(text, query=BEFORE):
    return DIALOGUE.follow_up(query, text)


def test_only_open_licences_filters_by_every_open_licence_of_the_catalog():
    told = after("only open licences")
    assert told.query.filters.licenses == {"MIT", "GPL-3.0-only", "MIT OR LicenseRef-Own"}
    assert told.query.text == BEFORE.text
    assert told.understood == ("licence: only open ones (72 tools)",)


@pytest.mark.parametrize("text", ["not for research only", "not research-only, please"])
def test_not_for_research_only_leaves_licences_that_limit_no_use(text):
    told = after(text)
    assert told.query.filters.licenses == {"MIT", "GPL-3.0-only", "MIT OR LicenseRef-Own"}
    assert told.query.text == BEFORE.text
    assert told.understood == ("licence: open ones, which are not for research only (72 tools)",)


@pytest.mark.parametrize(
    ("text", "field", "values"),
    [
        ("permissive license please", "licenses", {"MIT", "MIT OR LicenseRef-Own"}),
        ("without GPU", "gpu", {"none", "optional"}),
        ("I have no GPU", "gpu", {"none", "optional"}),
        ("on my laptop", "gpu", {"none", "optional"}),
        ("as a Python library", "interfaces", {"Python"}),
        ("an r package", "interfaces", {"R"}),
        ("with a GUI", "interfaces", {"desktop", "web"}),
        ("no coding", "interfaces", {"desktop", "web"}),
        ("in the browser", "interfaces", {"web"}),
        ("a command-line tool", "interfaces", {"command line"}),
        ("3D only", "dimensions", {"3D"}),
    ],
)
def test_a_wish_of_the_vocabulary_becomes_a_filter_and_no_word(text, field, values):
    told = after(text)
    assert getattr(told.query.filters, field) == values
    assert told.query.text == BEFORE.text
    assert len(told.understood) == 1


def test_several_wishes_in_one_remark_are_all_taken():
    told = after("a Python library, open source, without GPU and not FSL")
    filters = told.query.filters
    assert all((filters.interfaces, filters.licenses, filters.gpu))
    assert set(told.query.excluded) == {"fsl", "bet"}
    assert len(told.understood) == 4


def test_what_was_filtered_before_stays():
    before = make_query("segment brain", filters=Filters(gpu=frozenset({"none"})))
    assert after("Python library", before).query.filters == Filters(
        gpu=frozenset({"none"}), interfaces=frozenset({"Python"})
    )


def test_any_licence_takes_the_filter_back():
    before = make_query("segment brain", filters=Filters(licenses=frozenset({"MIT"})))
    assert after("any licence", before).query.filters == Filters()
    assert after("not MIT licence", before).query.filters == Filters()


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("not FSL", ("bet", "fsl")),
        ("not 3D Slicer", ("nodules", "slicer", "airways")),
        ("not Nodules", ("nodules",)),
        ("without ANTs", ("ants",)),
        ("other than lungmask and ANTs", ("lungmask", "ants")),
        ("anything but not BET", ("bet",)),
        ("ohne FSL", ("bet", "fsl")),
        ("sin FSL ni ANTs", ("bet", "fsl", "ants")),
        ("exclude FSL, ANTs", ("bet", "fsl", "ants")),
    ],
)
def test_a_named_tool_or_suite_is_left_out(text, left_out):
    assert after(text).query.excluded == left_out


@pytest.mark.parametrize(
    "remark",
    [
        *("ohne Python", "nicht in MATLAB", "kein Docker", "sans Python", "pas de GPU"),
        *("pas dans le navigateur", "sin Python", "nada de MATLAB", "senza Python"),
        *("sem Python", "不要 Python"),
    ],
)
def test_what_another_language_denies_is_never_filtered_for(remark):
    told = after(remark)
    assert told.query.filters == BEFORE.filters
    assert told.query.text == f"{BEFORE.text}, {remark}"
    assert told.understood == (f"wished for: {remark}",)


@pytest.mark.parametrize("again", ["kein MATLAB", "not MATLAB", "sans MATLAB"])
def test_a_wish_that_is_held_is_not_added_in_other_words(again):
    before = after("不要 MATLAB").query
    told = after(again, before)
    assert told.query == before
    assert told.understood == (f"wished for already: {again}",)


def test_a_denial_in_another_language_takes_a_filter_back():
    before = after("Python library").query
    assert after("ohne Python library", before).query.filters == BEFORE.filters


def test_words_of_grammar_alone_add_nothing():
    told = after("kein FSL und kein ANTs")
    assert told.query.text == BEFORE.text
    assert told.understood == ("left out: FSL (2 tools)", "left out: ANTs")
    assert after("lieber im Browser").understood == ("interface: web (0 tools)",)


def test_what_is_not_wanted_and_not_known_is_never_searched_for():
    told = after("not Wonderseg")
    assert told.query == BEFORE
    assert "not understood" in told.understood[0]
    assert "Wonderseg" in told.understood[0]


@pytest.mark.parametrize(
    ("remark", "wish"),
    [
        ("not Python", "not Python"),
        ("it runs on a Mac", "it runs on a Mac"),
        ("nothing with CUDA", "nothing with CUDA"),
        ("not older than 2023", "not older than 2023"),
        ("free for commercial use", "free for commercial use"),
        ("must be usable commercially", "must be usable commercially"),
    ],
)
def test_what_no_filter_states_is_a_wish_in_the_words_of_the_search(remark, wish):
    told = after(remark)
    assert told.understood == (f"wished for: {wish}",)
    assert told.query.text == f"{BEFORE.text}, {wish}"
    assert told.query.filters == BEFORE.filters


@pytest.mark.parametrize(
    ("remark", "words"),
    [
        *((words, words) for words in ("in Python", "only Python", "written in Java", "in C++")),
        *((words, words) for words in ("Python or R", "Julia", "must be in MATLAB", "R")),
        ("in r", "in R"),
    ],
)
def test_a_language_is_wished_for_as_in_a_request(remark, words):
    told = after(remark)
    assert told.query == replace(BEFORE, text=f"{BEFORE.text}, {words}", raw=told.query.raw)
    assert told.understood == (f"wished for: {words}",)


@pytest.mark.parametrize(
    ("remark", "back"),
    [
        ("Undo that, please!", "last"),
        ("undo", "last"),
        ("start over", "all"),
        ("undo the registration", ""),
        ("", ""),
    ],
)
def test_a_whole_sentence_takes_a_remark_back(remark, back):
    assert takes_back(remark) == back


@pytest.mark.parametrize(
    ("before", "remark", "text"),
    [
        ("segment brain, on Windows", "rather on Linux", "segment brain, rather on Linux"),
        ("segment brain, unter Windows", "lieber unter Linux", "segment brain, lieber unter Linux"),
        ("segment brain, in Fiji", "no, in Python instead", "segment brain, in Python"),
        ("segment brain, in Fiji", "no, a Python library instead", "segment brain"),
        ("segment brain, in Fiji", "also in Python", "segment brain, in Fiji, also in Python"),
        ("segment brain, not in R", "in Python instead", "segment brain, in Python, not in R"),
        ("segment brain, in Python", "in R", "segment brain, in R"),
        ("segment brain, in Python", "also in R", "segment brain, in Python, in R"),
        ("segment brain, in Python", "not Python", "segment brain, not Python"),
        ("segment brain in Python", "in R", "segment brain in Python, in R"),
        ("segment brain, on Linux", "in Python and R", "segment brain, on Linux, in Python and R"),
    ],
)
def test_a_wish_that_is_changed_takes_the_place_of_the_one_before(before, remark, text):
    assert after(remark, make_query(before)).query.text == text


def test_a_filter_that_is_forgotten_admits_every_tool():
    before = after("only open licences, no GPU").query
    told = after("forget the licence", before)
    assert (told.query.filters.licenses, told.query.text) == (frozenset(), BEFORE.text)
    assert after("GPU does not matter", before).query.filters.gpu == frozenset()


def test_another_modality_takes_the_place_of_the_one_before():
    told = after("what about CT?")
    assert told.query.text == "segment brain on CT"
    assert told.understood == ("CT instead of MRI",)
    assert after("only CT").query.filters.modalities == {"CT"}


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("only DICOM", {"DICOM"}),
        ("must read NIfTI", {"NIfTI"}),
        ("just DICOM or NIfTI", {"DICOM", "NIfTI"}),
        ("with DICOM", set()),
    ],
)
def test_only_a_format_filters_as_only_a_modality_does(text, formats):
    told = after(text)
    assert told.query.filters == Filters(formats=frozenset(formats))
    assert bool(formats) == any("format: only" in line for line in told.understood)


@pytest.mark.parametrize(
    "remark",
    ["must write RTSTRUCT", "it has to export RTSTRUCT", "save DICOM SEG", "output RTDOSE"],
)
def test_what_is_written_takes_no_place_of_the_images(remark):
    told = after(remark)
    assert told.query.text.startswith(f"{BEFORE.text}, ")
    assert told.query.filters == BEFORE.filters
    dose = make_query("volume histogram from RTDOSE")
    assert after("what about RTSTRUCT", dose).query.text == "volume histogram from RTSTRUCT"


def test_a_modality_filter_follows_the_modality_asked_for():
    before = make_query("segment brain on MRI", filters=Filters(modalities=frozenset({"MRI"})))
    assert after("what about CT?", before).query.filters.modalities == {"CT"}


def test_for_mouse_adds_the_species_or_changes_it():
    assert after("for mouse").query.text == "segment brain on MRI, mouse"
    before = make_query("segment human brain on MRI")
    assert after("for mouse", before).query.text == "segment mouse brain on MRI"


def test_a_part_of_the_body_is_changed_only_when_that_is_said():
    assert after("the liver instead").query.text == "segment liver on MRI"
    assert after("and the liver").query.text == "segment brain on MRI, liver"
    assert after("not brain").query.text == "segment on MRI"


def test_faster_adds_a_word_and_says_which():
    told = after("faster")
    assert told.query.text == "segment brain on MRI, fast"
    assert told.understood == ("added the word: fast",)


def test_words_are_not_read_with_what_is_left_out_before_them():
    before = make_query("segment brain on MRI, not FSL")
    assert after("ANTs", before).query.text == "segment brain on MRI, ANTs, not FSL"
    assert after("mouse", make_query("not FSL")).query.text == "mouse, not FSL"


@pytest.mark.parametrize(
    "text",
    ["cheaper", "something less expensive", "billiger", "m\u00e1s barato", "\u66f4\u4fbf\u5b9c"],
)
def test_cheaper_is_a_wish_for_what_is_free_of_charge(text):
    told = after(text)
    assert told.query.text == "segment brain on MRI, free of charge"
    assert told.understood == ("wished for: free of charge",)


def test_a_gpu_that_is_needed_is_not_one_that_can_be_used():
    assert after("only those that need a GPU").query.filters.gpu == {"required"}
    assert after("with a GPU").query.filters.gpu == {"optional", "recommended", "required"}


def test_unknown_words_are_added():
    told = after("with hippocampal subfields")
    assert told.query.text == "segment brain on MRI, hippocampal subfields"
    assert told.understood == ("added the words: hippocampal subfields",)


def test_a_whole_new_task_is_a_new_search_that_keeps_the_filters():
    before = make_query("segment brain", filters=Filters(gpu=frozenset({"none"})))
    told = after("register lung CT", before)
    assert told.query.text == "register lung CT"
    assert told.query.filters == before.filters
    assert told.understood == ("a new search: register lung CT",)


def test_what_is_said_already_changes_nothing():
    told = after("MRI")
    assert told.query == BEFORE
    assert told.understood == ("said already: MRI",)


def test_more_and_fewer_change_the_length_within_bounds():
    assert after("show more").query.top_k == 30
    assert after("show more", make_query("x", top_k=48)).query.top_k == 50
    assert after("fewer", make_query("x", top_k=5)).query.top_k == 1


@pytest.mark.parametrize("text", ["", "   ", "?!", "please", "\x00"])
def test_a_remark_without_a_word_changes_nothing(text):
    told = after(text)
    assert (told.query, told.understood) == (BEFORE, ())


def test_scans_tokens_and_toggles_stay():
    before = make_query("segment", tokens=("format:CT",), rerank=False, excluded=("ants",))
    told = after("in Python", before).query
    assert (told.tokens, told.rerank, told.excluded) == (("format:CT",), False, ("ants",))


def test_a_family_of_licences_minds_either_or_and_non_commercial_terms():
    stated = ["MIT OR Foo", "MIT AND Foo", "CC-BY-NC-4.0", "CC-BY-4.0", "GPL-2.0-only WITH X"]
    assert licences_of("open", stated) == {"MIT OR Foo", "CC-BY-4.0", "GPL-2.0-only WITH X"}
    assert licences_of("MIT", ["Apache-2.0"]) == {"MIT"}


def test_every_phrase_of_the_vocabulary_is_read_as_itself():
    rules = vocabulary().rules
    assert all(longest_rule(words, 0, rules) == len(words) for words in rules)
    # A whole reading takes a millisecond, and most phrases differ in filling words alone.
    for words, rule in list(rules.items())[::10]:
        told = after(" ".join(words))
        assert told.understood[0].startswith(rule.label), words


def test_the_time_to_read_a_remark_grows_with_its_words_and_not_their_square(monkeypatch):
    looks = []
    monkeypatch.setattr(remark, "replaces", lambda words: looks.append(words) or False)
    after("not foo bar python on linux " * 20)
    assert len(looks) == 1


def test_words_with_signs_stay_whole():
    assert words_of("C++ and .nii.gz, GPU-free!") == ("c++", "and", "nii.gz", "gpu-free")
