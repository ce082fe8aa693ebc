"""What is said when an answer is doubtful: nearest misses, what to let go, what to ask; pure."""

from __future__ import annotations

from components.data import FACETS
from components.render.markup import attrs, button, esc
from components.render.search.chips import NAMES
from components.render.words import REASONS, count
from retrieval import Answer, Clarification, Option

FITS_NOTHING = (
    "Nothing in this catalog seems to fit",
    "These are the nearest misses, not recommendations. Name the task, organ or data type.",
)


def doubt_words(answer: Answer) -> tuple[str, str] | None:
    """Title and text of the doubt about a list that is not empty; None when there is none."""
    if not answer.candidates:
        return None
    if answer.low_confidence or answer.reason == "no_suitable_tool":
        return FITS_NOTHING
    return REASONS.get(answer.reason or "")


def relax_buttons(answer: Answer) -> str:
    """One button a constraint that alone keeps tools out, with how many come back."""
    shown = []
    for one in answer.insight.relax[:5]:
        back = f"({count(one.frees, 'tool')} come back)"
        if one.constraint == "filter" and one.field in FACETS:
            shown.append(button(f"Drop {NAMES[one.field]}: {one.value} {back}", "relax", one.field))
        elif one.constraint == "exclusion":
            shown.append(button(f"Allow {one.value} {back}", "undo", one.field))
        else:
            text = f"Without “{one.value}”: {count(one.frees, 'tool')}"
            shown.append(f"<span class='sub'>{esc(text)}</span>")
    return "".join(shown)


def task_buttons(answer: Answer) -> str:
    """Tasks that tools can do on a scan for which nobody named one."""
    return "".join(
        button(f"{one.text} ({one.tools})", "clarify", one.text)
        for one in answer.insight.suggestions
    )


def question_words(clarification: Clarification) -> str:
    """What lies behind a question back, and whose words it is in where a model is on."""
    context, note = clarification.context, clarification.note
    if clarification.wording == "language model":
        return f"{context} Worded by the language model; what each adds is from the catalog."
    if note:
        return f"{context} In its own words, without the language model: {note}."
    return context


def question_buttons(clarification: Clarification) -> str:
    """The options of a question back, each with the effect it will have on the list."""
    buttons = ""
    for option in clarification.options:
        effect = option.effect
        if option.adds and option.label != option.adds:
            effect = f"adds “{option.adds}”; {effect}"
        buttons += _option(option, effect)
    return buttons


def _option(option: Option, effect: str) -> str:
    out = attrs(
        type="button",
        class_="btn",
        data_act="clarify",
        data_id=option.query or option.adds,
        data_kind="query" if option.query else None,
        title=effect or None,
    )
    note = f"<span class='sub'> {esc(effect)}</span>" if effect else ""
    label = f"{esc(option.label)} ({option.tools})"
    return f"<span class='option'><button{out}>{label}</button>{note}</span>"
