"""Verdicts go with the scan that they are about, and follow what is said of it."""

from __future__ import annotations

import pytest

MARKS = """() => Object.fromEntries([...document.querySelectorAll('#cards .card')].map((card) =>
  [card.dataset.tool, [...card.querySelectorAll('.badge')].map((x) => x.textContent)
    .filter((x) => /fit|States/i.test(x)).join()]))"""
"""Verdicts on the scan by tool: "Fits", "Fit not stated", "States MRI only"."""


@pytest.fixture
def unnamed(nifti, tmp_path):
    """A NIfTI file that says nothing of how it was made, under a name that does not either."""
    path = tmp_path / "volume.nii.gz"
    path.write_bytes(nifti.read_bytes())
    return path


def marks(one) -> dict[str, str]:
    return one.page.evaluate(MARKS)


def compared(one) -> list[str]:
    """The rows of fits in the comparison of chosen tools."""
    rows = one.page.locator("#chosen th[scope=row]").all_text_contents()
    return [row for row in rows if row.startswith("Fit: ")]


def choose(one, *ids: str) -> None:
    for id in ids:
        one.page.locator(f'#cards [data-act="choose"][data-id="{id}"]').click()
        one.page.wait_for_selector(f'#chosen [data-chosen~="{id}"]', state="attached")


def test_an_answer_to_the_question_what_kind_of_image_it_is_changes_the_verdicts(desktop, unnamed):
    desktop.upload(unnamed).find("segment brain tissue")
    before = marks(desktop)
    desktop.act('#scan [data-act="modality"][data-id="CT"]')
    assert desktop.page.locator("#scan .ask").count() == 0
    assert "CT" in desktop.page.inner_text("#scan .inshort")
    after = marks(desktop)
    same = before.keys() & after.keys()
    assert any(before[id] != after[id] for id in same), (before, after)
    assert desktop.errors == []


def test_with_the_scan_every_verdict_goes_in_list_detail_and_comparison(desktop, unnamed):
    """Those that say "Fit not stated" too, and the fit of the tool that is looked at."""
    desktop.upload(unnamed).find("segment brain tissue")
    page, cards = desktop.page, desktop.cards()
    assert any("not stated" in mark for mark in marks(desktop).values())
    choose(desktop, cards[0], cards[1])
    assert compared(desktop)
    page.click(f'#cards [data-act="select"][data-id="{cards[2]}"]')
    page.wait_for_selector(f'#detail [data-tool="{cards[2]}"]')
    page.click('#detail [data-tab="fit"]')
    page.wait_for_selector("#detail .fits")
    desktop.act('#scan [data-act="clear"]')
    assert set(marks(desktop).values()) == {""}
    assert compared(desktop) == []
    page.click('#detail [data-tab="fit"]')
    assert page.locator("#detail .fits").count() == 0
    assert "Does it fit your scan" not in page.inner_text("#detail")
    assert desktop.errors == []


def test_without_words_the_comparison_loses_its_verdicts_as_well(desktop, dicom_folder):
    desktop.upload(*sorted(dicom_folder.iterdir())).find("")
    choose(desktop, *desktop.cards()[:2])
    assert compared(desktop)
    desktop.page.click('#scan [data-act="clear"]')
    desktop.page.wait_for_selector("#cards .card", state="detached")
    desktop.page.wait_for_selector("#status >> text=Type what you want to do")
    assert compared(desktop) == []
    assert desktop.page.locator("#chosen .chosen").count() == 1
    assert desktop.errors == []


CUT = """(where) => [...document.querySelectorAll(where)].filter((x) => x.getClientRects().length)
  .filter((x) => x.scrollWidth > x.clientWidth + 1 || x.getBoundingClientRect().right
    > x.closest('.card, header, li').getBoundingClientRect().right)
  .map((x) => x.textContent)"""
"""The texts below ``where`` that are cut at their end or stand out of their box."""


def test_on_a_phone_no_verdict_is_cut_at_its_end(visiting, unnamed):
    phone = visiting("phone").go().upload(unnamed).find("segment brain tissue")
    verdict = "#cards .badges > .badge:first-child"
    assert phone.page.locator(verdict).count() > 5
    assert phone.page.evaluate(CUT, verdict) == []


def test_the_number_of_tools_of_a_stage_is_never_cut(desktop, unnamed):
    desktop.upload(unnamed).find("segment brain tissue")
    for width in (768, 1440):
        desktop.page.set_viewport_size({"width": width, "height": 900})
        assert desktop.page.evaluate(CUT, "#strip .step b") == []
