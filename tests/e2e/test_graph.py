"""The graph as it opens, widens, is walked by keys and fingers, and what its picture holds."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

STATE = "window.scanscoutGraph"
SHOWN = f"() => {STATE}.nodes.get().filter((n) => !n.hidden).map((n) => n.id)"
LABELS = f"""() => {{
  const {{ net, nodes }} = {STATE};
  return nodes.get().filter((n) => !n.hidden).map((n) => {{
    const {{ left, right, top, bottom }} = net.getBoundingBox(n.id);
    return [n.id, left, right, top, bottom];
  }});
}}"""
"""Node and edges of its box, in units of the canvas."""


def opened(visit):
    visit.find("segment lungs in CT").graph("nodes")
    visit.page.wait_for_function(f"({SHOWN})().length <= 15")
    return visit


def test_the_graph_opens_on_the_first_tool_and_what_it_is_linked_to(visit):
    opened(visit)
    ids = visit.page.evaluate(SHOWN)
    first = visit.cards()[0]
    assert visit.page.evaluate(f"{STATE}.centre") == first
    assert first in ids
    assert 5 < len(ids) <= 15


def test_names_are_whole_and_no_two_nodes_overlap(visit):
    opened(visit)
    labels = {n["id"]: n["label"] for n in visit.graph("nodes")}
    names = dict(visit.page.evaluate(f"{STATE}.value.nodes.map((n) => [n.id, n.label])"))
    assert labels == names
    boxes = visit.page.evaluate(LABELS)
    crossing = [
        (a[0], b[0])
        for k, a in enumerate(boxes)
        for b in boxes[k + 1 :]
        if a[1] < b[2] and b[1] < a[2] and a[3] < b[4] and b[3] < a[4]
    ]
    assert crossing == []


def test_another_tool_of_the_list_becomes_the_middle(desktop):
    opened(desktop)
    other = desktop.cards()[2]
    desktop.page.evaluate("window.scrollTo(0, 0)")
    desktop.page.click(f'#cards [data-act=select][data-id="{other}"] >> nth=0')
    desktop.page.wait_for_function(f"id => {STATE}.centre === id", arg=other)
    assert other in desktop.page.evaluate(SHOWN)


def test_a_click_widens_the_picture_by_the_links_of_that_node(desktop):
    opened(desktop)
    before = set(desktop.page.evaluate(SHOWN))
    ends = "(e) => e.from === id ? [e.to] : e.to === id ? [e.from] : []"
    linked = f"id => {STATE}.value.edges.flatMap({ends})"
    tool = next(
        id for id in desktop.cards()[1:] if id in before
        and set(desktop.page.evaluate(linked, id)) - before
    )  # fmt: skip
    desktop.page.mouse.click(*desktop.node(tool))
    desktop.page.wait_for_selector(f'#detail [data-tool="{tool}"]')
    after = set(desktop.page.evaluate(SHOWN))
    assert before < after
    assert set(desktop.page.evaluate(linked, tool)) & (after - before)


def test_arrow_keys_walk_and_say_what_a_link_rests_on(desktop):
    opened(desktop)
    page = desktop.page
    page.focus("#graph .canvas")
    page.keyboard.press("ArrowRight")
    first, *links = page.locator("#graph .rests li").all_inner_texts()
    cursor = page.evaluate(f"{STATE}.cursor")
    assert cursor != page.evaluate(f"{STATE}.centre")
    label = page.evaluate(f"id => {STATE}.nodes.get(id).label", cursor)
    assert first.startswith(f"{label}: ")
    assert any("stated in its record" in link for link in links)
    assert page.evaluate("document.activeElement.matches('#graph .canvas')")


def test_enter_on_a_tool_opens_its_detail(desktop):
    opened(desktop)
    page = desktop.page
    page.focus("#graph .canvas")
    tools = set(desktop.cards())
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
        if page.evaluate(f"{STATE}.cursor") in tools - {page.evaluate(f"{STATE}.centre")}:
            break
    chosen = page.evaluate(f"{STATE}.cursor")
    page.keyboard.press("Enter")
    page.wait_for_selector(f'#detail [data-tool="{chosen}"]')
    assert chosen in tools


def swiped(touch, *places):
    """One or two fingers that touch, go from place to place, and leave."""
    for kind, points in zip(("Start", *("Move",) * (len(places) - 1)), places, strict=True):
        at = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_one_finger_scrolls_the_page_and_two_move_the_picture(visiting):
    page = opened(visiting("phone").go()).page
    page.evaluate("document.querySelector('#graph .canvas').scrollIntoView({block: 'center'})")
    touch = page.context.new_cdp_session(page)
    at, scrolled = f"{STATE}.net.getViewPosition()", page.evaluate("scrollY")
    view = page.evaluate(at)
    swiped(touch, *([(190, y)] for y in range(500, 380, -20)))
    page.wait_for_function("old => scrollY > old + 40", arg=scrolled)
    assert page.evaluate(at) == view
    page.wait_for_timeout(300)  # the page glides on for a moment
    scrolled = page.evaluate("scrollY")
    swiped(touch, *([(150 + move, 400), (230 + move, 400)] for move in (0, 20, 40, 60)))
    page.wait_for_function(f"x => {at}.x < x - 20", arg=view["x"])
    assert page.evaluate("scrollY") == scrolled


def test_the_saved_picture_is_twice_as_large_and_holds_title_and_legend(desktop):
    opened(desktop)
    page = desktop.page
    canvas = page.locator("#graph .canvas").bounding_box()
    with page.expect_download() as got:
        page.click('#graph [data-graph="png"]')
    picture = Image.open(BytesIO(Path(got.value.path()).read_bytes())).convert("RGB")
    assert canvas is not None
    assert abs(picture.width - 2 * canvas["width"]) <= 8
    assert picture.height > 2 * canvas["height"] + 60
    paper = picture.getpixel((picture.width - 2, 2))
    for band in (
        (0, 0, picture.width, 60),
        (0, picture.height - 50, picture.width, picture.height),
    ):
        assert set(picture.crop(band).getdata()) - {paper}
