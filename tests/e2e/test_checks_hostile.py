"""Check 24 in every form: markup in query, link, file name, header, catalog and model answer."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import gradio as gr
import pytest
from browsing import Visit
from conftest import HOSTILE, series_slice
from hostile import FORMS, harmless, shown
from test_checks_ask import asks

from components.panels.routes import ask, ask_events
from components.serve import serve
from retrieval import QuestionDesk
from retrieval.catalog.load import load_catalog
from retrieval.llm.budget import Budget
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from tests.fakes import ScriptedModel

ALL, HEADER = list(FORMS), "XQ88ZEBU"


def test_check_24_there_are_29_forms_or_more():
    assert len(set(FORMS)) >= 29


def test_check_24_forms_in_the_catalog_are_text_on_card_detail_graph_and_route(visit):
    visit.find("zorblax")
    page, id = visit.page, HOSTILE["id"]
    assert id in visit.cards()
    assert harmless(page)
    page.click(f'#cards [data-act=select][data-id="{id}"] >> nth=0')
    page.wait_for_selector(f'#detail [data-tool="{id}"]')
    assert shown(page, "#detail .about") == ALL
    assert harmless(page)
    visit.go(f"catalog?tool={id}")
    page.wait_for_selector(f'#detail [data-tool="{id}"]')
    assert shown(page, "#detail .about") == ALL
    assert harmless(page)


def test_check_24_forms_in_query_and_link_are_text(desktop):
    words = " ".join(FORMS)
    desktop.find(f"zorblax {words}")
    assert harmless(desktop.page)
    desktop.go("?" + urlencode({"q": words, "ex": FORMS, "t": FORMS, "lic": FORMS}, doseq=True))
    desktop.done()
    assert desktop.page.input_value("#query textarea") == words
    assert len(set(desktop.chips()) & set(FORMS)) >= 29
    assert harmless(desktop.page)
    assert desktop.errors == []


def test_check_24_forms_in_file_names_and_headers_run_nowhere(desktop, tmp_path):
    names = [tmp_path / form.replace("/", "\u2215")[:120] for form in FORMS]
    for path in names:
        path.write_bytes(path.name.encode())
    desktop.upload(*names)
    assert harmless(desktop.page)
    one = series_slice(1, "1.2.3.4")
    for n, form in enumerate(FORMS):
        one.private_block(0x0009, "x", create=n == 0).add_new(n + 1, "LT", form)
    one.PatientName = one.SeriesDescription = one.ProtocolName = " ".join(FORMS[:3])[:64]
    one.StudyDescription, one.PatientComments = FORMS[8], " ".join([HEADER, *FORMS])
    path = tmp_path / "IM1"
    one.save_as(path, enforce_file_format=True)
    desktop.page.click("#scan [data-act=clear]")
    desktop.page.wait_for_selector("#scan .scan", state="detached")
    desktop.upload(path).find("segment lungs")
    assert "format:DICOM" in desktop.chips()
    assert HEADER not in desktop.page.content()
    assert harmless(desktop.page)


def test_check_24_forms_said_by_a_model_are_text(desktop):
    desktop.find("segment lungs modelsays")
    assert shown(desktop.page, "#detail .whys, #cards .card") == ALL
    assert harmless(desktop.page)


def test_check_24_forms_in_an_answer_of_a_model_are_text(settings, browser):
    pytest.importorskip("ladybug", reason="the package ladybug is not installed")
    parts = [" ".join(FORMS[start::7]) for start in range(7)]
    said = json.dumps({"answer": [{"text": f"It {part}", "evidence": [1]} for part in parts]})
    model = ScriptedModel(*_dialogue(said))
    parts = GraphParts.of(load_catalog(settings.catalog).tools)
    opened = QuestionEngine(parts, model=model, budget=Budget)
    desk = QuestionDesk(settings, opening=lambda *_: opened)
    with gr.Blocks() as blocks:
        ask_events.events(ask.layout(desk), desk)
    _, url, _ = serve(blocks, settings, prevent_thread_lock=True)
    page = browser.new_page()
    page.set_default_timeout(45_000)
    Visit(page=page, url=url, phone=False).go()
    asks(page, "Tell me about nnU-Net.")
    assert len(shown(page, ".said")) >= 29
    assert harmless(page)
    page.close()
    blocks.close(verbose=False)


def _dialogue(said: str) -> tuple[str, ...]:
    from test_checks_ask import REPLIES

    return (*REPLIES[:-1], said)
