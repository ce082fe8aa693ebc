"""Tools like one, with what they share and in what they differ; pure."""

from __future__ import annotations

from components.render.markup import attrs, badge, button, esc
from components.render.results.cards import licence
from retrieval import Alike, Similar


def similar_panel(similar: Similar) -> str:
    """The neighbours of a tool, nearest first, each with its differences.

    Nothing is ranked here: order, shared facts and differences are the library's.
    """
    head = f"<h2>Tools like {esc(similar.tool.name)}</h2>"
    notes = "".join(f"<p class='sub'>{esc(note)}</p>" for note in similar.notes)
    if not similar.neighbours:
        text = "No tool of the catalog states all that is wanted; ask for less."
        return f"<section class='similar'>{head}{notes}<p role='status'>{text}</p></section>"
    rows = "".join(_alike(one) for one in similar.neighbours)
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
    rows = ""
    for difference in one.differences:
        values = [", ".join(side) or "not stated" for side in (difference.this, difference.other)]
        cells = "".join(f"<td>{esc(value)}</td>" for value in values)
        rows += f"<tr><th scope='row'>{esc(difference.field.replace('_', ' '))}</th>{cells}</tr>"
    heads = "<th scope='col'>Fact</th><th scope='col'>There</th><th scope='col'>Here</th>"
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    many = f"{len(one.differences)} differences"
    return f"<details><summary>{many}</summary>{table}</details>"
