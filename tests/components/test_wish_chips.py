"""Wishes on the page: a chip each, a way to remove it and back, and a badge in words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from building import Why, answer, candidate, stage, tool

from components.data import Data, Form
from components.edits import Ask, edited
from components.render.results.cards import cards
from components.render.results.detail import detail
from components.render.results.fitness import fit_badges, fit_table
from components.render.results.order_words import effect_words
from components.render.search.form import chips
from components.run import begun, ended, sought
from retrieval import Fit, Wish, WishEffect, wish_name
from retrieval.engine.engine import Engine
from retrieval.fit import stated_shares
from retrieval.query import WishReader
from tests.fakes import SMALL, small_snapshot

PYTHON = Wish(kind="language", value="Python", text="in Python", strength="wanted")
STATED = {**stated_shares(SMALL), "licence": 1.0}
ENGINE = Engine(replace(small_snapshot(stated=STATED), wishes=WishReader(SMALL, STATED)))
FORM = Form(text="segment lungs under the MIT license")


def fit(verdict, fact="language", asked="Python, wanted"):
    return Fit(fact=fact, verdict=verdict, scan=None, tool="languages: R", asked=asked)


def test_a_wish_is_a_chip_that_is_there_before_the_answer():
    html = begun(FORM, Data(), ENGINE)["chips"]
    assert 'data-kind="wish"' in html
    assert "MIT" in html


def test_a_removed_wish_is_a_chip_that_brings_it_back():
    name = wish_name(PYTHON)
    form, data = edited("remove", Ask(form=FORM, data=Data(), id=name, kind="wish", catalog={}))
    assert sought(form, data)["muted_tokens"] == {name}
    html = chips(data, form, catalog={})
    assert "<s>Python</s>" in html
    assert "off · put back" in html
    assert "chip-words" not in html
    _, again = edited("remove", Ask(form=form, data=data, id=name, kind="words", catalog={}))
    assert again.words == frozenset()


def test_a_search_leaves_the_text_in_the_box_as_typed():
    found = ENGINE.run(FORM.text)
    assert ended(found, FORM, Data(), ENGINE)["shown"].form.text == FORM.text


def test_the_page_says_what_wishes_did():
    found = ENGINE.run(FORM.text)
    assert "nothing about MIT and stand lower" in ended(found, FORM, Data(), ENGINE)["cards"]


@pytest.mark.parametrize(
    ("fits", "words"),
    [
        ((fit("fail"), fit("unknown")), "Not in Python"),
        ((fit("fail", "gpu", "GPU, unwanted"),), "Needs a GPU"),
        ((fit("unknown"), fit("pass", "host", "Fiji, wanted")), "Language not stated"),
        ((fit("pass"),), "✓ As wished"),
    ],
)
def test_the_badge_says_the_worst_in_words(fits, words):
    assert words in fit_badges(fits)
    assert "scan" not in fit_badges(fits)


def test_met_wishes_are_no_praise_of_a_tool_that_lacks_a_part_of_the_task():
    two = (fit("pass"), fit("pass", "gpu", "GPU, unwanted"))
    assert 'class="badge badge-good"' in fit_badges(two)
    lacking = fit_badges(two, is_lacking=True)
    assert "✓ Wishes met" in lacking
    assert "badge-good" not in lacking
    assert "✓ Wish met" in fit_badges(two[:1], is_lacking=True)
    # What was compared with a scan, and what fails, is told as before.
    of_scan = Fit(fact="format", verdict="pass", scan="NIfTI", tool="formats_in: NIfTI")
    for fits in ((of_scan,), (fit("fail"),), (of_scan, fit("pass"))):
        assert fit_badges(fits, is_lacking=True) == fit_badges(fits)


@pytest.mark.parametrize("kind", ["parts", "tasks", "words"])
def test_card_and_detail_praise_no_tool_that_lacks_a_part(kind):
    why = Why(kind=kind, stage="parts", text="Does not state counting")
    one = candidate(tool(), fit=(fit("pass"),), why=(why,))
    found = answer(stage("rerank", one), text="count")
    for html in (cards(found), detail(one.tool, found)):
        assert ("As wished" in html) == (kind == "words")


def test_the_table_of_verdicts_shows_what_was_asked():
    assert "Python, wanted" in fit_table((fit("fail"),))


def test_a_wish_taken_off_is_on_again_in_a_new_text_that_states_it():
    off = Data(text="segment lungs in Python").without("wish:language:Python:wanted")
    assert off.for_text("count nuclei in Python").words == frozenset()
    for text in ("segment lungs in Python on CT", "segment lungs", "Segment lungs, in Python"):
        assert off.for_text(text).words == off.words
    assert Data().without("wish:language:Python:wanted").for_text("in Python").words


def test_a_met_wish_has_a_badge_of_its_own_beside_what_is_true_of_the_scan():
    of_scan = Fit(fact="format", verdict="pass", scan="NIfTI", tool="formats_in: NIfTI")
    no_gpu = fit("pass", "gpu", "GPU, unwanted")
    html = fit_badges((of_scan, no_gpu, fit("pass")))
    assert html.index("✓ Fits") < html.index("✓ not GPU, Python")
    # Where wishes alone are compared, the first badge says it.
    assert "not GPU" not in re.sub(r'title="[^"]*"', "", fit_badges((no_gpu,)))
    assert "Python<" not in fit_badges((of_scan, fit("unknown")))


def test_what_wishes_hide_and_lower_is_one_short_line():
    effect = WishEffect(hidden=9, unstated=1, found=20)
    assert effect_words(effect, (PYTHON,)) == (
        "9 that state otherwise are hidden; without the wish you see all. "
        "1 of 20 found states nothing about Python and stands lower."
    )
    assert effect_words(WishEffect(hidden=0, unstated=0, found=20), (PYTHON,)) == ""
    wishes = [replace(PYTHON, value=value) for value in ("Python", "macOS", "GPU")]
    two = effect_words(WishEffect(hidden=0, unstated=63, found=90), wishes[:2])
    assert two == "63 of 90 found state nothing about Python or macOS and stand lower."
    three = effect_words(WishEffect(hidden=0, unstated=63, found=90), wishes)
    assert three == "63 of 90 found state nothing about some of your wishes and stand lower."


def visitors_head(*fits: Fit) -> str:
    """The head of the column with the visitor's side."""
    return re.findall(r"<th scope='col'>([^<]*)", fit_table(fits))[1]


def test_the_verdicts_on_a_request_stand_in_the_fit_without_a_scan():
    kind = Fit(fact="modality", verdict="fail", scan="scRNA-seq", tool="modalities: RNA-seq")
    judged = candidate(tool("a"), fit=(fit("pass"), kind))
    html = detail(judged.tool, answer(stage("wishes", judged)))
    assert "Does it fit what you ask?" in html
    # What fails comes first.
    assert html.index("scRNA-seq</td>") < html.index("Python, wanted</td>")
    assert "modality: you scRNA-seq" in html
    assert "scan scRNA-seq" not in html
    assert visitors_head(kind) == "You asked"
    of_scan = Fit(fact="format", verdict="pass", scan="NIfTI", tool="formats_in: NIfTI")
    assert visitors_head(of_scan) == "Your scan"
    assert visitors_head(of_scan, fit("pass")) == "Your scan, or you asked"


def test_who_asked_for_a_purpose_is_not_told_to_say_one():
    hint = "Say your purpose and machine"
    for wish, is_told in (
        (fit("pass", "purpose", "commercial, wanted"), False),
        (fit("pass"), True),
    ):
        judged = candidate(tool("a"), fit=(wish,))
        assert (hint in detail(judged.tool, answer(stage("wishes", judged)))) == is_told


def test_what_a_tool_states_nothing_on_is_one_sentence_and_no_row():
    def of_scan(fact, verdict, tool=None):
        return Fit(fact=fact, verdict=verdict, scan="as it is", tool=tool)

    silent = [of_scan(fact, "unknown") for fact in ("channels", "units")]
    stated = of_scan("format", "pass", "formats_in: NIfTI")
    species = of_scan("species", "unknown")
    html = fit_table((stated, *silent, fit("unknown"), species))
    assert "The tool states nothing on: channels, units." in html
    # Of what was asked a silence counts, and stands before what the scan passes.
    heads = re.findall(r"<th scope='row'>([^<]*)", html)
    assert heads == ["language", "species", "format"]
    assert "<table" not in fit_table((of_scan("format", "unknown"), *silent))
