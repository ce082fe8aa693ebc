"""What was read from the files: preview, facts, findings, refusals, privacy ledger."""

from __future__ import annotations

from collections.abc import Sequence

from components.data import Data
from components.render.codes import code_name, tokens_named
from components.render.markup import attrs, badge, button, esc, toolbar
from components.render.search.findings import findings, notes_of, several
from components.render.search.pictures import thumbs, views
from components.render.search.series import (
    LABEL_MAP,
    MICROSCOPES,
    PLAIN,
    kind_words,
    series_facts,
    size_words,
)
from components.render.words import count
from retrieval import Refusal, ScanInfo, Upload, dimension_words

SEEN_BY = (
    *("light microscopy", "fluorescence microscopy", "confocal microscopy"),
    *("light-sheet microscopy", "electron microscopy"),
)
MODALITIES = ("MRI", "CT", "PET", "US", "XR", "microscopy", "OT")
KINDS = (*MODALITIES, *SEEN_BY)
"""Every answer to the question what kind of scan it is."""
OTHER = "OT"

MOST_KINDS = 4
"""Values of one fact that are named in the line of the scan."""


def scan_panel(data: Data) -> str:
    """Everything that was read from the visitor's files; nothing when there are none."""
    upload = data.upload
    if upload is None:
        return ""
    partial = ""
    if upload.partial is not None:
        text = f"{esc(upload.partial.text)} Add the files again to read the rest."
        partial = f"<p class='partial' role='status'>{badge('Partial', 'part')} {text}</p>"
    pictures = thumbs(upload) if len(upload.scans) > 1 and upload.picked is None else views(upload)
    left_column = partial + refusals(upload) + _modality_question(data) + _roles(upload) + pictures
    right_column = series_facts(upload) + findings(upload) + _ledger(upload)
    inner = f"<div class='scanleft'>{left_column}</div><div class='scanright'>{right_column}</div>"
    return f"<section class='scan' aria-label='Your scan'>{_bar(data, upload)}{inner}</section>"


def _bar(data: Data, upload: Upload) -> str:
    """The scan in one line: all that is shown of it beside an answer until it is unfolded."""
    unfold = attrs(type="button", class_="btn btn-small unfold", data_unfold="scan")
    clear = button("Remove scan", "clear", "scan", css="btn btn-small")
    acts = f"<button{unfold} aria-expanded='false'>All facts</button>{clear}"
    inner = f"{_headline(upload)}{_in_short(data, upload)}<span class='actions'>{acts}</span>"
    return f"<div class='scanbar'>{inner}</div>"


def _in_short(data: Data, upload: Upload) -> str:
    """The facts of the series that count, then how much there is to look at."""
    facts = _facts_of(data.scans)
    marks = ""
    if upload.refused:
        marks += badge(f"{_refused_words(upload.refused)} refused", "bad")
    if upload.findings:
        marks += badge(count(len(notes_of(upload)), "finding"), "part")
    return f"<p class='inshort'>{esc(' · '.join(facts))}</p><span class='badges'>{marks}</span>"


def _refused_words(refused: Sequence[Refusal]) -> str:
    """How many files, and how many items inside archives, each by its own noun."""
    inside = sum(one.member is not None for one in refused)
    numbers = ((len(refused) - inside, "file"), (inside, "item"))
    return " and ".join(count(number, noun) for number, noun in numbers if number)


def _facts_of(scans: Sequence[ScanInfo]) -> list[str]:
    """The kinds that occur, those of many series beside each other; part and size that all have."""
    sizes = [size_words(scan) for scan in scans]
    parts = [str(scan.body_part or "") for scan in scans]
    columns: list[list[str | None]] = [
        [scan.format for scan in scans],
        [kind_words(scan) for scan in scans],
        [dimension_words(scan) for scan in scans],
    ]
    facts = []
    for column in columns:
        values = [code_name(str(value)) for value in dict.fromkeys(column) if value]
        rest = f" and {len(values) - MOST_KINDS} more" if len(values) > MOST_KINDS else ""
        facts.append(", ".join(values[:MOST_KINDS]) + rest)
    facts += [code_name(one[0]) for one in (parts, sizes) if len(set(one)) == 1]
    return [fact for fact in facts if fact]


def _headline(upload: Upload) -> str:
    if not upload.scans:
        none = "No file was read." if upload.partial else "No file could be read."
        return f"<p class='scanline'><strong>{none}</strong> You can still search.</p>"
    files = sum(s.files for s in upload.scans)
    text = count(files, "file")
    if len(upload.scans) > 1:
        text += f", {count(len(upload.scans), 'series')}"
    if upload.subjects > 1:
        text += f" of {upload.subjects} subjects"
    if upload.picked is not None:
        text += f"; using series {upload.picked + 1}"
    role = f" They look like: {upload.role}." if upload.role else ""
    many = " <a href='cohort'>Search for all of them in Cohort</a>" if upload.subjects > 1 else ""
    return f"<p class='scanline'><strong>Read {esc(text)}.</strong>{esc(role)}{many}</p>"


def refusals(upload: Upload) -> str:
    """The refused files by their positions, one line per reason; never by their names.

    Positions count from 1 in the order of the upload; equal reasons share a line, in the order
    of their first file. File names may hold a patient's name, so they are never shown.
    """
    if not upload.refused:
        return ""
    alike: dict[str, list[Refusal]] = {}
    for one in upload.refused:
        alike.setdefault(one.reason, []).append(one)
    rows = "".join(f"<li>{esc(_where(ones))}: {esc(why)}</li>" for why, ones in alike.items())
    hint = "Accepted: DICOM, NIfTI and many more; one slice or a zipped series is enough."
    return f"<div class='refused' role='alert'><ul>{rows}</ul><p class='sub'>{hint}</p></div>"


def _where(refused: Sequence[Refusal]) -> str:
    """``Files 1, 2, 7``; for what is inside one archive ``File 3, items 1, 4 inside it``."""
    files = [str(r.index) for r in refused if r.member is None]
    inside: dict[int, list[str]] = {}
    for one in refused:
        if one.member is not None:
            inside.setdefault(one.index, []).append(str(one.member))
    places = [several("File", files)] if files else []
    places += [f"File {n}, {several('item', items)} inside it" for n, items in inside.items()]
    return "; ".join(places)


def _roles(upload: Upload) -> str:
    """What the files could be to each other instead, a button each."""
    if not upload.roles or upload.picked is not None:
        return ""
    others = [role for role in upload.roles if role != upload.role]
    answers = "".join(button(role, "role", role, css="btn btn-small") for role in others)
    answers += (
        button("nothing to each other", "role", "", css="btn btn-small") if upload.role else ""
    )
    title = "Not so?" if upload.role else "What are they to each other?"
    inner = f"<summary>{title}</summary><div class='actions'>{answers}</div>"
    return f"<details class='roles'>{inner}</details>"


def _modality_question(data: Data) -> str:
    has_modality = any(s.modality for s in data.scans)
    images = [scan for scan in data.scans if LABEL_MAP not in scan.notes]
    typed = {t.removeprefix("format:").replace("_", " ") for t in data.typed}
    if has_modality or not images or typed & {*KINDS}:
        return ""
    formats = {scan.format for scan in images}
    # A plain picture beside files of microscopes is likely to be of one too.
    microscope = bool(formats & MICROSCOPES) and formats <= MICROSCOPES | PLAIN
    kinds = SEEN_BY if microscope else MODALITIES
    words = ((m, "other" if m == OTHER else code_name(m)) for m in kinds)
    answers = "".join(button(word, "modality", m, css="btn btn-small") for m, word in words)
    note = "The kind of scan is not stated. Is it"
    return f"<div class='ask'><p>{note}</p>{toolbar(answers, 'Kind of scan', css='actions')}</div>"


def _ledger(upload: Upload) -> str:
    ledger = upload.ledger
    rows = [
        ("Files looked at", str(ledger.files)),
        ("Read from the header", ", ".join(map(str, ledger.read)) or "nothing"),
        ("Words of the file name used", ", ".join(ledger.name_words) or "none"),
        ("Identifying entries dropped unread", str(ledger.dropped)),
        ("Kinds dropped", ", ".join(map(str, ledger.dropped_names)) or "none"),
        ("Entered the search", tokens_named(upload.search_tokens) or "nothing"),
        ("Kept on the server", "nothing: the upload was deleted after reading"),
    ]
    if upload.partial is not None:
        rows.insert(1, ("Read in part", upload.partial.text))
    body = "".join(f"<dt>{esc(k)}</dt><dd>{esc(v)}</dd>" for k, v in rows)
    title = "<summary>Privacy: what was read and what was dropped</summary>"
    return f"<details class='ledger'>{title}<dl>{body}</dl></details>"
