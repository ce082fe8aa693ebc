"""The stages at a glance, above the list: how many tools each has, and which one first; pure."""

from __future__ import annotations

from components.render.markup import attrs, esc, toolbar
from components.render.results.board import Column, rows
from components.render.words import kind_of_stage, milliseconds, stage_help, stage_label
from retrieval import Answer


def stage_strip(answer: Answer) -> str:
    """One step per column with tools, in the order of the run.

    Each leads to its column; nothing before the first list. Colours stand for kinds of stages,
    never for a position.
    """
    columns = rows(tuple(answer.result.stages()), 1, answer.candidates if answer.done else ())
    steps = "".join(f"<li>{_step(column)}</li>" for column in columns if column.rows)
    if not steps:
        return ""
    return toolbar(f"<ol class='steprail'>{steps}</ol>", "Stages of this search")


def _step(column: Column) -> str:
    node, total = column.stage, column.total
    first, label = column.rows[0].name, stage_label(node.name)
    # A step is narrow: a longer name is cut in it, and whole here.
    title = f"First: {first}. {stage_help(node.name)} {milliseconds(node.elapsed_ms)}."
    out = attrs(
        type="button",
        class_=f"step kind-{kind_of_stage(node.name)}",
        data_goto_stage=node.name,
        title=title,
        aria_label=f"{label}: {total} listed, {first} first. Show this column",
    )
    return f"<button{out}><b>{esc(label)} {total}</b><span>{esc(first)}</span></button>"
