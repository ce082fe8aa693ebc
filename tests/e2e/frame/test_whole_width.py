"""The board uses the width and hides no list; names, scores and nodes can be read."""

from __future__ import annotations

from itertools import pairwise

import pytest

COLUMNS = """() => {
  const box = (one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right];
  const last = document.querySelector('#board .stage.last');
  const others = [...document.querySelectorAll('#board .track > :is(.stage, .stack)')];
  return { last: box(last), others: others.filter((one) => one !== last).map(box) };
}"""

CUT = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility()).map((one) => {
    // A line of text has no width of its own: that of the box it stands in.
    let holder = one;
    while (getComputedStyle(holder).display === 'inline') holder = holder.parentElement;
    const text = document.createRange(), outer = holder.getBoundingClientRect();
    // What is only spoken, the rank, stands before the name.
    const parts = [...one.childNodes].filter((part) => !part.matches?.('.sr'));
    text.setStartBefore(parts[0]);
    text.setEndAfter(parts.at(-1));
    const inner = text.getBoundingClientRect();
    const isCut = inner.right > outer.right + 1 || inner.left < outer.left - 1
      || inner.bottom > outer.bottom + 1;
    return [parts.map((part) => part.textContent).join(''), isCut];
  })"""
"""Every name with whether some of it is outside the box that it stands in."""

NODES = """() => {
  const { net, nodes } = window.scanscoutGraph;
  const { clientWidth, clientHeight } = document.querySelector('#graph .canvas');
  return nodes.get().filter((n) => !n.hidden).map((n) => {
    const box = net.getBoundingBox(n.id);
    const from = net.canvasToDOM({ x: box.left, y: box.top });
    const to = net.canvasToDOM({ x: box.right, y: box.bottom });
    return [n.label, from.x >= 0 && from.y >= 0 && to.x <= clientWidth && to.y <= clientHeight];
  });
}"""


@pytest.mark.parametrize("width", [1440, 1920])
def test_no_list_lies_under_the_final_one_and_the_width_is_used(desktop, shared_scans, width):
    """A scan and a wish give the most lists: ten, and a column of stages that did not run."""
    desktop.page.set_viewport_size({"width": width, "height": 900})
    desktop.upload(shared_scans / "ext" / "dicom" / "ct_series.zip")
    desktop.find("segment lungs in Python").still()
    at = desktop.page.evaluate(COLUMNS)
    (last_left, last_right), others = at["last"], sorted(at["others"])
    assert len(others) >= 10
    assert max(right for _, right in others) <= last_left
    assert all(a[1] <= b[0] for a, b in pairwise(others))
    assert others[0][0] + width - last_right <= 0.05 * width
    spare = [b[0] - a[1] for a, b in pairwise([*others, at["last"]])]
    assert max(spare) <= 24


LISTS = ("#cards .name", "#board .stage li .n", "#chosen .name")


def named(one, selector):
    shown = one.page.evaluate(CUT, selector)
    return len(shown), [name for name, is_cut in shown if is_cut]


def test_names_are_whole_in_every_list(visit, shared_scans):
    visit.upload(shared_scans / "ext" / "dicom" / "ct_series.zip").find("segment lungs in Python")
    page = visit.page
    page.click("#cards details.more > summary")
    page.locator("#cards .star").first.click()
    page.wait_for_selector("#chosen .name", state="attached")
    number = dict.fromkeys(LISTS, 0)
    for selector in LISTS:
        number[selector], cut = named(visit, selector)
        assert cut == [], selector
    assert number["#cards .name"] >= 15
    assert number["#board .stage li .n"] > 80
    assert number["#chosen .name"]


JOINED = """() => [
  [...document.querySelectorAll('#board .stage.last li[data-tool]')].map((e) => e.dataset.tool),
  [...document.querySelectorAll('#board .paths path')].map((e) => e.dataset.path)]"""
"""The tools of the final list, and those that a line follows from list to list."""


def test_lines_join_the_lists_of_a_search_with_a_scan_without_a_further_click(
    desktop, shared_scans, held
):
    """A list of the first stages becomes the final one by its class alone."""
    page = desktop.upload(shared_scans / "ext" / "dicom" / "ct_series.zip").page
    page.fill("#query textarea", "segment lungs slowly")
    page.click("#find")
    page.wait_for_selector("#board .stage", state="attached")
    held.set()
    desktop.done().still()
    page.wait_for_selector("#board .paths path[data-path]", state="attached", timeout=10_000)
    rows, joined = page.evaluate(JOINED)
    assert len(rows) > 5
    assert joined == rows[:5]


def test_a_long_name_is_whole_beside_its_badges(visit):
    """Names of the catalog have up to 56 characters."""
    visit.find("3D breast, fibroglandular tissue and vessel segmentation")
    visit.page.click("#cards details.more > summary")
    assert max(len(name) for name, _ in visit.page.evaluate(CUT, "#cards .name")) > 50
    assert named(visit, "#cards .name")[1] == []


def test_scores_of_the_board_are_shown_and_hidden_by_their_button(visit):
    page = visit.find("segment lungs").page
    scores = page.locator("#board .stage.last li .s")
    button = page.locator('#board [data-unfold="board"]')
    assert scores.count() > 5
    assert not scores.first.is_visible()
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    assert scores.first.is_visible()
    assert button.get_attribute("aria-expanded") == "true"
    final = visit.answer()["stages"][-1]["candidates"][0]["score"]
    assert float(scores.first.inner_text()) == pytest.approx(final, abs=6e-4)
    button.click()
    assert not scores.first.is_visible()


@pytest.mark.parametrize("text", ["segment lungs in CT", "count nuclei in histology"])
def test_all_nodes_with_their_labels_lie_inside_the_picture_as_it_opens(visit, text):
    visit.find(text).graph("nodes")
    visit.still()
    shown = visit.page.evaluate(NODES)
    assert 5 < len(shown) <= 15
    assert [label for label, inside in shown if not inside] == []


MORE = "e => [e.hasAttribute('data-more'), getComputedStyle(e).maskImage !== 'none']"


def test_stages_that_stand_beyond_the_edge_are_shown_to_go_on(desktop):
    page = desktop.page
    page.set_viewport_size({"width": 1024, "height": 768})
    desktop.find("segment lungs").still()
    rail = page.locator("#strip .steprail")
    assert rail.evaluate(MORE) == [True, True]
    rail.evaluate("e => e.scrollTo(e.scrollWidth, 0)")
    page.wait_for_selector("#strip .steprail:not([data-more])")
    page.set_viewport_size({"width": 390, "height": 844})
    desktop.still()
    assert rail.evaluate(MORE)[1] is False
