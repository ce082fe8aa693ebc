"""Notices of the page: an empty list, doubt, questions, undo, faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from components.data import FACETS, Data, Form
from components.render.markup import attrs, button, esc, toolbar
from components.render.search.doubt import (
    doubt_words,
    question_buttons,
    question_words,
    relax_buttons,
    task_buttons,
)
from components.render.search.form import NAMES
from components.render.search.status import rounds_panel
from components.render.words import REASONS, count
from retrieval import Answer, Filters, Tool

Catalog = Mapping[str, Tool]

MOST_UNMATCHED = 8
"""Exclusions without a tool that have a notice each; the others are counted in one."""

ABOUT_REQUEST = "A remark on your request."


def notice(
    tone: str, title: str, text: str = "", actions: str = "", *, role: str = "status"
) -> str:
    """One box: a tone, a title, text and buttons."""
    more = f"<p>{esc(text)}</p>" if text else ""
    acts = toolbar(actions, title, css="actions") if actions else ""
    out = attrs(class_=f"notice notice-{tone}", role=role)
    return f"<div{out}><p class='title'>{esc(title)}</p>{more}{acts}</div>"


UNFINISHED = ("No tool was listed in time", "Search again, or choose a mode with fewer stages.")


def fault() -> str:
    """The notice for a defect of the program; its details are in the log only."""
    text = "Your search is still in the box. Try again, or leave out a stage in Filters and mode."
    return notice("bad", "Something went wrong on our side.", text, role="alert")


def refused_input(message: str) -> str:
    """The notice for invalid input, with the message of the library."""
    return notice("warn", "This search could not run.", message, role="alert")


def trouble(reason: str | None) -> str:
    """The notice for a handler that failed.

    ``reason`` is shown to the visitor; None stands for a defect, which only the log explains.
    """
    return fault() if reason is None else refused_input(reason)


def notices(answer: Answer, form: Form, data: Data, catalog: Catalog) -> str:
    """All notices of a finished answer, the most important first."""
    if answer.candidates or answer.unloaded:
        parts = [_doubt(answer) if answer.candidates else ""]
    else:
        title, text = REASONS.get(answer.reason or "", UNFINISHED)
        actions = "".join(_relaxed(form, catalog))
        if not actions:
            text = "Describe the task in other words, or try one of the examples."
        parts = [notice("warn", title, text, actions)]
    question = answer.clarification
    if question is not None and not _is_idle(answer):
        text, buttons = question_words(question), question_buttons(question)
        parts.append(notice("ask", question.question, text, buttons))
    parts.append(rounds_panel(answer))
    # Beside a list it stands in the head of that, where it pushes nothing down.
    if answer.wishes is not None and answer.wishes.text and not answer.candidates:
        parts.append(notice("info", "What your wishes did to this list.", answer.wishes.text))
    parts += [notice("warn", ABOUT_REQUEST, note) for note in answer.insight.notes]
    if answer.limits:
        text = " ".join(limit.text[:1].upper() + limit.text[1:] for limit in answer.limits)
        parts.append(notice("warn", "This search reached a limit.", text) if text else "")
    parts += [_unmatched(*one) for one in islice(answer.unmatched.items(), MOST_UNMATCHED)]
    if (more := len(answer.unmatched) - MOST_UNMATCHED) > 0:
        parts.append(notice("warn", f"{more} more names to exclude are no tool's name.", ""))
    return "".join([*parts, _by_words(answer) or _standins(answer)])


def _is_idle(answer: Answer) -> bool:
    """Whether the question is of no use to who did not ask for one.

    The tasks for a scan that are offered already are a question by themselves. Where nothing fits,
    or no record states what is asked, an answer over no more tools than are listed brings nothing
    better.
    """
    question = answer.clarification
    if question is None or answer.query.refine:
        return False
    if answer.insight.suggestions and doubt_words(answer) is None:
        return True
    misses = answer.low_confidence or bool(answer.gap_words)
    return misses and all(one.tools <= len(answer.candidates) for one in question.options)


def _unmatched(name: str, near: Sequence[str]) -> str:
    """The notice for an exclusion that leaves nothing out."""
    text = f"Did you mean {' or '.join(near)}?" if near else "Check its name in the catalog."
    if "," in name:
        text += " Between two names stands |."
    acts = "".join(button(f"Exclude {one}", "exclude", one) for one in near)
    head = f"No tool is called {name[:60]!r}, so that name leaves nothing out."
    return notice("warn", head, text, acts)


def _by_words(answer: Answer) -> str:
    """The notice for a search that came before everything was loaded."""
    if not answer.unloaded:
        return ""
    if not answer.by_words:
        title, loading = "Searched with part of the stages.", "The other stages are"
    else:
        title = "Searched by words only." if answer.candidates else "This mode searches by meaning."
        loading = "The sentence encoder is"
    text = f"{loading} still loading. The search runs again by itself when that is done."
    return notice("info", title, text)


def _doubt(answer: Answer) -> str:
    doubt = doubt_words(answer)
    if doubt is not None:
        return notice("warn", *doubt, relax_buttons(answer))
    tasks = task_buttons(answer)
    text = "Choose one, or type what you want to do."
    return notice("ask", "What can be done with this scan", text, tasks) if tasks else ""


def _relaxed(form: Form, catalog: Catalog) -> list[str]:
    """One button a filter that is set, with what it would bring back; then tokens, exclusions."""
    acts = []
    for facet in FACETS:
        if getattr(form.filters, facet):
            back = admitted(replace(form.filters, **{facet: frozenset()}), catalog)
            name = NAMES[facet] if NAMES[facet].isupper() else NAMES[facet].lower()
            label = f"Drop the {name} filter ({count(back, 'tool')})"
            acts += [button(label, "relax", facet)] if back else []
    if form.excluded:
        acts.append(
            button(f"Allow the {count(len(form.excluded), 'excluded tool')}", "relax", "excluded")
        )
    if form.filters != Filters():
        acts.append(button("Drop all filters", "relax", "all"))
    return acts


def admitted(filters: Filters, catalog: Catalog) -> int:
    """How many tools of the catalog pass the filters."""
    return sum(filters.admits(tool) for tool in catalog.values())


def _standins(answer: Answer) -> str:
    failed = [n for n in answer.result.walk() if n.status == "failed"]
    lost = [n for n in answer.result.walk() if n.status == "skipped" and "/" in n.name]
    # Sources under "fused/" may still be loading in the background after the start.
    late = [n.name.rsplit("/", 1)[-1] for n in lost if n.name.startswith("fused/")]
    if failed:
        names = ", ".join(n.name for n in failed)
        text = f"Failed: {names}. The list below uses what the other stages found."
        return notice("bad", "A stage failed; the search went on without it.", text)
    if late:
        text = f"Not used this time: {', '.join(late)}. {lost[0].note}"
        return notice("info", "Searched with fewer stages than usual.", text)
    return ""


def excluded(name: str, id: str) -> str:
    """The notice for a new exclusion, with a button that undoes it."""
    undo = button("Undo", "undo", id, name=f"Undo: allow {name} again")
    return notice("info", f"{name} is excluded.", "", undo)


def degraded(*, ready: bool, language_model: bool) -> str:
    """The banner: what is off, what still works, how to switch it on. Nothing when all is on.

    One state at a time: loading, then the missing language model.
    """
    if not ready:
        text = "Searches already work by keyword; meaning and phrases join when they are loaded."
        return notice("info", "The language encoder is still loading.", text)
    if not language_model:
        text = (
            "Search, graph and scan checks work without one. To let a language model order the "
            "best candidates, set SCANSCOUT_LLM_BASE_URL and SCANSCOUT_LLM_MODEL."
        )
        title = "<summary>No language model is set up; everything else works.</summary>"
        out = attrs(class_="notice notice-quiet")
        return f"<details{out}>{title}<p>{esc(text)}</p></details>"
    return ""


def unreadable(message: str) -> str:
    """The notice for an upload that could not be read."""
    text = message or "Try one slice, or a zip of the series. You can still search by words."
    return notice("warn", "The files could not be read.", text, role="alert")
