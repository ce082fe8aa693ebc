"""The first list comes with its detail before the last stage has run, and says that it is first."""

from __future__ import annotations

PLACES = """() => [...document.querySelectorAll('#cards .card')].slice(0, 5).map((one) => {
  const {top, height} = one.getBoundingClientRect();
  return [Math.round(top), Math.round(height)];
})"""
EARLY = "#cards [data-left]"


def begin(one, text="segment lungs slowly"):
    one.page.fill("#query textarea", text)
    one.page.click("#find")
    one.page.wait_for_selector(EARLY)
    return one.page


def test_list_and_detail_are_there_before_the_last_stage_and_are_marked(visit, held):
    page = begin(visit)
    page.wait_for_selector(EARLY + " >> text=/^[2-9] stages to go$/")
    assert page.inner_text("#cards h2").startswith("First list; ")
    early = visit.cards()
    assert page.locator("#board .stage.pending").count() > 0
    assert page.locator("#detail .detail").get_attribute("data-tool") == early[0]
    places = page.evaluate(PLACES)
    assert len(places) == 5
    held.set()
    visit.done()
    assert page.locator(EARLY).count() == 0
    assert page.inner_text("#cards h2") == "Recommended tools"
    # The rows of the final list stand where those of the first one stood.
    assert page.evaluate(PLACES) == places
    assert page.locator("#detail .detail").get_attribute("data-tool") == visit.cards()[0]
    assert visit.errors == []


def test_the_first_list_has_no_verdict_before_the_fit_was_judged(desktop, held, dicom_folder):
    desktop.upload(*sorted(dicom_folder.iterdir()))
    page = begin(desktop)
    verdicts = "#cards .badge-good, #cards .badge-part, #cards .badge-bad"
    assert page.locator(verdicts).count() == 0
    page.click('#right [data-tab="fit"]')
    page.wait_for_selector("#detail >> text=No stage has checked this tool")
    held.set()
    desktop.done()
    assert page.locator(verdicts).count() > 0
    assert desktop.errors == []


def test_a_tool_chosen_in_the_first_list_is_still_on_show_at_the_end(desktop, held):
    page = begin(desktop)
    third = desktop.cards()[2]
    page.locator(f'#cards [data-act="select"][data-id="{third}"]').click()
    page.wait_for_selector(f'#detail [data-tool="{third}"].detail')
    held.set()
    desktop.done()
    page.wait_for_selector(f'#detail [data-tool="{third}"].detail')
    page.wait_for_selector("#detail .detail:not(:has(> .empty)) >> text=Why it is here")
    page.wait_for_timeout(500)
    assert page.locator("#detail .detail").get_attribute("data-tool") == third
    assert desktop.errors == []


def test_after_stop_the_first_list_says_that_it_is_not_the_final_one(desktop, held):
    page = begin(desktop)
    page.click("#stop")
    page.wait_for_selector("body[data-search=stopped]")
    page.wait_for_selector(EARLY + " >> text=the search ended before its last stage")
    held.set()
    assert desktop.find("segment lungs").cards()
    assert page.locator(EARLY).count() == 0


def test_after_another_search_a_change_of_purpose_leaves_its_first_tool_on_show(desktop):
    cards = desktop.find("segment lungs").cards()
    desktop.page.locator(f'#cards [data-act="select"][data-id="{cards[3]}"]').click()
    desktop.page.wait_for_selector(f'#detail [data-tool="{cards[3]}"].detail')
    first = desktop.find("count nuclei in histology").cards()[0]
    assert first != cards[3]
    desktop.open("#mine").page.click("#purpose input")
    desktop.page.locator("#purpose [role=option]").nth(1).click()
    desktop.page.wait_for_selector("#cards >> text=/terms/")
    assert desktop.page.locator("#detail .detail").get_attribute("data-tool") == first
