"""The board of stages at 390 pixels: the final order stays, the list beside it moves."""

from __future__ import annotations

LEFTMOST = """(name) => {
  const track = document.querySelector('#board .track');
  const stage = [...track.querySelectorAll('.stage')].find((one) => one.dataset.stage === name);
  const last = track.querySelector('.stage.last');
  track.scrollTo({left: stage.offsetLeft - last.offsetWidth - 20, behavior: 'instant'});
  const box = (one) => one.getBoundingClientRect().toJSON();
  return {stage: box(stage), last: box(last), moved: track.scrollLeft};
}"""
SMALL = """() => [...document.querySelectorAll('#board button, #board summary')]
  .map((one) => one.getBoundingClientRect())
  .filter((box) => box.width && (box.height < 24 || box.width < 24)).length"""


def at_the_board(visiting, files=()):
    one = visiting("phone").go()
    if files:
        one.upload(*files)
    one.find("segment lungs in CT")
    one.page.locator("#board .track").scroll_into_view_if_needed()
    return one.still()


def test_every_stage_can_be_moved_beside_the_final_order(visiting, dicom_folder):
    one = at_the_board(visiting, sorted(dicom_folder.iterdir()))
    lists = "e => e.map((one) => one.dataset.stage)"
    *stages, last = one.page.eval_on_selector_all("#board .track > .stage", lists)
    places = [one.page.evaluate(LEFTMOST, name) for name in stages]
    assert last == "rerank"
    assert len(places) > 4
    assert {round(at["last"]["left"]) for at in places} == {round(places[0]["last"]["left"])}
    assert places[-1]["moved"] > places[0]["moved"]
    for name, at in zip(stages, places, strict=True):
        assert at["last"]["left"] >= 0, name
        assert at["stage"]["left"] >= at["last"]["right"] - 1, name
        assert at["stage"]["right"] <= 390, name


def test_the_board_does_not_widen_the_page_and_its_buttons_can_be_touched(visiting):
    page = at_the_board(visiting).page
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(
        "getComputedStyle(document.querySelector('#board .track')).touchAction"
    ) in (
        "auto",
        "manipulation",
    )
    assert page.evaluate(SMALL) == 0


def test_a_row_of_the_board_opens_the_sheet_and_back_returns_to_it(visiting):
    one = at_the_board(visiting)
    page = one.page
    third = one.cards()[2]
    row = page.locator(f'#board .stage.last [data-act="select"][data-id="{third}"]')
    row.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    row.tap()
    page.wait_for_selector("body[data-sheet=open]")
    page.wait_for_selector(f'#detail .detail[data-tool="{third}"]')
    head = page.locator("#detail h2").bounding_box()
    assert head is not None
    assert 0 <= head["y"] < 844 - 40
    page.go_back()
    page.wait_for_selector("body:not([data-sheet])")
    assert abs(page.evaluate("scrollY") - before) <= 2
    assert row.is_visible()
    assert one.errors == []


def test_names_in_the_final_order_are_not_cut_off(visiting):
    page = at_the_board(visiting).page
    # The words of a name have a box for each line; the button is as wide as they may be.
    lines = """e => e.filter((one) => one.checkVisibility()).map((one) => {
      const { right, bottom } = one.closest('button').getBoundingClientRect();
      const boxes = [...one.getClientRects()];
      return [one.innerText, boxes.some((box) => box.right > right + 1 || box.bottom > bottom + 1)];
    })"""
    names = page.eval_on_selector_all("#board .stage.last li > button .n", lines)
    assert len(names) == 12
    assert [name for name, is_cut in names if is_cut] == []


def test_the_final_order_is_no_smaller_than_the_list_beside_it(visiting):
    board = visiting("phone").go().find("segment lungs").page.locator("#board")
    size = "e => [getComputedStyle(e).fontSize, getComputedStyle(e.children[1]).fontWeight]"
    columns = (".stage.last", ".stage.ok:not(.last)")
    final, beside = (board.locator(f"{one} li > button").first.evaluate(size) for one in columns)
    assert final == beside
