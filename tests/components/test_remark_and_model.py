"""Remarks, doubt and the language model on the page, as functions."""

from building import CT, HOSTILE, Filters, answer, candidate, replace, stage, tool, upload

from components.data import Data, Form
from components.edits import edited
from components.panels.follow import followed
from components.render.cards import cards
from components.render.doubt import FITS_NOTHING, doubt_words, question_buttons, relax_buttons
from components.render.model import outgoing_panel, usage_line
from components.render.notices import notices
from components.render.status import pill
from components.render.words import understood
from components.slices import slices_of
from retrieval import Outgoing, Query
from retrieval.agents.relax import Relaxation, Suggestion
from retrieval.answer import Insight
from retrieval.honesty import Confidence
from tests.components.test_form_and_links import ask


def doubtful(**more):
    found = answer(stage("fused", candidate(tool("a"))))
    judged = Confidence(score=-3.0, signals={})
    return replace(found, insight=Insight(confidence=judged, **more))


def test_an_abstention_shows_its_list_as_nearest_and_not_as_recommended():
    found = doubtful()
    assert doubt_words(found) == FITS_NOTHING
    assert "The nearest tools" in cards(found)
    assert FITS_NOTHING[0] in notices(found, Form(), Data(), {})


def test_each_constraint_says_how_many_tools_it_frees():
    relax = (
        Relaxation(constraint="filter", field="licenses", value="MIT", frees=4, examples=()),
        Relaxation(constraint="exclusion", field="a", value="A", frees=1, examples=()),
        Relaxation(constraint="scan", field="modality", value=HOSTILE, frees=2, examples=()),
    )
    html = relax_buttons(doubtful(relax=relax))
    assert "Drop Licence: MIT (4 tools come back)" in html
    assert "Allow A (1 tool come back)" in html
    assert "<script" not in html


def test_a_scan_alone_offers_tasks():
    told = Suggestion(task="segmentation", tools=9, text="segmentation of CT", examples=())
    found = replace(answer(stage("fused", candidate(tool()))), insight=Insight(suggestions=(told,)))
    html = notices(found, Form(), Data(), {})
    assert "What can be done with this scan" in html
    assert 'data-id="segmentation of CT"' in html


def test_no_question_is_no_button():
    assert question_buttons(answer(stage("fused"))) == ""


def test_an_option_that_is_a_query_takes_the_place_of_the_words():
    form = Form(text="segment", refine=True)
    after, _ = edited("clarify", replace(ask(form, id="segment lungs"), kind="query"))
    assert (after.text, after.refine) == ("segment lungs", False)


def test_a_remark_becomes_form_and_tokens():
    data = Data(upload=upload(CT))
    filters = Filters(licenses=frozenset({"MIT"}))
    tokens = ("format:DICOM", "format:MRI")
    query = Query(raw="x", text="x", excluded=("fsl",), filters=filters, tokens=tokens)
    form, kept = followed(Form(mode="rrf"), data, query)
    assert (form.text, form.mode, form.excluded, form.filters) == ("x", "rrf", ("fsl",), filters)
    assert kept.typed == ("format:MRI",)
    assert set(kept.tokens) == {"format:DICOM", "format:MRI"}


def test_what_was_understood_is_text():
    assert "<script" not in understood((HOSTILE,))
    assert "Added your words" in understood(())


def test_what_would_leave_is_shown_word_for_word_and_literally():
    html = outgoing_panel(Outgoing(host="h", model="m", text=HOSTILE, images=(b"png",)))
    assert "To m at h: the text below and 1 image, and nothing else." in html
    assert "data:image/png;base64,cG5n" in html
    assert "<script" not in html
    assert "would send nothing" in outgoing_panel(None)


def test_usage_is_told_only_of_calls_that_were_made():
    assert usage_line({}) == ""
    used = {"llm_calls": 1, "llm_tokens_in": 10, "llm_tokens_out": 2, "llm_cost": 0.5, "llm_ms": 9}
    assert "1 call, 10 tokens in, 2 out, 9.0 ms, cost 0.5000" in usage_line(used)


def test_the_pill_names_the_model_that_is_on():
    assert "works offline" in pill(ready=True, tools=3)
    assert "language model: m at h" in pill(ready=True, tools=3, model="m at h")


def test_without_a_scan_there_is_no_image():
    assert slices_of(Data()) == ()
