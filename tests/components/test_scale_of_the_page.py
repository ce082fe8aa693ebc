"""One scale: the style sheets use six sizes of type, three radii, four kinds of button."""

from __future__ import annotations

import re
from pathlib import Path

from components.theme import RADII, TYPE

ROOT = Path(__file__).resolve().parents[2]
SHEETS = sorted((ROOT / "assets" / "css").glob("*.css"))
TEXT = "\n".join(re.sub(r"/\*.*?\*/", "", s.read_text("utf-8"), flags=re.DOTALL) for s in SHEETS)
SIZES, ROUND = [f"--t{n}" for n in range(1, 7)], [f"--r{n}" for n in range(1, 4)]


def values(name):
    """Every value that a property is given, each variable by its name."""
    found = re.findall(rf"(?<![-\w]){name}:\s*([^;}}]+)", TEXT)
    return {part for one in found for part in one.replace("!important", "").split()}


def variable(name):
    return re.search(rf"{name}: ([\d.]+px)", TEXT).group(1)


def test_type_has_six_sizes_and_nothing_else_sets_one():
    allowed = {f"var({name})" for name in SIZES}
    # Nothing is seen at size 0: a sign that stands for the text of its button.
    assert values("font-size") - {"0", "inherit"} == allowed
    literal = re.findall(r"(?<![-\w])font:[^;}]*?([\d.]+px)", TEXT)
    assert set(literal) <= {variable(name) for name in SIZES}


def test_corners_have_three_radii_beside_square_and_round():
    allowed = {f"var({name})" for name in ROUND}
    assert values("border-radius") - {"0", "inherit", "50%"} == allowed


def test_parts_of_gradio_use_the_same_sizes_and_radii():
    scale = {variable(name) for name in SIZES}
    assert {getattr(TYPE, n) for n in ("xxs", "xs", "sm", "md", "lg", "xl", "xxl")} == scale
    corners = {variable(name) for name in ROUND}
    assert {getattr(RADII, n) for n in ("xxs", "xs", "sm", "md", "lg", "xl", "xxl")} <= corners


def test_buttons_are_of_four_kinds():
    """Beside Gradio's primary one: plain, small, a link out and an icon."""
    styled = set(re.findall(r"\.(btn(?:-\w+)?|icon)(?=[\s.:,{\[])", TEXT))
    assert styled - {"icon"} <= {"btn", "btn-small", "btn-link"}
    classes = set()
    for folder in ("components", "assets/js"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in (".py", ".js"):
                classes |= set(re.findall(r"\bbtn-\w+", path.read_text("utf-8")))
    # A hook for the examples, which look like any plain button.
    assert classes == {"btn-small", "btn-link", "btn-try"}


def test_one_sign_says_that_something_unfolds():
    signs = set(re.findall(r'content: "\\(25[A-F][0-9A-F])"', TEXT))
    assert signs == {"25B6"}
    # The marker of a summary, which is the same triangle, is left to the browser.
    assert "list-style: none" not in "".join(re.findall(r"summary[^{]*\{[^}]*\}", TEXT))


def test_colours_that_warn_have_a_name():
    rules = re.sub(r"(?::root|body\.dark) \{.*?\n\}", "", TEXT, flags=re.DOTALL)
    assert "#d08a12" not in rules
    assert "#c53030" not in rules


def colours_of(selector):
    """The colours of the rules whose selector holds these words."""
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", TEXT)
    values = (
        v for s, body in rules if selector in s for v in re.findall(r"color:\s*([^;}]+)", body)
    )
    return {value.strip() for value in values}


def test_a_changed_rank_has_no_colour_of_a_verdict_or_a_warning():
    """Each colour means one thing; the arrow tells up from down."""
    moved = colours_of(".stage .m:is(.up, .down)")
    assert moved == {"var(--ss-soft)"}
    for tone in ("good", "bad", "part", "warn"):
        assert not moved & colours_of(f".badge-{tone}")
    assert not re.search(r"\.m\.(up|down)", TEXT)


def test_corners_of_the_drawn_graph_are_of_the_same_radii():
    """Nodes and the marks of a saved picture are drawn by a script, out of reach of the sheets."""
    drawn = []
    for name in ("looks.js", "picture.js"):
        text = (ROOT / "assets" / "js" / name).read_text("utf-8")
        drawn += re.findall(r"borderRadius: ([^}]+?) }", text)
        drawn += re.findall(r"roundRect\((?:[^,]+, ){4}(.+?)\);", text)
    assert len(drawn) == 2
    named = [re.fullmatch(r'parseFloat\(\w+\("(--r\d)"\)\)', value) for value in drawn]
    assert all(one and one[1] in ROUND for one in named), drawn


def test_a_summary_that_loses_its_marker_gets_the_sign():
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", TEXT)
    bare = [
        selector.strip()
        for selector, body in rules
        if selector.strip().endswith("summary") and re.search(r"display:\s*(?!list-item)", body)
    ]
    assert bare == [".html-container .marks-of summary"]
    signs = {selector.strip(): body for selector, body in rules}
    for selector in bare:
        assert r"\25B6" in signs[f"{selector}::before"]
