"""By keyboard from the box to the first result: few stops, and rows of buttons that are one."""

from __future__ import annotations

MOST = 18
"""Tab stops from the box to the first result."""

HERE = """() => {
  const one = document.activeElement;
  return one.closest('#cards .card') ? 'card' : (one.ariaLabel || one.textContent).trim();
}"""
TASK = "segment the liver in Python, open source"


def walked(page, most: int = 60) -> list[str]:
    """What is reached by Tab from the box, until a card of the list is."""
    page.focus("#query textarea")
    seen: list[str] = []
    while len(seen) < most and (not seen or seen[-1] != "card"):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(HERE))
    return seen


def test_few_tab_stops_lead_from_the_box_to_the_first_result(desktop, dicom_folder):
    """With a scan, facts and wishes as chips, and ten stages."""
    desktop.upload(*sorted(dicom_folder.iterdir())).find(TASK)
    assert len(desktop.chips()) >= 5
    assert len(desktop.page.locator("#strip .step").all()) >= 8
    seen = walked(desktop.page)
    assert seen[-1] == "card"
    assert len(seen) <= MOST, seen


def test_a_question_about_the_scan_is_one_stop_as_well(desktop, nifti, tmp_path):
    # Under another name, which does not say what kind of image it is.
    unnamed = tmp_path / "volume.nii.gz"
    unnamed.write_bytes(nifti.read_bytes())
    desktop.upload(unnamed).find("segment brain tissue")
    assert desktop.page.locator("#scan .ask button").count() > 5
    seen = walked(desktop.page)
    assert seen[-1] == "card"
    assert len(seen) <= MOST, seen


def test_the_first_stop_behind_find_leads_to_the_list(desktop):
    page = desktop.find("segment lungs").page
    page.focus("#find")
    page.keyboard.press("Tab")
    assert page.evaluate(HERE) == "To the list"
    box = page.locator("#skip button").bounding_box()
    assert box["width"] > 60
    assert box["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement === document.querySelector('#cards h2')")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.id") == desktop.cards()[0]


def test_arrow_keys_walk_in_a_row_and_it_keeps_its_place(desktop, dicom_folder):
    page = desktop.upload(*sorted(dicom_folder.iterdir())).find(TASK).page
    page.focus("#chips .chip")
    chips = desktop.chips()
    for key, place in (("ArrowRight", 1), ("End", -1), ("ArrowRight", 0), ("ArrowLeft", -1)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.id") == chips[place]
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.closest('#chips')")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.dataset.id") == chips[-1]


def test_the_stop_behind_the_box_for_remarks_is_the_first_remark_on_offer(desktop):
    page = desktop.find("segment lungs").page
    page.focus("#followtext :is(input, textarea)")
    offer = page.locator("#offers button:visible").first
    offer.wait_for()
    words = offer.inner_text()
    page.keyboard.press("Tab")
    assert page.evaluate(HERE) == words
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Boolean(document.activeElement.closest('#offers'))")
