"""What a remark says against earlier ones or against the words typed, and which of them holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from components.data import FACETS, Data, Form
from components.render.codes import code_name
from retrieval import Engine, Tool, Wish, contradicts, parse_query, wish_name

Lines = tuple[str, ...]

SURFACES = frozenset({"desktop", "web", "command line", "notebook", "plugin", "container", "REST"})
"""Ways to use a tool; the other interfaces are languages, and a tool has one of each."""

ANY = {"licence: any": ("licenses", ("licence",)), "interface: any": ("interfaces", ("interface",))}
"""Lines of remarks that want nothing of a filter: which one, and the kinds of wishes it is of."""

LEFT_OUT = "left out: "
PLACE = "and takes its place"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRemark:
    """A remark, the wishes in it, what was understood of it, and the search before it."""

    text: str
    wishes: tuple[Wish, ...]
    lines: Lines
    form: Form
    data: Data


def weighed(
    engine: Engine, remark: ReadRemark, after: Form, data: Data
) -> tuple[Form, Data, Lines]:
    """Form and data after a remark that may contradict what was said before, with its lines.

    The remark holds. What it contradicts is named, and stays in reach: a wish that was typed is
    searched as words, which its chip undoes; remarks are undone as always.
    """
    after, lines = _both(remark, after)
    after, back = _allowed(engine, remark, after)
    lines = (*lines, *back, *replaced(remark, after), *_against_remarks(engine, remark))
    remarks = {wish.text for one in remark.data.remarks for wish in engine.wishes(one.text)}
    typed = engine.wishes(remark.form.text, remark.data.silenced)
    for wish in (w for w in typed if w.text in after.text and _against(w, remark)):
        data = data.without(wish_name(wish))
        # One of an earlier remark was named by that.
        if wish.text not in remarks:
            lines = (*lines, f"this contradicts “{wish.text}” in your words, {PLACE}")
    return after, data, tuple(dict.fromkeys(lines))


def _both(remark: ReadRemark, after: Form) -> tuple[Form, Lines]:
    """A language and a way to use the tool: the filter stays, and the other weighs as a wish."""
    old, new = remark.form.filters.interfaces, after.filters.interfaces
    words = " ".join(wish.text for wish in remark.wishes if wish.kind in ("interface", "language"))
    if not (old and new and words) or (old <= SURFACES) == (new <= SURFACES):
        return after, remark.lines
    filters = replace(after.filters, interfaces=old)
    lines = (f"wished for as well: {words}", *(x for x in remark.lines if "interface: " not in x))
    return replace(after, text=f"{after.text} {words}", filters=filters), lines


def _allowed(engine: Engine, remark: ReadRemark, after: Form) -> tuple[Form, Lines]:
    """Tools that were left out and are named now are back, with those that were for their sake."""
    catalog = engine.catalog
    if any(line.startswith(LEFT_OUT) for line in remark.lines):
        return after, ()
    left_out = [id for id in remark.form.excluded if id in after.excluded and id in catalog]
    named = {name: id for id in left_out for name in _names_in(catalog[id], remark.text)}
    if not named:
        return after, ()
    sake = engine.follow_up(parse_query(""), f"without {', '.join(named)}").query.excluded
    back = [id for id in left_out if id in sake or id in named.values()]
    remaining = tuple(id for id in after.excluded if id not in back)
    by = next((r.text for r in reversed(remark.data.remarks) if {*r.excluded} & {*back}), "")
    first = catalog[back[0]].name
    several = f"{first} is" if len(back) == 1 else f"{first} and {len(back) - 1} more are"
    what = f"“{by}”" if by else f"that {several} left out"
    return replace(after, excluded=remaining), (f"this contradicts {what}, {PLACE}",)


def _names_in(tool: Tool, text: str) -> list[str]:
    """The names of a tool and its suite that a text has, as words of their own."""
    names = filter(None, (tool.name, tool.suite))
    return [n for n in names if re.search(rf"(?<![\w-]){re.escape(n)}(?![\w-])", text, re.I)]


def replaced(remark: ReadRemark, after: Form) -> Lines:
    """A line for each filter whose values contradict those that stood there."""
    lines, latest_first = [], remark.data.remarks[::-1]
    for facet in FACETS:
        old, new = getattr(remark.form.filters, facet), getattr(after.filters, facet)
        wants_any = next((r.text for r in latest_first if _wants_any(r.lines, facet)), "")
        if old and not old & new and (new or _wants_any(remark.lines, facet)):
            by = next((r.text for r in latest_first if r.set_values(facet)), "")
            what = f"“{by}”" if by else ", ".join(map(code_name, sorted(old)[:3]))
            lines.append(f"this contradicts {what}, {PLACE}")
        elif new and not old and wants_any:
            lines.append(f"this contradicts “{wants_any}”, {PLACE}")
    return tuple(lines)


def _wants_any(lines: Iterable[str], facet: str) -> bool:
    return any(ANY[line][0] == facet for line in lines if line in ANY)


def _against_remarks(engine: Engine, remark: ReadRemark) -> Lines:
    """A line for the latest remark whose wishes are the opposite of those said now."""
    earlier = (
        one.text
        for one in reversed(remark.data.remarks)
        if any(_against(old, remark) for old in engine.wishes(one.text))
    )
    return tuple(f"this contradicts “{text}”, {PLACE}" for text in [*earlier][:1])


def _against(old: Wish, remark: ReadRemark) -> bool:
    """Whether what is said now is the opposite of a wish, or leaves it without one."""
    if any(old.kind in ANY[line][1] for line in remark.lines if line in ANY):
        return True
    is_back = old.kind == "tool" and old.value.casefold() in remark.text.casefold().split()
    if is_back and not any(new.kind == "tool" for new in remark.wishes):
        return True
    said_again = (old.kind, old.value, old.strength)
    if any((new.kind, new.value, new.strength) == said_again for new in remark.wishes):
        return False
    return any(contradicts(new, old) for new in remark.wishes)
