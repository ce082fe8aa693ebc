"""Nothing is lost: steps of the browser's history, the link, and the tray of chosen tools."""

from __future__ import annotations


def test_back_and_forward_go_from_search_to_search_and_to_the_idle_page(desktop):
    page = desktop.page
    first = desktop.find("segment lungs").cards()
    second = desktop.find("register two brain scans").cards()
    assert first != second
    desktop.after(page.go_back)
    assert page.input_value("#query textarea") == "segment lungs"
    assert desktop.cards() == first
    desktop.after(page.go_forward)
    assert page.input_value("#query textarea") == "register two brain scans"
    assert desktop.cards() == second
    desktop.after(page.go_back)
    page.go_back()
    page.wait_for_selector("#examples .btn-try:visible")
    assert not page.locator("#results").is_visible()
    assert desktop.find("segment lungs").cards() == first
    assert page.locator("#results").is_visible()
    assert desktop.errors == []


def test_a_step_back_keeps_the_scan_and_the_filters_of_that_search(desktop, nifti):
    desktop.upload(nifti).find("segment brain tissue")
    tokens = desktop.chips()
    excluded = desktop.cards()[0]
    desktop.act(f'#cards [data-act="exclude"][data-id="{excluded}"]')
    assert excluded not in desktop.cards()
    desktop.after(desktop.page.go_back)
    assert excluded in desktop.cards()
    assert desktop.chips() == tokens
    assert desktop.page.locator("#scan .scan").count() == 1


def test_the_link_says_that_it_was_copied(desktop):
    desktop.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desktop.find("segment lungs")
    place = desktop.page.locator("#cards .card").first.bounding_box()
    desktop.page.click("#copylink")
    desktop.page.wait_for_selector("#copylink >> text=Copied")
    assert desktop.page.locator("#cards .card").first.bounding_box() == place
    assert desktop.page.evaluate("navigator.clipboard.readText()") == desktop.address()
    desktop.page.wait_for_selector("#copylink >> text=Copy link")


def test_a_tray_counts_what_was_chosen_and_leads_to_the_comparison(visit):
    cards = visit.find("segment lungs").cards()
    page = visit.page
    for number, id in enumerate(cards[:2], start=1):
        page.locator(f'#cards [data-act="choose"][data-id="{id}"]').click()
        page.wait_for_selector(f".tray >> text={number} chosen")
        box = page.locator(".tray").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= page.viewport_size["height"]
    unknown = "e => e.filter(x => new Set([...x.cells].slice(1).map(c => c.textContent)"
    unknown += ".filter(t => t !== '-')).size < 2).length"
    assert page.eval_on_selector_all("#chosen tr.differs", unknown) == 0
    assert page.locator("#chosen tr.differs").count() > 0
    with page.expect_download() as got:
        page.click(".tray >> text=Cite")
    assert got.value.suggested_filename == "scanscout.bib"
    page.click(".tray >> text=Compare")
    page.wait_for_function("document.querySelector('#chosen').getBoundingClientRect().top < 400")
    assert visit.errors == []


def test_a_changed_setting_marks_the_list_until_it_is_applied(desktop):
    desktop.find("segment lungs").controls()
    page = desktop.page
    page.uncheck("#rerank input")
    page.wait_for_selector("#stale >> text=Press Find")
    desktop.find()
    page.wait_for_selector("#stale .stale", state="detached")
    assert desktop.errors == []


def test_a_removed_fact_of_the_scan_can_be_put_back(desktop, nifti):
    desktop.upload(nifti).find("segment brain tissue")
    tokens = desktop.chips()
    desktop.act('#chips [data-id="format:NIfTI"]')
    assert "format:NIfTI" not in desktop.chips()
    desktop.act('#chips [data-kind="removed"][data-id="format:NIfTI"]')
    assert desktop.chips() == tokens


VERDICTS = "#cards .badge-good, #cards .badge-part, #cards .badge-bad"


def test_after_the_scan_is_removed_no_verdict_remains(desktop, dicom_folder):
    desktop.upload(*sorted(dicom_folder.iterdir())).find("segment lungs")
    assert desktop.page.locator(VERDICTS).count() > 0
    desktop.act('#scan [data-act="clear"]')
    assert desktop.page.locator("#scan .scan").count() == 0
    assert desktop.cards()
    assert desktop.page.locator(VERDICTS).count() == 0
    assert desktop.page.locator("#detail >> text=Fits").count() == 0
    assert "t=" not in desktop.address()
    assert desktop.errors == []


def test_without_words_a_removed_scan_leaves_no_list(desktop, dicom_folder):
    desktop.upload(*sorted(dicom_folder.iterdir())).find("")
    assert desktop.cards()
    desktop.page.click('#scan [data-act="clear"]')
    desktop.page.wait_for_selector("#cards .card", state="detached")
    desktop.page.wait_for_selector("#status >> text=Type what you want to do")
    assert desktop.page.locator("#board .stage").count() == 0
    assert desktop.find("segment lungs").cards()
    assert desktop.errors == []


def test_a_link_says_what_of_the_search_it_does_not_hold(desktop, nifti):
    desktop.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desktop.find("segment brain").page.click("#copylink")
    desktop.page.wait_for_selector("#status >> text=this list in this order")
    desktop.upload(nifti).find()
    desktop.page.wait_for_selector("#copylink >> text=Copy link")
    desktop.page.click("#copylink")
    desktop.page.wait_for_selector("#status >> text=It does not hold your files")
    assert "this list in this order" not in desktop.page.inner_text("#status")
    assert desktop.errors == []


def test_a_wish_searched_as_words_comes_with_the_link(desktop, visiting):
    desktop.find("segment lungs in Python")
    cards = desktop.act('#chips [data-kind="wish"]').cards()
    two = visiting("desktop", fresh=True).go(desktop.address().removeprefix(desktop.url)).done()
    assert two.cards() == cards
    assert two.chips() == desktop.chips()
