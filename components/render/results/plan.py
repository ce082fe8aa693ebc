"""A plan and a recipe on the page: the steps, the text to copy, what is missing; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from components.render.codes import fit_words, value_words
from components.render.markup import (
    attrs,
    badge,
    button,
    esc,
    link,
    safe_url,
    tool_button,
    whole_words,
)
from components.render.results.fitness import SIGNS
from retrieval import NoRecipe, Plan, PlanStep, Recipe, Tool, fact_words

SENTENCE = re.compile(r"(?:^|\s)(?:an?|the)\s|[a-z]\.$", re.IGNORECASE)
"""An article or a full stop: no command has them."""


def plan_panel(plan: Plan, tool: Tool, tools: Mapping[str, Tool]) -> str:
    """The steps from the scan's format to the last result; ``tools`` are those of the catalog."""
    line = "Something is missing or does not fit; see below."
    if plan.sound:
        line = "Every step takes what the one before it gives."
    elif plan.verdict == "unknown":
        line = "No fact speaks against it, but not every step is known to fit; see its marks."
    elif plan.output_unstated:
        line = (
            f"No fact speaks against it; the record of {tool.name} does not state the format that "
            "it writes, so no step is planned behind it."
        )
    steps = "".join(_step(n, step) for n, step in enumerate(plan.steps, start=1))
    body = f"<h2>From your scan to a result with {esc(tool.name)}</h2>"
    body += f"<p class='sub'>Your scan is {esc(plan.start)}. {esc(line)}</p>"
    body += f"<ol class='steps'>{steps}</ol>"
    # What fails is marked at its step.
    shown_problems = () if plan.output_unstated else plan.missing
    problems = (f"{text[:1].upper()}{value_words(text[1:])}." for text in shown_problems)
    rows = "".join(f"<li class='why why-fit'>{esc(text)}</li>" for text in problems)
    body += f"<ul class='whys'>{rows}</ul>" if rows else ""
    if not plan.ends_in_numbers and not plan.missing and plan.steps[-1].gives:
        end = f"No number comes out of this plan: it ends in {plan.steps[-1].gives}."
        body += f"<p class='sub'>{esc(end)}</p>"
    needs = ", ".join(named(id, tools) for id in plan.installs)
    body += f"<p class='sub'>To be installed as well: {esc(needs)}.</p>" if needs else ""
    files = "".join(
        button(label, "planfile", f"{kind} {tool.id}", css="btn btn-small")
        for kind, label in (("json", "Plan as JSON"), ("cwl", "CWL skeleton"))
    )
    return f"<section class='detail plan'>{body}<div class='actions'>{files}</div></section>"


def named(id: str, tools: Mapping[str, Tool]) -> str:
    """The name of a tool, or the id of what is no record of the catalog."""
    return tools[id].name if id in tools else id


def _step(number: int, step: PlanStep) -> str:
    name = tool_button(step.tool.id, step.tool.name)
    way = f"{step.takes} \N{RIGHTWARDS ARROW} {step.gives or 'not stated'}"
    marks = ""
    for check in step.checks:
        sign, tone = SIGNS[check.verdict]
        marks += badge(f"{sign} {value_words(check.words)}", tone)
    tasks = " and ".join((step.task, *step.also))
    task = f"{tasks[:1].upper()}{tasks[1:]}{' of the scan itself' if step.beside else ''}"
    inner = f"<b>{number}. {esc(task)}</b> {name} <span class='sub'>{esc(way)}</span>"
    out = attrs(data_tool=step.tool.id)
    return f"<li{out}>{inner}<span class='badges'>{marks}</span></li>"


def no_scan() -> str:
    """The panel for a plan without a scan."""
    text = "Add a scan first: a plan starts from what your file is."
    return f"<section class='detail plan'><p class='sub' role='status'>{text}</p></section>"


def copy_button(label: str, css: str = "btn btn-small") -> str:
    """A button that copies the ``pre`` of its section."""
    return f"<button{attrs(type='button', class_=css, data_copy='')}>{label}</button>"


def copy_label(recipe: Recipe) -> str:
    """What the button of a recipe copies: a notebook cell is no command."""
    return f"Copy the {'code' if recipe.kind == 'notebook' else 'command'}"


def is_command(kind: str, line: str) -> bool:
    """Whether a stated way to install a tool can be typed; others are sentences or addresses.

    A plugin is installed in the menus of its host.
    """
    is_page = safe_url(line) is not None
    return not is_page and kind != "plugin" and not SENTENCE.search(line.partition("#")[0])


def install_box(tool: Tool, line: str) -> str:
    """How to get a tool, to copy, or the page or sentence that says it; empty without a line."""
    kind, source = next(((k, page) for k, one, page in tool.install if one == line), ("", ""))
    if not line:
        return ""
    if not is_command(kind, line):
        return install_sentence(line, source)
    copied = f"<pre{attrs(tabindex=0)}><code>{whole_words(line)}</code></pre>{copy_button('Copy')}"
    return f"<section class='take'><p class='sub'>Get it with</p>{copied}</section>"


def install_sentence(line: str, source: str) -> str:
    """A way to install a tool that is no command: a page, or a sentence and the page of it."""
    label = "How it is installed"
    sentence = f"<p class='sub'>{label}</p><p>{esc(line)}</p>{link(source, 'Source')}"
    return f"<section class='take'>{link(line, label) or sentence}</section>"


KINDS = {"command": "Command", "container": "Container line", "notebook": "Notebook cell"}
Steps = tuple[tuple[str, str, str], ...]


def recipe_panel(
    recipe: Recipe, tool: Tool, first: Steps | None, tools: Mapping[str, Tool], *, scan: bool
) -> str:
    """The panel. ``first`` are converters that come before; None where the catalog has none."""
    head = f"<p class='over'>{esc(KINDS[recipe.kind])} of {esc(tool.name)}</p>"
    head += f"<h2 tabindex='-1'>{esc(recipe.title)}</h2>"
    if not scan:
        head += "<p class='sub'>Add a scan, and what its header says is filled in.</p>"
    if recipe.doubts is not None:
        kind = fit_words(recipe.doubts)
        misfit = f"; your scan is {kind.scan}" if kind.verdict == "fail" else ""
        head += _warned(f"{fact_words(kind)}{misfit}.")
    copy = copy_button(copy_label(recipe), css="btn")
    looked_up = f"Every flag was looked up on {recipe.checked_on.isoformat()}; versions differ."
    body = (
        f"{install_box(tool, recipe.install)}{head}{_conversion(recipe, first, tools)}"
        f"<section><pre><code>{whole_words(recipe.text)}</code></pre>"
        f"<div class='actions'>{copy}</div></section>"
        f"{_values(recipe)}{_list('What comes out', recipe.outputs)}"
        f"{_list('Good to know', recipe.notes)}{_run(recipe)}"
        f"<p class='sub'>{esc(looked_up)}</p>"
        f"<div class='actions'>{_source_links(recipe.sources)}</div>"
    )
    return f"<section class='detail recipe'>{body}</section>"


def no_recipe(tool: Tool, absence: NoRecipe | None = None) -> str:
    """The panel of a tool without a sourced recipe; ``absence`` is why, where its pages say it.

    The links to its pages stand above the panel.
    """
    text = (
        f"There is no recipe for {tool.name}: each of its flags would need a source, "
        "and none is on record."
    )
    where = ""
    if absence is not None:
        check_date = absence.checked_on.isoformat()
        text = f"There is no recipe for {tool.name}, as its pages were read on {check_date}."
        text += f" {absence.reason}"
        where = f"<div class='actions'>{_source_links(absence.sources)}</div>"
    install = install_box(tool, next((line for _, line, _ in tool.install), ""))
    sentence = f"<p class='sub' role='status'>{esc(text)}</p>"
    return f"<section class='detail recipe'>{install}{sentence}{where}</section>"


def _conversion(recipe: Recipe, first: Steps | None, tools: Mapping[str, Tool]) -> str:
    """The conversion needed first, where the tool does not read the scan's format."""
    if recipe.converts is None:
        return ""
    scan_format, input_formats = recipe.converts
    sentence = f"Your scan is {scan_format}; this reads {', '.join(input_formats)}."
    if first is None:
        return _warned(f"{sentence} Nothing in the catalog converts it.")
    steps = "".join(
        f"<li>{esc(before)} \N{RIGHTWARDS ARROW} {esc(after)} with {esc(tools[id].name)} "
        f"{button('Recipe', 'recipe', id, css='btn btn-small', name=f'Recipe of {tools[id].name}')}"
        "</li>"
        for before, id, after in first
    )
    return f"{_warned(f'{sentence} Convert it first:')}<ol class='steps'>{steps}</ol>"


def _warned(text: str) -> str:
    return f"<ul class='whys'><li class='why why-fit'>{esc(text)}</li></ul>"


def _values(recipe: Recipe) -> str:
    """What the visitor has to fill in, then what the scan and the machine filled in."""
    missing = "".join(
        f"<dt><code>{esc(one.shown)}</code></dt><dd>{esc(one.what)}</dd>" for one in recipe.missing
    )
    body = f"<h3>For you to fill in</h3><dl class='facts'>{missing}</dl>"
    if not missing:
        body = "<p class='sub'>Nothing is left to fill in.</p>"
    rows = ""
    for one in recipe.filled:
        value = f"<code>{esc(one.value)}</code>" if one.value else "no option added"
        rows += f"<dt>{value}</dt><dd>{esc(value_words(one.source))}</dd>"
    title = "<h3>Filled in from your scan and machine</h3>"
    return body + (f"{title}<dl class='facts'>{rows}</dl>" if rows else "")


def _list(title: str, texts: Iterable[str]) -> str:
    rows = "".join(f"<li class='why'>{esc(text)}</li>" for text in texts)
    return f"<h3>{esc(title)}</h3><ul class='whys'>{rows}</ul>" if rows else ""


def _run(recipe: Recipe) -> str:
    """Whether the recipe ran here, or why it did not."""
    sentence = f"Not run here: {recipe.not_run}."
    if recipe.ran_on is not None:
        sentence = f"Ran on a sample scan on {recipe.ran_on.isoformat()}."
    return f"<p class='sub'>{esc(sentence)}</p>"


def _source_links(sources: Iterable[str]) -> str:
    return "".join(link(url, f"Source {n}", css="btn btn-link") for n, url in enumerate(sources, 1))
