"""A recipe for a chosen tool in a real browser: filled from the scan, copied, nothing leaks."""

from __future__ import annotations


def test_a_recipe_is_filled_from_the_scan_and_copied(desktop):
    desktop.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desktop.act("#examples .btn-try")
    desktop.find("segment all organs with TotalSegmentator")
    card = '#cards [data-act="select"][data-id="totalsegmentator"]'
    desktop.page.locator(card).first.click()
    desktop.page.click('#detail [data-act="recipe"][data-id="totalsegmentator"]')
    desktop.page.wait_for_selector("#recipe pre")
    # First the line that gets the tool, then the command, each with a button of its own.
    assert desktop.page.locator("#recipe pre").first.inner_text() == "pip install TotalSegmentator"
    text = desktop.page.locator("#recipe pre").nth(1).inner_text()
    assert text.startswith("TotalSegmentator -i ")
    desktop.page.click('#detail [data-tab="overview"]')
    assert desktop.page.inner_text("#detail .take pre") == text
    desktop.page.click('#detail [data-tab="get"]')
    assert "--task total" in text
    assert "TASK" not in desktop.page.inner_text("#recipe .facts >> nth=0")
    desktop.page.click("#recipe [data-copy] >> nth=1")
    desktop.page.wait_for_selector("#recipe [data-copy] >> text=Copied")
    assert desktop.page.evaluate("navigator.clipboard.readText()") == text
    assert desktop.errors == []
    assert desktop.outside == []
