"""One tool in full: facts, fit with evidence, reasons, and where it stood in every stage."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from urllib.parse import urlencode

from components.data import Data
from components.render.markup import attrs, badge, button, esc, link
from components.render.results.cards import NOTHING, licence, places, score_rows, whys
from components.render.results.fitness import fit_table, release_badge, terms_of, terms_table
from components.render.words import reasons, stage_label
from retrieval import Answer, Candidate, Tool, name_remarks


def detail(
    tool: Tool, answer: Answer | None, data: Data = NOTHING, *, browsing: bool = False
) -> str:
    """The detail panel of a tool, the same from a card, a row, a node or the catalog."""
    candidate = _candidate(tool, answer)
    where = places(answer).get(tool.id, ()) if answer else ()
    head = f"<p class='over'>Tool detail</p><h2 tabindex='-1'><bdi>{esc(tool.name)}</bdi></h2>"
    head += licence(tool) + release_badge(tool, date.today()) + _name_letters(tool)
    about = f"<p class='about'>{esc(tool.description)}</p>"
    parts = [head, about, _links(tool, browsing=browsing)]
    if listed := reasons(candidate) if candidate else ():
        parts.append(f"<h3>Why it is here</h3>{whys(listed)}")
    if answer is not None and answer.query.scans:
        fits = candidate.fit if candidate else None
        parts.append(f"<h3>Does it fit your scan?</h3>{fit_table(fits)}")
    if not browsing:
        parts.append(f"<h3>On your terms?</h3>{terms_table(terms_of(tool, data))}")
    parts.append(f"<h3>Facts</h3>{facts(tool)}")
    if not browsing:
        parts.append(f"<h3>Where it stood</h3>{_stood(candidate, where, answer)}")
    return f"<article{attrs(class_='detail', data_tool=tool.id)}>{''.join(parts)}</article>"


def _name_letters(tool: Tool) -> str:
    """A warning where letters of the name could make it pass for another name."""
    remarks = name_remarks(tool.name)
    text = f"The name {'; it '.join(remarks)}. Check the home page before you install it."
    return f"<p class='sub'>{badge('Name', 'warn')} {esc(text)}</p>" if remarks else ""


def nothing_chosen(*, browsing: bool = False) -> str:
    """The panel before a tool is chosen.

    ``browsing`` is true in the catalog, which has no columns and no graph.
    """
    where = "in the list" if browsing else "on a card, in a column or in the graph"
    text = f"Choose a tool {where} to see all about it."
    return f"<div class='detail empty'><p class='sub'>{text}</p></div>"


def _candidate(tool: Tool, answer: Answer | None) -> Candidate | None:
    """The tool's candidate in the latest stage that listed it."""
    if answer is None:
        return None
    # The latest stage has the most reasons: each adds its own to those before.
    for node in reversed([n for n in answer.result.stages() if n.ran]):
        for one in node.state.candidates:
            if one.tool.id == tool.id:
                return one
    return None


def _links(tool: Tool, *, browsing: bool) -> str:
    """Links out, then the acts; in the catalog a link that searches for the tool's own words."""
    shown = (
        link(tool.url, "Home page", css="btn btn-link"),
        link(tool.repo, "Source code", css="btn btn-link"),
        link(tool.docs_url, "Documentation", css="btn btn-link"),
        link(tool.demo_url, "Demo", css="btn btn-link"),
    )
    if browsing:
        words = ", ".join(dict.fromkeys((*tool.tasks[:3], *tool.keywords[:5]))) or tool.name
        out = attrs(class_="btn", href=f"./?{urlencode({'q': words})}")
        acts = f"<a{out}>Search for what it does</a>"
    else:
        acts = "".join(
            button(act, act.lower(), tool.id)
            for act in ("Similar", "Papers", "Choose", "Plan", "Recipe", "Exclude")
        )
    return f"<div class='actions'>{''.join(shown)}{acts}</div>"


def facts(tool: Tool) -> str:
    """The record as a list of facts; facts that no source states are named once at the end."""
    rows = fact_rows(tool)
    stated = "".join(f"<dt>{esc(n)}</dt><dd>{esc(v)}</dd>" for n, v in rows if v)
    missing = ", ".join(n.lower() for n, v in rows if not v)
    tail = f"<p class='sub'>Not stated by any source: {esc(missing)}.</p>" if missing else ""
    return f"<dl class='facts'>{stated}{_getting(tool)}</dl>{tail}"


def _getting(tool: Tool) -> str:
    """How to get the tool and the newest commit that was read, with the pages that state it."""
    lines = [
        f"<li><code>{esc(line)}</code> {link(source, f'{kind}, source')}</li>"
        for kind, line, source in tool.install
    ]
    ways = f"<dt>Install</dt><dd><ul>{''.join(lines)}</ul></dd>" if lines else ""
    if tool.python_version:
        ways += f"<dt>Python version</dt><dd>{esc(tool.python_version)}</dd>"
    if tool.last_commit:
        # The repository may have newer commits than the copy that was read.
        read = f"{tool.last_commit} or later {link(tool.repo, 'repository')}"
        ways += f"<dt>Last commit</dt><dd>{read}</dd>"
    return ways


def fact_rows(tool: Tool) -> list[tuple[str, str]]:
    """Name and value of every fact; empty where no source states it."""
    return [(name, ", ".join(str(v) for v in values if v)) for name, values in _facts(tool)]


def _facts(tool: Tool) -> Iterable[tuple[str, Iterable[object]]]:
    yield "Does", tool.tasks
    yield "Works on", tool.modalities
    yield "Dimension", tool.dimensions
    yield "Reads", tool.formats_in
    yield "Writes", tool.formats_out
    pairs = (f"{c.before} to {c.after} ({c.what})" for c in tool.converts)
    yield "Converts", dict.fromkeys(pairs)
    yield "Anatomy", tool.anatomy
    yield "Used from", tool.interfaces
    yield "Runs on", tool.platforms
    yield "Language", tool.languages
    yield "GPU", (tool.gpu,)
    yield "Needs", tool.requires_tool
    yield "Works with", tool.compatible_with
    yield "Suite", (tool.suite,)
    yield "Last release", (tool.last_release,)
    yield "Cite", (tool.citation,)


def _stood(
    candidate: Candidate | None, where: tuple[tuple[str, int, float], ...], answer: Answer | None
) -> str:
    if answer is None:
        return "<p class='sub'>Search to see how the stages rank it.</p>"
    ran = [n.name for n in answer.result.stages() if n.ran]
    had = {stage for stage, _, _ in where}
    absent = ", ".join(dict.fromkeys(stage_label(n) for n in ran if n not in had))
    lost = f"<p class='sub'>Not listed by: {esc(absent)}.</p>" if absent else ""
    return (score_rows(candidate, where) if where else "") + lost
