"""What is clicked below the list opens its detail in the window and does not move the page."""

from __future__ import annotations

STATE = "window.scanscoutGraph"
INSIDE = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight
    && box.right <= innerWidth;
}"""
NODE = f"""(id) => {{
  const {{ x, y }} = {STATE}.net.canvasToDOM({STATE}.net.getPositions([id])[id]);
  const canvas = document.querySelector('#graph .canvas').getBoundingClientRect();
  return canvas.left + x > 0 && canvas.left + x < innerWidth
    && canvas.top + y > 0 && canvas.top + y < innerHeight && x > 0 && y > 0;
}}"""


def other_tool(one):
    """A tool of the list, not the first, that the graph shows."""
    hidden = f"{STATE}.nodes.get().filter((n) => !n.hidden).map((n) => n.id)"
    shown = set(one.page.evaluate(hidden))
    return next(id for id in one.cards()[1:] if id in shown)


def test_a_click_on_a_node_opens_its_detail_where_one_looks(desktop):
    page = desktop.find("segment lungs in CT").page
    desktop.graph("nodes")
    tool = other_tool(desktop)
    x, y = desktop.node(tool)
    before = page.evaluate("scrollY")
    assert before > 400
    page.mouse.click(x, y)
    page.wait_for_selector(f'#detail .detail[data-tool="{tool}"]')
    page.wait_for_selector("body[data-sheet=open]")
    assert page.evaluate(INSIDE, "#detail h2")
    assert page.inner_text("#detail h2")
    assert page.evaluate("scrollY") == before
    assert page.evaluate(NODE, tool)
    assert desktop.errors == []


def test_a_click_on_a_row_of_the_board_opens_its_detail_where_one_looks(desktop):
    page = desktop.find("segment lungs in CT").page
    tool = desktop.cards()[2]
    row = f'#board .stage.last [data-act="select"][data-id="{tool}"]'
    page.evaluate("(s) => document.querySelector(s).scrollIntoView({block: 'center'})", row)
    before = page.evaluate("scrollY")
    assert before > 200
    page.click(row)
    page.wait_for_selector(f'#detail .detail[data-tool="{tool}"]')
    desktop.still()
    assert page.evaluate(INSIDE, "#detail h2")
    assert page.evaluate(INSIDE, row)
    assert page.evaluate("scrollY") == before
    assert desktop.errors == []


def test_the_first_list_of_the_board_opens_a_detail_that_covers_none_of_its_rows(desktop):
    page = desktop.find("segment lungs in CT").page
    row = "#board .track .stage:first-child li:nth-child(3) > button"
    page.evaluate("(s) => document.querySelector(s).scrollIntoView({block: 'center'})", row)
    tool = page.get_attribute(row, "data-id")
    page.click(row)
    page.wait_for_selector(f'#detail .detail[data-tool="{tool}"]')
    desktop.still()
    box, pane = (page.locator(s).bounding_box() for s in (row, "#right"))
    assert box is not None
    assert pane is not None
    assert box["x"] + box["width"] <= pane["x"]
    assert page.evaluate(INSIDE, "#detail h2")
