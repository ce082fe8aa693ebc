"""After Find the answer is in view: where it stands, where a tool is shown, how much there is."""

from __future__ import annotations

from itertools import pairwise

import pytest

PLACES = """() => {
  const box = (one) => one && one.getBoundingClientRect().toJSON();
  return {
    rows: [...document.querySelectorAll('#cards .card')].map(box).filter((one) => one.height),
    verdict: box(document.querySelector('#cards .card .badge')),
    facts: box(document.querySelector('#scan .inshort')),
    scan: box(document.querySelector('#scan')),
    chips: box(document.querySelector('#chips .chip')),
    detail: box(document.querySelector('#detail h2')),
    board: box(document.querySelector('#board .head')),
    split: box(document.querySelector('#split')),
    stuck: box(document.querySelector('#right')),
    height: innerHeight,
    scrolled: scrollY,
  };
}"""
IDLE = ("#examples", ".brand p", "#pill", "#banner .notice-quiet", "#replay")
LISTS = """const lists = [...document.querySelectorAll('#board .stage')]
  .filter((stage) => stage.querySelector('li[data-tool]'));"""
SHOWN = f"""(id) => {{
  {LISTS}
  const row = (stage) => stage.querySelector(`li[data-tool="${{CSS.escape(id)}}"]`);
  return lists.map((stage) => Boolean(row(stage)?.checkVisibility()));
}}"""
"""Of each list of the board, whether it shows a tool."""
CROSSED = f"""(path) => {{
  {LISTS}
  const track = path.closest('.track');
  const edge = track.getBoundingClientRect().left - track.scrollLeft;
  const steps = path.getAttribute('d').split('M').filter(Boolean)
    .map((step) => step.match(/[\\d.]+/g).map(Number)).map((all) => [all[0], all.at(-2)]);
  return lists.map((stage) => stage.getBoundingClientRect())
    .filter((box) => steps.some(([from, to]) => from < box.left - edge && box.right - edge < to))
    .length;
}}"""
"""How many lists a way goes past."""
WHERE = "document.querySelector('#detail h2').getBoundingClientRect().top"
ENABLED = "[...document.querySelectorAll('button')].filter((one) => !one.disabled).length"


def searched(one, files):
    one.upload(*sorted(files.iterdir()))
    one.find("segment lungs")
    return one.page.evaluate(PLACES)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1920, 1080)])
def test_five_tools_and_the_detail_of_the_first_need_no_scrolling(
    desktop, dicom_folder, width, height
):
    desktop.page.set_viewport_size({"width": width, "height": height})
    at = searched(desktop, dicom_folder)
    assert at["scrolled"] == 0
    assert at["rows"][0]["top"] <= 360
    assert at["rows"][4]["bottom"] <= height
    assert at["detail"]["bottom"] <= height
    assert at["detail"]["left"] > at["rows"][0]["right"]
    assert at["chips"]["bottom"] < at["rows"][0]["top"]
    assert at["facts"]["height"] <= 30
    assert at["scan"]["height"] <= 60
    # Rows of one height, so that none looks more important than its rank says.
    assert len({round(one["height"]) for one in at["rows"]}) == 1


def test_on_a_phone_the_first_tool_and_its_verdict_are_in_view(visiting, dicom_folder):
    at = searched(visiting("phone").go(), dicom_folder)
    assert at["scrolled"] == 0
    assert at["rows"][0]["top"] <= 460
    assert at["verdict"]["bottom"] <= at["height"]


def test_idle_parts_stand_on_the_idle_page_only(visit):
    visit.page.wait_for_selector("#banner .notice-quiet")
    shown = [part for part in IDLE if visit.page.locator(part).is_visible()]
    assert shown == list(IDLE)
    assert not visit.page.locator("#results").is_visible()
    visit.find("segment lungs")
    above = "(part) => document.querySelector(part).getBoundingClientRect().top < innerHeight"
    seen = [p for p in IDLE if visit.page.locator(p).is_visible() and visit.page.evaluate(above, p)]
    assert seen == []


def test_find_and_stop_are_one_button(desktop, held):
    page = desktop.page
    assert not page.locator("#stop").is_visible()
    page.fill("#query textarea", "segment lungs slowly")
    page.click("#find")
    page.wait_for_selector("#stop:visible")
    assert not page.locator("#find").is_visible()
    held.set()
    desktop.done()
    assert page.locator("#find").is_visible()
    assert not page.locator("#stop").is_visible()


def test_a_click_is_answered_before_the_server_is(desktop):
    """The sample chips too: something moves in the frame after the click."""
    page = desktop.page
    page.evaluate(
        """() => {
        const begin = () => { window.begun = performance.now(); };
        document.addEventListener('click', begin, true);
        new MutationObserver(() => { window.answered ??= performance.now(); })
          .observe(document.body, {attributes: true, attributeFilter: ["data-busy"]}); }"""
    )
    desktop.act("#examples .btn-try")
    assert page.evaluate("window.answered - window.begun") < 100
    assert page.evaluate("document.body.dataset.busy") is None


def test_few_enough_buttons_to_find_one(visit, dicom_folder):
    searched(visit, dicom_folder)
    assert visit.page.evaluate(ENABLED) <= 250


def test_the_detail_of_every_row_opens_inside_the_window(visit):
    visit.find("segment lungs")
    page = visit.page
    page.click("#cards details.more > summary")
    for id in visit.cards():
        page.locator(f'#cards [data-act="select"][data-id="{id}"]').click()
        page.wait_for_selector(f'#detail [data-tool="{id}"].detail')
        assert 0 <= page.evaluate(WHERE) <= page.viewport_size["height"] - 40, id
        visit.closed()


def test_a_row_of_the_board_opens_its_detail_where_one_looks(desktop):
    cards = desktop.find("segment lungs").cards()
    page = desktop.page
    page.locator("#graph .canvas").scroll_into_view_if_needed()
    row = page.locator(f'#board .stage.last [data-id="{cards[3]}"]')
    row.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    row.click()
    page.wait_for_selector(f'#detail [data-tool="{cards[3]}"].detail')
    assert 0 <= page.evaluate(WHERE) < page.viewport_size["height"] - 40
    assert page.evaluate("scrollY") == before
    assert row.is_visible()


def test_back_closes_the_sheet_on_a_phone_and_stays_on_the_page(visiting):
    one = visiting("phone").go().find("segment lungs")
    page, address = one.page, one.address()
    page.locator("#cards .card .name").nth(2).click()
    page.wait_for_selector("body[data-sheet=open]")
    assert page.locator("#detail h2").is_visible()
    page.go_back()
    page.wait_for_selector("body:not([data-sheet])")
    assert not page.locator("#detail h2").is_visible()
    assert one.address() == address
    assert len(one.cards()) > 5
    focused = "document.activeElement.dataset.id"
    assert page.evaluate(focused) == one.cards()[2]


def test_the_detail_stays_beside_the_list_while_that_scrolls(desktop):
    desktop.page.set_viewport_size({"width": 1440, "height": 600})
    desktop.find("segment lungs")
    page = desktop.page
    page.click("#cards details.more > summary")
    page.evaluate("window.scrollTo(0, 600)")
    page.wait_for_function("scrollY === 600")
    at = page.evaluate(PLACES)
    assert 0 <= at["stuck"]["top"] <= 100
    assert page.locator("#find").bounding_box()["y"] >= 0


def test_the_final_order_is_never_off_the_screen(desktop, dicom_folder):
    for width in (1440, 1920):
        desktop.page.set_viewport_size({"width": width, "height": 900})
        searched(desktop, dicom_folder)
        last = desktop.page.locator("#board .stage.last").bounding_box()
        assert last is not None
        assert last["x"] + last["width"] <= width
        assert desktop.page.locator("#board .stage.last").get_attribute("data-stage") == "rerank"


def test_stages_stand_directly_below_list_and_detail_with_their_counts_above(desktop):
    answer = desktop.find("segment lungs").answer()
    page = desktop.page
    below = page.evaluate(PLACES)
    assert 0 <= below["board"]["top"] - below["split"]["bottom"] <= 40
    steps = "e => e.map(x => [x.dataset.gotoStage, x.innerText.split('\\n')])"
    shown = page.eval_on_selector_all("#strip .step", steps)
    listed = [s for s in answer["stages"] if s["candidates"]]
    assert [stage for stage, _ in shown] == [s["name"] for s in listed]
    for stage, (head, first) in zip(listed, (words for _, words in shown), strict=True):
        assert head.endswith(f" {len(stage['candidates'])}")
        assert first == stage["candidates"][0]["name"]


def test_the_way_of_the_chosen_tool_is_drawn_from_list_to_list(desktop):
    cards = desktop.find("segment lungs").cards()
    page = desktop.page
    page.locator(f'#cards [data-act="select"][data-id="{cards[2]}"]').click()
    way = f'#board .paths path.on[data-path="{cards[2]}"]'
    page.wait_for_selector(way, state="attached")
    shown = page.evaluate(SHOWN, cards[2])
    assert shown.count(True) > 2
    joined = page.locator(way).get_attribute("d").count("C")
    assert joined == sum(one and after for one, after in pairwise(shown))


def test_a_way_crosses_no_list_that_does_not_show_the_tool(desktop, shared_scans):
    desktop.upload(shared_scans / "ext" / "dicom" / "ct_series.zip").find("segment lungs")
    page = desktop.page
    page.locator("#board").scroll_into_view_if_needed()
    page.wait_for_selector('#board .paths path[d^="M"]', state="attached")
    drawn = page.eval_on_selector_all("#board .paths path", "e => e.map((x) => x.dataset.path)")
    assert any(has_hole(page.evaluate(SHOWN, id)) for id in drawn)
    for id in drawn:
        assert page.eval_on_selector(f'#board .paths path[data-path="{id}"]', CROSSED) == 0, id


def has_hole(shown):
    """Whether a list between two others that show a tool does not."""
    if not any(shown):
        return False
    first, last = shown.index(True), len(shown) - shown[::-1].index(True)
    return not all(shown[first:last])


def test_the_ways_of_the_first_five_are_drawn_before_anything_is_clicked(desktop):
    first = desktop.find("segment lungs").cards()[:5]
    desktop.page.locator("#board").scroll_into_view_if_needed()
    desktop.page.wait_for_selector('#board .paths path[d^="M"]', state="attached")
    ways = "e => e.map((x) => [x.dataset.path, x.getAttribute('d').length > 20])"
    drawn = dict(desktop.page.eval_on_selector_all("#board .paths path", ways))
    assert drawn == dict.fromkeys(first, True)


def test_what_wishes_did_stands_in_the_head_of_the_list_and_pushes_nothing_down(desktop):
    desktop.find("count nuclei in 3D, on Windows")
    assert "nothing about Windows and stand lower" in desktop.page.inner_text("#cards .head .sub")
    assert desktop.page.evaluate(PLACES)["rows"][0]["top"] <= 370


def test_the_page_turns_to_the_answer_however_late_the_server_begins(desktop, held):
    """What changes on the idle page between the click and the first word of the server."""
    page = desktop.page
    page.fill("#query textarea", "segment lungs slowly")
    page.evaluate(
        """() => {
        const send = window.fetch;
        window.fetch = async (...args) => {
          const late = String(args[0].url || args[0]).includes('queue/join');
          if (late) await new Promise((go) => setTimeout(go, 2500));
          return send(...args);
        }; }"""
    )
    page.click("#find")
    page.wait_for_selector("#status >> text=Waiting for a free place")
    page.evaluate("document.body.append(document.createElement('i'))")
    page.wait_for_selector('#board [data-stage="fused/dense"] li[data-tool]')
    assert page.evaluate("document.body.dataset.view") == "answer"
    assert page.evaluate("document.body.dataset.answer") is None
    held.set()
    desktop.done()


def test_many_facts_of_many_series_do_not_push_the_first_tool_down(desktop, shared_scans):
    names = ("mr_series.zip", "enhanced_mr_fmri.dcm", "pt_jpegll.dcm", "sr_document.dcm")
    desktop.upload(*(shared_scans / "ext" / "dicom" / name for name in names))
    desktop.find("deidentify DICOM and store it as BIDS")
    assert len(desktop.chips()) > 3
    assert desktop.page.evaluate(PLACES)["rows"][0]["top"] <= 360


def test_a_question_about_the_scan_leaves_its_facts_inside_the_window(desktop, shared_scans):
    desktop.upload(shared_scans / "ext" / "other" / "res.ome.tiff")
    desktop.find("track dividing cells over time")
    assert "electron microscopy" in desktop.page.inner_text("#scan .ask")
    for part in (".inshort", ".badges", ".unfold", '[data-act="clear"]'):
        box = desktop.page.locator(f"#scan {part}").first.bounding_box()
        assert box is not None, part
        assert box["x"] + box["width"] <= 1440, part


def test_on_a_phone_a_long_query_is_a_box_of_one_line(visiting):
    one = visiting("phone").go().find("grade prostate cancer in whole slide images of biopsies")
    box = one.page.locator("#query textarea").bounding_box()
    assert box is not None
    assert box["height"] <= 48


def test_an_unfolded_scan_is_one_line_again_after_find(desktop, shared_scans):
    desktop.upload(shared_scans / "ext" / "dicom" / "mr_series.zip").find("segment the brain")
    desktop.page.click("#scan .unfold")
    assert desktop.page.locator("#scan .scanright").is_visible()
    desktop.find("register the brain")
    assert not desktop.page.locator("#scan .scanright").is_visible()
