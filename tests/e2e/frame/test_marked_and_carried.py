"""A filter or a stage box marks the list; link and tray carry what they say."""

from __future__ import annotations

import re
from pathlib import Path

STALE = "#stale .stale"
ROWS = """() => [...document.querySelectorAll('#cards .card')].map((one) => [
  one.dataset.tool, [...one.querySelectorAll('.badge')].map((badge) => badge.textContent)])"""
"""Every row of the list: its tool, and the words of its badges."""


def pick(one, facet, label):
    """Choose a value of a filter as a visitor does; its number of tools stands behind it."""
    page = one.page
    page.click(f"#filter-{facet} input")
    page.locator(f"#filter-{facet} [role=option]", has_text=label).first.click()
    page.keyboard.press("Escape")


def test_a_filter_marks_the_list_until_find_applies_it(desktop):
    desktop.find("segment organs").controls()
    before = desktop.cards()
    pick(desktop, "modalities", re.compile(r"^\W*CT \("))
    desktop.page.wait_for_selector(f"{STALE} >> text=Press Find tools")
    assert desktop.cards() == before
    desktop.find()
    desktop.page.wait_for_selector(STALE, state="detached")
    assert desktop.cards() != before
    assert "mod=CT" in desktop.address()
    assert desktop.errors == []


def test_a_stage_box_marks_the_list_until_find_applies_it(desktop):
    desktop.find("segment brain tissue").controls()
    assert "graph" in desktop.stages()
    box = desktop.page.locator("#stages label", has_text="Graph").locator("input")
    box.uncheck()
    desktop.page.wait_for_selector(f"{STALE} >> text=Press Find tools")
    assert "graph" in [s for s in desktop.stages() if desktop.column(s)]
    desktop.find()
    desktop.page.wait_for_selector(STALE, state="detached")
    assert "off=graph" in desktop.address()
    assert desktop.column("graph") == []
    desktop.controls()
    box.check()
    desktop.page.wait_for_selector(f"{STALE} >> text=Press Find tools")
    assert desktop.errors == []


def copied(one):
    """The address that the button puts on the clipboard."""
    one.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.page.click("#copylink")
    one.page.wait_for_selector("#copylink >> text=Copied")
    return str(one.page.evaluate("navigator.clipboard.readText()"))


def test_a_copied_link_brings_the_same_tools_order_and_badges(desktop, visiting):
    desktop.find("segment brain tissue in MRI, in Python, with a graphical interface")
    link, rows = copied(desktop), desktop.page.evaluate(ROWS)
    assert link.startswith(desktop.url)
    assert "this list in this order" in desktop.page.inner_text("#status")
    other = visiting("desktop", fresh=True).go(link.removeprefix(desktop.url)).done()
    assert other.page.evaluate(ROWS) == rows
    assert len(rows) > 10
    assert all(badges for _, badges in rows)
    assert other.errors == []


def test_a_link_of_a_scan_brings_its_verdicts_where_nothing_is_said_to_differ(
    desktop, visiting, dicom_folder
):
    """The page says that verdicts can differ; on facts that stand in the chips they do not."""
    desktop.upload(*sorted(dicom_folder.iterdir())).find("segment lungs")
    link = copied(desktop)
    assert "does not hold your files" in desktop.page.inner_text("#status")
    other = visiting("desktop", fresh=True).go(link.removeprefix(desktop.url)).done()
    assert other.chips() == desktop.chips()
    first = "e => e.map((one) => one.querySelector('.badge').textContent)"
    verdicts = other.page.eval_on_selector_all("#cards .card", first)
    # Without the file the facts are what was said of it.
    assert any("States CT" in words for words in verdicts)
    assert "does not hold" not in other.page.inner_text("#status")


def test_report_of_the_tray_holds_the_chosen_tools(visit):
    cards = visit.find("segment lungs").cards()
    page = visit.page
    names = []
    for number, id in enumerate((cards[1], cards[3]), start=1):
        page.locator(f'#cards [data-act="choose"][data-id="{id}"]').click()
        page.wait_for_selector(f".tray >> text={number} chosen")
        name = page.locator(f'#cards .name[data-id="{id}"]').inner_text()
        names.append(name.split("\n")[-1].strip())
    with page.expect_download() as got:
        page.click(".tray >> text=Report")
    assert got.value.suggested_filename == "scanscout.md"
    text = Path(got.value.path()).read_text("utf-8")
    chosen = text.partition("## Chosen")[2].partition("\n## ")[0]
    assert [name for name in names if name not in chosen] == []
    assert visit.errors == []
