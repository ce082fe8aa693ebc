"""Check 25: a server that is gone is told of, and the search is there again when it is back."""

from __future__ import annotations

LOST = ".toast-body >> text=Connection to the server was lost"


def test_check_25_lost_server_is_told_and_the_search_comes_back(visiting, size):
    one = visiting(size, fresh=True).go().find("segment lungs")
    before = one.cards()
    one.page.evaluate("document.body.dataset.old = '1'")
    one.page.context.set_offline(True)
    try:
        one.page.click("#find")
        one.page.wait_for_selector(LOST, timeout=90_000)
        assert one.cards() == before
    finally:
        one.page.context.set_offline(False)
    one.page.wait_for_selector("body[data-ready]:not([data-old])", timeout=90_000)
    assert one.done().cards() == before
