from dataclasses import replace
from datetime import date

import pytest
from building import CT, HOSTILE, Fit, Why, answer, candidate, stage, tool
from msgspec import structs

from components.render.results.cards import cards
from components.render.results.detail import detail, nothing_chosen
from components.render.results.fitness import fit_badges, fit_table
from components.render.words import reasons

PASS = Fit(fact="modality", verdict="pass", scan="CT", tool="CT")
FAIL = Fit(fact="dimension", verdict="fail", scan="3D", tool="2D")
UNKNOWN = Fit(fact="format", verdict="unknown", scan="DICOM", tool=None)


def test_every_tool_is_a_row_that_opens_chooses_and_excludes_and_the_ninth_is_folded():
    found = [candidate(tool(f"t{n:02}")) for n in range(12)]
    html = cards(answer(stage("rerank", *found)))
    assert html.count('class="card row"') == 12
    assert [html.count(f'data-act="{act}"') for act in ("choose", "exclude")] == [12, 12]
    assert html.count("<button") == 36
    first, rest = html.split("<details class='more'")
    assert first.count('class="card row"') == 8
    assert "Show 4 more tools" in rest


def test_the_line_above_the_cards_says_what_ordered_them():
    one = candidate(tool())
    off = stage("rerank", one, status="skipped", note="[NO_RERANK]: no model was asked")
    none = stage("rerank", one, status="skipped", note="[NO_RERANK]: there is nothing to leave out")
    kept = stage("rerank", one, status="fallback")
    learned = [stage("fused", one), stage("rank", one), stage("names", one, listed=False)]
    plain = "1 tool, ordered by the learned ranking"
    assert f"{plain}; re-ranking is off." in cards(answer(*learned, off))
    assert f"{plain}; there is no re-ranking to leave out." in cards(answer(*learned, none))
    assert f"{plain}; no re-ranking model is set up." in cards(answer(*learned, kept))
    weighed = [*learned, stage("tokens", one), stage("fit", one, metrics={"marked_down": 1})]
    scanned = answer(*weighed, kept, scans=(CT,))
    assert f"{plain}, with scan facts and fit weighed in;" in cards(scanned)
    words = cards(answer(*weighed, kept))
    assert f"{plain}, with what you said of the image and fit weighed in;" in words
    model = stage("rerank/cross-encoder", one, listed=False)
    last = stage("rerank", one, children=(model,))
    assert "1 tool, ordered by the cross-encoder." in cards(answer(*learned, last))
    assert "1 tool, ordered by your words." in cards(answer(stage("bm25", one)))


def test_16_5_the_line_names_only_searches_that_ran():
    one = candidate(tool())
    words, late = stage("fused/bm25", one), stage("fused/late interaction", one)
    for children, said in (
        ((words,), "your words"),
        ((late,), "similarity to your text"),
        ((words, late), "words and meaning together"),
    ):
        fused = stage("fused", one, children=children)
        assert f"ordered by {said}." in cards(answer(fused))
        thin = stage("graph", one, note="3 added; paths do not count: too few")
        assert f"ordered by {said}." in cards(answer(fused, thin))
    graph = stage("graph", one, note="3 added")
    fused = stage("fused", one, children=(words,))
    assert "ordered by words and the graph together." in cards(answer(fused, graph))
    similar = [stage("dense", one), stage("KG expansion", one)]
    assert "ordered by similarity to your text." in cards(answer(*similar))


def test_16_5_the_line_says_that_wishes_moved_the_list():
    one = candidate(tool())
    listed = [stage("rank", one), stage("wishes", one)]
    assert "the learned ranking, with your wishes weighed in." in cards(answer(*listed))
    model = stage("rerank", one, children=(stage("rerank/cross-encoder", one, listed=False),))
    below = "the cross-encoder; what goes against your wishes stands below."
    assert below in cards(answer(*listed, model))


def test_16_5_a_model_that_is_set_up_and_fails_is_not_said_to_be_missing():
    one = candidate(tool())
    for note, said in (
        ("no model chosen; set one", "no re-ranking model is set up"),
        ("no answer within 20 s", "the re-ranking model could not be used"),
    ):
        failed = stage("rerank/cross-encoder", status="skipped", note=note)
        last = stage("rerank", one, status="fallback", children=(failed,))
        assert f"the learned ranking; {said}." in cards(answer(stage("rank", one), last))


def test_the_empty_detail_names_only_places_that_its_page_has():
    assert "on a card, in a column or in the graph" in nothing_chosen()
    assert "Choose a tool in the list to" in nothing_chosen(browsing=True)


def test_no_candidate_is_no_card():
    assert cards(answer(stage("rerank"))) == ""


def test_licence_that_nobody_states_is_said_to_be_unknown():
    assert "Licence not stated" in cards(answer(stage("rerank", candidate(tool()))))


def test_own_terms_of_a_licence_are_named():
    one = tool(license="LicenseRef-3D-Slicer", license_weights="CC-BY-NC-4.0")
    html = cards(answer(stage("rerank", candidate(one))))
    assert "3D Slicer (own terms)" in html
    assert "Weights: CC-BY-NC-4.0" in html


def test_beside_the_name_stands_the_verdict_alone_and_the_terms_beside_the_reason():
    one = tool(license="MIT", license_weights="CC-BY-NC-4.0")
    words = Why(kind="words", stage="bm25", text="lungs")
    html = cards(answer(stage("rerank", candidate(one, fit=(PASS,), why=(words,))), text="lungs"))
    head, foot = html.split("<p class='about'>")
    assert "States CT" in head
    assert "MIT" not in head
    spoken = "<span class='sr'>Uses words of the search: </span>lungs</p>"
    assert foot.index(spoken) < foot.index(">MIT<") < foot.index("Weights: CC-BY-NC-4.0")


def test_a_word_that_was_added_is_said_to_be_added_on_a_card():
    added = Why(kind="words", stage="bm25", text="lungs")
    html = cards(answer(stage("rerank", candidate(tool(), why=(added,))), text="chest"))
    assert ">Uses words added to the search: lungs<" in html


def test_hostile_record_is_text():
    one = tool(HOSTILE, name=HOSTILE, description=HOSTILE, license=HOSTILE, url="javascript:x")
    found = candidate(one, why=(Why(kind="words", stage="bm25", text=HOSTILE, value=1.0),))
    whole = answer(stage("rerank", found))
    for html in (cards(whole), detail(one, whole)):
        assert "<script" not in html
        assert "<img" not in html
        assert "javascript:" not in html


def test_unsafe_address_makes_no_link():
    for url in ("javascript:alert(1)", "data:text/html,x", "https://a@b.org", "http://x y"):
        one = tool(url=url)
        assert "<a " not in cards(answer(stage("rerank", candidate(one))))


def test_fit_badge_names_what_fails_first():
    assert "States 2D only" in fit_badges((PASS, FAIL, UNKNOWN))
    clauses = "<span>? Format not stated</span><span>; what is stated fits</span>"
    assert clauses in fit_badges((PASS, UNKNOWN))
    assert "✓ Fits<" in fit_badges((replace(PASS, fact="format"),))
    assert "✓ States CT<" in fit_badges((PASS,))
    assert "Fit not stated" in fit_badges((UNKNOWN,))


def test_the_table_words_what_cannot_be_compared_as_the_badge_does():
    apart = Fit(fact="modality", verdict="unknown", scan="label map", tool="modalities: MRI")
    assert "? States MRI, scan is label map" in fit_badges((PASS, apart))
    assert "? States MRI, scan is label map" in fit_table((PASS, apart))
    of_scan = Fit(fact="modality", verdict="unknown", scan=None, tool="modalities: MRI")
    assert "? Modality of the scan not stated" in fit_table((of_scan,))
    assert fit_badges(None) == ""


def test_fit_table_leaves_out_what_neither_side_states():
    silent, stated = (
        Fit(fact=fact, verdict="unknown", scan=None, tool=tool)
        for fact, tool in (("sequence", None), ("orientation", "requirements.orientation: RAS"))
    )
    html = fit_table((silent, stated))
    assert "orientation" in html
    assert "sequence" not in html


def test_fit_table_shows_both_values():
    html = fit_table((FAIL,))
    assert "<td>3D</td><td>2D</td>" in html
    assert "Add a scan" in fit_table(None)


def test_reasons_are_sentences_and_shares_are_not_among_them():
    why = (
        Why(kind="share", stage="fused", text="fused/dense", value=0.2),
        Why(kind="meaning", stage="dense", text="", value=0.7),
        Why(kind="words", stage="bm25", text="format:CT, lungs", value=3.0),
    )
    told = [text for _, text in reasons(structs.replace(candidate(tool()), why=why), "Lungs?")]
    assert told == [
        "Uses words of the search: lungs; and words added to the search: CT",
        "Very close in meaning to what you asked",
    ]


@pytest.mark.parametrize(
    ("typed", "used", "sentence"),
    [
        (
            "find lung nodules",
            "detect, lung, nodules",
            "of the search: lung, nodules; and words added",
        ),
        ("Lunge", "lung, segmentation", "of the search: lung; and words added"),
        ("lungs segmentieren", "lung, segmentation", "of the search: lung, segmentation"),
        ("compare scans", "computed, tomography", "added to the search: computed, tomography"),
        ("count (cells), please", "count, cells,", "of the search: count, cells"),
        ("format:CT lungs", "format:CT, lungs", "of the search: CT, lungs"),
        ("", "format:CT, format:DICOM", "added to the search: CT, DICOM"),
    ],
)
def test_a_word_that_nobody_typed_is_not_one_of_the_search(typed, used, sentence):
    found = candidate(tool(), why=(Why(kind="words", stage="bm25", text=used),))
    [(_, text)] = reasons(found, typed)
    assert text.startswith(f"Uses words {sentence}")
    assert ("added" in text) == ("added" in sentence)


def test_a_task_that_a_record_does_not_state_is_no_first_reason_of_the_first_card():
    text = "None of its stated tasks is the one you name"
    tasks = Why(kind="tasks", stage="parts", text=text, value=-0.03)
    words = Why(kind="words", stage="bm25", text="lungs")
    rows = [candidate(tool(id), why=(tasks,)) for id in ("a", "b")]
    first, second = cards(answer(stage("rank", *rows))).split('data-tool="b"')
    assert text not in first
    assert text in second
    assert reasons(candidate(tool("a"), why=(tasks, words)), "lungs")[-1] == ("tasks", text)


def test_detail_says_where_a_tool_stood_and_where_it_was_missing():
    one, two = candidate(tool("a")), candidate(tool("b"))
    html = detail(tool("b"), answer(stage("dense", one, two), stage("bm25", one)))
    assert "<td>2</td>" in html
    assert "Not listed by: Words." in html


def test_detail_without_a_search_still_shows_the_record():
    assert "segmentation" in detail(tool(tasks=("segmentation",)), None)


def test_a_name_with_letters_that_deceive_is_marked_in_the_detail_panel():
    html = detail(tool("a", name="F\u0405L"), None)
    assert "letters that look like Latin ones (U+0405 CYRILLIC CAPITAL LETTER DZE)" in html
    assert "<bdi>F\u0405L</bdi>" in html
    assert "The name holds" not in detail(tool("a", name="FSL"), None)


def test_whose_images_a_tool_is_made_for_is_among_its_facts():
    html = detail(tool(species=("human", "mouse")), None)
    assert "<dt>Made for</dt><dd>mice, people</dd>" in html
    assert "made for" in detail(tool(), None).partition("Not stated by any source: ")[2]


def test_how_to_get_a_tool_stands_in_its_facts_with_the_page_that_states_it():
    page = "https://example.org/readme"
    one = tool(
        install=(("pip", "pip install <a>", page), ("conda", "conda install a", "javascript:x")),
        python_version=">=3.9",
        last_commit=date(2026, 8, 1),
        repo="https://example.org/a",
    )
    html = detail(one, None)
    assert "<code>pip install &lt;a&gt;</code>" in html
    assert f'href="{page}"' in html
    assert "javascript:x" not in html
    assert "<dt>Python version</dt><dd>&gt;=3.9</dd>" in html
    assert "2026-08-01 or later" in html


def test_a_tool_without_stated_ways_to_get_it_has_no_line_about_them():
    html = detail(tool(), None)
    assert not any(f"<dt>{name}</dt>" in html for name in ("Install", "Python version"))
    assert "Last commit" not in html


def test_fields_of_a_record_are_named_in_words():
    fits = (Fit(fact="format", verdict="pass", scan="DICOM", tool="formats_in: DICOM, NRRD"),)
    html = fit_table(fits)
    assert "reads: DICOM, NRRD" in html
    assert "formats_in" not in html


STATES = Why(kind="states", stage="parts", text="States segmentation, SM")
LACKS = Why(kind="parts", stage="parts", text="Does not state liver", value=-0.1)
ELSEWHERE = Why(
    kind="parts", stage="parts", text="It is for spine, which you do not name", value=-0.1
)
NAMED = Why(kind="words", stage="bm25", text="slide")


@pytest.mark.parametrize(
    ("whys", "line"),
    [
        # The end of a line may be cut, and a lack decides; codes are shown by their names.
        (
            (NAMED, LACKS, STATES),
            "<b>Does not state liver.</b> States segmentation, slide microscopy",
        ),
        ((LACKS, NAMED), "liver.</b> <span class='sr'>Uses words of the search: </span>“slide”"),
        ((LACKS,), "<b>Does not state liver.</b> "),
        ((STATES,), ">States segmentation, slide microscopy"),
        ((ELSEWHERE, STATES), "<b>It is for spine.</b> States segmentation, slide microscopy"),
    ],
)
def test_a_card_says_first_what_its_tool_lacks_then_what_speaks_for_it(whys, line):
    found = answer(stage("rerank", candidate(tool(), why=whys)), text="slide")
    assert f"{line}</p>" in cards(found)


def test_a_line_stands_where_the_last_tool_that_shares_a_word_ends():
    far = Why(kind="meaning", stage="dense", text="", value=0.3)
    whys = [(NAMED,), (far,), (STATES,), *[(far,)] * 7]
    rows = [candidate(tool(f"t{n}"), why=why) for n, why in enumerate(whys)]
    html = cards(answer(stage("rerank", *rows), text="slide"))
    assert html.count("little in common") == 1
    assert (
        html.index('data-tool="t2"') < html.index("little in common") < html.index('data-tool="t3"')
    )
    assert 'class="cards" start="4"' in html
    for some in (rows[:1], rows[1:2]):
        assert "little in common" not in cards(answer(stage("rerank", *some), text="slide"))


def test_no_card_tells_a_path_from_a_tool_that_the_list_does_not_show():
    def needs(name):
        return Why(kind="path", stage="graph", text=f"{name} needs nnU-Net", value=0.1)

    rows = [candidate(tool(id, name=id)) for id in ("MONAI", "MONAI Label")]
    hidden, shown = (
        answer(
            stage("graph", *rows),
            stage("rerank", rows[0], candidate(tool("n", name="nnU-Net"), why=(needs(name),))),
        )
        for name in ("MONAI Label", "MONAI")
    )
    assert "needs nnU-Net" not in cards(hidden)
    assert "MONAI needs nnU-Net" in cards(shown)


@pytest.mark.parametrize(
    ("licence", "weights", "shown"),
    [
        ("LicenseRef-Some-Lab-NonCommercial", None, ("non-commercial",)),
        ("MIT", "LicenseRef-Some-Lab-NonCommercial", ("MIT", "Weights: NC")),
        ("LicenseRef-Some-Long-Agreement-2", None, ("own terms",)),
        ("LGPL-2.0-or-later OR GPL-2.0-or-later", None, ("LGPL-2.0-or-later OR GPL-2.0-or-later",)),
    ],
)
def test_a_card_names_own_terms_of_a_long_name_by_what_they_allow(licence, weights, shown):
    one = tool(license=licence, license_weights=weights)
    html = cards(answer(stage("rerank", candidate(one))))
    assert all(f">{words}</span>" in html for words in shown)
