"""Each part of the detail stands below its head, inside it, whatever its length."""

from __future__ import annotations

import pytest

PARTS = {
    "overview": "#detail .part[data-part=overview] > :first-child",
    "fit": "#detail .fits",
    "get": "#recipe h2",
    "plan": "#plan .steps li",
    "similar": "#similarlist .card",
    "papers": "#web .head",
    "scores": "#detail .scoretable",
}
PLACE = """(selector) => {
  const inner = document.querySelector(selector).getBoundingClientRect();
  const outer = document.querySelector('#right').getBoundingClientRect();
  const tabs = document.querySelector('#right .tabs').getBoundingClientRect();
  return {left: inner.left - outer.left, right: outer.right - inner.right,
    below: inner.top - tabs.bottom, above: outer.bottom - inner.top};
}"""


@pytest.fixture
def looked_at(visiting, size):
    """A search with a scan, the first tool on show."""
    one = visiting(size).go().act("#examples .btn-try")
    if size == "phone":
        one.page.locator("#cards .card .name").first.click()
        one.page.wait_for_selector("body[data-sheet=open]")
    return one


def test_every_part_stands_below_the_tabs_and_inside_the_detail(looked_at):
    page = looked_at.page
    for name, selector in PARTS.items():
        page.click(f'#right .tabs [data-tab="{name}"]')
        page.wait_for_selector(selector)
        looked_at.still()
        page.locator("#right").evaluate("e => e.scrollTo(0, 0)")
        place = page.evaluate(PLACE, selector)
        assert min(place.values()) >= -1, (name, place)
    assert looked_at.errors == []


def test_the_paper_of_a_tool_stands_in_its_part_without_a_search_of_the_web(looked_at):
    page = looked_at.page
    page.click('#right .tabs [data-tab="papers"]')
    page.wait_for_selector("#web a")
    assert page.get_attribute("#web a", "href").startswith("https://doi.org/10.")
    assert "asks for literature" not in page.inner_text("#web")
