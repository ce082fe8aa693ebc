"""A tool on the visitor's own terms: purpose, machine, freshness; pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from components.data import Data
from components.render.markup import attrs, badge, esc
from retrieval import Fit, Tool, freshness, licence_fit, machine_fit

SIGNS = {"pass": ("✓", "good"), "fail": ("✗", "bad"), "unknown": ("?", "unknown")}
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
    mine, scan = data.mine, next(iter(data.scans), None)
    fits: tuple[Fit, ...] = ()
    if mine.purpose:
        fits += licence_fit(tool, mine.purpose)
    if mine.machine is not None:
        fits += machine_fit(tool, mine.machine, scan)
    return tuple(fit for fit in fits if fit.scan is not None)


def terms_badge(fits: Sequence[Fit]) -> str:
    """One mark that sums up the terms; nothing when none are given."""
    if not fits:
        return ""
    failed = [fit.fact for fit in fits if fit.verdict == "fail"]
    if failed:
        return badge(f"✗ Not on your terms: {', '.join(failed)}", "bad", title=_evidence(fits))
    if any(fit.verdict == "unknown" for fit in fits):
        return badge("? Your terms: not all stated", "unknown", title=_evidence(fits))
    return badge("✓ On your terms", "good", title=_evidence(fits))


def _evidence(fits: Sequence[Fit]) -> str:
    return "; ".join(f"{f.fact}: you {f.scan}, tool {f.tool or 'not stated'}" for f in fits)


def terms_table(fits: Sequence[Fit]) -> str:
    """Every term with its verdict and evidence; a line that says how to give some."""
    if not fits:
        text = "Say your purpose and machine under <i>My purpose and machine</i> to check them."
        return f"<p class='sub'>{text}</p>"
    heads = "".join(f"<th scope='col'>{h}</th>" for h in ("Term", "You", "The tool", "Verdict"))
    rows = ""
    for fit in fits:
        sign, tone = SIGNS[fit.verdict]
        verdict = badge(f"{sign} {fit.verdict}", tone)
        cells = "".join(f"<td>{esc(c)}</td>" for c in (fit.scan, fit.tool or "not stated"))
        rows += f"<tr><th scope='row'>{esc(fit.fact)}</th>{cells}<td>{verdict}</td></tr>"
    table = f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>"
    gate = any(fit.fact.startswith(OF_LICENCE) for fit in fits)
    return f"<table{attrs(class_='fits')}>{table}</table>" + (_unstated(fits) if gate else "")


def _unstated(fits: Sequence[Fit]) -> str:
    """The parts whose licence no source states, in words; nothing when all are stated."""
    stated = {fit.fact.removeprefix(OF_LICENCE) for fit in fits}
    missing = [part for part in PARTS if part not in stated]
    if not missing:
        return ""
    parts = " and of the ".join(missing)
    text = f"The licence of the {parts} is unknown: no source of the record states it. "
    return f"<p class='sub'>{text}Ask the authors where it matters.</p>"


def release_badge(tool: Tool, today: date) -> str:
    """How long ago the last release was, as a mark; nothing where that is unknown.

    The thresholds of age are the library's (``freshness``); only three of its marks are shown.
    """
    release = freshness(tool.last_release, tool.checked_on, today)
    if release.mark not in RELEASES:
        return ""
    text, tone = RELEASES[release.mark]
    return badge(text, tone, title=f"Last release {tool.last_release}")
