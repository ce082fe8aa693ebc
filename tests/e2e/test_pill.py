"""What is loaded is said as it is at the time of a visit, not as it was when the page was built."""

from __future__ import annotations

import pytest
from browsing import Visit

from components.page import build_page
from components.serve import serve

WORDS = """window.said = [];
document.addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
  for (const one of document.querySelectorAll('#pill, #banner')) window.said.push(one.innerText);
}).observe(document.body, {childList: true, subtree: true, characterData: true}));"""


class Starting:
    """The real engine as it is before it is loaded, and after."""

    def __init__(self, engine):
        self._engine, self.ready = engine, False

    def __getattr__(self, name):
        return getattr(self._engine, name)


@pytest.fixture
def starting(engine, settings, upload_dir, contexts):
    """A page built before the engine was loaded, its engine, and a tab for it."""
    late = Starting(engine)
    page = build_page(late, settings)
    _, url, _ = serve(page, settings, prevent_thread_lock=True)
    tab = contexts("desktop", False, True).new_page()
    tab.set_default_timeout(45_000)
    tab.add_init_script(WORDS)
    yield Visit(page=tab, url=url, phone=False), late
    tab.close()
    page.close(verbose=False)


def test_a_visit_after_loading_never_says_that_the_server_warms_up(starting):
    visit, engine = starting
    engine.ready = True
    visit.go().page.wait_for_selector('#pill [data-state="ready"] >> text=Ready')
    visit.page.wait_for_timeout(2000)
    said = visit.page.evaluate("window.said")
    assert said
    assert not [text for text in said if "Warming" in text or "still loading" in text]


def test_a_visit_before_says_so_until_everything_is_loaded(starting):
    visit, engine = starting
    visit.go().page.wait_for_selector('#pill [data-state="warming"] >> text=Warming up')
    visit.page.wait_for_selector("#banner >> text=The language encoder is still loading")
    engine.ready = True
    visit.page.wait_for_selector('#pill [data-state="ready"]')
    visit.page.wait_for_selector("#banner >> text=still loading", state="detached")
    assert "Warming up" not in visit.page.inner_text("#pill")
    assert visit.errors == []
