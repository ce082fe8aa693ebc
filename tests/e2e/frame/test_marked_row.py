"""The row of the tool on show is marked, in the list and in every column of the board."""

from __future__ import annotations

from browsing import SIZES

MARKED = "(where) => [...document.querySelectorAll(`${where} .pinned`)].map((e) => e.dataset.tool)"


def test_the_tool_on_show_is_marked_after_a_first_list_was_replaced(desktop, held):
    page = desktop.page
    page.fill("#query textarea", "segment the liver and its lesions slowly")
    page.click("#find")
    page.wait_for_selector("#cards [data-left]")
    shown = desktop.cards()[0]
    page.wait_for_selector(f'#cards .card.pinned[data-tool="{shown}"]')
    held.set()
    # Where the first list began with another tool, the final one marks its own anew.
    assert desktop.done().cards()[0] == shown
    page.wait_for_selector(f'#detail .detail[data-tool="{shown}"]')
    page.wait_for_selector(f'#cards .card.pinned[data-tool="{shown}"]')
    page.wait_for_selector(f'#board li.pinned[data-tool="{shown}"]')
    assert page.evaluate(MARKED, "#cards") == [shown]
    assert set(page.evaluate(MARKED, "#board")) == {shown}


EDGES = """() => {
  const { left, right } = document.querySelector('#followtext').getBoundingClientRect();
  return [left, right];
}"""
"""Where the box of remarks begins and ends in the window."""


def test_the_box_of_remarks_stays_in_view_on_a_phone(visiting):
    one = visiting("phone").go().find("segment lungs")
    box = one.page.locator("#followtext :is(input, textarea)").first
    for remark in ("only open licences", "only 3D"):
        box.fill(remark)
        one.after(lambda: box.press("Enter"))
    one.still()
    left, right = one.page.evaluate(EDGES)
    assert left >= -1
    assert right <= SIZES["phone"][0] + 1
    # The chips that had to give way are counted at the edge of the row.
    chips = len(one.chips())
    assert (
        one.page.get_attribute("#line", "data-gone")
        == f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK} {chips}"
    )
