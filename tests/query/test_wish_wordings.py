"""Wishes in other words: price, clicking, cards, hosting, languages, licences and dates."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

READER = WishReader((make_tool("warpfield", name="WarpField"),), {})


def wishes(text):
    found = READER.mentions(make_query(text).text)
    return [(m.wish.kind, m.wish.value, m.wish.strength) for m in found]


@pytest.mark.parametrize(
    "said",
    [
        "which free alternative exists",
        "visor que no sea de pago",
        "visionneuse non payante",
        "visualizzatore non a pagamento",
        "visualizador que não seja pago",
        "ein Betrachter, der nichts kostet",
        "nothing to pay",
        "like MATLAB but free",
    ],
)
def test_a_price_of_nothing_is_read_in_six_languages(said):
    assert ("licence", "free of charge", "wanted") in wishes(said)


@pytest.mark.parametrize(
    "text",
    [
        *("outil libre sous Windows pour compter des cellules", "outils libres, foie"),
        *("herramienta libre para contar células", "strumento libero per contare cellule"),
        "ferramenta livre para contar células",
    ],
)
def test_a_free_tool_of_another_language_is_an_open_one(text):
    assert wishes(text)[0] == ("licence", "open source", "wanted")


@pytest.mark.parametrize(
    "text",
    [
        *("nuclei, updated in 2026", "maintained in 2026", "nuclei, released in 2026"),
        "actualizado en 2026, núcleos",
    ],
)
def test_a_year_of_a_tool_is_a_wish(text):
    assert wishes(text) == [("since", "2026", "wanted")]


@pytest.mark.parametrize(
    "text", ["data released in 2019, segment nuclei", "the atlas was published in 2016"]
)
def test_a_year_of_data_is_no_wish(text):
    assert wishes(text) == []


def test_a_browser_behind_a_viewer_is_one_to_view_in():
    assert wishes("DICOM RT viewer browser") == [("interface", "browser", "wanted")]
    assert wishes("genome browser") == []


@pytest.mark.parametrize(
    "said", ["I'd rather click than type", "clicking only", "lieber klicken als tippen"]
)
def test_who_would_rather_click_wants_a_graphical_interface(said):
    [(kind, value, strength)] = wishes(f"count nuclei, {said}")
    assert (kind, value) == ("interface", "graphical")
    assert strength != "unwanted"


def test_clicks_that_outline_a_lesion_are_no_wish():
    assert wishes("segment the lesion with one click") == []


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        ("RTX 3060 with 12 GB", "12 GB GPU"),
        ("on an RTX 4090 24GB", "24 GB GPU"),
        ("carte graphique de 8 Go", "8 GB GPU"),
        ("VRAM only 6 GB", "6 GB GPU"),
        ("显存只有8GB", "8 GB GPU"),
    ],
)
def test_the_memory_beside_a_card_is_the_cards(said, memory):
    read = [(k, v) for k, v, _ in wishes(f"segment lungs, {said}")]
    assert ("memory", memory) in read


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("read DICOM in golang", "Go"),
        ("read DICOM in Go", "Go"),
        ("DICOM parser for PHP", "PHP"),
        ("DICOM parser in Swift", "Swift"),
        ("DICOM parser in Kotlin", "Kotlin"),
        ("read NIfTI in Ruby", "Ruby"),
    ],
)
def test_languages_that_few_records_state_are_wishes(text, language):
    assert wishes(text) == [("language", language, "wanted")]


@pytest.mark.parametrize(
    "text",
    ["Go through slides quickly", "swift eye movements", "nuclei of T-cell lymphoma (TCL)"],
)
def test_words_that_name_languages_as_well_are_no_wish(text):
    assert wishes(text) == []


@pytest.mark.parametrize(
    "said", ["neither mac nor windows here", "weder Windows noch Mac", "ni Windows ni Mac"]
)
def test_neither_of_two_systems_is_wanted(said):
    assert set(wishes(f"slide viewer, {said}")) == {
        ("system", "Windows", "unwanted"),
        ("system", "macOS", "unwanted"),
    }


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("GPU yes, CUDA no", ("gpu", "GPU", "wanted")),
        ("Intel Arc gpu, not nvidia", ("gpu", "GPU", "wanted")),
        ("segment lungs on CPU as well as GPU", ("gpu", "GPU", "unwanted")),
        ("in Jupyter but not Colab", ("interface", "notebook", "wanted")),
        ("self-hosted viewer", ("offline", "offline", "wanted")),
        ("we want to host it ourselves", ("offline", "offline", "wanted")),
        ("DICOM viewer we may resell", ("purpose", "commercial", "wanted")),
        ("register CT, a library not a program", ("interface", "graphical", "unwanted")),
        ("must work in WSL", ("system", "Linux", "required")),
        ("slide viewer published after 2023", ("since", "2024", "wanted")),
        ("moins lourd que QuPath", ("host", "QuPath", "unwanted")),
    ],
)
def test_one_wish_is_read_as_meant(text, wish):
    assert wishes(text) == [wish]


def test_a_word_of_the_next_sentence_rules_nothing_out():
    text = "show lesions on a simple desktop program; forbidden is any upload"
    assert ("interface", "desktop", "unwanted") not in wishes(text)


def test_that_there_is_no_program_yet_is_no_wish():
    assert wishes("there is not a program for otoliths, count their rings") == []


@pytest.mark.parametrize("said", ["R rather than Python", "R statt Python", "R instead of Python"])
def test_what_stands_for_another_language_is_wanted(said):
    assert wishes(f"plot counts, {said}") == [
        ("language", "R", "wanted"),
        ("language", "Python", "unwanted"),
    ]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("vessels from FLAIR no GPU windows", ("system", "Windows", "wanted")),
        ("bone lesions in Python mac", ("system", "macOS", "wanted")),
        ("our workstation has a 8 GB GPU and Ubuntu", ("system", "Linux", "wanted")),
        ("24 GB GPU and Windows: cell segmentation", ("system", "Windows", "wanted")),
        ("cell tracking open source free", ("licence", "free of charge", "wanted")),
    ],
)
def test_a_name_that_ends_a_part_of_a_sentence_behind_a_wish_is_one_too(text, last):
    assert wishes(text)[-1] == last


@pytest.mark.parametrize("text", ["no GPU windows and levels", "without GPU, windows of intensity"])
def test_windows_of_intensity_behind_a_wish_are_no_system(text):
    assert [kind for kind, *_ in wishes(text)] == ["gpu"]


@pytest.mark.parametrize(
    "said",
    [
        *("must be free for companies", "free for companies", "free even for commercial users"),
        *("kostenlos für Unternehmen", "gratuit pour les entreprises", "gratis para empresas"),
    ],
)
def test_what_is_free_for_companies_is_for_commercial_use(said):
    [(kind, value, strength)] = wishes(f"skull stripping, {said}")
    assert (kind, value) == ("purpose", "commercial")
    assert strength != "unwanted"


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("segment the liver, Windows with a GUI", "Windows"),
        ("segment the liver, mac with a GUI", "macOS"),
        ("liver, Linux without Python", "Linux"),
    ],
)
def test_a_system_before_another_wish_is_one_as_well(text, system):
    assert ("system", system, "wanted") in wishes(text)


def test_windows_of_intensity_before_a_wish_are_no_system():
    assert wishes("windows with a width of 400 HU on CT") == []


@pytest.mark.parametrize(
    "said",
    [
        "no deep learning expertise",
        "no machine learning skills",
        "no experience with deep learning",
    ],
)
def test_what_somebody_has_not_learned_is_no_method_and_is_not_searched(said):
    assert wishes(f"segment the liver, {said}") == []
    assert READER.read(make_query(f"segment the liver, {said}")).text == "segment the liver"


@pytest.mark.parametrize(
    "said", ["Julia language", "in the Julia language", "from raw k-space, Julia language"]
)
def test_the_word_language_belongs_to_its_name(said):
    assert wishes(f"MRI reconstruction, {said}") == [("language", "Julia", "wanted")]


def test_the_agpl_is_ruled_out_without_the_gpl():
    assert wishes("lung segmentation, AGPL not allowed") == [("licence", "AGPL", "unwanted")]
    assert wishes("lung segmentation, no GPL") == [("licence", "GPL", "unwanted")]


@pytest.mark.parametrize(
    "said", ["from the last two years", "recent tools", "released in the past three years"]
)
def test_the_last_years_wish_for_what_is_maintained(said):
    assert wishes(f"tractography, {said}") == [("since", "maintained", "wanted")]


def test_scans_of_the_last_years_are_no_wish():
    assert wishes("tractography in scans from the last two years") == []


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("text removal from DICOM pixel data in Python", "text removal from DICOM pixel data"),
        ("NODDI fit in Python", "NODDI fit"),
    ],
)
def test_a_noun_before_a_wish_stays_with_the_noun_that_it_belongs_to(text, rest):
    reader = WishReader((), {"language": 1.0})
    assert reader.read(make_query(text)).text == rest
