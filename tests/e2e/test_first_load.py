"""What the first visit costs a phone: bytes on the wire, and how much the page moves about."""

from __future__ import annotations

WATCH = """window.moved = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved += one.value;
}).observe({type: 'layout-shift', buffered: true});"""
BODIES = """() => [...performance.getEntriesByType('navigation'),
  ...performance.getEntriesByType('resource')].reduce((sum, one) => sum + one.encodedBodySize, 0)"""
LATE = ("vis-network.min.js", "drawing.js", "near.js", "picture.js", "saved.js")


def test_the_first_load_of_a_phone_is_small_and_stands_still(visiting):
    one = visiting("phone", fresh=True)
    one.page.add_init_script(WATCH)
    one.go().still()
    assert one.page.evaluate(BODIES) < 400_000
    assert one.page.evaluate("window.moved") < 0.1
    loaded = one.page.evaluate("performance.getEntriesByType('resource').map((x) => x.name)")
    assert not [url for url in loaded if url.endswith(LATE)]


def test_the_code_of_the_graph_comes_with_the_graph(visiting):
    one = visiting("phone", fresh=True).go().find("segment lungs")
    assert one.graph("nodes")
    assert one.errors == []
