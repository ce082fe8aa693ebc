"""Letters are those of the visitor's system: no page asks for a font."""

from __future__ import annotations


def test_no_font_is_fetched_on_any_page(visiting):
    one = visiting("desktop", fresh=True)
    fonts: list[str] = []
    one.page.on("request", lambda r: fonts.append(r.url) if r.resource_type == "font" else None)
    one.go().find("segment lungs").graph("nodes")
    for route in ("catalog", "cohort", "ask", "about"):
        one.go(route)
    assert fonts == []
    assert one.page.evaluate("document.fonts.size") == 0
    assert one.outside == []
