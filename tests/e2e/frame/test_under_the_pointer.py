"""What is pressed stays where it is, and what is wider than a phone says so."""

from __future__ import annotations

WIDE = "e => e.matches('[data-more]') && getComputedStyle(e, '::after').content !== 'none'"
COLUMNS = """() => [...document.querySelectorAll('#chosen table.compare')[0].querySelectorAll(
  'thead th')].map((one) => one.getBoundingClientRect()).map((box) => [box.left, box.right])"""


def test_a_drawer_opens_below_and_its_head_stays_under_the_pointer(desktop):
    desktop.find("segment lungs")
    head = desktop.page.locator("#controls > .label-wrap")
    before = head.bounding_box()
    head.click()
    desktop.page.wait_for_selector("#rerank", state="visible")
    after, inner = head.bounding_box(), desktop.page.locator("#controls > div").last.bounding_box()
    assert before is not None
    assert after is not None
    assert inner is not None
    assert abs(after["x"] - before["x"]) <= 1
    assert abs(after["y"] - before["y"]) <= 1
    assert inner["y"] >= after["y"] + after["height"]
    assert inner["width"] > 1000
    head.click()
    desktop.page.wait_for_selector("#rerank", state="hidden")


def test_the_head_of_a_card_of_the_catalog_opens_it_by_mouse_and_by_keyboard(desktop):
    page = desktop.go("catalog").page
    card = page.locator("#browselist .card").nth(2)
    top = card.locator(".top").bounding_box()
    assert top is not None
    page.mouse.click(top["x"] + top["width"] / 2, top["y"] + top["height"] / 2)
    page.wait_for_selector(f'#detail .detail[data-tool="{card.get_attribute("data-tool")}"]')
    other = page.locator("#browselist .card").nth(4)
    other.locator(".name").press("Enter")
    page.wait_for_selector(f'#detail .detail[data-tool="{other.get_attribute("data-tool")}"]')


def test_a_row_wider_than_a_phone_says_so_until_its_end(visiting):
    page = visiting("phone").go().find("segment lungs in CT with Python").page
    for row in ("#line", "#overview"):
        page.wait_for_selector(f"{row}[data-more]")
        assert page.eval_on_selector(row, WIDE), row
        page.eval_on_selector(row, "e => e.scrollTo(9999, 0)")
        page.wait_for_selector(f"{row}:not([data-more])")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_two_chosen_tools_are_compared_beside_each_other_on_a_phone(visiting):
    page = visiting("phone").go().find("segment lungs").page
    for number in (1, 2):
        page.locator("#cards .star").nth(number - 1).click()
        page.wait_for_selector(f".tray >> text={number} chosen")
    page.click(".tray >> text=Compare")
    facts, first, second = page.evaluate(COLUMNS)
    assert facts[1] - facts[0] < 120
    assert first[1] < 300
    assert second[0] < 280
    page.locator("#cards .star").nth(2).evaluate("e => e.click()")
    page.wait_for_selector(".tray >> text=3 chosen")
    page.wait_for_selector("#chosen .wide[data-more]")
    page.eval_on_selector("#chosen .wide", "e => e.scrollTo(9999, 0)")
    page.wait_for_selector("#chosen .wide:not([data-more])")
    # What each row is about stays in view.
    assert page.evaluate(COLUMNS)[0][0] >= 0


def test_all_that_was_chosen_is_let_go_by_one_button(visit):
    page = visit.find("segment lungs").page
    for number in (1, 2):
        page.locator("#cards .star").nth(number - 1).click()
        page.wait_for_selector(f".tray >> text={number} chosen")
    box = page.locator(".tray").bounding_box()
    assert box is not None
    width = page.evaluate("innerWidth")
    last = page.locator(".tray .btn").last.bounding_box()
    assert last is not None
    assert box["x"] >= 0
    assert last["x"] + last["width"] <= box["x"] + box["width"] <= width
    heights = page.eval_on_selector_all(".tray .btn", "e => e.map((x) => x.offsetHeight)")
    assert len(set(heights)) == 1
    page.click(".tray >> text=Clear")
    page.wait_for_selector(".tray", state="detached")
    assert page.locator('#cards .star[aria-pressed="true"]').count() == 0
    assert visit.errors == []


def test_a_phone_with_a_scan_offers_another_one_and_no_first_one(visiting, nifti):
    one = visiting("phone").go()
    label = "getComputedStyle(document.querySelector('#files button'), '::before').content"
    one.find("segment the brain")
    assert one.page.evaluate(label) == '"+ Scan"'
    one.upload(nifti)
    assert one.page.evaluate(label) == '"Other scan"'
