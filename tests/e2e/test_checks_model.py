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
    tab.wait_for_selector("#status >> text=Language model: 1 call")
    tab.click("#model button.label-wrap")
    tab.click("#modellook")
    tab.wait_for_selector("#modeltold pre")
    assert "segment lungs" in tab.locator("#modeltold pre").inner_text()
    assert tab.locator("#modeltold img").count() == 3
    tab.close()
