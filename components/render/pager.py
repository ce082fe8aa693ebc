"""Buttons that lead to the pages of a list; pure."""

from __future__ import annotations

from components.render.markup import attrs


def pager(page: int, last: int, name: str) -> str:
    """Where a list ends: the pages around this one, the first and the last; one needs none.

    ``name`` is what a screen reader calls it; a button sends the event ``turn`` with its page.
    """
    if last < 2:
        return ""
    near = sorted({1, last, *range(max(1, page - 2), min(last, page + 2) + 1)})
    parts, before = [_page("Previous", page - 1, away=page == 1)], 0
    for number in near:
        parts += ["<span aria-hidden='true'>…</span>"] if number > before + 1 else []
        parts.append(_page(str(number), number, here=number == page))
        before = number
    parts.append(_page("Next", page + 1, away=page == last))
    return f"<nav class='pager'{attrs(aria_label=name)}>{''.join(parts)}</nav>"


def _page(label: str, number: int, *, here: bool = False, away: bool = False) -> str:
    spoken = f"Page {label}" if label.isdecimal() else None
    out = attrs(type="button", class_="btn btn-small", data_act="turn", data_id=number)
    marks = attrs(aria_current="page" if here else None, aria_label=spoken)
    return f"<button{out}{marks}{' disabled' if away else ''}>{label}</button>"
