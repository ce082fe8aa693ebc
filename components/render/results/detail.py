"""One tool in full: facts, fit with evidence, reasons, and where it stood in every stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from types import MappingProxyType
from urllib.parse import urlencode

from components.data import Data
from components.render.codes import by_kind, code_name
from components.render.markup import attrs, badge, button, esc, link, whole_words
from components.render.results.cards import NOTHING, places, score_rows, whys
from components.render.results.fitness import (
    fit_badges,
    fit_table,
    lacks_a_part,
    release_badge,
    terms_badge,
    terms_of,
    terms_table,
)
from components.render.results.licences import licence
from components.render.results.plan import (
    copy_button,
    copy_label,
    install_sentence,
    is_command,
    named,
)
from components.render.words import reasons, stage_label
from retrieval import Answer, Candidate, Recipe, Tool, input_needs, name_remarks, species_names

CLOSE = (
    f"<button{attrs(type='button', class_='icon close', data_sheet='close', aria_label='Close')}>"
    "\N{MULTIPLICATION SIGN}</button>"
)
"""Only on show where the detail lies over the page."""

NO_TOOLS: Mapping[str, Tool] = MappingProxyType({})

TABS = {
    "overview": ("Overview", None),
    "fit": ("Fit", None),
    "get": ("Get it", "recipe"),
    "plan": ("Plan", "plan"),
    "similar": ("Similar", "similar"),
    "papers": ("Papers", "papers"),
    "scores": ("Scores", None),
}
"""Parts of the detail by name: the label, and the event that fills a part which is not sent with
the others."""

LACKS = frozenset({"parts", "tasks", "fit", "wish"})
"""Kinds of reasons that speak against a tool."""

BROWSED = ("overview", "get", "similar")
"""Parts of the detail where there was no search; with the answer of one the fit as well."""


def detail(
    tool: Tool,
    answer: Answer | None,
    data: Data = NOTHING,
    recipe: Recipe | None = None,
    *,
    tools: Mapping[str, Tool] = NO_TOOLS,
    browsing: bool = False,
) -> str:
    """The detail panel of a tool, the same from a card, a row, a node or the catalog.

    ``recipe`` is the tool's for the scan and machine in ``data``; its text is offered first.
    ``tools`` are those of the catalog, which name what the tool needs.
    ``browsing`` is true away from the search, where nothing is chosen or excluded.
    """
    candidate = latest_candidate(tool, answer)
    marks = licence(tool) + release_badge(tool, date.today())
    if not browsing or answer:
        terms = terms_badge(terms_of(tool, data))
        fits = candidate.fit if candidate else None
        is_lacking = bool(candidate and answer and lacks_a_part(candidate, answer))
        marks = fit_badges(fits, is_lacking=is_lacking) + terms + marks
    head = f"<h2 tabindex='-1'><bdi>{esc(tool.name)}</bdi></h2><span class='badges'>{marks}</span>"
    parts = [f"<header>{CLOSE}{head}{_acts(tool, browsing=browsing)}</header>"]
    names = [name for name in TABS if not browsing or name in BROWSED or (name == "fit" and answer)]
    parts.append(_tabs(tool, names))
    parts.append(_part("overview", _overview(tool, answer, recipe, tools)))
    parts.append(_part("get", _ways(tool, with_installs=browsing)))
    if "fit" in names:
        parts.append(_part("fit", _fit(tool, candidate, answer, data)))
    if "scores" in names:
        parts.append(_part("scores", _stood(tool, candidate, answer)))
    return f"<article{attrs(class_='detail', data_tool=tool.id)}>{''.join(parts)}</article>"


def _part(name: str, body: str) -> str:
    return f"<div{attrs(class_='part', data_part=name)}>{body}</div>"


def _tabs(tool: Tool, names: Iterable[str]) -> str:
    buttons = ""
    for name in names:
        label, act = TABS[name]
        # Recipes are the search page's: elsewhere the overview has the command.
        act = None if act == "recipe" and "plan" not in names else act
        out = attrs(type="button", data_tab=name, data_act=act, data_id=tool.id if act else None)
        buttons += f"<button{out}>{label}</button>"
    return f"<nav class='tabs' aria-label='About this tool'>{buttons}</nav>"


def _overview(
    tool: Tool, answer: Answer | None, recipe: Recipe | None, tools: Mapping[str, Tool]
) -> str:
    body = _name_letters(tool) + f"<p class='about'>{esc(tool.description)}</p>"
    body += _takeaway(tool, recipe)
    candidate = latest_candidate(tool, answer)
    pairs = reasons(candidate, answer.query.raw) if candidate and answer else ()
    for title, is_lack in (("Why it is here", False), ("What speaks against it", True)):
        if some := [pair for pair in pairs if (pair[0] in LACKS) == is_lack]:
            body += f"<h3>{title}</h3>{whys(some)}"
    return f"{body}<h3>Facts</h3>{facts(tool, tools)}"


def _takeaway(tool: Tool, recipe: Recipe | None) -> str:
    """The first thing to copy: the command for this scan, else a stated way to install the tool."""
    copy = "Copy the command"
    if recipe is not None:
        label, text, copy = recipe.title, recipe.text, copy_label(recipe)
    elif tool.install:
        kind, text, source = tool.install[0]
        if not is_command(kind, text):
            return install_sentence(text, source)
        label = f"Install with {kind}"
    else:
        return ""
    copied = f"<pre{attrs(tabindex=0)}><code>{whole_words(text)}</code></pre>{copy_button(copy)}"
    return f"<section class='take'><p class='sub'>{esc(label)}</p>{copied}</section>"


def _fit(tool: Tool, candidate: Candidate | None, answer: Answer | None, data: Data) -> str:
    fits, terms = candidate.fit if candidate else None, terms_of(tool, data)
    body = ""
    if fits:
        whose = "your scan" if answer and answer.query.scans else "what you ask"
        body = f"<h3>Does it fit {whose}?</h3>{fit_table(fits)}"
    elif answer is not None and answer.query.scans:
        unchecked = "No stage has checked this tool against your scan."
        body = f"<h3>Does it fit your scan?</h3><p class='sub'>{unchecked}</p>"
    # Who asked for a purpose need not be told how to say one.
    if not terms and any(fit.fact == "purpose" for fit in fits or ()):
        return body
    return f"{body}<h3>On your terms?</h3>{terms_table(terms)}"


def _name_letters(tool: Tool) -> str:
    """A warning where letters of the name could make it pass for another name."""
    remarks = name_remarks(tool.name)
    text = f"The name {'; it '.join(remarks)}. Check the home page before you install it."
    return f"<p class='sub'>{badge('Name', 'warn')} {esc(text)}</p>" if remarks else ""


def nothing_chosen(*, browsing: bool = False, unknown_id: str = "") -> str:
    """The panel before a tool is chosen.

    ``browsing`` is true away from the search, where there are no columns; ``unknown_id`` is that
    of a link to a tool that the catalog lacks.
    """
    where = "in the list" if browsing else "on a card, in a column or in the graph"
    text = f"Choose a tool {where} to see all about it."
    if unknown_id:
        text = f"The catalog has no tool with the id {unknown_id!r} of this link. {text}"
    return f"<div class='detail empty'><p class='sub'>{esc(text)}</p></div>"


def latest_candidate(tool: Tool, answer: Answer | None) -> Candidate | None:
    """The tool's candidate in the latest stage that listed it."""
    if answer is None:
        return None
    # The latest stage has the most reasons: each adds its own to those before.
    for node in reversed([n for n in answer.result.stages() if n.ran]):
        for one in node.state.candidates:
            if one.tool.id == tool.id:
                return one
    return None


def _acts(tool: Tool, *, browsing: bool) -> str:
    """The home page, then the acts; away from the search one for the tool's own words."""
    address = tool.url or tool.repo or tool.docs_url
    home = link(address, "Home page", css="btn btn-link")
    if browsing:
        words = ", ".join(dict.fromkeys((*tool.tasks[:3], *tool.keywords[:5]))) or tool.name
        out = attrs(class_="btn", href=f"./?{urlencode({'q': words})}")
        acts = f"<a{out}>Search for what it does</a>"
    else:
        acts = button("Choose", "choose", tool.id, name=f"Choose {tool.name} to compare and cite")
        acts += button("Exclude", "exclude", tool.id, name=f"Exclude {tool.name} and search again")
    address = f"catalog?{urlencode({'tool': tool.id})}"
    spoken = f"Copy tool link: {tool.name}"
    share = attrs(type="button", class_="btn", data_link=address, aria_label=spoken)
    return f"<div class='actions'>{home}{acts}<button{share}>Copy tool link</button></div>"


def _ways(tool: Tool, *, with_installs: bool) -> str:
    """Where the tool is to be had: its pages, and where no recipe follows the stated installs."""
    pages = (("Source code", tool.repo), ("Documentation", tool.docs_url), ("Demo", tool.demo_url))
    links = "".join(link(url, label, css="btn btn-link") for label, url in pages)
    ways = f"<div class='actions'>{links}</div>" if links else ""
    if not with_installs:
        return ways
    lines = _getting(tool)
    ways += f"<dl class='facts'>{lines}</dl>" if lines else ""
    return ways or "<p class='sub'>No source states where to get it.</p>"


def facts(tool: Tool, tools: Mapping[str, Tool] = NO_TOOLS) -> str:
    """The record as a list of facts; facts that no source states are named once at the end."""
    rows = fact_rows(tool, tools)
    stated = "".join(f"<dt>{esc(n)}</dt><dd>{esc(v)}</dd>" for n, v in rows if v)
    missing = ", ".join(n.lower() for n, v in rows if not v)
    tail = f"<p class='sub'>Not stated by any source: {esc(missing)}.</p>" if missing else ""
    if tool.asked_as:
        tail += f"<p class='sub'>Also asked for as: {esc('; '.join(tool.asked_as))}.</p>"
    return f"<dl class='facts'>{stated}{_getting(tool)}</dl>{tail}"


def _getting(tool: Tool) -> str:
    """How to get the tool and the newest commit that was read, with the pages that state it."""
    lines = []
    for kind, line, source in tool.install:
        way = f"<code>{esc(line)}</code>" if is_command(kind, line) else esc(line)
        lines.append(f"<li>{way} {link(source, f'{kind}, source')}</li>")
    ways = f"<dt>Install</dt><dd><ul>{''.join(lines)}</ul></dd>" if lines else ""
    if tool.python_version:
        ways += f"<dt>Python version</dt><dd>{esc(tool.python_version)}</dd>"
    if tool.last_commit:
        # The repository may have newer commits than the copy that was read.
        commit_words = f"{tool.last_commit} or later; see the {link(tool.repo, 'repository')}"
        ways += f"<dt>Last commit</dt><dd>{commit_words}</dd>"
    return ways


def fact_rows(tool: Tool, tools: Mapping[str, Tool] = NO_TOOLS) -> list[tuple[str, str]]:
    """Name and value of every fact; empty where no source states it.

    Other tools stand by their names in ``tools``, by their ids where it has them not.
    """
    rows = _facts(tool, tools)
    return [(name, ", ".join(str(v) for v in values if v)) for name, values in rows]


def _facts(tool: Tool, tools: Mapping[str, Tool]) -> Iterable[tuple[str, Iterable[object]]]:
    yield "Does", tool.tasks
    yield "Works on", map(code_name, tool.modalities)
    yield "Dimension", tool.dimensions
    yield "Reads", tool.formats_in
    yield "Input", by_kind(input_needs(tool.needs))
    yield "Writes", tool.formats_out
    pairs = (f"{c.before} to {c.after} ({c.what})" for c in tool.converts)
    yield "Converts", dict.fromkeys(pairs)
    yield "Anatomy", tool.anatomy
    yield "Made for", species_names(tool.species)
    yield "Used from", tool.interfaces
    yield "Runs on", tool.platforms
    yield "Language", tool.languages
    yield "GPU", (tool.gpu,)
    yield "Needs", (named(id, tools) for id in tool.requires_tool)
    yield "Works with", (named(id, tools) for id in tool.compatible_with)
    yield "Suite", (tool.suite,)
    yield "Last release", (tool.last_release,)
    yield "Cite", (tool.citation,)


def _stood(tool: Tool, candidate: Candidate | None, answer: Answer | None) -> str:
    """Rank and score in every list, and the lists that lack the tool."""
    if answer is None:
        return "<p class='sub'>Search to see how the stages rank it.</p>"
    where = places(answer).get(tool.id, ())
    ran = [n.name for n in answer.result.stages() if n.ran]
    listing = {stage for stage, _, _ in where}
    absent = ", ".join(dict.fromkeys(stage_label(n) for n in ran if n not in listing))
    lost = f"<p class='sub'>Not listed by: {esc(absent)}.</p>" if absent else ""
    return (score_rows(candidate, where) if where else "") + lost
