"""Why a tool is or is not in the list, and what a lever changes, as HTML; pure."""

from __future__ import annotations

from collections.abc import Sequence

from components.render.markup import attrs, badge, button, cells, esc, table, tool_button
from components.render.results.fitness import values_of
from components.render.search.form import NAMES
from components.render.words import count, stage_label
from retrieval import Explained, Fit, Move, Place, WhatIf

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


def fate_panel(explained: Explained, fits: Sequence[Fit] = ()) -> str:
    """One sentence, the reasons, and the tool's places on the way.

    ``fits`` are the latest verdicts on the tool: a fact that sank it stands with both its values.
    """
    places = explained.places
    ranked_places = [p for p in places if p.rank is not None]
    last = (
        f"it came to rank {ranked_places[-1].rank} ({stage_label(ranked_places[-1].stage)})"
        if ranked_places
        else ""
    )
    line = FATES[explained.fate].format(
        name=explained.tool.name if explained.tool else explained.text,
        asked=explained.text,
        rank=explained.rank,
        stage=stage_label(explained.stage) if explained.stage else "",
        before=last or "it fell",
        length=count(places[-1].length, "tool") if places else "fewer",
    )
    texts = (
        f"Filter: {NAMES[one]}" if one in NAMES else values_of(fits, one)
        for one in explained.reasons
    )
    reasons = "".join(f"<li class='why'>{esc(text)}</li>" for text in texts)
    near = "".join(
        button(other, "where", other, css="btn btn-small") for other in explained.did_you_mean
    )
    body = f"<ul class='whys'>{reasons}</ul>" if reasons else ""
    body += f"<div class='actions'><span>Did you mean</span>{near}</div>" if near else ""
    return f"<div class='fate'><p role='status'>{esc(line)}</p>{body}{_places(places)}</div>"


def _places(places: Sequence[Place]) -> str:
    """Rank and score of the tool at every stage, and where the list of that stage ends."""
    if not places:
        return ""
    rows = ""
    for place in places:
        rank = "not listed" if place.rank is None else place.rank
        score = "-" if place.score is None else f"{place.score:.3f}"
        end = f"rank {place.length}" + ("" if place.cut_off is None else f", {place.cut_off:.3f}")
        name = esc(stage_label(place.stage))
        rows += f"<tr><th scope='row'>{name}</th>{cells((rank, score, end))}</tr>"
    return table(("Stage", "Rank", "Score", "List ends at"), rows)


def what_if_panel(result: WhatIf) -> str:
    """Every tool that moved when one lever was off, with its rank before and after.

    At most ``MOST`` rows, in the order of the list before the lever was pulled.
    """
    name = LEVERS.get(result.lever, stage_label(result.lever))
    if not result.moved:
        return f"<p role='status'>Without {esc(name)} the list stays as it is.</p>"
    line = f"Without {name}, {count(len(result.moved), 'tool')} would have another rank."
    rows = "".join(_move(move) for move in result.moved[:MOST])
    heads = ("Tool", "Now", f"Without {name}", "Change")
    return f"<p role='status'>{esc(line)}</p>{table(heads, rows)}"


def _move(move: Move) -> str:
    if move.before is None:
        change = badge("comes in", "good")
    elif move.after is None:
        change = badge("goes", "bad")
    else:
        up = move.before - move.after
        change = badge(f"{'▲' if up > 0 else '▼'} {abs(up)}", "good" if up > 0 else "part")
    ranks = cells((move.before or "-", move.after or "-"))
    name = f"<th scope='row'>{tool_button(move.id, move.name)}</th>"
    return f"<tr{attrs(data_tool=move.id)}>{name}{ranks}<td>{change}</td></tr>"
