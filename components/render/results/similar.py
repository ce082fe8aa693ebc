"""Tools like one, with what they share and in what they differ; pure."""

from __future__ import annotations

from components.render.markup import attrs, badge, button, esc
from components.render.results.cards import licence
from retrieval import Alike, Difference, Similar


def similar_panel(told: Similar) -> str:
    """The neighbours of a tool, nearest first, each with its differences."""
    head = f"<h2>Tools like {esc(told.tool.name)}</h2>"
    notes = "".join(f"<p class='sub'>{esc(note)}</p>" for note in told.notes)
    if not told.neighbours:
        text = "No tool of the catalog states all that is wanted; ask for less."
        return f"<section class='similar'>{head}{notes}<p role='status'>{text}</p></section>"
    rows = "".join(_alike(one) for one in told.neighbours)
    return f"<section class='similar'>{head}{notes}<ol class='cards'>{rows}</ol></section>"


def _alike(one: Alike) -> str:
    tool = one.candidate.tool
    act = attrs(type="button", class_="name", data_act="select", data_id=tool.id)
    suite = badge("same suite", "part") if one.same_suite else ""
    shared = f"Shares: {', '.join(one.shared[:8])}" if one.shared else "Described in similar words"
    top = f"<h3><button{act}>{esc(tool.name)}</button></h3>"
    top += f"<span class='badges'>{licence(tool)}{suite}</span>"
    choose = button("Choose", "choose", tool.id, name=f"Choose {tool.name} to compare and cite")
    body = f"<p class='sub'>{esc(shared)}</p>{_differences(one)}<div class='actions'>{choose}</div>"
    out = attrs(class_="card short", data_tool=tool.id)
    return f"<li{out}><div class='top'>{top}</div><div>{body}</div></li>"


def _differences(one: Alike) -> str:
    if not one.differences:
        return ""
    rows = "".join(_row(difference) for difference in one.differences)
    heads = "<th scope='col'>Fact</th><th scope='col'>There</th><th scope='col'>Here</th>"
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    many = f"{len(one.differences)} differences"
    return f"<details><summary>{many}</summary>{table}</details>"


def _row(difference: Difference) -> str:
    cells = (_said(difference.this), _said(difference.other))
    name = difference.field.replace("_", " ")
    inner = "".join(f"<td>{esc(cell)}</td>" for cell in cells)
    return f"<tr><th scope='row'>{esc(name)}</th>{inner}</tr>"


def _said(values: tuple[str, ...]) -> str:
    return ", ".join(values) or "not stated"
