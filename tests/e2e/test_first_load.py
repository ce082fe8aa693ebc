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


def slowed(one):
    """A page of a phone on a slow network: what is on its way can be looked at."""
    session = one.page.context.new_cdp_session(one.page)
    speed = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False, **speed})
    one.page.goto(one.url, wait_until="commit")
    one.page.wait_for_selector("#firsttext")
    return one.page


def test_the_first_load_asks_for_few_files(visiting):
    one = visiting("phone", fresh=True).go()
    kinds = "performance.getEntriesByType('resource').filter((x) => x.name.match(/\\.(js|css)/))"
    assert one.page.evaluate(f"{kinds}.length") <= 8
    assert one.errors == []


def test_words_typed_before_the_page_is_complete_are_searched_for(visiting):
    one = visiting("phone", fresh=True)
    page = slowed(one)
    page.click("#firsttext")
    page.keyboard.type("segment lungs")
    page.keyboard.press("Enter")
    assert page.locator("body[data-ready]").count() == 0
    page.wait_for_selector("#first [role=status] >> text=when the page is complete")
    one.done()
    assert page.input_value("#query textarea") == "segment lungs"
    assert one.cards()
    assert page.locator("#first").count() == 0
    assert one.errors == []


def test_words_without_find_are_handed_over_with_the_place_of_the_cursor(visiting):
    one = visiting("desktop", fresh=True)
    page = slowed(one)
    page.click("#firsttext")
    page.keyboard.type("count nuclei")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("body[data-ready]")
    page.wait_for_selector("#first", state="detached")
    page.keyboard.type("X")
    assert page.input_value("#query textarea") == "count nucleXi"
    assert one.cards() == []


def test_a_link_to_a_search_shows_no_second_box(visiting):
    one = visiting("desktop", fresh=True).go("?q=segment+lungs").done()
    assert one.page.locator("#first").count() == 0
    assert one.page.input_value("#query textarea") == "segment lungs"


def test_the_names_of_all_tools_come_when_a_drawer_is_opened(visiting):
    one = visiting("desktop", fresh=True).go()
    assert "EmphysemaSeg" not in one.page.evaluate("JSON.stringify(window.gradio_config)")
    one.controls()
    one.page.click("#excluded input")
    one.page.keyboard.type("lungm")
    one.page.locator("#excluded [role=option]", has_text="lungmask").click()
    one.find("segment lungs")
    assert "lungmask" not in one.cards()
    one.chips_are("lungmask")
