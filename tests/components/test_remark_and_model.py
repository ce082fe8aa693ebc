"""Remarks, doubt and the language model on the page, as functions."""

from dataclasses import replace

import pytest
from building import CT, HOSTILE, Filters, Why, answer, candidate, stage, tool, upload
from msgspec import structs

from components.data import Data, Form
from components.edits import edited
from components.remarks import followed
from components.render.results.cards import cards
from components.render.search.doubt import (
    FITS_NOTHING,
    doubt_words,
    question_buttons,
    question_words,
    relax_buttons,
)
from components.render.search.model import outgoing_panel, usage_line, usage_words
from components.render.search.notices import notices
from components.render.search.status import pill
from components.render.words import understood
from components.slices import slices_of
from retrieval import Clarification, Fit, Option, Outgoing, Query
from retrieval.dialogue.relax import Relaxation, Suggestion
from retrieval.engine.answer import Insight
from retrieval.explain.gaps import Gap
from retrieval.explain.request_parts import Part
from retrieval.explain.scope import Confidence
from retrieval.llm.budget import Budget, Prices
from tests.agentic.judging import MORE, QUERIES
from tests.components.test_form_and_links import ask
from tests.dialogue.talking import talking_engine
from tests.fakes import ScriptedModel
from tests.llm.faults import ranking


def doubtful(**more):
    found = answer(stage("fused", candidate(tool("a"))))
    judged = Confidence(score=-3.0, signals={})
    return structs.replace(found, insight=Insight(confidence=judged, **more))


def test_an_abstention_shows_its_list_as_nearest_and_not_as_recommended():
    found = doubtful()
    assert doubt_words(found) == FITS_NOTHING
    assert "The nearest tools" in cards(found)
    assert FITS_NOTHING[0] in notices(found, Form(), Data(), {})


def test_a_list_is_not_recommended_whose_best_tool_fails_or_whose_text_is_not_read():
    fit = Fit(fact="modality", verdict="fail", scan="CT", tool="modalities: MRI")
    failing = structs.replace(candidate(tool("a")), fit=(fit,))
    assert "The nearest tools" in cards(answer(stage("fused", failing)))
    found = answer(stage("fused", candidate(tool("a"))))
    assert "Recommended tools" in cards(found)
    query = structs.replace(found.query, text="сегментация лёгких")
    assert "The nearest tools" in cards(structs.replace(found, query=query))


def test_a_gap_stands_before_the_list_and_cards_say_what_they_lack():
    part = Part(kind="modality", value=f"mammography {HOSTILE}", concept="modality:mammography")
    found = answer(stage("fused", candidate(tool("a", name="Tool A"))))
    found = structs.replace(found, insight=Insight(gap=Gap(((part, frozenset()),), {"a": 4})))
    title, _ = doubt_words(found)
    assert title.startswith("No record mentions mammography")
    assert title.endswith("Nearest by what the records state: Tool A.")
    assert "The nearest tools" in cards(found)
    assert "Does not state mammography" in cards(found)
    assert "<script" not in cards(found) + notices(found, Form(), Data(), {})


def test_what_no_card_of_a_list_states_is_told_once_above_it():
    horse = Part(kind="word", value="horse", concept="")
    teeth = Part(kind="object", value="teeth", concept="anatomy:tooth")
    lacks = Why(kind="parts", stage="parts", text="Its record does not state horse", value=-0.1)
    words = Why(kind="words", stage="bm25", text="segment")
    rows = [candidate(tool(id, name=id), why=(lacks, words)) for id in ("a", "b")]
    found = answer(stage("fused", *rows), text="segment")
    gap = Gap(((horse, frozenset()), (teeth, frozenset({"a"}))), {"a": 4})
    html = cards(structs.replace(found, insight=Insight(gap=gap)))
    assert html.count("horse") == 1
    assert "None of these records states horse." in html
    first, second = html.split('data-tool="b"')
    assert "Uses words of the search: </span>segment" in first
    assert "Does not state teeth" in second


def test_the_refusal_comes_before_a_gap():
    gap = Gap(((Part(kind="object", value="otolith", concept="anatomy:otolith"), frozenset()),))
    title, text = doubt_words(doubtful(gap=gap))
    assert title == FITS_NOTHING[0]
    assert text.endswith("No record mentions otolith.")


def test_each_constraint_says_how_many_tools_it_frees():
    relax = (
        Relaxation(constraint="filter", field="licenses", value="MIT", frees=4, examples=()),
        Relaxation(constraint="exclusion", field="a", value="A", frees=1, examples=()),
        Relaxation(constraint="scan", field="modality", value=HOSTILE, frees=2, examples=()),
        Relaxation(constraint="concept", field="modality", value="SM", frees=2, examples=()),
    )
    many = ", ".join(f"LICENCE-{n}" for n in range(40))
    long = Relaxation(constraint="filter", field="licenses", value=many, frees=9, examples=())
    said = "Drop Licence: LICENCE-0, LICENCE-1, LICENCE-2 … (9 tools come back)"
    assert said in relax_buttons(doubtful(relax=(long,)))
    html = relax_buttons(doubtful(relax=relax))
    assert "Drop Licence: MIT (4 tools come back)" in html
    assert "Allow A (1 tool comes back)" in html
    assert "Without “slide microscopy”: 2 tools" in html
    assert "<script" not in html


def test_a_scan_alone_offers_tasks():
    told = Suggestion(task="segmentation", tools=9, text="segmentation of CT", examples=())
    found = structs.replace(
        answer(stage("fused", candidate(tool()))), insight=Insight(suggestions=(told,))
    )
    html = notices(found, Form(), Data(), {})
    assert "What can be done with this scan" in html
    assert 'data-id="segmentation of CT"' in html


def asked(label, **how):
    option = Option(label=label, adds="lung", tools=3, query="find lung", effect="3 tools state it")
    told = {"question": f"Where? {label}", "context": "3 tools remain.", "options": (option,)}
    return Clarification(**told, **how)


def test_tasks_for_a_scan_are_the_only_question_where_nobody_asked_for_another():
    tasks = Insight(
        suggestions=(Suggestion(task="segmentation", tools=9, text="segmentation", examples=()),)
    )
    listed = answer(stage("fused", candidate(tool())))
    found = structs.replace(listed, insight=tasks, clarification=asked("lung"))
    html = notices(found, Form(), Data(), {})
    assert "What can be done with this scan" in html
    assert "Where? lung" not in html
    wanted = structs.replace(found, query=structs.replace(found.query, refine=True))
    assert "Where? lung" in notices(wanted, Form(), Data(), {})
    without = structs.replace(found, insight=Insight())
    assert "Where? lung" in notices(without, Form(), Data(), {})


def test_a_question_that_only_parts_what_does_not_fit_is_left_out():
    told = asked("lung")
    over_the_catalog = structs.replace(doubtful(), clarification=told)
    listed = answer(stage("fused", *(candidate(tool(id)) for id in "abc")))
    misses = structs.replace(
        listed, insight=Insight(confidence=Confidence(score=-3.0, signals={})), clarification=told
    )
    part = Part(kind="object", value="otolith", concept="anatomy:otolith")
    unstated = structs.replace(misses, insight=Insight(gap=Gap(((part, frozenset()),))))
    fitting = structs.replace(listed, clarification=told)
    shown = [
        "data-act='clarify'" in html or 'data-act="clarify"' in html
        for html in (
            notices(one, Form(), Data(), {})
            for one in (over_the_catalog, misses, unstated, fitting)
        )
    ]
    assert shown == [True, False, False, True]


def test_no_question_is_no_button():
    assert "data-act='clarify'" not in notices(answer(stage("fused")), Form(), Data(), {})


@pytest.mark.requirement("S1-07")
def test_words_of_a_model_are_shown_literally_with_the_words_they_stand_for():
    told = asked(HOSTILE, wording="language model")
    html = notices(structs.replace(answer(stage("fused")), clarification=told), Form(), Data(), {})
    assert "<script" not in html
    assert "Worded by the language model" in html
    assert "adds “lung”; 3 tools state it" in html
    assert 'data-id="find lung"' in html


@pytest.mark.requirement("S1-07")
def test_why_a_question_is_in_its_own_words_is_told():
    told = asked("lung", note="no answer within 8 s")
    assert question_words(told).endswith("without the language model: no answer within 8 s.")
    assert "adds" not in question_buttons(told)
    assert question_words(asked("lung")) == "3 tools remain."


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
    assert "At most 1,5" in html  # a picture counts 1,500 tokens
    assert "data:image/png;base64,cG5n" in html
    assert "<script" not in html
    assert "would send nothing" in outgoing_panel(None)


def test_images_that_are_not_let_go_are_shown_apart_with_the_line_they_would_change():
    sent = Outgoing(host="h", model="m", text="one\nrequest")
    offered = Outgoing(host="h", model="m", text="one\nrequest and pictures", images=(b"png",))
    html = outgoing_panel(sent, offered)
    assert "the text below, and nothing else" in html
    first, apart = html.split("Only once the box above is ticked: 1 image as well")
    assert "<img" not in first
    assert "data:image/png;base64,cG5n" in apart
    assert "request and pictures</pre>" in apart
    assert "one" not in apart.split("<pre")[1]


def test_what_may_follow_a_prompt_is_shown_behind_it():
    html = outgoing_panel(Outgoing(host="", model="m", text="first", then=(HOSTILE,)))
    assert "To m on this machine: the text below, and nothing else." in html
    assert html.count("<pre") == 2
    assert html.index("first") < html.index("This may follow") < html.index("&lt;script")
    assert "<script" not in html


def test_usage_is_told_only_of_calls_that_were_made():
    assert usage_line(answer(stage("fused"))) == ""
    used = {"llm_calls": 1, "llm_tokens_in": 10, "llm_tokens_out": 2, "llm_cost": 0.5, "llm_ms": 9}
    assert usage_words(used) == "1 call, 10 tokens in, 2 out, 9.0 ms, cost 0.5000"


def test_usage_is_told_of_the_search_and_of_each_stage_that_asked():
    prices = Prices(tokens_in=1_000.0, tokens_out=10_000.0)
    model = ScriptedModel(MORE, QUERIES)
    engine = talking_engine(model, budget=lambda: Budget(prices=prices))
    html = usage_line(engine.run("segment lungs", "agentic"))
    assert "Language model: 2 calls, 200 tokens in, 20 out" in html
    assert "cost 0.4000" in html
    assert html.count("<li>") == html.count("1 call, 100 tokens in, 10 out") == 2
    told = ScriptedModel(ranking("lungmask"), "no words")
    html = usage_line(talking_engine(told).run("segment volumes [REFINE]"))
    assert "<li>Question back: 1 call" in html
    assert html.count("<li>") == 2
    once = usage_line(talking_engine(ScriptedModel(ranking("lungmask"))).run("segment lungs"))
    assert "Language model: 1 call" in once
    assert "<li>" not in once


def test_the_pill_names_the_model_that_is_on():
    assert "works offline" in pill(ready=True, tools=3)
    assert "language model: m at h" in pill(ready=True, tools=3, model="m at h")


def test_without_a_scan_there_is_no_image():
    assert slices_of(Data()) == ()


def test_a_tag_stays_a_tag_when_the_search_is_refined():
    query = Query(raw="", text="segment lungs mouse", excluded=("fsl", "ants"), rerank=False)
    form, _ = followed(Form(text="segment lungs [EXCLUDE:fsl] [NO_RERANK]"), Data(), query)
    assert form.text == "segment lungs mouse [EXCLUDE:fsl] [NO_RERANK]"
    assert (form.excluded, form.rerank) == (("ants",), True)
