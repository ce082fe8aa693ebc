"""What was sent where."""

from __future__ import annotations

from dataclasses import replace

from building import CT, HOSTILE, answer, candidate, stage, tool
from msgspec import structs

from components.render.search.model import sent
from components.render.search.status import idle
from retrieval.core.types import PARTLY_READ
from retrieval.llm import Budget


def called(*calls, **more):
    whole = answer(stage("fused/dense", candidate(tool())), **more)
    state = structs.replace(whole.result.state, calls=list(calls))
    return structs.replace(whole, result=structs.replace(whole.result, state=state))


def test_each_reader_is_named_with_the_text_it_was_given():
    html = sent(called(("fused/dense", "sentence encoder", "segment lungs"), text="other words"))
    assert "<dt>Sentence encoder</dt><dd>segment lungs</dd>" in html
    assert "<dt>Keyword index</dt><dd>nothing</dd>" in html
    assert "other words" not in html
    assert "this search sent nothing elsewhere" in html


def test_tokens_that_were_weighed_are_not_shown_as_searched():
    tokens = ("format:CT",)
    whole = called(
        ("fused/dense", "sentence encoder", "segment lungs"),
        ("tokens", "scan facts", "format:CT"),
        tokens=tokens,
    )
    html = sent(whole)
    assert "<dt>Sentence encoder</dt><dd>segment lungs</dd>" in html
    assert "<dt>Scan facts</dt><dd>CT (format:CT): raised the tools" in html
    assert [r.tokens for r in whole.ledger] == ["none", "weighed"]


def test_a_connection_is_told_with_its_purpose_and_host():
    one = structs.replace(
        answer(stage("fused/bm25")), outside=(("language model", "models.example"),)
    )
    assert "language model at models.example" in sent(one)
    assert "this search sent nothing elsewhere" not in sent(one)


def test_a_language_model_that_gave_no_answer_was_sent_the_text_all_the_same():
    late = answer(stage("fused/bm25"), stage("rerank", status="skipped"), text="segment lungs")
    assert "<dt>Language model</dt><dd>nothing</dd>" in sent(late)
    budget = Budget()
    budget.take(10, 10)
    state = structs.replace(late.result.state, budget=budget)
    asked = structs.replace(late, result=structs.replace(late.result, state=state))
    assert "<dt>Language model</dt><dd>segment lungs (with the tools" in sent(asked)


def test_a_hostile_text_is_shown_literally():
    html = sent(called(("fused/bm25", "keyword index", HOSTILE)))
    assert "<img" not in html
    assert "&lt;img" in html


def test_a_scan_that_was_read_in_part_is_told_of():
    cut = replace(CT, notes=(PARTLY_READ,))
    assert "<dt>Your scan</dt><dd>read in part" in sent(answer(stage("fused"), scans=(cut,)))
    assert "Your scan" not in sent(answer(stage("fused"), scans=(CT,)))


def test_before_the_first_search_the_line_says_what_may_leave_by_the_settings():
    assert "Nothing leaves this server." in idle("", web=False)
    model = idle("tiny", web=False)
    assert "tiny may be sent your words" in model
    assert "Nothing leaves" not in model
    web = idle("", web=True)
    assert "The web is sent your words only where you switch that on." in web
    assert "Nothing leaves" not in web
