"""The page stands still while an answer comes, and a small scan is read soon."""

from __future__ import annotations

import statistics

import pytest

from components.page import build_page
from components.serve import serve
from retrieval.scans.spare import SPARE

WATCH = """() => {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved.push(one.value);
  }).observe({ type: 'layout-shift' });
}"""
QUIET_MS = 700
"""Longer than the half second after an input in which the browser counts no shift."""


def shifted(page):
    """The sum of what moved without a recent input, from the last frame on as well."""
    page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    return page.evaluate("window.moved.reduce((sum, one) => sum + one, 0)")


def moved_by_a_search(visit, held, text):
    """What moves from Find to the final list; the first one is held until it counts."""
    page = visit.page
    page.fill("#query textarea", text)
    page.evaluate(WATCH)
    page.click("#find")
    page.wait_for_selector("#cards [data-left]")
    page.wait_for_timeout(QUIET_MS)
    held.set()
    visit.done()
    page.wait_for_timeout(QUIET_MS)
    return shifted(page)


def test_nothing_moves_between_find_and_the_final_list(visit, held):
    """At 1440 and 390."""
    assert moved_by_a_search(visit, held, "segment lungs slowly") < 0.1


def test_nothing_moves_when_another_search_takes_the_place_of_the_list(visit, held):
    visit.find("segment lungs").page.wait_for_timeout(QUIET_MS)
    assert moved_by_a_search(visit, held, "count nuclei in histology slowly") < 0.1


def test_a_page_that_is_served_has_a_reader_ready_before_the_first_file(engine, settings):
    SPARE.end()
    assert SPARE._waiting is None
    page = build_page(engine, settings)
    serve(page, settings, prevent_thread_lock=True)
    try:
        assert SPARE._waiting is not None
        assert SPARE._waiting.poll() is None
    finally:
        page.close(verbose=False)


TIMED = """() => {
  window.read = null;
  document.addEventListener('change', (event) => {
    if (event.target.type !== 'file') return;
    const began = performance.now();
    const look = new MutationObserver(() => {
      const said = document.querySelector('#scan .scan')?.textContent || '';
      if (!said.includes('CT')) return;
      look.disconnect();
      requestAnimationFrame(() => { window.read = performance.now() - began; });
    });
    look.observe(document.body, { childList: true, subtree: true, characterData: true });
  }, { capture: true, once: true });
}"""


MOST_MS = 5_000
"""One second is meant, on a machine that does nothing else; the bound is for those that do."""


@pytest.mark.process
def test_facts_of_a_small_dicom_file_are_on_the_page_soon(visiting, dicom_folder):
    """The median of three uploads, each to a page of its own with a reader that waits."""
    times = []
    for _ in range(3):
        one = visiting("desktop").go()
        one.page.wait_for_timeout(4000)  # a visitor chooses a file; the next reader starts
        one.page.evaluate(TIMED)
        one.page.set_input_files("#files input[type=file]", str(dicom_folder / "IM0001"))
        one.page.wait_for_function("window.read !== null")
        times.append(one.page.evaluate("window.read"))
    assert statistics.median(times) < MOST_MS, times
