"""What the browser computes for the whole page: sizes, corners, kinds of button, focus."""

from __future__ import annotations

import pytest

SEEN = """const seen = (one) =>
  one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  && one.getClientRects().length && !one.closest('.sr, #skip:not(:focus-within), canvas');"""
SIZES = f"""() => {{
  {SEEN}
  const spoken = (one) => one.matches('input, textarea')
    || [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim());
  // Nothing is seen at size 0: a sign that stands for the text of its button.
  return [...document.querySelectorAll('body *')].filter((one) => seen(one) && spoken(one))
    .map((one) => getComputedStyle(one).fontSize).filter((size) => size !== '0px');
}}"""
CORNERS = f"""() => {{
  {SEEN}
  const sides = ['TopLeft', 'TopRight', 'BottomLeft', 'BottomRight'];
  return [...document.querySelectorAll('body *')].filter(seen)
    .flatMap((one) => sides.map((side) => getComputedStyle(one)[`border${{side}}Radius`]));
}}"""
NO_BUTTON = (
    # Names that open a tool, and rows of the board, look like text.
    ".name",
    "#board li > button",
    # Chips, steps of the strip and tabs are kinds of their own, as are the heads of drawers.
    ".chip",
    ".step",
    ".tabs button",
    ".label-wrap",
    ".marks-of button",
    # The drop zone, and what Gradio writes below the page.
    ".upload-container",
    "footer button",
    # A pressed button, and the number of the page that is open, show a state of their kind.
    '[aria-pressed="true"]',
    "[aria-current]",
)
LOOKS = f"""(others) => {{
  {SEEN}
  return [...document.querySelectorAll('.gradio-container button')]
    .filter((one) => seen(one) && !one.disabled && !one.matches(others)).map((one) => {{
      const style = getComputedStyle(one);
      const line = style.borderTopWidth === '0px' ? 'none' : style.borderTopColor;
      return [[style.backgroundColor, line, one.offsetHeight].join(' '), one.id || one.className];
    }});
}}"""
ROUTES = ("about", "ask", "cohort", "catalog")


def states(one, nifti):
    """The page idle, with an answer and each part of the detail, with all open, and the routes."""
    page = one.page
    yield "idle"
    one.upload(nifti).find("segment brain tissue in Python").still()
    for part in ("overview", "fit", "get", "plan", "similar", "papers", "scores"):
        page.click(f'#right [data-tab="{part}"]')
        one.still()
        yield part
    page.click("#cards .star >> nth=0")
    page.wait_for_selector(".tray")
    page.click("#scan .unfold")
    one.controls().open("#mine").open("#why").open("#comparemodes").still()
    yield "open"
    for route in ROUTES:
        one.go(route).still()
        if route == "catalog":
            page.wait_for_selector("#browselist .card")
        yield route


@pytest.fixture
def large(desktop):
    desktop.page.mouse.move(2, 300)
    return desktop


def test_the_whole_page_has_six_sizes_of_type(large, nifti):
    sizes = {}
    for state in states(large, nifti):
        for size in large.page.evaluate(SIZES):
            sizes.setdefault(size, state)
    assert len(sizes) <= 6, sizes
    assert len(sizes) >= 4


def test_the_whole_page_has_three_radii_beside_square_and_round(large, nifti):
    corners = {}
    for state in states(large, nifti):
        for corner in large.page.evaluate(CORNERS):
            corners.setdefault(corner, state)
    # Gradio writes 9999px for the ends of a pill, the page 999px: both are as round as can be.
    assert set(corners) - {"0px", "50%", "9999px"} <= {"8px", "12px", "999px"}, corners
    assert len(corners) >= 4


def test_buttons_of_the_whole_page_are_of_four_kinds(large, nifti, held):
    """Filled, plain, small and a sign; what is no button to the eye is listed above."""
    kinds = {}
    page = large.page
    for state in states(large, nifti):
        for look, name in page.evaluate(LOOKS, ", ".join(NO_BUTTON)):
            kinds.setdefault(look, (state, name))
    large.go()
    page.fill("#query textarea", "segment lungs slowly")
    page.click("#find")
    page.wait_for_selector("#stop:visible")
    page.mouse.move(2, 300)
    large.still()
    for look, name in page.evaluate(LOOKS, ", ".join(NO_BUTTON)):
        kinds.setdefault(look, ("running", name))
    held.set()
    large.done()
    assert len(kinds) == 4, kinds


FOCUSED = f"""() => {{
  {SEEN}
  const at = 'a[href], button:enabled, input:enabled, textarea, summary, [tabindex="0"]';
  return [...document.querySelectorAll(at)].filter(seen).map((one) => {{
    one.focus({{ preventScroll: true }});
    const style = getComputedStyle(one), place = (one.closest('[id]') || one).id.replace(/-.*/, '');
    style.outlineColor;
    one.getAnimations().forEach((change) => change.finish());
    const [r, g, b] = style.outlineColor.match(/\\d+/g).map(Number);
    return {{
      kind: [one.tagName, one.type || '', place, one.className.split(' ')[0]].join(' '),
      has: document.activeElement === one, style: style.outlineStyle,
      width: parseFloat(style.outlineWidth), red: r > 150 && r > 1.5 * Math.max(g, b),
    }};
  }});
}}"""
"""Each control that takes the focus, with its outline while it has it."""


def focused(page):
    """After a key, so that the browser shows the focus that a script sets too."""
    page.locator("nav a").first.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches(':focus-visible')")
    return [at for at in page.evaluate(FOCUSED) if at["has"]]


@pytest.mark.parametrize("dark", [False, True])
def test_the_focus_is_seen_on_every_control_and_is_not_red(visiting, nifti, dark):
    one = visiting("desktop", dark=dark).go()
    stops = focused(one.page)
    one.upload(nifti).find("segment brain tissue in Python").controls().open("#mine")
    one.page.click("#cards .star >> nth=0")
    one.page.wait_for_selector(".tray")
    stops += focused(one.page)
    for route in ROUTES:
        stops += focused(one.go(route).page)
    assert {at["kind"] for at in stops if at["style"] == "none" or at["width"] < 2} == set()
    assert {at["kind"] for at in stops if at["red"]} == set()
    tags = {at["kind"].split(" ")[0] for at in stops}
    assert tags >= {"A", "BUTTON", "INPUT", "TEXTAREA", "SUMMARY", "DIV", "PRE"}
    assert len({at["kind"] for at in stops}) > 25
