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


def fate_panel(explained: Explained) -> str:
    """One sentence, the reasons, and the tool's places on the way."""
    name = explained.tool.name if explained.tool else explained.asked
    stage = stage_label(explained.stage) if explained.stage else ""
    line = FATES[explained.fate].format(
        name=name, asked=explained.asked, rank=explained.rank, stage=stage, **_end(explained.places)
    )
    reasons = "".join(f"<li class='why'>{esc(reason)}</li>" for reason in explained.reasons)
    near = "".join(
        button(other, "where", other, css="btn btn-small") for other in explained.did_you_mean
    )
    suggestions = f"<div class='actions'><span>Did you mean</span>{near}</div>" if near else ""
    listed = f"<ul class='whys'>{reasons}</ul>" if reasons else ""
    body = f"{listed}{suggestions}{_places(explained)}"
    return f"<div class='fate'><p role='status'>{esc(line)}</p>{body}</div>"


def _end(places: Sequence[Place]) -> dict[str, str]:
    """Where a tool stood last, and how many the list holds, as words."""
    ranked = [p for p in places if p.rank is not None]
    before = (
        f"it came to rank {ranked[-1].rank} ({stage_label(ranked[-1].stage)})"
        if ranked
        else "it fell"
    )
    length = count(places[-1].length, "tool") if places else "fewer"
    return {"before": before, "length": length}


def _places(explained: Explained) -> str:
    if not explained.places:
        return ""
    names = ("Stage", "Rank", "Score", "List ends at")
    heads = "".join(f"<th scope='col'>{head}</th>" for head in names)
    rows = "".join(_place(place) for place in explained.places)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _place(place: Place) -> str:
    rank = "not listed" if place.rank is None else place.rank
    end = f"rank {place.length}" + ("" if place.cut_off is None else f", {place.cut_off:.3f}")
    cells = (rank, _number(place.score), end)
    inner = "".join(f"<td>{esc(cell)}</td>" for cell in cells)
    return f"<tr><th scope='row'>{esc(stage_label(place.stage))}</th>{inner}</tr>"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def what_if_panel(result: WhatIf) -> str:
    """Every tool that moved when one lever was off, with its rank before and after."""
    name = LEVERS.get(result.lever, stage_label(result.lever))
    if not result.moved:
        return f"<p role='status'>Without {esc(name)} the list stays as it is.</p>"
    line = f"Without {name}, {count(len(result.moved), 'tool')} would stand elsewhere."
    rows = "".join(_move(move) for move in result.moved[:MOST])
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
