"""What a replay of a saved search found, as HTML; pure."""

from __future__ import annotations

from collections.abc import Mapping

from components.render.markup import attrs, badge, esc
from components.render.words import count, stage_label
from retrieval import Changed, Rank, Replayed, Tool

MOST = 30
"""Rows of a table; the command line has them all."""

NAMES: Mapping[str, str] = {
    "catalog_sha256": "The catalog (its hash)",
    "encoder": "The model for meaning",
    "version": "The version of ScanScout",
    "settings": "The settings",
}
ABSENT = "not told"
LONGEST, LONGEST_WORD = 60, 16
"""Characters of a value; a hash has no place where a narrow window could break it."""


def replay_panel(told: Replayed, catalog: Mapping[str, Tool]) -> str:
    """One sentence, what changed since, and the tools whose rank is another."""
    out = attrs(class_="fate", data_same=str(told.same).lower())
    return f"<div{out}>{_verdict(told)}{_limits(told)}{_changes(told)}{_moves(told, catalog)}</div>"


def _verdict(told: Replayed) -> str:
    if told.same:
        line = f"Identical: {count(len(told.ranks), 'tool')} in the same order as in the file."
    else:
        line = f"Not identical: {count(len(told.moved), 'tool')} stand elsewhere."
    return f"<p role='status'>{esc(line)}</p>"


def _limits(told: Replayed) -> str:
    """What the limits of one search left out of this one."""
    return "".join(
        f"<p class='sub'>{badge('Limit', 'part')} {esc(one.text)}</p>" for one in told.limits
    )


def _changes(told: Replayed) -> str:
    if not told.changed:
        text = "" if told.same else "Nothing that the file tells is different."
        return f"<p class='sub'>{text}</p>" if text else ""
    rows = "".join(_change(one) for one in told.changed[:MOST])
    heads = "".join(f"<th scope='col'>{head}</th>" for head in ("Changed since", "Was", "Is"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _change(one: Changed) -> str:
    cells = "".join(f"<td>{esc(_short(value))}</td>" for value in (one.was, one.now))
    return f"<tr><th scope='row'>{esc(changed_name(one.what))}</th>{cells}</tr>"


def changed_name(what: str) -> str:
    """What changed, in words."""
    if what in NAMES:
        return NAMES[what]
    if what.startswith("stage "):
        return f"Stage {stage_label(what.removeprefix('stage '))}"
    kind, _, name = what.partition(".")
    return f"{'Setting' if kind == 'settings' else 'Question'}: {name.replace('_', ' ')}"


def _short(value: str | None) -> str:
    if value is None:
        return ABSENT
    most = LONGEST if " " in value else LONGEST_WORD
    return value if len(value) <= most else f"{value[:most]} …"


def _moves(told: Replayed, catalog: Mapping[str, Tool]) -> str:
    if told.same:
        return ""
    rows = "".join(_move(one, catalog) for one in told.moved[:MOST])
    heads = "".join(f"<th scope='col'>{head}</th>" for head in ("Tool", "In the file", "Now"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _move(one: Rank, catalog: Mapping[str, Tool]) -> str:
    tool = catalog.get(one.id)
    act = attrs(type="button", class_="name", data_act="select", data_id=one.id)
    name = f"<button{act}>{esc(tool.name)}</button>" if tool else esc(one.id)
    gone = badge("not in the catalog", "bad") if tool is None else ""
    cells = f"<td>{one.was or '-'}</td><td>{one.now or '-'}</td>"
    held = attrs(data_tool=one.id) if tool else ""
    return f"<tr{held}><th scope='row'>{name} {gone}</th>{cells}</tr>"
