"""Words that are sent before Gradio has built the page get a first list at once."""

from __future__ import annotations

import pytest

NAMES = "e => e.map((x) => x.firstChild.textContent)"
ROWS = "#first li"
CARDS = r"""e => e.slice(0, 8).map((x) => x.querySelector('.name').textContent
  .replace(/^Rank \d+: /, ''))"""


@pytest.fixture
def opening(visiting):
    """A page whose front end is on its way until the list of held requests is let go."""
    one, held = visiting("phone", fresh=True), []
    one.page.route("**/scanscout/pack-*.js", lambda request: held.append(request))
    one.page.goto(one.url, wait_until="commit")
    one.page.wait_for_selector("#firsttext")
    return one, held


def asked(page, text):
    page.fill("#firsttext", text)
    page.press("#firsttext", "Enter")
    page.wait_for_selector(ROWS)


def complete(one, held):
    """The front end is let go, and its own answer has come."""
    for request in held:
        request.continue_()
    one.done()
    one.page.wait_for_selector("#first", state="detached")


def test_the_first_list_comes_before_the_front_end_and_is_that_of_the_page(opening):
    one, held = opening
    asked(one.page, "segment lungs")
    early = one.page.eval_on_selector_all(ROWS, NAMES)
    assert one.page.locator("body[data-ready]").count() == 0
    assert len(early) == 8
    assert one.page.get_attribute(f"{ROWS} a >> nth=0", "href").startswith("https://")
    complete(one, held)
    assert one.page.eval_on_selector_all("#cards .card", CARDS) == early
    assert one.page.input_value("#query textarea") == "segment lungs"
    assert one.page.evaluate("document.activeElement.matches('#query textarea')")
    assert one.errors == []


def test_other_words_bring_another_first_list(opening):
    one, held = opening
    asked(one.page, "segment lungs")
    before = one.page.eval_on_selector_all(ROWS, NAMES)
    one.page.fill("#firsttext", "count nuclei in histology")
    one.page.click("#first button")
    one.page.wait_for_function(
        "(old) => { const e = document.querySelector('#first li'); "
        "return e && e.firstChild.textContent !== old; }",
        arg=before[0],
    )
    early = one.page.eval_on_selector_all(ROWS, NAMES)
    complete(one, held)
    assert one.page.eval_on_selector_all("#cards .card", CARDS) == early
    assert one.errors == []


def test_the_first_list_says_what_no_record_states(opening):
    one, _ = opening
    asked(one.page, "best pizza in town")
    assert "No record mentions pizza" in one.page.inner_text("#first [role=status]")


def test_the_first_list_shows_a_hostile_record_as_text(opening):
    one, _ = opening
    asked(one.page, "zorblax")
    names = one.page.eval_on_selector_all(ROWS, NAMES)
    assert any(name.startswith("<img src=x") for name in names)
    assert one.page.evaluate("window.pwned") is None


def test_without_a_first_list_the_page_searches_all_the_same(opening):
    one, held = opening
    one.page.route("**/call/find_tools", lambda route: route.fulfill(status=200, body="{}"))
    one.page.fill("#firsttext", "segment lungs")
    one.page.press("#firsttext", "Enter")
    one.page.wait_for_selector("#first [role=status] >> text=begins as soon as")
    complete(one, held)
    assert one.cards()
