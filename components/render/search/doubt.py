"""Notices for a doubtful answer: nearest misses, constraints to drop, questions; pure."""

from __future__ import annotations

from components.data import FACETS
from components.render.codes import code_name, value_words
from components.render.markup import attrs, button, esc, shortened
from components.render.search.form import NAMES
from components.render.words import REASONS, count
from retrieval import Answer, Clarification, Option

FITS_NOTHING = (
    "Nothing in this catalog seems to fit",
    "These are the nearest misses, not recommendations. Name the task, organ or data type.",
)

NEAR_MISSES = "The tools below are near misses: what their records do not state is told with them."


LONGEST_VALUES = 40
"""Characters of the values of a filter on a button: a remark may set dozens of licences."""


def doubt_words(answer: Answer) -> tuple[str, str] | None:
    """Title and text of the doubt about a list that is not empty; None when there is none.

    An empty list has no doubt: the notice about it says why it is empty.
    """
    if not answer.candidates:
        return None
    if answer.low_confidence or answer.reason == "no_suitable_tool":
        title, text = FITS_NOTHING
        return title, f"{text} {answer.insight.gap.sentence}".rstrip()
    if answer.gap_words:
        return answer.gap_words, NEAR_MISSES
    if answer.insight.filtered_out:
        return answer.insight.filtered_out, NEAR_MISSES
    return REASONS.get(answer.reason or "")


def relax_buttons(answer: Answer) -> str:
    """One button per constraint that alone excludes tools, with how many come back.

    At most five. A constraint that the page has no control for (words typed) is shown as text,
    because a click could not lift it.
    """
    buttons = []
    for one in answer.insight.relax[:5]:
        back = f"({count(one.frees, 'tool')} {'comes' if one.frees == 1 else 'come'} back)"
        if one.constraint == "filter" and one.field in FACETS:
            values = shortened(code_name(one.value), LONGEST_VALUES)
            buttons.append(button(f"Drop {NAMES[one.field]}: {values} {back}", "relax", one.field))
        elif one.constraint == "exclusion":
            buttons.append(button(f"Allow {one.value} {back}", "undo", one.field))
        else:
            text = f"Without “{code_name(one.value)}”: {count(one.frees, 'tool')}"
            buttons.append(f"<span class='sub'>{esc(text)}</span>")
    return "".join(buttons)


def task_buttons(answer: Answer) -> str:
    """Buttons for tasks that tools can do on the scan, where the query names no task."""
    return "".join(
        button(f"{value_words(one.text)} ({one.tools})", "clarify", one.text)
        for one in answer.insight.suggestions
    )


def question_words(clarification: Clarification) -> str:
    """The reason for a question back, and who worded it where a language model is on."""
    context, note = clarification.context, clarification.note
    if clarification.wording == "language model":
        return f"{context} Worded by the language model; what each adds is from the catalog."
    if note:
        return f"{context} In its own words, without the language model: {note}."
    return context


def question_buttons(clarification: Clarification) -> str:
    """The options of a question back in a row, each with how many tools state it.

    What adds other words than its label says so beside it, on a line of its own.
    """
    return "".join(map(_option, clarification.options))


def _option(option: Option) -> str:
    adds_others = option.adds and option.label != option.adds
    effect = f"adds “{option.adds}”; {option.effect}" if adds_others else option.effect
    out = attrs(
        type="button",
        class_="btn",
        data_act="clarify",
        data_id=option.query or option.adds,
        data_kind="query" if option.query else None,
        title=effect or None,
    )
    label = f"<button{out}>{esc(option.label)} ({option.tools})</button>"
    if not adds_others:
        return label
    return f"<span class='option'>{label}<span class='sub'> {esc(effect)}</span></span>"
