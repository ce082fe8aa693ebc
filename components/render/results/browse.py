"""Lists of tools: a part of the catalog, and the tools like one; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from components.render.codes import by_kind, code_name, evidence_words, field_name
from components.render.markup import attrs, badge, button, cells, esc, shortened, table, tool_button
from components.render.pager import pager
from components.render.results.licences import licence
from components.render.words import count
from retrieval import Alike, Filters, Similar, Tool

PAGE = 40
"""Tools on one page of the list."""

SORTS: Mapping[str, str] = {
    "name": "Name",
    "release": "Latest release first",
    "facts": "Most facts first",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Browse:
    """The requested part of the catalog; ``page`` counts from 1."""

    words: str = ""
    filters: Filters = field(default_factory=Filters)
    sort: str = "name"
    page: int = 1


def facts_stated(tool: Tool) -> int:
    """How many of the facts that decide a fit the record states.

    From 0 to 11; an empty tuple and None count as not stated.
    """
    stated = (tool.tasks, tool.modalities, tool.dimensions, tool.formats_in, tool.formats_out)
    more = (tool.anatomy, tool.interfaces, tool.platforms, tool.gpu, tool.license, tool.citation)
    return sum(bool(fact) for fact in (*stated, *more))


_KEYS: Mapping[str, Callable[[Tool], tuple[object, ...]]] = {
    "name": lambda t: (t.name.casefold(), t.id),
    # Dates descend and names ascend in one key: characters of a date are negated.
    "release": lambda t: (*(-ord(c) for c in (t.last_release or "0")), t.name.casefold(), t.id),
    "facts": lambda t: (-facts_stated(t), t.name.casefold(), t.id),
}


def matching(tools: Iterable[Tool], browse: Browse) -> list[Tool]:
    """The tools that pass every filter and contain every word, in the order of ``browse.sort``.

    A word is a case-folded substring of id, name, suite, description, keywords or tasks.
    """
    words = browse.words.casefold().split()
    matches = []
    for tool in filter(browse.filters.admits, tools):
        parts = (tool.id, tool.name, tool.suite or "", tool.description)
        text = " ".join((*parts, *tool.keywords, *tool.tasks)).casefold()
        if all(word in text for word in words):
            matches.append(tool)
    return sorted(matches, key=_KEYS.get(browse.sort, _KEYS["name"]))


def pages_of(tools: Sequence[Tool]) -> int:
    """How many pages a list has, at least one.

    ``PAGE`` tools per page, rounded up.
    """
    return max(1, -(-len(tools) // PAGE))


def browse_list(tools: Sequence[Tool], browse: Browse, total: int) -> str:
    """One page of the list with a line that says what part of the catalog it is.

    A page number outside the list is moved to the nearest page. ``total`` is the catalog's size.
    """
    page = min(max(browse.page, 1), pages_of(tools))
    page_tools = tools[(page - 1) * PAGE : page * PAGE]
    line = f"{count(len(tools), 'tool')} of {total:,}, page {page} of {pages_of(tools)}."
    if not tools:
        line = "No tool states all of this. Take a filter or a word away."
    rows = "".join(_row(tool) for tool in page_tools)
    head = f"<p class='sub' role='status'>{esc(line)}</p>"
    pages = pager(page, pages_of(tools), "Pages of the list")
    content = f"<ul class='rows'>{rows}</ul>{pages}"
    return f"<div class='browse'><h2 class='sr'>Tools</h2>{head}{content}</div>"


def _row(tool: Tool) -> str:
    marks = "".join(badge(code_name(str(m))) for m in tool.modalities[:4])
    release = badge(f"Released {tool.last_release}") if tool.last_release else ""
    top = f"<h3>{tool_button(tool.id, tool.name)}</h3>"
    top += f"<span class='badges'>{licence(tool)}{marks}{release}</span>"
    about = f"<p class='about'>{esc(shortened(tool.description, 160))}</p>"
    out = attrs(class_="card short", data_tool=tool.id)
    return f"<li{out}><div class='top'>{top}</div>{about}</li>"


def similar_panel(similar: Similar, *, choosing: bool = True) -> str:
    """The neighbours of a tool, nearest first, each with its differences.

    Nothing is ranked here: order, shared facts and differences are the library's. ``choosing``
    offers each to be compared and cited.
    """
    head = f"<h2>Tools like {esc(similar.tool.name)}</h2>"
    notes = "".join(f"<p class='sub'>{esc(note)}</p>" for note in similar.notes)
    if not similar.neighbours:
        text = "No tool of the catalog states all that is wanted; ask for less."
        return f"<section class='similar'>{head}{notes}<p role='status'>{text}</p></section>"
    rows = "".join(_alike(one, choosing=choosing) for one in similar.neighbours)
    return f"<section class='similar'>{head}{notes}<ol class='cards'>{rows}</ol></section>"


def _alike(one: Alike, *, choosing: bool) -> str:
    tool = one.candidate.tool
    suite = badge("same suite") if one.same_suite else ""
    facts = "; ".join(by_kind(map(evidence_words, one.shared[:8])))
    shared = f"Shares: {facts}" if facts else "Described in similar words"
    top = f"<h3>{tool_button(tool.id, tool.name)}</h3>"
    top += f"<span class='badges'>{licence(tool)}{suite}</span>"
    choose = button("Choose", "choose", tool.id, name=f"Choose {tool.name} to compare and cite")
    body = f"<p class='sub'>{esc(shared)}</p>{_differences(one)}"
    body += f"<div class='actions'>{choose}</div>" if choosing else ""
    out = attrs(class_="card short", data_tool=tool.id)
    return f"<li{out}><div class='top'>{top}</div><div>{body}</div></li>"


def _differences(one: Alike) -> str:
    if not one.differences:
        return ""
    rows = ""
    for difference in one.differences:
        sides = (difference.this, difference.other)
        values = [", ".join(map(code_name, side)) or "not stated" for side in sides]
        name = field_name(difference.field)
        rows += f"<tr><th scope='row'>{esc(name)}</th>{cells(values)}</tr>"
    many = count(len(one.differences), "difference")
    difference_table = table(("Fact", "There", "Here"), rows)
    return f"<details><summary>{many}</summary>{difference_table}</details>"
