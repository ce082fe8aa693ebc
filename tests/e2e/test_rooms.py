"""Routes are rooms of one page: what was left stays as it was, and the address follows."""

from __future__ import annotations

import pytest


def room(visit, name):
    """The frame of another route, once it is ready."""
    frame = visit.page.wait_for_selector(f"iframe.room[title={name}][data-shown]").content_frame()
    frame.wait_for_selector("body[data-ready]", timeout=45_000)
    return frame


def to(where, name):
    where.locator("nav.fillable a", has_text=name).click()


def at_home(visit):
    visit.page.wait_for_selector("body:not([data-room])")
    return visit


def test_about_and_back_keeps_list_scan_choice_and_the_tool_that_was_looked_at(visit, nifti):
    cards = visit.upload(nifti).find("segment brain tissue").cards()
    page = visit.page
    page.locator(f'#cards [data-act="choose"][data-id="{cards[1]}"]').click()
    page.wait_for_selector(".tray >> text=1 chosen")
    page.locator(f'#cards .name[data-id="{cards[2]}"]').click()
    page.wait_for_selector(f'#detail .detail[data-tool="{cards[2]}"]')
    visit.closed()
    address, answer = visit.address(), page.evaluate("document.body.dataset.answer")
    to(page, "About")
    assert room(visit, "About").locator("#about h1").count() == 1
    assert visit.address().endswith("/about")
    page.go_back()
    at_home(visit)
    assert visit.address() == address
    assert page.evaluate("document.body.dataset.answer") == answer
    assert visit.cards() == cards
    assert page.locator("#scan .scan").is_visible()
    assert page.locator(".tray >> text=1 chosen").is_visible()
    assert page.locator(f'#detail .detail[data-tool="{cards[2]}"]').count() == 1
    page.go_forward()
    assert room(visit, "About").locator("#about h1").is_visible()
    assert visit.errors == []


def test_ask_keeps_its_answer_and_catalog_its_words_while_one_is_elsewhere(desktop):
    page = desktop.go("ask").page
    page.click("#examples button >> nth=0")
    page.wait_for_selector("#said .said")
    page.wait_for_selector("body[data-search=done]")
    answered = page.inner_text("#said .said")
    to(page, "Catalog")
    catalog = room(desktop, "Catalog")
    catalog.fill("#browsewords textarea, #browsewords input", "lungs")
    catalog.wait_for_function(
        "!document.querySelector('#browselist .sub').innerText.startsWith('1,')"
    )
    listed = catalog.inner_text("#browselist .sub")
    to(catalog, "Ask")
    at_home(desktop)
    assert page.inner_text("#said .said") == answered
    to(page, "Catalog")
    assert room(desktop, "Catalog").inner_text("#browselist .sub") == listed
    assert desktop.address().endswith("/catalog")
    assert desktop.errors == []


def test_a_tool_of_an_answer_to_a_question_opens_in_place_with_its_parts(visiting, size):
    one = visiting(size).go("ask")
    page = one.page
    page.click("#examples button >> nth=0")
    page.wait_for_selector("body[data-search=done]")
    name = page.locator(".tools-of .name").nth(1)
    id = name.get_attribute("data-id")
    name.click()
    page.wait_for_selector(f'#detail .detail[data-tool="{id}"]')
    top = "document.querySelector('#detail h2').getBoundingClientRect().top"
    assert 0 <= page.evaluate(top) <= page.viewport_size["height"] - 40
    page.click('#detail [data-tab="similar"]')
    page.wait_for_selector("#similarlist .cards .name:visible")
    assert page.locator('#similarlist [data-act="choose"]').count() == 0
    one.closed()
    assert not page.locator("#detail h2").is_visible()
    assert page.locator("#said .said").is_visible()
    assert one.errors == []


def test_the_link_of_a_tool_is_copied_and_opens_its_record(desktop, visiting):
    desktop.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    id = desktop.find("segment lungs").cards()[0]
    desktop.page.click("#detail [data-link]")
    desktop.page.wait_for_selector("#detail [data-link] >> text=Copied")
    link = desktop.page.evaluate("navigator.clipboard.readText()")
    two = visiting("desktop", fresh=True).go(link.removeprefix(desktop.url))
    two.page.wait_for_selector(f'#detail .detail[data-tool="{id}"]')
    first = two.page.locator("#browselist .name").first
    first.click()
    two.page.wait_for_selector(f'#detail .detail[data-tool="{first.get_attribute("data-id")}"]')
    assert two.address().endswith(f"catalog?tool={first.get_attribute('data-id')}")


def test_search_for_what_a_tool_does_is_a_step_from_the_catalog(desktop):
    desktop.find("register two brain scans")
    to(desktop.page, "Catalog")
    catalog = room(desktop, "Catalog")
    catalog.locator("#browselist .name").first.click()
    catalog.wait_for_selector("#detail .detail[data-tool]")
    desktop.after(lambda: catalog.get_by_text("Search for what it does").click())
    assert desktop.page.evaluate("document.body.dataset.room") is None
    assert "?q=" in desktop.address()
    desktop.page.go_back()
    assert room(desktop, "Catalog").locator("#browselist").is_visible()


def test_search_clicked_in_search_goes_to_the_beginning_and_back_to_the_answer(desktop):
    cards = desktop.find("segment lungs").cards()
    to(desktop.page, "Search")
    desktop.page.wait_for_selector("#examples .btn-try:visible")
    desktop.after(desktop.page.go_back)
    assert desktop.cards() == cards


def test_a_step_back_shows_the_tool_that_was_looked_at_there(desktop):
    page = desktop.page
    cards = desktop.find("segment lungs").cards()
    page.locator(f'#cards .name[data-id="{cards[3]}"]').click()
    page.wait_for_selector(f'#detail .detail[data-tool="{cards[3]}"]')
    desktop.find("register two brain scans")
    page.wait_for_function(
        "(id) => document.querySelector('#detail .detail').dataset.tool !== id", arg=cards[3]
    )
    desktop.after(page.go_back)
    page.wait_for_selector(f'#detail .detail[data-tool="{cards[3]}"]')
    assert page.locator(f'#cards .card.pinned[data-tool="{cards[3]}"]').count() == 1


def test_the_pager_leads_on_from_where_the_list_ends(visiting, size):
    page = visiting(size).go("catalog").page
    first = page.locator("#browselist .name").first.inner_text()
    page.locator(".pager button", has_text="Next").click()
    page.wait_for_selector("#browselist .sub >> text=page 2 of")
    assert page.locator("#browselist .name").first.inner_text() != first
    assert page.input_value("#browsepage input") == "2"
    box = page.locator("#browselist .sub").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < page.viewport_size["height"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_room_takes_the_whole_window_and_nothing_below_it_is_reached_by_keys(
    visiting, size, dark
):
    one = visiting(size, dark=dark).go().find("segment lungs")
    to(one.page, "About")
    room(one, "About")
    box = one.page.locator("iframe.room[data-shown]").bounding_box()
    assert box == {"x": 0, "y": 0, **one.page.viewport_size}
    assert one.page.evaluate("document.querySelector('gradio-app').inert")
    assert not one.page.locator("#find").is_visible()
