"""A cohort on the page: a list of tools for every kind of series, then the findings; pure."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from components.render.codes import token_words
from components.render.downloads.export import cell
from components.render.markup import attrs, badge, cells, esc, table, tool_button
from components.render.results.fitness import fit_badges
from components.render.words import agree, count
from retrieval import Cohort

FIRST = 5
"""Tools shown for each kind of series."""

MOST_ROWS = 200
"""Rows of a table, and kinds of series, that the page shows; the exports have them all.

The whole view is sent again for every kind that was searched."""

COLUMNS = ("subject", "series", "kind", "severity", "code", "text", "task")

NO_FINDING = (
    "The headers that could be read gave no problem or warning. "
    "Notes are listed in a search with the scan."
)


def cohort_panel(cohort: Cohort) -> str:
    """Groups and findings, or a line that says that nothing could be read."""
    if not cohort.groups:
        line = "<p class='sub' role='status'>Nothing could be read as a scan.</p>"
        return line + _partial(cohort) + _refused(cohort)
    series = sum(group.series for group in cohort.groups)
    line = f"{count(cohort.subjects, 'subject')}, {count(series, 'series')}, "
    # Notes, which a search lists as findings too, are left out: so "no finding" would be false.
    number = len(cohort.findings)
    serious = f"{number:,} {agree(number, 'problem or warning', 'problems and warnings')}"
    line += f"{count(len(cohort.groups), 'kind')} of series, "
    line += serious if number else "no problem or warning"
    line += f", {count(len(cohort.refused), 'file')} not read" if cohort.refused else ""
    head = f"<p class='sub' role='status'>{esc(line)}</p>{_partial(cohort)}"
    groups = "".join(_group(n, cohort) for n in range(len(cohort.groups))[:MOST_ROWS])
    groups = f"<h2>Kinds of series</h2><ol class='cohort'>{groups}</ol>{_more(cohort.groups)}"
    return f"{head}{groups}{_findings(cohort)}{_refused(cohort)}"


def _partial(cohort: Cohort) -> str:
    """A note where the reading or the search was cut short."""
    notes = "".join(f"<p>{badge('Partial', 'part')} {esc(note)}</p>" for note in cohort.notes)
    return f"<div class='partial' role='status'>{notes}</div>" if notes else ""


def _group(number: int, cohort: Cohort) -> str:
    """One kind of series: its codes, how many share it, and the first tools for it."""
    group = cohort.groups[number]
    extra = (t.removeprefix("sequence:") for t in group.kind[len(group.scan.tokens) :])
    marks = "".join(badge(token_words(t)) for t in extra)
    who = f"{count(group.series, 'series')} in {count(len(group.subjects), 'subject')}"
    head = f"<h3>{esc(', '.join(token_words(t) for t in group.scan.tokens))}</h3>"
    head += f"<span class='badges'>{marks}</span><p class='sub'>{esc(who)}</p>"
    out = attrs(class_="card full", data_kind=" ".join(group.kind))
    if group.answer is None:
        return f"<li{out}>{head}<p class='sub'>Not searched yet.</p></li>"
    tool_rows = ""
    for candidate in group.answer.candidates[:FIRST]:
        tool = candidate.tool
        name = tool_button(tool.id, tool.name, kind=str(number))
        tool_rows += f"<li{attrs(data_tool=tool.id)}>{name} {fit_badges(candidate.fit)}</li>"
    notes = "".join(f"<p class='sub'>{esc(note)}</p>" for note in group.notes)
    return f"<li{out}>{head}{notes}<ol class='short'>{tool_rows}</ol></li>"


def _findings(cohort: Cohort) -> str:
    if not cohort.findings:
        return f"<h2>Problems and warnings</h2><p class='sub'>{NO_FINDING}</p>"
    rows = [
        (f.subject, f.series, ", ".join(token_words(t) for t in f.kind), f.severity, f.text)
        for f in cohort.findings
    ]
    heads = ("Subject", "Series", "Kind", "Severity", "What")
    return f"<h2>Problems and warnings</h2>{_table(heads, rows)}"


def _refused(cohort: Cohort) -> str:
    if not cohort.refused:
        return ""
    # Files are counted over the whole upload, not within their subject.
    rows = [
        (s, f"{r.member} in zip {r.index}" if r.member else r.index, r.reason)
        for s, r in cohort.refused
    ]
    return f"<h2>Not read</h2>{_table(('Subject', 'File of the upload', 'Why'), rows)}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    body = "".join(f"<tr>{cells(row)}</tr>" for row in rows[:MOST_ROWS])
    out = attrs(class_="wide", tabindex=0, role="group", aria_label=heads[-1])
    return f"<div{out}>{table(heads, body)}</div>{_more(rows)}"


def _more(rows: Sequence[object]) -> str:
    """How many are not shown."""
    rows_left = len(rows) - MOST_ROWS
    return (
        f"<p class='sub'>{rows_left:,} more {agree(rows_left, 'is', 'are')} in the JSON export.</p>"
        if rows_left > 0
        else ""
    )


def findings_csv(cohort: Cohort) -> str:
    """One row per finding; cells that a spreadsheet would take for a formula become text.

    In the order found, with a header; lines end with CRLF (RFC 4180).
    """
    rows = [[getattr(f, name) for name in COLUMNS] for f in cohort.findings]
    frame = pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)
    frame["kind"] = [" ".join(f.kind) for f in cohort.findings]
    return frame.map(cell).to_csv(index=False, lineterminator="\r\n")
