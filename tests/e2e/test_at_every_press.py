"""The same press twice: a refusal is told again, a file is saved again."""

from __future__ import annotations


def test_a_search_that_is_refused_twice_says_so_twice(desktop):
    page = desktop.page
    page.fill("#query textarea", "[NO_RERANK]")
    refusals = set()
    for _ in range(2):
        page.click("#find")
        page.wait_for_function(
            "old => { const at = document.querySelector('#status .status').dataset.at;"
            " return at && !old.includes(at); }",
            arg=sorted(refusals),
        )
        refusals.add(page.get_attribute("#status .status", "data-at"))
    # Longer than the script waits until it says that the search has no place yet.
    page.wait_for_timeout(1500)
    assert page.inner_text("#status .status p") == "The search did not run."
    assert page.get_attribute("body", "data-busy") is None
    assert desktop.find("segment lungs").cards()


def test_a_file_is_saved_at_every_press(desktop):
    desktop.find("segment lungs")
    assert desktop.exported("csv") == desktop.exported("csv")
    assert desktop.errors == []
