"""Whether a tool works on the scan: verdicts with the two values that were compared."""

from __future__ import annotations

from collections.abc import Sequence

from components.render.markup import badge, esc
from retrieval import Fit

SIGNS = {"pass": ("✓", "fits"), "fail": ("✗", "does not fit"), "unknown": ("?", "not stated")}
MAIN = frozenset({"format", "modality", "dimension"})
"""Facts whose absence is worth a word on a card; the detail tells of all."""

TONES = {"pass": "good", "fail": "bad", "unknown": "unknown"}


def fit_badges(fits: Sequence[Fit] | None) -> str:
    """One badge that sums up, then what fails or is unknown; nothing without a scan.

    A failed fact comes before everything else, then a fit that nothing states, then facts of
    ``MAIN`` that are not stated. The title of the badge has the two values of every fact.
    """
    if not fits:
        return ""
    failed = [f.fact for f in fits if f.verdict == "fail"]
    unknown = [f.fact for f in fits if f.verdict == "unknown" and f.fact in MAIN]
    if failed:
        return badge(f"✗ {', '.join(failed)} does not fit", "bad", title=_evidence(fits))
    if not any(f.verdict == "pass" for f in fits):
        return badge("? Fit not stated", "unknown", title=_evidence(fits))
    if unknown:
        return badge(f"✓ Fits; {', '.join(unknown)} not stated", "part", title=_evidence(fits))
    return badge("✓ Fits your scan", "good", title=_evidence(fits))


def _evidence(fits: Sequence[Fit]) -> str:
    return "; ".join(f"{f.fact}: scan {f.scan or 'unknown'}, tool {f.tool or '-'}" for f in fits)


def fit_table(fits: Sequence[Fit] | None) -> str:
    """Every fact with its verdict and evidence, or a line that says why there is none."""
    if fits is None:
        return "<p class='sub'>Add a scan to see whether this tool works on it.</p>"
    if not fits:
        return "<p class='sub'>The scan states no fact that could be compared.</p>"
    head = "".join(
        f"<th scope='col'>{h}</th>" for h in ("Fact", "Your scan", "The tool", "Verdict")
    )
    rows = ""
    for fit in fits:
        sign, word = SIGNS[fit.verdict]
        verdict = badge(f"{sign} {word}", TONES[fit.verdict])
        values = (fit.scan or "unknown", fit.tool or "not stated")
        cells = "".join(f"<td>{esc(value)}</td>" for value in values)
        rows += f"<tr><th scope='row'>{esc(fit.fact)}</th>{cells}<td>{verdict}</td></tr>"
    return f"<table class='fits'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
