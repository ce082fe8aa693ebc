"""Chosen tools side by side, and two ways of searching side by side; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.render.codes import code_name
from components.render.markup import attrs, badge, button, cells, esc, tool_button
from components.render.results.cards import places
from components.render.results.detail import NO_TOOLS, fact_rows
from components.render.words import MODES, agree, count, milliseconds, stage_label
from retrieval import Answer, Tool

MOST = 4
"""Tools that stand side by side."""

Row = tuple[str, tuple[str, ...]]
VERDICTS = {
    "pass": "fits",
    "after conversion": "fits after conversion",
    "fail": "does not fit",
    "unknown": "not stated",
}

RANK, FIT = "Rank: ", "Fit: "

SILENT = frozenset({"-", VERDICTS["unknown"]})
"""Cells that say that nothing is known."""


def chosen_panel(
    tools: Sequence[Tool],
    answer: Answer | None,
    refused: Tool | None = None,
    *,
    catalog: Mapping[str, Tool] = NO_TOOLS,
) -> str:
    """The chosen tools: nothing, one with a hint, or a table of several.

    ``refused`` is a tool that was not added because as many as possible are chosen; ``catalog``
    names what the tools need.
    """
    if not tools:
        return ""
    hint = "Where they differ. Reports and citations use these tools."
    if len(tools) == 1:
        hint = "Choose another tool to compare them; reports and citations use what is chosen."
    back = attrs(type="button", class_="btn btn-small", data_goto="cards")
    head = f"<h2>Chosen tools</h2><p class='sub'>{hint}</p>"
    head += f"<div class='actions'><button{back}>To the list</button></div>"
    rows = [*rows_of(tools, catalog), *_standing(tools, answer)]
    # What a tool is comes before how each stage saw it: of the ranks the last one.
    earlier = [row for row in rows if row[0].startswith(RANK)][:-1]
    verdicts = [row for row in rows if _is_verdict_to_see(row)]
    differing = [row for row in rows if _differs(row) and row not in (*earlier, *verdicts)]
    # Why the tools have other marks in the list comes first of all.
    differing = [*verdicts, *differing]
    if len(tools) == 1:
        differing = rows
    others = [row for row in rows if row not in differing]
    tables = _compared(_heads(tools, removable=True), differing)
    if others:
        many = f"{count(len(others), 'more row')}: the same in all that state it"
        many += ", and the ranks of earlier stages" if earlier else ""
        tables += f"<details><summary>{many}</summary>{_compared(_heads(tools), others)}</details>"
    out = attrs(class_="wide", tabindex=0, role="group", aria_label="Comparison of chosen tools")
    outer = attrs(class_="chosen", data_chosen=" ".join(tool.id for tool in tools))
    body = f"<div class='head'>{head}</div><div{out}>{tables}</div>"
    return f"<div{outer}>{body}{_tray(tools, refused)}</div>"


def _heads(tools: Sequence[Tool], *, removable: bool = False) -> str:
    heads = "<th scope='col'>Fact</th>"
    for tool in tools:
        inner = tool_button(tool.id, tool.name)
        if removable:
            name = f"Remove {tool.name}"
            inner += " " + button("Remove", "choose", tool.id, css="btn btn-small", name=name)
        heads += f"<th{attrs(scope='col', data_tool=tool.id)}>{inner}</th>"
    return f"<tr>{heads}</tr>"


def _differs(row: Row) -> bool:
    """Whether two tools state different things; silence of a record is no difference.

    Of verdicts it is one: where a record is silent the mark in the list says so.
    """
    silent = frozenset() if row[0].startswith(FIT) else SILENT
    return len(set(row[1]) - silent) > 1


def _is_verdict_to_see(row: Row) -> bool:
    """Whether a fact sets the marks of the tools apart, or speaks against one."""
    return row[0].startswith(FIT) and (_differs(row) or VERDICTS["fail"] in row[1])


def _compared(heads: str, rows: Sequence[Row]) -> str:
    body = ""
    for row in rows:
        mark = attrs(class_="differs" if _differs(row) else None)
        body += f"<tr{mark}><th scope='row'>{esc(row[0])}</th>{cells(row[1])}</tr>"
    return f"<table class='compare'><thead>{heads}</thead><tbody>{body}</tbody></table>"


def _tray(tools: Sequence[Tool], refused: Tool | None) -> str:
    """Always in view while something is chosen: how much, and what can be done with it."""
    names = ", ".join(tool.name for tool in tools)
    number = f"<b{attrs(title=names)}>{len(tools)} chosen</b>"
    compare = "<button type='button' class='btn btn-small' data-goto='chosen'>Compare</button>"
    presses = "".join(
        f"<button{attrs(type='button', class_='btn btn-small', data_press=id)}>{label}</button>"
        for id, label in (("bibtex", "Cite"), ("report", "Report"))
    )
    clear = button("Clear", "unchoose", "", css="btn btn-small", name="Choose none of them")
    full = ""
    if refused is not None:
        words = f"{refused.name} was not added: {MOST} tools can be compared. Remove one first."
        full = f"<p class='full' role='status'>{esc(words)}</p>"
    inner = f"{number}{compare}{presses}{clear}{full}"
    return f"<div class='tray' role='group' aria-label='Chosen tools'>{inner}</div>"


def rows_of(tools: Sequence[Tool], catalog: Mapping[str, Tool] = NO_TOOLS) -> list[Row]:
    """Every fact that at least one of them states, with a dash where one does not.

    Licences first, then the facts in the order of the detail; rows that nobody states are left out.
    """
    facts_of_tools = [dict(fact_rows(tool, catalog)) for tool in tools]
    names = dict.fromkeys(name for facts in facts_of_tools for name in facts)
    rows = [(name, tuple(facts.get(name, "") or "-" for facts in facts_of_tools)) for name in names]
    licences = tuple(code_name(tool.license or "-") for tool in tools)
    weights = tuple(code_name(tool.license_weights or "-") for tool in tools)
    rows = [("Licence", licences), ("Licence of weights", weights), *rows]
    return [row for row in rows if set(row[1]) != {"-"}]


def _standing(tools: Sequence[Tool], answer: Answer | None) -> list[Row]:
    """Ranks by stage; then verdicts by fact, for tools of the final list, when there is a scan."""
    if answer is None:
        return []
    where = {id: {s: str(r) for s, r, _ in rows} for id, rows in places(answer).items()}
    stages = [n.name for n in answer.result.stages() if n.ran]
    ranks = [(s, tuple(where.get(t.id, {}).get(s, "-") for t in tools)) for s in stages]
    rows = [(f"{RANK}{stage_label(s)}", cells) for s, cells in ranks if set(cells) != {"-"}]
    fits = {c.tool.id: c.fit or () for c in answer.candidates}
    verdicts_of_tools = [{f.fact: VERDICTS[f.verdict] for f in fits.get(t.id, ())} for t in tools]
    facts = dict.fromkeys(name for verdicts in verdicts_of_tools for name in verdicts)
    return rows + [
        (f"{FIT}{name}", tuple(v.get(name, "-") for v in verdicts_of_tools)) for name in facts
    ]


FIRST = 10
"""How many of each list the overlap counts."""


def compare_panel(answer_a: Answer, answer_b: Answer, off: Sequence[str] = ()) -> str:
    """One sentence, then both lists; ``off`` are the stages that the right one went without."""
    line = f"<p role='status'>{esc(_sentence(answer_a, answer_b))}</p>"
    lists = _side("A", answer_a, answer_a, ()) + _side("B", answer_b, answer_a, off)
    out = attrs(class_="track", tabindex=0, role="group", aria_label="Two lists side by side")
    return f"<div class='fate'>{line}<div{out}>{lists}</div></div>"


def overlap(answer_a: Answer, answer_b: Answer) -> int:
    """How many tools stand among the first ten of both lists.

    From 0 to ``FIRST``; the order within the first ten does not count.
    """
    one, two = ({c.tool.id for c in a.candidates[:FIRST]} for a in (answer_a, answer_b))
    return len(one & two)


def _sentence(answer_a: Answer, answer_b: Answer) -> str:
    longest = min(FIRST, max(len(answer_a.candidates), len(answer_b.candidates)))
    if not longest:
        return "Neither way finds a tool."
    same = [c.tool.id for c in answer_a.candidates] == [c.tool.id for c in answer_b.candidates]
    if same:
        return "Both ways give the same list."
    both = overlap(answer_a, answer_b)
    stand = f"{both} {agree(both, 'stands', 'stand')} in both lists (overlap@{FIRST})."
    return f"Of the first {count(longest, 'tool')}, {stand}"


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
