"""Ask in a real browser: answers with evidence, a model's dialogue, documents of one visitor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from threading import Event
from typing import Any

import gradio as gr
import pytest
from browsing import Visit
from planting import sizes
from test_checks_page import violations

from components.panels.routes import ask, ask_events
from components.serve import serve
from retrieval import QuestionDesk
from retrieval.catalog.load import load_catalog
from retrieval.llm.budget import Budget
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from tests.databases.databases import BRAF
from tests.fakes import SMALL, ScriptedModel
from tests.web.loopback import Loopback, says

ENDED = "() => ['done', 'refused', 'failed'].includes(document.body.dataset.search)"
MARKED = """() => {
  const line = document.querySelector('#status .status');
  line.dataset.state = 'waiting';
  line.querySelector('p').textContent = 'waiting';
}"""
QUESTION = "What must be installed before fMRIPrep?"
NEXT = "Which tools turn DICOM into NIfTI?"
WISHES = "<entities>\nnnU-Net\n</entities>\n<opencypher>\nMATCH (t:Tool) RETURN t\n</opencypher>"
SAID = json.dumps({"answer": [{"text": "It reads <b>NIfTI</b>.", "evidence": [1]}]})
REPLIES = (
    WISHES,
    json.dumps({"relations": ["accepts"]}),
    json.dumps({"finish": True}),
    "<task-completion>FINISH</task-completion>",
    SAID,
)


class Slow(ScriptedModel):
    """Tells its script; after that every question waits until it may go on."""

    def __init__(self, *replies):
        super().__init__(*replies)
        self.may = Event()

    def complete(self, prompt, **how):
        if not self._answers:
            self.may.wait(20)
            return SAID
        return super().complete(prompt, **how)


@contextmanager
def panel_of(desk, settings, browser) -> Iterator[Any]:
    """The panel alone over this desk, on a page of its own."""
    with gr.Blocks() as blocks:
        ask_events.events(ask.layout(desk), desk)
    _, url, _ = serve(blocks, settings, prevent_thread_lock=True)
    page = browser.new_page()
    page.set_default_timeout(90_000)
    try:
        Visit(page=page, url=url, phone=False).go()
        yield page
    finally:
        page.close()
        blocks.close(verbose=False)


def ended(page, act) -> None:
    """Do something that answers, and wait until its end is told."""
    page.evaluate(MARKED)
    page.wait_for_function("document.body.dataset.search === 'waiting'")
    act()
    page.wait_for_function(ENDED, timeout=60_000)


def asks(page, text: str) -> None:
    page.fill("#question textarea", text)
    ended(page, lambda: page.click("#askgo"))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_sentence_leads_to_its_fact_and_a_refusal_tells_its_reason(
    visiting, engine, size, dark
):
    required = engine.catalog["fmriprep"].requires_tool
    facts = 1 + len(required)  # how many there are, then each
    one = visiting(size, dark=dark).go("ask")
    page = one.page
    assert page.locator("h1").count() == 1
    asks(page, "")
    assert "empty" in page.inner_text("#said [role=alert]")
    ended(page, page.get_by_role("button", name=QUESTION).click)
    assert "nipype" in required
    assert all(engine.catalog[id].name in page.inner_text(".said") for id in required)
    assert page.locator("#context tbody tr").count() == page.locator(".mark-of").count() == facts
    assert {n["id"] for n in one.graph("nodes")} >= {"fmriprep", *required}
    page.click(".mark-of >> nth=2")
    assert page.evaluate("document.activeElement.id") == "fact-3"
    told = json.loads(one.exported("askjson"))
    assert told["question"] == QUESTION
    assert len(told["context"]) == facts
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert violations(page) == []
    asks(page, "What is the price of MATLAB?")
    assert "price" in page.inner_text("#said .notice")
    assert page.locator(".said").count() == 0
    assert violations(page) == []
    assert one.outside == []
    assert one.errors == []


def test_a_scripted_dialogue_and_its_query_run_end_to_end(settings, browser):
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    model = Slow(*REPLIES)
    parts = GraphParts.of(load_catalog(settings.catalog).tools)
    opened = QuestionEngine(parts, model=model, budget=Budget)
    desk = QuestionDesk(settings, opening=lambda *_: opened)
    with panel_of(desk, settings, browser) as page:
        asks(page, "Tell me about nnU-Net.")
        assert page.inner_text(".said").startswith("It reads <b>NIfTI</b>.")
        assert "FINISH" in page.locator("#steps").text_content()
        query = page.input_value("#querytext textarea")
        assert query.startswith("MATCH (`t`:`Tool`)")
        page.fill("#querytext textarea", "MATCH (t:Tool {name: 'nnU-Net'}) RETURN t.name")
        ended(page, lambda: page.click("#queryrun"))
        assert page.locator("#rows td").all_inner_texts() == ["nnU-Net"]
        page.fill("#querytext textarea", "MATCH (t:Tool) DELETE t")
        ended(page, lambda: page.click("#queryrun"))
        assert "'DELETE' is not taken" in page.inner_text("#rows [role=alert]")
        page.fill("#question textarea", "And what else?")
        page.click("#askgo")
        page.wait_for_selector("body[data-search=running]")
        page.click("#stop")
        page.wait_for_selector("body[data-search=stopped]")
        model.may.set()


def test_a_question_asked_while_another_is_answered_is_answered_next(settings, browser):
    opened, may = QuestionEngine(GraphParts.of(load_catalog(settings.catalog).tools)), Event()

    def slow(*_: object) -> QuestionEngine:
        may.wait(20)
        return opened

    with panel_of(QuestionDesk(settings, opening=slow), settings, browser) as page:
        page.fill("#question textarea", QUESTION)
        page.press("#question textarea", "Enter")
        page.wait_for_selector("body[data-search=running]")
        page.fill("#question textarea", NEXT)
        page.press("#question textarea", "Enter")
        may.set()
        page.wait_for_selector(f"#said >> text={NEXT}")
        assert page.input_value("#question textarea") == NEXT


def test_a_visitors_documents_are_asked_removed_and_never_anothers(visiting, upload_dir, tmp_path):
    pytest.importorskip("semantic_text_splitter", reason="the extra `documents` is not installed")
    manual = tmp_path / "XQ77ZEBU.txt"
    manual.write_text("The gantry tilt of the Zeta scanner is 24 degrees. Clean it weekly.")
    question = "What does the manual say about the gantry tilt?"
    before = set(sizes(upload_dir))
    mine, other = visiting(fresh=True).go("ask"), visiting(fresh=True).go("ask")
    mine.page.click("#papersbox button.label-wrap")
    mine.page.set_input_files("#papersbox input[type=file]", str(manual))
    mine.page.wait_for_selector("#papers li")
    for one in (mine, other):
        asks(one.page, question)
    assert "24 degrees" in mine.page.inner_text(".said")
    assert "your documents" in mine.page.inner_text("#said")
    assert "24 degrees" not in other.page.content()
    assert other.page.locator("#papers li").count() == 0
    assert set(sizes(upload_dir)) <= before
    ended(mine.page, mine.page.locator('[data-act="answerer"]').first.click)
    assert "chosen by hand" in mine.page.inner_text("#said")
    assert violations(mine.page) == []
    mine.page.click("#papersuse input")
    asks(mine.page, question)
    assert "24 degrees" not in mine.page.content()
    assert mine.page.locator("#papers li").count() == 1
    mine.page.click("#papersuse input")
    asks(mine.page, question)
    assert "24 degrees" in mine.page.inner_text(".said")
    mine.page.click('#papers [data-act="remove"]')
    mine.page.wait_for_selector("#papers li", state="detached")
    asks(mine.page, question)
    assert "24 degrees" not in mine.page.content()
    assert mine.errors == other.errors == []


def test_a_form_is_shown_before_it_is_sent_and_its_answer_has_evidence(settings, browser):
    asking = QuestionEngine(GraphParts.of(SMALL))
    with closing(Loopback(says(BRAF))) as server, ExitStack() as stack:
        on = settings.model_copy(update={"databases": True, "oncokb_url": server.url})
        desk = QuestionDesk(on, opening=lambda *_: asking)
        page = stack.enter_context(panel_of(desk, on, browser))
        filled_in(page)
        shown = page.inner_text("#request-oncokb .sent")
        assert "hugoSymbol=BRAF&alteration=V600E" in shown
        assert server.asked == []
        ended(page, lambda: page.click("#send-oncokb"))
        page.wait_for_selector(".said >> text=rated: Oncogenic")
        assert page.inner_text(".asked .sent") == shown
        assert page.locator("#context tbody tr").count() == 6
        assert [one.params["alteration"] for one in server.asked] == ["V600E"]
        page.get_by_label("Protein change, such as V600E (alteration)").fill("")
        ended(page, lambda: page.click("#send-oncokb"))
        page.wait_for_selector("#said [role=alert] >> text=needs alteration")
        assert len(server.asked) == 1
        assert violations(page) == []


def test_a_form_cannot_be_sent_while_databases_are_off_and_says_how_they_go_on(settings, browser):
    asking = QuestionEngine(GraphParts.of(SMALL))
    with panel_of(QuestionDesk(settings, opening=lambda *_: asking), settings, browser) as page:
        filled_in(page)
        page.wait_for_selector("#basesstate >> text=SCANSCOUT_DATABASES=true")
        assert "alteration=V600E" in page.inner_text("#request-oncokb .sent")
        assert page.locator("#send-oncokb").is_disabled()


def filled_in(page) -> None:
    """The form of OncoKB with a gene and a change, and what it would send."""
    page.locator("#basesbox > button.label-wrap").click()
    page.get_by_role("tab", name="OncoKB").click()
    page.get_by_label("Gene, such as BRAF (hugoSymbol)").fill("BRAF")
    page.get_by_label("Protein change, such as V600E (alteration)").fill("V600E")
    page.click("#show-oncokb")
    page.wait_for_selector("#request-oncokb .sent")
