"""A page that outlives its session: the server was started again under it."""

from __future__ import annotations

import socket

import pytest
from browsing import Visit

from components.page import build_page
from components.serve import serve

ENDED = "#status >> text=Your session ended; add the scan again"


class Restartable:
    """A page that can be started again at its address."""

    def __init__(self, engine, settings):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.engine, self.settings = engine, settings.model_copy(update={"port": port})
        self.url = f"http://127.0.0.1:{port}/"
        self.start()

    def start(self):
        self.page = build_page(self.engine, self.settings)
        serve(self.page, self.settings, prevent_thread_lock=True)

    def restart(self):
        self.page.close(verbose=False)
        self.start()


@pytest.fixture(scope="module")
def server(engine, settings):
    one = Restartable(engine, settings)
    yield one
    one.page.close(verbose=False)


@pytest.fixture
def visit(server, contexts):
    tab = contexts("desktop", False, True).new_page()
    tab.set_default_timeout(60_000)
    tab.streams = set()
    tab.on("request", lambda one: tab.streams.add(one) if "/queue/data" in one.url else None)
    for end in ("requestfinished", "requestfailed"):
        tab.on(end, lambda one: tab.streams.discard(one))
    yield Visit(page=tab, url=server.url, phone=False).go()
    tab.close()


def idle(visit):
    """Wait until nothing is under way: Gradio's page reloads where a restart cuts an answer off."""
    quiet = 0
    while quiet < 4:
        visit.page.wait_for_timeout(250)
        quiet = 0 if visit.page.streams else quiet + 1


def refused(visit, click):
    """The answer to a click that the session no longer covers."""
    with visit.page.expect_response(lambda one: one.status == 410):
        visit.page.click(click)


def test_a_page_with_a_scan_says_that_its_session_ended_and_searches_nothing(server, visit, nifti):
    visit.upload(nifti).find("segment the brain")
    cards, typed = visit.cards(), "segment the brain of a mouse"
    idle(visit)
    server.restart()
    visit.page.fill("#query textarea", typed)
    for button in ("#find", "#csv", "#find"):
        refused(visit, button)
        visit.page.wait_for_selector(ENDED)
    assert visit.cards() == cards
    assert visit.page.input_value("#query textarea") == typed
    visit.upload(nifti)
    visit.find()
    assert "format:NIfTI" in visit.answer()["query"]["tokens"]


def test_removing_the_scan_is_a_way_to_go_on_without_it(server, visit, nifti):
    visit.upload(nifti)
    visit.page.fill("#query textarea", "count nuclei")
    idle(visit)
    server.restart()
    refused(visit, "#find")
    visit.page.click('#scan [data-act="clear"]')
    visit.page.wait_for_selector("#scan .scan", state="detached")
    visit.find()
    assert visit.answer()["query"]["tokens"] == []
    assert visit.page.input_value("#query textarea") == "count nuclei"


def test_a_page_without_a_scan_searches_on_without_a_word(server, visit):
    visit.find("count nuclei")
    idle(visit)
    server.restart()
    visit.find("segment lungs")
    assert visit.answer()["query"]["text"] == "segment lungs"
