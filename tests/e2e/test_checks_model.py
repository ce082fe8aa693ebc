"""A remark refines; a scripted language model orders, is named, previewed and counted."""

from __future__ import annotations

import pytest
from browsing import Visit
from serving import ROOT, page


def test_a_remark_narrows_the_search_and_says_what_was_understood(desktop):
    desktop.find("segment lungs")
    desktop.page.fill("#followtext textarea, #followtext input", "only open licences, not lungmask")
    desktop.after(lambda: desktop.page.press("#followtext textarea, #followtext input", "Enter"))
    assert desktop.page.locator("#understood li").count() >= 2
    assert "lungmask" not in desktop.cards()
    assert desktop.errors == []


def test_after_any_remark_of_the_hint_the_next_search_still_runs(desktop):
    desktop.find("segment brain")
    page = desktop.page
    box = page.locator("#followtext textarea, #followtext input")
    for remark in str(box.get_attribute("placeholder")).split(" · "):
        box.fill(remark)
        desktop.after(lambda: box.press("Enter"))
        assert page.locator("#understood .why").count() >= 1
    desktop.after(lambda: page.click("#find"))
    assert desktop.errors == []


@pytest.fixture(scope="module")
def scripted(tmp_path_factory, settings):
    told = {"SCANSCOUT_LLM_SCRIPT": str(ROOT / "retrieval" / "llm" / "demo.json")}
    with page(tmp_path_factory.mktemp("scripted"), settings, **told) as served:
        yield served


def test_a_scripted_model_is_named_previewed_and_counted(scripted, contexts):
    tab = contexts("desktop", False, True).new_page()
    tab.set_default_timeout(45_000)
    visit = Visit(page=tab, url=scripted.url, phone=False).go()
    tab.wait_for_selector("#pill >> text=language model: scripted")
    visit.act("#examples .btn-try")
    told = visit.answer()
    ran = {s["name"]: s["status"] for s in told["stages"]}
    assert ran["rerank"] == "ok"
    assert told["metadata"]["usage"]["llm_calls"] == 1
    tab.click("#status .times summary")
    tab.wait_for_selector("#status >> text=Language model: 1 call")
    tab.click("#status .times summary")
    tab.click("#model button.label-wrap")
    tab.click("#modellook")
    tab.wait_for_selector("#modeltold img")
    text = tab.locator("#modeltold pre").first.inner_text()
    assert "segment lungs" in text
    assert '"pictures":' not in text
    assert tab.locator("#modeltold img").count() == 3
    assert '"pictures": "3 slices' in tab.locator("#modeltold pre").last.inner_text()
    tab.close()


def test_a_question_back_is_in_the_models_words_and_its_answers_are_the_catalogs(
    scripted, contexts
):
    tab = contexts("desktop", False, True).new_page()
    tab.set_default_timeout(45_000)
    visit = Visit(page=tab, url=scripted.url, phone=False).go()
    visit.find("segmentation")
    tab.wait_for_selector("#notices >> text=Worded by the language model")
    told = visit.answer()["clarification"]
    assert told["wording"] == "language model"
    shown = tab.locator("#notices [data-act=clarify]").first
    assert told["options"][0]["label"] in shown.inner_text()
    assert shown.get_attribute("data-id") == told["options"][0]["query"]
    visit.act("#notices [data-act=clarify]")
    asked = visit.answer()["query"]
    # The kind of image that the visitor names is a fact, as if a scan stated it.
    assert " ".join((asked["text"], *asked["tokens"])) == told["options"][0]["query"]
    tab.close()


def test_agentic_rounds_say_what_was_missing_and_what_was_asked(scripted, contexts):
    tab = contexts("desktop", False, True).new_page()
    tab.set_default_timeout(45_000)
    text = "segment lungs in mouse CT, measure volume, register to atlas"
    visit = Visit(page=tab, url=scripted.url, phone=False).go(f"?q={text}&mode=agentic").done()
    tab.wait_for_selector("#notices .rounds >> text=Searched in two rounds.")
    assert tab.locator("#notices .rounds li").count() == 2
    told = visit.answer()["metadata"]["agentic"]
    assert (told["retrieval_mode"], told["llm_calls"]) == ("agentic", 2)
    tab.close()
