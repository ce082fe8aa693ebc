"""What became of a tool, and what a lever moves: the library's findings as HTML; pure."""

from __future__ import annotations

from collections.abc import Sequence

from components.render.markup import attrs, badge, button, esc
from components.render.words import count, stage_label
from retrieval import Explained, Move, Place, WhatIf

FATES: dict[str, str] = {
    "kept": "{name} is in the list, at rank {rank}.",
    "not_in_catalog": "{asked} is not in the catalog.",
    "excluded": "{name} is excluded by you.",
    "filtered_out": "{name} does not pass your filters.",
    "never_found": "No source found {name} for these words.",
    "cut_when_fused": "{name} was found, but fell below the cut when the lists were combined.",
    "lost": "{name} was lost at the stage {stage}.",
    "sunk_by_fit": "{name} sank because it does not fit your scan.",
    "cut_at_the_end": "{name} is not in the list: {before}, and {length} are shown.",
}
LEVERS: dict[str, str] = {
    "tokens": "scan facts",
    "graph": "the graph",
    "rank": "the learned order",
    "names": "tools you named first",
    "fit": "the fit",
    "rerank": "re-ranking",
    "expansion": "related terms",
}
MOST = 20


def fate_panel(told: Explained) -> str:
    """One sentence, the reasons, and the tool's places on the way."""
    name = told.tool.name if told.tool else told.text
    stage = stage_label(told.stage) if told.stage else ""
    line = FATES[told.fate].format(
        name=name, asked=told.text, rank=told.rank, stage=stage, **_end(told.places)
    )
    reasons = "".join(f"<li class='why'>{esc(reason)}</li>" for reason in told.reasons)
    near = "".join(
        button(other, "where", other, css="btn btn-small") for other in told.did_you_mean
    )
    meant = f"<div class='actions'><span>Did you mean</span>{near}</div>" if near else ""
    listed = f"<ul class='whys'>{reasons}</ul>" if reasons else ""
    return f"<div class='fate'><p role='status'>{esc(line)}</p>{listed}{meant}{_places(told)}</div>"


def _end(places: Sequence[Place]) -> dict[str, str]:
    """Where a tool stood last, and how many the list holds, as words."""
    held = [p for p in places if p.rank is not None]
    before = (
        f"it came to rank {held[-1].rank} ({stage_label(held[-1].stage)})" if held else "it fell"
    )
    length = count(places[-1].length, "tool") if places else "fewer"
    return {"before": before, "length": length}


def _places(told: Explained) -> str:
    if not told.places:
        return ""
    names = ("Stage", "Rank", "Score", "List ends at")
    heads = "".join(f"<th scope='col'>{head}</th>" for head in names)
    rows = "".join(_place(place) for place in told.places)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _place(place: Place) -> str:
    rank = "not listed" if place.rank is None else place.rank
    end = f"rank {place.length}" + ("" if place.cut_off is None else f", {place.cut_off:.3f}")
    cells = (rank, _number(place.score), end)
    inner = "".join(f"<td>{esc(cell)}</td>" for cell in cells)
    return f"<tr><th scope='row'>{esc(stage_label(place.stage))}</th>{inner}</tr>"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def what_if_panel(told: WhatIf) -> str:
    """Every tool that moved when one lever was off, with its rank before and after."""
    name = LEVERS.get(told.lever, stage_label(told.lever))
    if not told.moved:
        return f"<p role='status'>Without {esc(name)} the list stays as it is.</p>"
    line = f"Without {name}, {count(len(told.moved), 'tool')} would stand elsewhere."
    rows = "".join(_move(move) for move in told.moved[:MOST])
    names = ("Tool", "Now", f"Without {name}", "Change")
    heads = "".join(f"<th scope='col'>{esc(head)}</th>" for head in names)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<p role='status'>{esc(line)}</p>{table}"


def _move(move: Move) -> str:
    act = attrs(type="button", class_="name", data_act="select", data_id=move.id)
    cells = f"<td>{move.before or '-'}</td><td>{move.after or '-'}</td><td>{_change(move)}</td>"
    name = f"<th scope='row'><button{act}>{esc(move.name)}</button></th>"
    return f"<tr{attrs(data_tool=move.id)}>{name}{cells}</tr>"


def _change(move: Move) -> str:
    if move.before is None:
        return badge("comes in", "good")
    if move.after is None:
        return badge("goes", "bad")
    up = move.before - move.after
    return badge(f"{'▲' if up > 0 else '▼'} {abs(up)}", "good" if up > 0 else "part")
