"""Two ways of searching side by side: places, movement, what both found; pure."""

from __future__ import annotations

from collections.abc import Sequence

from components.render.markup import attrs, badge, esc
from components.render.words import MODES, count, milliseconds, stage_label
from retrieval import Answer

FIRST = 10
"""How many of each list the overlap counts."""


def compare_panel(left: Answer, right: Answer, off: Sequence[str] = ()) -> str:
    """One sentence, then both lists; ``off`` are the stages that the right one went without."""
    line = f"<p role='status'>{esc(_sentence(left, right))}</p>"
    lists = _side("A", left, left, ()) + _side("B", right, left, off)
    out = attrs(class_="track", tabindex=0, role="group", aria_label="Two lists side by side")
    return f"<div class='fate'>{line}<div{out}>{lists}</div></div>"


def overlap(left: Answer, right: Answer) -> int:
    """How many tools stand among the first ten of both lists.

    From 0 to ``FIRST``; the order within the first ten does not count.
    """
    one, two = ({c.tool.id for c in a.candidates[:FIRST]} for a in (left, right))
    return len(one & two)


def _sentence(left: Answer, right: Answer) -> str:
    longest = min(FIRST, max(len(left.candidates), len(right.candidates)))
    if not longest:
        return "Neither way finds a tool."
    same = [c.tool.id for c in left.candidates] == [c.tool.id for c in right.candidates]
    if same:
        return "Both ways give the same list."
    both = overlap(left, right)
    return f"Of the first {count(longest, 'tool')}, {both} stand in both lists (overlap@{FIRST})."


def _side(letter: str, answer: Answer, against: Answer, off: Sequence[str]) -> str:
    """One list as a column; that of B with each tool's movement against A."""
    switches = ("scan facts" if name == "tokens" else stage_label(name).lower() for name in off)
    name = MODES.get(answer.mode.name, answer.mode.name)
    without = f", without {', '.join(switches)}" if off else ""
    figures = f"{milliseconds(answer.total_ms)} · {count(len(answer.candidates), 'tool')}"
    head = f"<h3>{letter}: {esc(name)}{esc(without)}</h3><p class='figures'>{esc(figures)}</p>"
    before = {c.tool.id: n for n, c in enumerate(against.candidates, 1)}
    rows = ""
    for rank, tool in enumerate((c.tool for c in answer.candidates), 1):
        arrow = _moved(rank, before.get(tool.id)) if letter == "B" else ""
        label = f"<span{attrs(class_='n', title=tool.name)}>{esc(tool.name)}</span>"
        act = attrs(type="button", data_act="select", data_id=tool.id)
        inner = f"<button{act}><span class='r'>{rank}</span>{label}{arrow}</button>"
        rows += f"<li{attrs(data_tool=tool.id, data_rank=rank)}>{inner}</li>"
    body = f"<ol>{rows}</ol>" if rows else "<p class='note'>Nothing found here.</p>"
    ids = {c.tool.id for c in answer.candidates}
    only = ", ".join(c.tool.name for c in against.candidates if c.tool.id not in ids)
    if letter == "B" and only:
        body += f"<p class='note'>{badge('only in A', 'part')} {esc(only)}</p>"
    out = attrs(class_="stage", data_side=letter, aria_label=f"List {letter}: {name}{without}")
    return f"<section{out}>{head}{body}</section>"


def _moved(rank: int, before: int | None) -> str:
    if before is None:
        return "<span class='m new'>new</span>"
    if before == rank:
        return "<span class='m'></span>"
    sign, word = ("▲", "up") if before > rank else ("▼", "down")
    arrow = f"<span class='sr'>{word} </span><span aria-hidden='true'>{sign}</span>"
    return f"<span class='m {word}'>{arrow}{abs(before - rank)}</span>"
