"""What a replay of a saved search found, as HTML; pure."""

from __future__ import annotations

from collections.abc import Mapping

from components.data import FACETS, Data, Form
from components.render.codes import code_name, token_words
from components.render.markup import attrs, badge, cells, esc, shortened, table, tool_button
from components.render.search.form import NAMES as FILTERS
from components.render.words import MODES, agree, count, stage_label
from components.share import query_string
from retrieval import Answer, Rank, Replayed, Tool

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
        moved = count(len(replay.moved), "tool")
        line = f"Not identical: {moved} {agree(len(replay.moved), 'has', 'have')} another rank."
    limits = "".join(
        f"<p class='sub'>{badge('Limit', 'part')} {esc(one.text)}</p>" for one in replay.limits
    )
    body = f"{_search(replay.answer)}<p role='status'>{esc(line)}</p>{limits}{_changes(replay)}"
    if replay.same:
        body += _tool_list(replay.answer)
    else:
        rows = "".join(_move(one, catalog) for one in replay.moved[:MOST])
        body += table(("Tool", "In the file", "Now"), rows)
    out = attrs(class_="fate", data_same=str(replay.same).lower())
    return f"<div{out}>{body}</div>"


def _search(answer: Answer | None) -> str:
    """What was searched for, as it stands in the file, and a way to search for it on the page."""
    if answer is None:
        return ""
    query = answer.query
    parts = [MODES.get(answer.mode.name, answer.mode.name)]
    parts += [f"with {', '.join(map(token_words, query.tokens))}"] if query.tokens else []
    parts += [count(len(query.scans), "scan")] if query.scans else []
    parts += [f"without {', '.join(query.excluded)}"] if query.excluded else []
    facet_values = ((facet, sorted(getattr(query.filters, facet))) for facet in FACETS)
    parts += [
        f"{FILTERS[facet]}: {', '.join(map(code_name, vs))}" for facet, vs in facet_values if vs
    ]
    parts += [f"stages off: {', '.join(map(stage_label, sorted(query.off)))}"] if query.off else []
    form = Form(
        text=query.raw,
        mode=answer.mode.name,
        rerank=query.rerank,
        refine=query.refine,
        excluded=query.excluded,
        filters=query.filters,
        off=query.off,
    )
    address = f"./{query_string(form, Data(typed=query.tokens))}"
    back = f"<a{attrs(href=address, class_='btn btn-small')}>Search for this again</a>"
    what = f"“{shortened(query.raw, 200)}”" if query.raw else "no words"
    head = f"<h3>The search in the file: {esc(what)}</h3><p class='sub'>{esc('; '.join(parts))}</p>"
    lost = ""
    if query.scans:
        lost = "<span class='sub'>The file's scan is not in a new search, only its facts.</span>"
    return f"{head}<div class='actions'>{back}{lost}</div>"


def _tool_list(answer: Answer | None) -> str:
    """The tools in the order of both, by name."""
    if answer is None:
        return ""
    tools = [c.tool for c in answer.candidates[:MOST]]
    rows = "".join(f"<li>{tool_button(tool.id, tool.name)}</li>" for tool in tools)
    return f"<ol class='tools-of' aria-label='Tools of this search'>{rows}</ol>" if rows else ""


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
    absent = badge("not in the catalog", "bad") if tool is None else ""
    data = attrs(data_tool=one.id) if tool else ""
    ranks = cells((one.was or "-", one.now or "-"))
    return f"<tr{data}><th scope='row'>{name} {absent}</th>{ranks}</tr>"
