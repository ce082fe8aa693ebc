"""Whether a tool works on the scan and on the visitor's own terms, with what was compared; pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from components.data import Data
from components.render.codes import evidence_words, fit_words, value_words
from components.render.markup import attrs, badge, cells, esc, table
from components.render.wish_words import STRENGTHS
from components.render.words import agree
from retrieval import (
    Answer,
    Candidate,
    Fit,
    Tool,
    fact_words,
    freshness,
    licence_fit,
    machine_fit,
    summary_of,
)

SIGNS = {
    "pass": ("✓", "good"),
    "after conversion": ("✓", "part"),
    "unknown": ("?", "unknown"),
    "fail": ("✗", "bad"),
}
"""The sign of a verdict, and the tone of its badge."""

MET = ("Wish met", "Wishes met")
"""What is said of met wishes where the task is not met."""

SUMMED = {"fail": "✗", "after conversion": "✓", "unknown": "?", "pass": "✓"}


LACKING = frozenset({"parts", "tasks"})
"""Kinds of reasons that say what a record lacks of the task."""


def lacks_a_part(candidate: Candidate, answer: Answer) -> bool:
    """Whether the record of a tool lacks something of what is asked for."""
    kinds = {why.kind for why in candidate.why}
    return not kinds.isdisjoint(LACKING) or bool(answer.insight.gap.lacks(candidate.tool.id))


def fit_badges(fits: Sequence[Fit] | None, *, is_lacking: bool = False) -> str:
    """One badge with the worst that is true of a tool; nothing where nothing was compared.

    Its title has the two values of every fact and wish. Of a tool that lacks a part of the task
    (``is_lacking``) met wishes recommend nothing: they are told without praise.
    """
    summary = summary_of(tuple(map(fit_words, fits or ())))
    if summary is None:
        return ""
    has_scan = _has_scan(fits or ())
    title = "; ".join(
        f"{f.fact}: {'you' if _is_requested(f, has_scan) else 'scan'} "
        f"{value_words(f.asked or f.scan or 'unknown')}, "
        f"tool {evidence_words(f.tool or 'not stated')}"
        for f in fits or ()
    )
    tone, text = SIGNS[summary.verdict][1], f"{SUMMED[summary.verdict]} {summary.text}"
    if is_lacking and summary.verdict == "pass" and all(fit.asked for fit in fits or ()):
        tone, text = "unknown", text.replace("As wished", agree(len(fits or ()), *MET))
    return badge(text, tone, title=title) + _met(fits or ())


def values_of(fits: Sequence[Fit], fact: str) -> str:
    """Both values of a fact in one line; the fact alone where nothing was compared."""
    fit = next((one for one in fits if one.fact == fact), None)
    if fit is None:
        return value_words(fact)
    visitor = "you asked for" if _is_requested(fit, _has_scan(fits)) else "your scan is"
    value = value_words(fit.asked or fit.scan or "unknown")
    return f"{fact}: {visitor} {value}; the tool {evidence_words(fit.tool or 'states nothing')}"


def _has_scan(fits: Sequence[Fit]) -> bool:
    """Whether a scan was compared: of one every fact is, at least as unknown."""
    return any(fit.fact == "format" and not fit.asked for fit in fits)


def _is_requested(fit: Fit, has_scan: bool) -> bool:
    """Whether the visitor's side of a verdict is what was typed, and not what the scan is."""
    return bool(fit.asked) or not has_scan or fit.fact == "species"


def _met(fits: Sequence[Fit]) -> str:
    """A badge for the wishes that a tool meets, where the first one speaks of a scan."""
    met = [f.asked.rpartition(", ") for f in fits if f.asked and f.verdict == "pass"]
    if not met or all(fit.asked for fit in fits):
        return ""
    words = ", ".join(f"{STRENGTHS.get(strength, '')}{value}" for value, _, strength in met)
    return badge(f"✓ {value_words(words)}", "good", title="Your wish, as its record states it")


def fit_table(fits: Sequence[Fit] | None) -> str:
    """Every fact with its verdict and evidence, or a line that says why there is none.

    What fails comes first, then what was asked. Facts of the scan of which the tool states nothing
    are one sentence below the table.
    """
    if fits is None:
        return "<p class='sub'>Add a scan to see whether this tool works on it.</p>"
    if not fits:
        return "<p class='sub'>The scan states no fact that could be compared.</p>"

    def words(fit: Fit) -> str:
        if fit.verdict == "unknown":
            return fact_words(fit_words(fit))
        return {"pass": "fits", "fail": "does not fit"}.get(fit.verdict, fit.verdict)

    # Of what neither side states there is nothing to compare: a slide has no pulse sequence.
    compared = [fit for fit in fits if fit.scan or fit.tool or fit.asked]
    has_scan = _has_scan(fits)
    silent = [f for f in compared if not (f.tool or _is_requested(f, has_scan))]
    compared = [f for f in compared if f not in silent]
    requested = [_is_requested(fit, has_scan) for fit in compared]
    visitor = "You asked" if all(requested) else "Your scan"
    visitor += ", or you asked" if any(requested) and not all(requested) else ""
    compared.sort(key=lambda f: (f.verdict != "fail", not _is_requested(f, has_scan)))
    rows = _verdicts(("Fact", visitor, "The tool", "Verdict"), compared, words) if compared else ""
    names = ", ".join(fit.fact for fit in silent)
    return rows + (
        f"<p class='sub'>The tool states nothing on: {esc(names)}.</p>" if silent else ""
    )


def _verdicts(heads: Sequence[str], fits: Sequence[Fit], words: Callable[[Fit], str]) -> str:
    """One row per fact: what is there, what the tool states, and the verdict in these words."""
    rows = ""
    for fit in fits:
        sign, tone = SIGNS[fit.verdict]
        verdict = badge(f"{sign} {words(fit)}", tone)
        visitor = value_words(fit.scan or fit.asked or "unknown")
        values = cells((visitor, evidence_words(fit.tool or "not stated")))
        rows += f"<tr><th scope='row'>{esc(fit.fact)}</th>{values}<td>{verdict}</td></tr>"
    return table(heads, rows, "fits")


RELEASES = {
    "fresh": ("Recently released", "good"),
    "ageing": ("No release for a while", "part"),
    "dormant": ("No release for years", "bad"),
}
OF_LICENCE = "licence of the "
PARTS = ("training data", "output")
"""What has a licence of its own that few sources state."""


def terms_of(tool: Tool, data: Data) -> tuple[Fit, ...]:
    """The verdicts on what the visitor said of purpose and machine; empty when nothing is said.

    The machine is checked against the first scan. Terms that the visitor left open are not judged.
    """
    profile, scan = data.profile, next(iter(data.scans), None)
    fits: tuple[Fit, ...] = ()
    if profile.purpose:
        fits += licence_fit(tool, profile.purpose)
    if profile.machine is not None:
        fits += machine_fit(tool, profile.machine, scan)
    return tuple(fit for fit in fits if fit.scan is not None)


def terms_badge(fits: Sequence[Fit]) -> str:
    """One mark that sums up the terms; nothing when none are given."""
    if not fits:
        return ""
    failed = [fit.fact for fit in fits if fit.verdict == "fail"]
    titles = (
        f"{f.fact}: you {f.scan}, tool {evidence_words(f.tool or 'not stated')}" for f in fits
    )
    title = "; ".join(titles)
    if failed:
        return badge(f"✗ Not on your terms: {', '.join(failed)}", "bad", title=title)
    if any(fit.verdict == "unknown" for fit in fits):
        return badge("? Your terms: not all stated", "unknown", title=title)
    return badge("✓ On your terms", "good", title=title)


def terms_table(fits: Sequence[Fit]) -> str:
    """Every term with its verdict and evidence; a line that says how to give some."""
    if not fits:
        text = "Say your purpose and machine under <i>My purpose and machine</i> to check them."
        return f"<p class='sub'>{text}</p>"
    verdict_table = _verdicts(("Term", "You", "The tool", "Verdict"), fits, lambda fit: fit.verdict)
    if not any(fit.fact.startswith(OF_LICENCE) for fit in fits):
        return verdict_table
    stated = {fit.fact.removeprefix(OF_LICENCE) for fit in fits}
    missing = " and of the ".join(part for part in PARTS if part not in stated)
    if not missing:
        return verdict_table
    text = f"The licence of the {missing} is unknown: no source of the record states it. "
    return f"{verdict_table}<p class='sub'>{text}Ask the authors where it matters.</p>"


def year_badge(tool: Tool, today: date) -> str:
    """The year of the last release, short, where the detail calls that years ago."""
    if freshness(tool.last_release, tool.checked_on, today).mark != "dormant":
        return ""
    day = tool.last_release or ""
    year = f"<span class='sr'>Last release </span>{esc(day[:4])}"
    return f"<span{attrs(class_='badge badge-plain', title=f'Last release {day}')}>{year}</span>"


def release_badge(tool: Tool, today: date) -> str:
    """How long ago the last release was, as a mark; nothing where that is unknown.

    The thresholds of age are the library's (``freshness``); only three of its marks are shown.
    """
    release = freshness(tool.last_release, tool.checked_on, today)
    if release.mark not in RELEASES:
        return ""
    text, tone = RELEASES[release.mark]
    return badge(text, tone, title=f"Last release {tool.last_release}")
