"""Checks 20 to 25: switches, exclusions, filters, links, hostile text, faults."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from conftest import HOSTILE
from hostile import harmless


def test_check_20_rerank_off_is_skipped_and_leaves_out_nothing_else(visit):
    visit.controls().page.uncheck("#rerank input")
    visit.find("segment lungs")
    column = visit.page.locator('#board [data-stage="rerank"]')
    assert "skipped" in column.inner_text().lower()
    without = visit.cards()
    assert "nr=1" in visit.address()
    with_rerank = visit.act('#chips [data-kind="rerank"]').cards()
    assert "nr=1" not in visit.address()
    assert with_rerank == without


def test_refine_switch_asks_back_and_an_answer_narrows(desktop):
    desktop.controls().page.check("#refine input")
    desktop.find("segment")
    asked = desktop.page.locator("#notices .notice-ask")
    assert asked.count() == 1
    desktop.act("#notices [data-act=clarify]")
    assert desktop.page.input_value("#query textarea") != "segment"


def test_stage_switch_changes_the_stages(desktop):
    desktop.find("segment lungs")
    added = desktop.page.locator('#board [data-stage="graph"] li').count()
    desktop.controls().page.get_by_label("Graph", exact=True).uncheck()
    desktop.find()
    assert added > 0
    assert desktop.page.locator('#board [data-stage="graph"].skipped').count() == 1
    assert "off=graph" in desktop.address()


def test_check_21_excluded_tool_is_nowhere_and_can_come_back(visit):
    tool = visit.find("segment lungs").cards()[0]
    visit.act(f'#cards [data-act=exclude][data-id="{tool}"]')
    assert (
        visit.page.locator(f'#board [data-tool="{tool}"], #cards [data-tool="{tool}"]').count() == 0
    )
    assert tool not in {n["id"] for n in visit.graph("nodes")}
    assert tool in visit.chips()
    first = visit.cards()
    visit.act("#notices [data-act=undo]")
    assert visit.cards()[0] == tool
    visit.find(f"segment lungs [EXCLUDE:{tool}]")
    assert visit.cards() == first
    assert tool in visit.chips()


def test_check_22_filtered_to_nothing_offers_a_way_back(visiting, size):
    one = visiting(size).go("?q=segment+lungs&lic=CC0-1.0&mod=EEG&mode=keyword").done()
    if one.cards():
        pytest.skip("the catalog has such a tool")
    relax = one.page.locator("#notices [data-act=relax]")
    assert relax.count() >= 1
    one.act('#notices [data-act=relax][data-id="all"]')
    assert one.cards()


def test_check_23_link_restores_the_search_elsewhere(visiting, size):
    one = visiting(size).go()
    one.controls().page.uncheck("#rerank input")
    first = one.find("count nuclei & <cells>").cards()
    two = (
        visiting(size, fresh=True)
        .go(one.address().removeprefix(one.url) + "&unknown=1&mode=nonsense")
        .done()
    )
    assert two.cards() == first
    assert two.page.input_value("#query textarea") == "count nuclei & <cells>"
    assert two.controls().page.is_checked("#rerank input") is False


def test_check_23_text_typed_before_load_stays(visiting, size):
    one = visiting(size)
    one.page.goto(one.url, wait_until="commit")
    one.page.wait_for_selector("#query textarea")
    one.page.fill("#query textarea", "typed at once")
    one.page.wait_for_selector("body[data-ready]")
    one.still().page.wait_for_timeout(1200)
    assert one.page.input_value("#query textarea") == "typed at once"


def test_copied_link_is_the_address_and_says_nothing_of_the_file(desktop, nifti):
    desktop.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desktop.upload(nifti).find("segment brain")
    desktop.page.click("#copylink")
    desktop.page.wait_for_selector("#status >> text=Link copied")
    copied = desktop.page.evaluate("navigator.clipboard.readText()")
    assert copied == desktop.address()
    assert "smith" not in copied


def test_check_24_hostile_text_is_shown_and_never_runs(visit, tmp_path):
    bad = tmp_path / "<img src=x onerror=window.pwned=4>.nii"
    bad.write_bytes(b'"><script>window.pwned=5</script>')
    visit.upload(bad)
    visit.find('zorblax "><img src=x onerror=window.pwned=6>')
    assert HOSTILE["id"] in visit.cards()
    visit.page.click(f'#cards [data-act=select][data-id="{HOSTILE["id"]}"] >> nth=0')
    visit.page.wait_for_selector(f'#detail [data-tool="{HOSTILE["id"]}"]')
    assert HOSTILE["name"] in visit.page.locator("#detail h2").inner_text()
    link = "javascript:window.pwned=7"
    visit.go("?q=zorblax&ex=" + quote("<img src=x onerror=window.pwned=8>") + "&t=" + quote(link))
    visit.done()
    assert harmless(visit.page)


def test_check_25_stop_leaves_what_was_found(visit, held):
    visit.page.fill("#query textarea", "segment lungs slowly")
    visit.page.click("#find")
    visit.page.wait_for_selector('#board [data-stage="fused/dense"]')
    visit.page.click("#stop")
    visit.page.wait_for_selector("body[data-search=stopped]")
    held.set()
    visit.page.wait_for_timeout(1500)
    assert visit.page.locator('#board [data-stage="fused/dense"]').count() == 1
    assert visit.page.locator('#board [data-stage="rerank"]').count() == 0
    assert visit.page.get_by_text("Error", exact=True).count() == 0
    assert visit.find("segment lungs").cards()


def test_check_25_failed_reranker_is_told_in_its_column(visit):
    visit.find("segment lungs norerank")
    column = visit.page.locator('#board [data-stage="rerank"].failed')
    assert column.locator("[role=alert]").count() == 1
    assert len(visit.cards()) > 3


def test_check_25_defect_is_told_in_words_without_a_path(desktop):
    desktop.page.fill("#query textarea", "explode now")
    desktop.page.click("#find")
    desktop.page.wait_for_selector("#notices [role=alert]")
    assert "/secret" not in desktop.page.content()
    assert desktop.page.get_by_text("Error", exact=True).count() == 0
    assert desktop.find("segment lungs").cards()


def test_check_25_no_language_model_is_told_and_no_run_is_kept(desktop):
    desktop.page.wait_for_selector("#banner >> text=No language model")
    desktop.find("segment lungs")
    keys = desktop.page.evaluate("Object.keys(localStorage)")
    assert not [k for k in keys if "run-history" in k]
