"""What the scan doctor found: one note for all series that it is about; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.render.markup import badge, button, esc
from components.render.words import agree, count
from retrieval import Upload

MOST_PLACES = 12
"""Files or series named by position for one reason; of the rest only the number is shown."""

MOST_FINDINGS = 12
"""Notes; of the rest only the number is shown."""

SIGNS = {"error": ("Problem", "bad"), "warning": ("Check", "part"), "info": ("Note", "plain")}
What = tuple[str, str, str | None]
"""Severity, text, and a task that mends it."""


def notes_of(upload: Upload) -> Mapping[What, Sequence[int]]:
    """Each note once, with the positions of the scans that it is about; in their order."""
    alike: dict[What, list[int]] = {}
    for one in upload.findings:
        alike.setdefault((one.severity, one.text, one.task), []).append(one.scan)
    return alike


def findings(upload: Upload) -> str:
    """The notes of an upload, open where one is more than a remark; nothing without one."""
    if not upload.findings:
        return ""
    alike = notes_of(upload)
    first_notes = list(alike.items())[:MOST_FINDINGS]
    rows = "".join(_finding(what, scans, upload) for what, scans in first_notes)
    surplus = len(alike) - MOST_FINDINGS
    rows += (
        f"<li>{count(surplus, 'more finding')} {agree(surplus, 'is', 'are')} not listed here.</li>"
        if surplus > 0
        else ""
    )
    title = f"<summary>Scan doctor: {count(len(alike), 'finding')}</summary>"
    serious = any(severity != "info" for severity, _, _ in alike)
    return f"<details class='doctor'{' open' if serious else ''}>{title}<ul>{rows}</ul></details>"


def _finding(what: What, scans: Sequence[int], upload: Upload) -> str:
    """One note with the series that it is about, each with its place in the upload."""
    severity, text, task = what
    word, tone = SIGNS.get(severity, SIGNS["info"])
    mend = ""
    if task:
        mend = " " + button(f"Find tools: {task}", "task", task, css="btn btn-small")
    return f"<li>{badge(word, tone)} {esc(_about(scans, upload) + text)}{mend}</li>"


def _about(scans: Sequence[int], upload: Upload) -> str:
    """``Series 2 (file 3, item 5)`` or ``Series 1, 2, 4``; empty where there is one scan."""
    if len(upload.scans) < 2:
        return ""
    if len(scans) > 1:
        return several("Series", [str(n + 1) for n in scans], "Series") + ": "
    place = ""
    if scans[0] < len(upload.places):
        index, member = upload.places[scans[0]]
        place = f" (file {index}{f', item {member} inside it' if member is not None else ''})"
    return f"Series {scans[0] + 1}{place}: "


def several(noun: str, numbers: Sequence[str], plural: str = "") -> str:
    """``File 3`` or ``Files 1, 2 and 5 more``; ``plural`` where it is not formed with -s."""
    places_left = len(numbers) - MOST_PLACES
    more = f" and {places_left} more" if places_left > 0 else ""
    word = noun if len(numbers) == 1 else plural or f"{noun}s"
    return f"{word} {', '.join(numbers[:MOST_PLACES])}{more}"
