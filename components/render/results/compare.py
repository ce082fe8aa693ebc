"""Chosen tools side by side: facts, fit and places, the rows that differ marked."""

from __future__ import annotations

from collections.abc import Sequence

from components.render.markup import attrs, badge, button, esc
from components.render.results.cards import places
from components.render.results.detail import fact_rows
from components.render.words import stage_label
from retrieval import Answer, Tool

MOST = 4
"""Tools that stand side by side."""

Row = tuple[str, tuple[str, ...]]
VERDICTS = {"pass": "fits", "fail": "does not fit", "unknown": "not stated"}


def chosen_panel(tools: Sequence[Tool], answer: Answer | None) -> str:
    """The chosen tools: nothing, one with a hint, or a table of several."""
    if not tools:
        return ""
    hint = "Rows that differ are marked. Reports and citations use these tools."
    if len(tools) == 1:
        hint = "Choose another tool to compare them; reports and citations use what is chosen."
    head = f"<div class='head'><h2>Chosen tools</h2><p class='sub'>{hint}</p></div>"
    rows = [*rows_of(tools), *_standing(tools, answer)]
    body = "".join(_row(name, cells) for name, cells in rows)
    heads = ""
    for tool in tools:
        act = attrs(type="button", class_="name", data_act="select", data_id=tool.id)
        drop = button("Remove", "choose", tool.id, css="btn btn-small", name=f"Remove {tool.name}")
        inner = f"<button{act}>{esc(tool.name)}</button> {drop}"
        heads += f"<th{attrs(scope='col', data_tool=tool.id)}>{inner}</th>"
    heads = f"<tr><th scope='col'>Fact</th>{heads}</tr>"
    table = f"<table class='compare'><thead>{heads}</thead><tbody>{body}</tbody></table>"
    out = attrs(class_="wide", tabindex=0, role="group", aria_label="Comparison of chosen tools")
    outer = attrs(class_="chosen", data_chosen=" ".join(tool.id for tool in tools))
    return f"<div{outer}>{head}<div{out}>{table}</div></div>"


def rows_of(tools: Sequence[Tool]) -> list[Row]:
    """Every fact that at least one of them states, with a dash where one does not.

    Licences first, then the facts in the order of the detail; rows that nobody states are left out.
    """
    listed = [dict(fact_rows(tool)) for tool in tools]
    names = dict.fromkeys(name for facts in listed for name in facts)
    rows = [(name, tuple(facts.get(name, "") or "-" for facts in listed)) for name in names]
    licences = tuple(tool.license or "-" for tool in tools)
    weights = tuple(tool.license_weights or "-" for tool in tools)
    rows = [("Licence", licences), ("Licence of weights", weights), *rows]
    return [row for row in rows if set(row[1]) != {"-"}]


def _standing(tools: Sequence[Tool], answer: Answer | None) -> list[Row]:
    """Ranks by stage; then verdicts by fact, for tools of the final list, when there is a scan."""
    if answer is None:
        return []
    where = {id: {s: str(r) for s, r, _ in rows} for id, rows in places(answer).items()}
    stages = [n.name for n in answer.result.stages() if n.ran]
    ranks = [(s, tuple(where.get(t.id, {}).get(s, "-") for t in tools)) for s in stages]
    rows = [(f"Rank: {stage_label(s)}", cells) for s, cells in ranks if set(cells) != {"-"}]
    fits = {c.tool.id: c.fit or () for c in answer.candidates}
    listed = [{f.fact: VERDICTS[f.verdict] for f in fits.get(t.id, ())} for t in tools]
    facts = dict.fromkeys(name for verdicts in listed for name in verdicts)
    return rows + [(f"Fit: {name}", tuple(v.get(name, "-") for v in listed)) for name in facts]


def _row(name: str, cells: Sequence[str]) -> str:
    differs = len(set(cells)) > 1
    mark = badge("differs", "part") if differs else ""
    inner = "".join(f"<td>{esc(cell)}</td>" for cell in cells)
    out = attrs(class_="differs" if differs else None)
    return f"<tr{out}><th scope='row'>{esc(name)} {mark}</th>{inner}</tr>"
