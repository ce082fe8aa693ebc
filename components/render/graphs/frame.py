"""The fixed frame of the graph: title, tools, legend, the places of canvas and table."""

from __future__ import annotations

from collections.abc import Sequence

LEGEND = (
    ("final", "recommended"),
    ("seed", "found by the search"),
    ("added", "added by the graph"),
    ("concept", "what they share"),
)
LINES = (
    ("requires", "requires"),
    ("works", "works with"),
    ("together", "used together"),
    ("other", "any other link"),
)
ABOUT = """From left to right: recommended tools, what they share, tools the graph added. A bold
link is a requirement. Click a tool for its detail, drag to move it."""
TOOLS = (
    ("all", "Show all"),
    ("in", "Zoom in"),
    ("out", "Zoom out"),
    ("fit", "Fit"),
    ("png", "Save PNG"),
    ("html", "Save HTML"),
)


def graph_box(about: str = ABOUT, legend: Sequence[tuple[str, str]] = LEGEND) -> str:
    """The frame; it never changes, so the drawing inside lives as long as the page."""
    marks = "".join(f"<li><i class='dot look-{k}'></i>{v}</li>" for k, v in legend)
    marks += "".join(f"<li><i class='stroke line-{k}'></i>{v}</li>" for k, v in LINES)
    tools = "".join(
        f"<button type='button' class='btn btn-small' data-graph='{k}'>{v}</button>"
        for k, v in TOOLS
    )
    search = (
        "<label class='find'><span class='sr'>Find in the graph</span>"
        "<input type='search' placeholder='Find in the graph' autocomplete='off'></label>"
    )
    return (
        f"<div class='head'><h2>Knowledge graph</h2><p class='sub'>{about}</p></div>"
        f"<div class='graphbar'>{search}{tools}<span class='shown' role='status'></span></div>"
        f"<ul class='legend marks'>{marks}</ul>"
        "<div class='canvas' role='img' aria-label='Knowledge graph of this answer; "
        "the same data stand in the table below'></div>"
        "<details id='graphtable' class='graphtable' hidden><summary></summary></details>"
    )
