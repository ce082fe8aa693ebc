"""What a replay of a saved search found, as HTML; pure."""

from __future__ import annotations

from collections.abc import Mapping

from components.render.markup import attrs, badge, cells, esc, table, tool_button
from components.render.words import count, stage_label
from retrieval import Rank, Replayed, Tool

MOST = 30
"""Rows of a table; the command line has them all."""

NAMES: Mapping[str, str] = {
    "catalog_sha256": "The catalog (its hash)",
    "encoder": "The model for meaning",
    "version": "The version of ScanScout",
    "settings": "The settings",
}
ABSENT = "not stated"
LONGEST, LONGEST_WORD = 60, 16
"""Characters of a value; a hash has no place where a narrow window could break it."""


def replay_panel(replay: Replayed, catalog: Mapping[str, Tool]) -> str:
    """One sentence, what changed since, and the tools whose rank is another."""
    if replay.same:
        line = f"Identical: {count(len(replay.ranks), 'tool')} in the same order as in the file."
    else:
        line = f"Not identical: {count(len(replay.moved), 'tool')} have another rank."
    limits = "".join(
        f"<p class='sub'>{badge('Limit', 'part')} {esc(one.text)}</p>" for one in replay.limits
    )
    body = f"<p role='status'>{esc(line)}</p>{limits}{_changes(replay)}"
    if not replay.same:
        rows = "".join(_move(one, catalog) for one in replay.moved[:MOST])
        body += table(("Tool", "In the file", "Now"), rows)
    out = attrs(class_="fate", data_same=str(replay.same).lower())
    return f"<div{out}>{body}</div>"


def _changes(replay: Replayed) -> str:
    """What differs between the file and this machine, with the values of both."""
    if not replay.changed:
        text = "" if replay.same else "Nothing that the file states is different."
        return f"<p class='sub'>{text}</p>" if text else ""
    rows = ""
    for one in replay.changed[:MOST]:
        values = []
        for value in (one.was, one.now):
            text = ABSENT if value is None else value
            # A hash has no place where a narrow window could break it.
            most = LONGEST if " " in text else LONGEST_WORD
            values.append(text if len(text) <= most else f"{text[:most]} …")
        rows += f"<tr><th scope='row'>{esc(changed_name(one.what))}</th>{cells(values)}</tr>"
    return table(("Changed since", "Was", "Is"), rows)


def changed_name(what: str) -> str:
    """What changed, in words.

    ``stage fused/dense`` and ``settings.alpha`` are understood; everything else is a question.
    """
    if what in NAMES:
        return NAMES[what]
    if what.startswith("stage "):
        return f"Stage {stage_label(what.removeprefix('stage '))}"
    kind, _, name = what.partition(".")
    return f"{'Setting' if kind == 'settings' else 'Question'}: {name.replace('_', ' ')}"


def _move(one: Rank, catalog: Mapping[str, Tool]) -> str:
    tool = catalog.get(one.id)
    name = tool_button(one.id, tool.name) if tool else esc(one.id)
    gone = badge("not in the catalog", "bad") if tool is None else ""
    data = attrs(data_tool=one.id) if tool else ""
    ranks = cells((one.was or "-", one.now or "-"))
    return f"<tr{data}><th scope='row'>{name} {gone}</th>{ranks}</tr>"
