"""Refining as a conversation: a chip a sentence, undo, start over, counts, contradictions."""

from __future__ import annotations

REMARKS = "#chips .chip-remark"


def say(one, words: str):
    box = one.page.locator("#followtext :is(input, textarea)")
    box.fill(words)
    return one.after(lambda: box.press("Enter"))


def remarks(one) -> list[str]:
    return one.page.eval_on_selector_all(REMARKS, "e => e.map(x => x.firstChild.textContent)")


def test_each_sentence_is_a_chip_that_can_be_taken_back(desktop):
    before = desktop.find("segment brain tissue").cards()
    say(say(desktop, "only open licences"), "not FSL")
    assert remarks(desktop) == ["only open licences", "not FSL"]
    assert len(desktop.chips()) == 2
    assert not any(id.startswith("fsl") for id in desktop.cards())
    desktop.act(f"{REMARKS} >> nth=0")
    assert remarks(desktop) == ["not FSL"]
    say(desktop, "undo that")
    assert remarks(desktop) == []
    assert desktop.cards() == before
    assert desktop.page.input_value("#query textarea") == "segment brain tissue"
    assert desktop.errors == []


def test_start_over_and_contradictions_are_understood(desktop):
    desktop.find("segment brain tissue")
    say(say(desktop, "only 2D"), "only 3D")
    text = desktop.page.inner_text("#understood")
    assert "this contradicts “only 2D”, and takes its place" in text
    say(desktop, "start over")
    assert remarks(desktop) == []
    assert "started over" in desktop.page.inner_text("#understood")


def test_an_offer_says_what_it_would_leave_and_is_taken_by_a_click(desktop):
    desktop.find("segment lungs")
    page = desktop.page
    top = page.locator("#cards .card").first.bounding_box()
    page.focus("#followtext :is(input, textarea)")
    page.wait_for_selector("#offers button:visible")
    assert page.locator("#cards .card").first.bounding_box() == top
    offer = page.locator("#offers button").first
    label = offer.inner_text()
    assert label.endswith(")")
    desktop.after(offer.click)
    assert remarks(desktop) == [label.rpartition(" (")[0]]


def test_what_a_remark_did_is_not_covered_by_offers(desktop):
    page = desktop.find("count nuclei").page
    page.focus("#followtext :is(input, textarea)")
    page.wait_for_selector("#offers button:visible")
    say(desktop, "only the first three")
    assert "a list of 3 tools" in page.inner_text("#understood")
    assert not page.is_visible("#offers")
    assert len(desktop.cards()) == 3
    page.click("#followtext :is(input, textarea)")
    page.wait_for_selector("#offers button:visible")


def test_a_question_about_the_list_is_answered_and_changes_nothing(desktop):
    before = desktop.find("segment lungs").cards()
    box = desktop.page.locator("#followtext :is(input, textarea)")
    box.fill("which of these need a GPU?")
    desktop.after(lambda: box.press("Enter"))
    assert "by the records of the 15 tools listed" in desktop.page.inner_text("#understood")
    assert desktop.cards() == before
    assert remarks(desktop) == []


def test_a_link_with_remarks_is_short_and_brings_the_same_list(desktop, visiting):
    say(say(desktop.find("segment brain tissue"), "only open licences"), "not FSL")
    link = desktop.page.evaluate("location.search")
    assert len(link) < 120
    other = visiting("desktop", fresh=True).go(link).done()
    assert other.cards() == desktop.cards()
    assert remarks(other) == remarks(desktop)


def test_a_search_where_the_browser_denies_storage_has_its_box(visiting):
    one = visiting("desktop", fresh=True)
    denied = "for (const name of ['localStorage', 'sessionStorage']) "
    denied += "Object.defineProperty(window, name, {configurable: true, "
    denied += "get() { throw new DOMException('denied', 'SecurityError'); }});"
    one.page.add_init_script(denied)
    for _ in range(3):
        one.go()
        assert one.page.locator("#query textarea").is_visible()
    assert len(one.find("segment lungs").cards()) > 5
    assert one.errors == []
