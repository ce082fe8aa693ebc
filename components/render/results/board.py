"""The stage board: one column per listed stage, with the movement of every tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from components.render.markup import attrs, badge, esc
from components.render.results.order_words import is_last_order, is_unset_order
from components.render.words import (
    EXPECTED,
    count,
    kind_of_stage,
    milliseconds,
    note_words,
    stage_help,
    stage_label,
)
from retrieval import Answer, Candidate, StageResult

FIRST, MOST = 12, 50
"""Rows shown at once, and rows a column holds at most; the export has them all."""

STATUS = {
    "ok": ("done", "good"),
    "fallback": ("fallback", "part"),
    "skipped": ("skipped", "unknown"),
    "failed": ("failed", "bad"),
}
AS_BEFORE = ("as before", "plain")
"""The status of a last order for which no model is set up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A tool in a column. ``moved``: ranks gained (+) or lost (-) since the last column."""

    id: str
    name: str
    rank: int
    score: float
    moved: int | None
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A stage with its first rows, and how many it has in all."""

    stage: StageResult
    rows: tuple[Row, ...]
    total: int


def rows(
    stages: Sequence[StageResult], most: int = MOST, final: Sequence[Candidate] = ()
) -> Iterator[Column]:
    """Every listed stage with its rows; new is a tool that no earlier column held.

    ``final`` is the list that is shown, which a last order that was left out has as its own.

    A column has at most ``most`` rows, ranked from 1; its ``total`` counts all. Movement is against
    the last column that listed anything, so that a skipped stage does not make every tool new.
    """
    before: Mapping[str, int] = {}
    listed_ids: set[str] = set()
    for stage in stages:
        candidates = stage.state.candidates if stage.ran else final if is_last_order(stage) else ()
        first_rows = tuple(
            Row(
                id=c.tool.id,
                name=c.tool.name,
                rank=rank,
                score=c.score,
                moved=before[c.tool.id] - rank if c.tool.id in before else None,
                new=bool(listed_ids) and c.tool.id not in listed_ids,
            )
            for rank, c in enumerate(candidates[:most], start=1)
        )
        yield Column(stage=stage, rows=first_rows, total=len(candidates))
        ranks = {c.tool.id: rank for rank, c in enumerate(candidates, start=1)}
        listed_ids |= ranks.keys()
        before = ranks or before


def board(answer: Answer) -> str:
    """All columns so far; while the answer grows, skeletons for those still to come.

    Neighbouring columns without a list stand one above the other, to leave room.
    """
    stages = tuple(answer.result.stages())
    # The board is sent again for every stage: short columns until the last one.
    most = MOST if answer.done else FIRST
    board_columns = list(rows(stages, most, answer.candidates if answer.done else ()))
    last = next((c for c in reversed(board_columns) if c.rows), None) if answer.done else None
    columns = [(c.stage.ran or bool(c.rows), _column(c, last=c is last)) for c in board_columns]
    if not answer.done:
        ended = {stage.name for stage in stages}
        expected = EXPECTED.get(answer.mode.name, ())
        columns += [(True, _waiting(name)) for name in expected if name not in ended]
    blocks = []
    for ran, group in groupby(columns, key=lambda column: column[0]):
        inner = [html for _, html in group]
        blocks += inner if ran else [f"<div class='stack'>{''.join(inner)}</div>"]
    return _frame(blocks)


def skeleton(mode: str) -> str:
    """Empty columns for a search that has just begun.

    Modes without an entry in ``EXPECTED`` get one column, because any stage may come first.
    """
    return _frame([_waiting(name) for name in EXPECTED.get(mode, ("searching",))])


def _frame(columns: Sequence[str]) -> str:
    intro = (
        "<h2>How each stage ranked</h2><p class='sub'>One column per stage; arrows and lines show "
        "places won or lost since the column before.</p><button type='button' "
        "class='btn btn-small' data-unfold='board' aria-expanded='false'>Scores</button>"
    )
    track = (
        f"<div class='track' tabindex='0' role='group' aria-label='Stages'>{''.join(columns)}</div>"
    )
    return f"<div class='head'>{intro}</div>{track}"


def _waiting(name: str) -> str:
    lines = "<li class='ghost'></li>" * 6
    head = f"<h3>{esc(stage_label(name))}</h3><p class='note'>waiting …</p>"
    return f"<section class='stage pending' aria-busy='true'>{head}<ol>{lines}</ol></section>"


def _column(column: Column, *, last: bool) -> str:
    """One stage; the last list is the final order, which stays on show beside the others."""
    stage, total = column.stage, column.total
    word, tone = AS_BEFORE if is_unset_order(stage) else STATUS[stage.status]
    label = stage_label(stage.name)
    figures = milliseconds(stage.elapsed_ms)
    if stage.ran or total:
        figures += f" · {count(total, 'tool')}"
    head = (
        f"<h3{attrs(title=stage_help(stage.name))}>{esc(label)}</h3>{badge(word, tone)}"
        f"<p class='figures'>{esc(figures)}</p>{_note(stage)}"
    )
    # A note says why a list is empty.
    body = _list(column.rows, total) if total or (stage.ran and not stage.note) else ""
    out = attrs(
        class_=f"stage {stage.status} kind-{kind_of_stage(stage.name)}{' last' if last else ''}",
        data_stage=stage.name,
        data_count=total,
        data_ms=round(stage.elapsed_ms, 3),
        aria_label=f"Stage {label}: {word}",
    )
    return f"<section{out}>{head}{body}</section>"


def _note(stage: StageResult) -> str:
    if not stage.note:
        return ""
    role = "alert" if stage.status == "failed" else None
    text = note_words(stage.note)
    # About what a column shows in two lines; a longer note is folded behind its first part.
    if len(text) < 60:
        return f"<p{attrs(class_='note', role=role)}>{esc(text)}</p>"
    short = text.split(";")[0]
    inner = f"<summary>{esc(short)}</summary>{esc(text)}"
    return f"<details{attrs(class_='note', role=role)}>{inner}</details>"


def _list(tool_rows: Sequence[Row], total: int) -> str:
    if not tool_rows:
        return "<p class='note'>Nothing found here.</p>"
    first = "".join(_row(r) for r in tool_rows[:FIRST])
    rest = "".join(_row(r) for r in tool_rows[FIRST:])
    more = ""
    if total > FIRST:
        tail = f"<p class='note'>The export has all {total}.</p>" if total > len(tool_rows) else ""
        label = f"{total - FIRST} more"
        inner = f"<ol{attrs(start=FIRST + 1)}>{rest}</ol>{tail}" if rest else tail
        # As text: the page's script makes these rows when they are asked for. What stands in a
        # <template> Gradio does not bring up to date.
        out = attrs(class_="more", data_folded=inner)
        more = f"<details{out}><summary>{label}</summary></details>"
    return f"<ol>{first}</ol>{more}"


LONG_WORD = re.compile(r"[^\s&;]{12,}")
JOINT = re.compile("(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[_./])")
"""Where a compound word may break in a narrow column; never inside an escaped character, and not
in a word of up to eleven letters, which a column holds."""


def _row(row: Row) -> str:
    """Written out without the general helpers, because there are hundreds of rows."""
    id, name = esc(row.id), esc(row.name)
    move = row.moved if row.moved is not None else "new" if row.new else ""
    broken_name = LONG_WORD.sub(lambda word: JOINT.sub("<wbr>", word[0]), name)
    inner = (
        f"<span class='r'>{row.rank}</span><span class='n' title='{name}'>{broken_name}</span>"
        f"{_arrow(row)}<span class='s'>{row.score:.3f}</span>"
    )
    act = f"<button type='button' data-act='select' data-id='{id}'>{inner}</button>"
    return f"<li data-tool='{id}' data-rank='{row.rank}' data-move='{move}'>{act}</li>"


def _arrow(row: Row) -> str:
    if row.new:
        return "<span class='m new'>new</span>"
    if not row.moved:
        return "<span class='m'></span>"
    up = row.moved > 0
    sign, word = ("▲", "up") if up else ("▼", "down")
    spoken = f"<span class='sr'>{word} </span>"
    inner = f"{spoken}<span aria-hidden='true'>{sign}</span>{abs(row.moved)}"
    return f"<span class='m {word}'>{inner}</span>"
