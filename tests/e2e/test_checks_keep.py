"""Chosen tools, their report and citations, and the graph as a file, in a real browser."""

from __future__ import annotations

from pathlib import Path

import yaml


def chosen(visit):
    held = visit.page.locator("#chosen .chosen")
    return held.get_attribute("data-chosen").split(" ") if held.count() else []


def choose(visit, id):
    button = visit.page.locator(f'#cards [data-act="choose"][data-id="{id}"]').first
    button.click()
    pressed = f'#cards [data-act="choose"][data-id="{id}"][aria-pressed="true"]'
    visit.page.wait_for_selector(pressed)


def test_two_chosen_tools_stand_side_by_side_and_one_goes_again(visit):
    first, second = visit.find("segment lungs").cards()[:2]
    choose(visit, first)
    choose(visit, second)
    assert chosen(visit) == [first, second]
    assert visit.page.locator("#chosen tr.differs").count() > 0
    visit.page.click(f'#chosen [data-act="choose"][data-id="{first}"]')
    visit.page.wait_for_selector(f'#chosen [data-chosen="{second}"]')
    assert visit.find("register two brain scans").page.locator("#chosen .chosen").count() == 1
    assert visit.errors == []


def test_report_and_citations_are_of_the_chosen_tool(desktop):
    second = desktop.find("segment lungs").cards()[1]
    choose(desktop, second)
    assert f"@software{{{second.replace('-', '_')}," in desktop.exported("bibtex")
    listed = yaml.safe_load(desktop.exported("citation"))["references"]
    assert [one["type"] for one in listed].count("software") == 1
    assert "## Chosen" in desktop.exported("report")


def test_the_saved_graph_opens_from_a_file_without_a_network(desktop, contexts, tmp_path):
    nodes = {n["id"] for n in desktop.find("segment lungs").graph("nodes")}
    with desktop.page.expect_download(timeout=60_000) as got:
        desktop.page.click('#graph [data-graph="html"]')
    path = tmp_path / "graph.html"
    path.write_bytes(Path(got.value.path()).read_bytes())
    tab = contexts("desktop", False, True).new_page()
    asked, wrong = [], []
    tab.on("request", lambda r: asked.append(r.url))
    tab.on("pageerror", lambda e: wrong.append(str(e)))
    tab.goto(path.as_uri())
    tab.wait_for_function("window.savedGraph && document.querySelector('canvas')")
    assert set(tab.evaluate("window.savedGraph.nodes.getIds()")) == nodes
    assert tab.locator("#links tr").count() > 10
    assert [url for url in asked if not url.startswith("file:")] == []
    assert wrong == []
    tab.close()


def test_every_example_fills_box_and_scan_and_gives_tools(desktop):
    labels = desktop.page.locator("#examples .btn-try").all_inner_texts()
    for label in labels:
        desktop.go().act(f'#examples [data-id="{label}"]')
        assert desktop.cards()
        assert desktop.chips()
        assert desktop.page.locator("#scan .scan").count() >= 1
        assert desktop.page.input_value("#query textarea")
    assert len(labels) == 5
    assert desktop.errors == []


def test_a_plan_starts_from_the_scan_and_is_saved(desktop):
    desktop.find("segment lungs")
    desktop.page.click('#detail [data-act="plan"]')
    desktop.page.wait_for_selector("#plan >> text=Add a scan first")
    desktop.go().act("#examples .btn-try")
    desktop.page.click('#detail [data-act="plan"]')
    desktop.page.wait_for_selector("#plan .steps li")
    with desktop.page.expect_download(timeout=60_000) as got:
        desktop.page.click('#plan [data-act="planfile"] >> nth=1')
    flow = yaml.safe_load(Path(got.value.path()).read_text("utf-8"))
    assert len(flow["steps"]) == desktop.page.locator("#plan .steps li").count()
    assert desktop.errors == []


def test_cards_are_marked_by_purpose_and_machine_without_another_search(desktop):
    desktop.find("segment lungs")
    before = desktop.page.evaluate("document.body.dataset.answer")
    desktop.open("#mine")
    desktop.page.locator("#gpu label", has_text="no").last.click()
    desktop.page.wait_for_selector("#cards >> text=your terms")
    assert desktop.page.evaluate("document.body.dataset.answer") == before
    assert desktop.errors == []
