"""Replaying a file, comparing two modes and a remembered taste in a real browser."""

from __future__ import annotations

import json

import pytest

from retrieval import to_json

TASTE = "localStorage.getItem('scanscout-taste')"


def _replayed(page, file):
    with page.expect_file_chooser() as chooser:
        page.click("#replay")
    chooser.value.set_files(str(file))


def test_a_saved_search_replays_identically_and_an_altered_one_names_what_changed(
    desktop, tmp_path, upload_dir
):
    before = desktop.find("segment lungs").cards()
    page, saved = desktop.page, desktop.answer()
    file = tmp_path / "saved.json"
    file.write_text(json.dumps(saved), encoding="utf-8")
    _replayed(page, file)
    page.wait_for_selector("#replayed [data-same=true] >> text=Identical")
    saved["metadata"]["catalog_sha256"] = "<img src=x onerror=window.pwned=9>"
    saved["candidates"].reverse()
    file.write_text(json.dumps(saved), encoding="utf-8")
    _replayed(page, file)
    page.wait_for_selector("#replayed [data-same=false] >> text=The catalog")
    assert page.evaluate("window.pwned") is None
    assert desktop.cards() == before
    assert not list(upload_dir.rglob("saved.json"))
    assert desktop.errors == []


def test_a_saved_search_can_be_replayed_on_the_empty_page_that_asks_for_nothing_else(
    desktop, engine, tmp_path
):
    page, file = desktop.page, tmp_path / "saved.json"
    for hidden in ("#followtext", "#why", "#comparemodes", "#json", "#detail"):
        assert not page.locator(hidden).is_visible()
    file.write_text(json.dumps(to_json(engine.run("segment lungs"))), encoding="utf-8")
    _replayed(page, file)
    page.wait_for_selector("#replayed [data-same=true] >> text=Identical")
    page.wait_for_selector("#replayed h3 >> text=segment lungs")
    listed = page.eval_on_selector_all("#replayed .name", "e => e.map(x => x.dataset.id)")
    desktop.after(lambda: page.click("#replayed >> text=Search for this again"))
    assert desktop.cards() == listed
    for shown in ("#followtext", "#why", "#comparemodes", "#json", "#detail"):
        page.wait_for_selector(shown, state="visible")


def test_two_modes_stand_side_by_side_and_a_tool_is_marked_in_both(desktop):
    before = desktop.find("segment lungs").cards()
    page = desktop.page
    desktop.open("#comparemodes")
    page.click("#comparego")
    page.wait_for_selector("#compared >> text=overlap@10")
    sides = "e => e.map(x => x.dataset.tool)"
    left = page.eval_on_selector_all("#compared [data-side=A] li", sides)
    right = page.eval_on_selector_all("#compared [data-side=B] li", sides)
    assert set(before) <= set(left)
    assert left != right
    both = next(id for id in left if id in right)
    page.locator(f'#compared [data-side=A] li[data-tool="{both}"]').hover()
    page.wait_for_selector(f'#compared [data-side=B] li.lit[data-tool="{both}"]')
    assert desktop.cards() == before
    assert desktop.errors == []


@pytest.mark.requirement("S1-33")
def test_a_taste_is_remembered_only_when_asked_in_this_browser_and_can_be_erased(visiting):
    one = visiting("desktop", fresh=True).go().find("segment lungs")
    page, first = one.page, one.cards()
    one.act('#cards [data-act="exclude"]').act('#notices [data-act="undo"]')
    assert first[0] not in (page.evaluate(TASTE) or "")
    assert "taste" not in one.stages()
    one.open("#memory")
    page.check("#remember input")
    page.wait_for_selector("#taste >> text=Nothing yet")
    page.locator(f'#cards .card[data-tool="{first[3]}"] [data-act="choose"]').click()
    page.wait_for_selector("#taste >> text=chosen")
    one.find("segment lungs")
    assert "taste" in one.stages()
    assert first[3] not in page.evaluate("location.href")
    assert one.cards().index(first[3]) < 3
    one.go(one.address().removeprefix(one.url)).done()
    assert one.cards().index(first[3]) < 3
    one.open("#memory")
    assert page.is_checked("#remember input")
    page.click("#erase")
    page.wait_for_selector("#taste >> text=Nothing yet")
    assert one.find("segment lungs").cards() == first
    assert one.errors == []
