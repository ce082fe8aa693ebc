"""Words on the page are whole, and drawers stay small."""

from __future__ import annotations

import pytest

CUT = """(selector) => [...document.querySelectorAll(selector)].filter((one) => one.offsetWidth
  && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1))
  .map((one) => one.textContent)"""
BROKEN = """() => {
  const pen = document.createElement('canvas').getContext('2d');
  return [...document.querySelectorAll('#graphtable .wide:first-of-type td')].flatMap((cell) => {
    const style = getComputedStyle(cell);
    pen.font = style.font;
    const room = cell.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return cell.textContent.split(/\\s+/).filter((word) => /^[a-z]{1,13}$/.test(word)
      && pen.measureText(word).width > room + 1);
  });
}"""
LEFT = "(selector) => document.querySelector(selector).getBoundingClientRect().left"


def test_a_licence_is_whole_beside_a_verdict(desktop, shared_scans):
    one = desktop.upload(shared_scans / "ext" / "dicom" / "ct_series.zip")
    one.find("segment the liver and its lesions")
    page = one.page
    beside = "#cards .card .terms > .badge-licence"
    assert page.locator(beside).count() >= 5
    assert [text for text in page.evaluate(CUT, beside) if len(text) < 20] == []
    widths = page.eval_on_selector_all(beside, "e => e.map((x) => x.offsetWidth)")
    assert min(widths) > 30


def test_own_terms_of_weights_leave_the_verdicts_and_the_reasons_room(visiting, shared_scans):
    one = visiting("desktop", fresh=True).go()
    one.page.set_viewport_size({"width": 1024, "height": 768})
    one.upload(shared_scans / "ext" / "dicom" / "ct_series.zip").find("segment organs on CT")
    assert one.page.locator("#cards .terms > .badge-warn").count() >= 1
    assert one.page.evaluate(CUT, "#cards .badges > .badge:not(:has(> span))") == []
    room = "e => e.map((x) => x.clientWidth / x.closest('.card').clientWidth)"
    assert min(one.page.eval_on_selector_all("#cards .foot > p", room)) > 0.49


LACKS = """() => [...document.querySelectorAll('#cards .why-parts > b')].filter((one) => {
  if (!one.offsetWidth) return false;
  const box = one.parentElement.getBoundingClientRect();
  return [...one.getClientRects()]
    .some((line) => line.right > box.right + 1 || line.bottom > box.bottom + 1);
}).map((one) => one.textContent)"""
"""What tools lack, where a card does not show all of it."""


@pytest.mark.parametrize("width", [390, 1024, 1280])
def test_what_a_tool_lacks_is_whole_on_its_card_and_rows_are_of_one_height(visiting, width):
    one = visiting("phone" if width == 390 else "desktop", fresh=True).go()
    one.page.set_viewport_size({"width": width, "height": 844})
    one.find("count white matter lesions on FLAIR in multiple sclerosis, on macOS")
    assert one.page.locator("#cards .why-parts > b").count() > 3
    assert one.page.evaluate(LACKS) == []
    visible = "e => e.filter((x) => x.checkVisibility({ contentVisibilityAuto: true }))"
    heights = one.page.eval_on_selector_all("#cards .card", f"{visible}.map((x) => x.offsetHeight)")
    assert len(set(heights)) == 1


def test_a_command_of_four_lines_is_whole(desktop):
    desktop.find("segment the spleen on CT with MONAI")
    page = desktop.page
    page.click('#cards .card[data-tool="monai_spleen_ct_segmentation"] .name')
    page.wait_for_selector('#detail .detail[data-tool="monai_spleen_ct_segmentation"] .take pre')
    assert page.evaluate(CUT, "#detail .take pre") == []


def test_words_in_the_table_of_the_graph_are_not_broken_on_a_phone(visiting):
    one = visiting("phone").go().find("segment lungs").table()
    assert one.page.evaluate(BROKEN) == []


def test_a_remark_that_sets_many_filters_leaves_the_drawer_small(desktop):
    desktop.find("segment lungs")
    box = desktop.page.locator("#followtext :is(input, textarea)").first
    box.fill("only open licences")
    desktop.after(lambda: box.press("Enter"))
    desktop.controls()
    height = "e => e.getBoundingClientRect().height"
    assert (
        desktop.page.locator("#controls > div").last.evaluate(height) < 620
    )  # with two rows of stages


def test_the_drawers_stand_in_line_with_what_is_above_them(desktop):
    page = desktop.page
    assert page.evaluate(LEFT, "#controls") == page.evaluate(LEFT, "#examples")


def test_a_board_without_a_list_is_as_high_as_its_words(visit):
    visit.go("?q=segment+lungs&mod=EEG&dim=2D&fmt=DICOM").done()
    page = visit.page
    assert page.locator("#board .stage.skipped").count() >= 3
    assert page.locator("#board .track").evaluate("e => e.offsetHeight") < 300


def test_an_empty_list_leads_to_no_tools(desktop):
    desktop.go("?q=segment+lungs&mod=EEG&fmt=DICOM&dim=2D")
    desktop.page.wait_for_selector("#notices >> text=No tool matches")
    places = desktop.page.locator("#jump [data-goto]:visible")
    places.first.wait_for()
    assert places.all_inner_texts() == ["Stages"]


def test_a_part_of_the_detail_says_that_it_is_on_its_way(desktop):
    page, held = desktop.find("segment lungs").page, []
    page.route("**/queue/join*", lambda request: held.append(request))
    filling = page.locator("#right[data-filling]")
    for name in ("get", "plan", "similar"):
        page.click(f'#right .tabs [data-tab="{name}"]')
        filling.wait_for()
        assert filling.get_attribute("data-filling") == name
        page.wait_for_timeout(300)
        for request in held:
            request.continue_()
        held.clear()
        filling.wait_for(state="detached")
    page.click('#right .tabs [data-tab="get"]')
    assert filling.count() == 0
    assert desktop.errors == []


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_long_query_is_shown_from_its_beginning_and_can_be_read_to_its_end(visiting, size):
    one = visiting(size).go()
    one.find("Nonlinear registration of longitudinal multi-contrast magnetic resonance " * 4)
    query = one.page.locator("#query textarea")
    assert query.evaluate("e => e.scrollTop") == 0
    assert query.evaluate("e => getComputedStyle(e).overflowY") == "auto"
    lines = "e => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)"
    assert query.evaluate(lines) >= 2
    if size == "phone":
        query.focus()
        assert query.evaluate("e => e.scrollHeight <= e.clientHeight + 1")


def test_the_choices_about_a_scan_and_the_steps_of_the_rail_are_whole(desktop, shared_scans):
    one = desktop.upload(shared_scans / "ext" / "nifti" / "hippo.nii.gz")
    one.find("segment the hippocampus")
    assert one.page.locator("#scan .ask .btn:visible").count() == 7
    assert one.page.evaluate(CUT, "#scan .ask .actions, #scan .scanleft, #strip .steprail") == []


PARTED = """() => [...document.querySelectorAll('#board .stage li .n')].flatMap((name) => {
  const range = document.createRange(), parted = [];
  for (const text of [...name.childNodes].filter((part) => part.nodeType === 3)) {
    for (const { index, 0: word } of text.textContent.matchAll(/[A-Za-z]+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const tops = [...range.getClientRects()].map((box) => Math.round(box.top));
      if (new Set(tops).size > 1) parted.push(word);
    }
  }
  return parted;
})"""
"""Words of the names on the board that are broken inside."""


def test_no_word_of_a_name_is_broken_in_a_column_of_a_stage(desktop, shared_scans):
    """A scan and a wish give the most lists: the narrowest columns."""
    desktop.upload(shared_scans / "ext" / "dicom" / "ct_series.zip")
    desktop.find("segment lungs in Python").still()
    assert desktop.page.evaluate(PARTED) == []
