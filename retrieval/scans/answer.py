"""An ``Upload`` as the JSON that crosses from the reader process, and back into closed codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from retrieval.core import BodyPart, Dimension, Format, Modality, PulseSequence, ScanInfo
from retrieval.scans.notes import Note, finding_of
from retrieval.scans.reasons import Reason
from retrieval.scans.upload import Cause, Ledger, Partial, Preview, Refusal, Role, Upload, View

Json = dict[str, Any]


def encode(
    scans: Sequence[ScanInfo],
    series: Sequence[int],
    refused: Sequence[tuple[tuple[int, int | None], Reason]],
    previews: Sequence[Preview | tuple[int, Reason]],
    role: Role | None,
    ledger: Ledger,
    partial: Json | None = None,
) -> Json:
    """The answer of the reader process. Texts are made on the other side, from the codes."""
    return {
        "scans": [asdict(scan) for scan in scans],
        "series": list(series),
        "refused": [[*at, reason.value] for at, reason in refused],
        "previews": [asdict(p) if isinstance(p, Preview) else [p[0], p[1].value] for p in previews],
        "role": role.value if role else None,
        "ledger": asdict(ledger),
        "partial": partial,
    }


def decode(answer: Mapping[str, Any]) -> Upload:
    """The upload; a ValueError, KeyError or TypeError where something is not a closed code."""
    scans = tuple(_scan(part) for part in answer["scans"])
    notes = ((k, Note(note)) for k, scan in enumerate(scans) for note in scan.notes)
    cut = answer["partial"]
    cause: Cause = "stopped" if cut and cut["cause"] == "stopped" else "time"
    upload = Upload(
        scans=scans,
        series=tuple(int(k) for k in answer["series"]),
        refused=tuple(refusal(i, m, Reason(why)) for i, m, why in answer["refused"]),
        findings=tuple(finding for k, note in notes if (finding := finding_of(note, k, scans[k]))),
        role=Role(answer["role"]) if answer["role"] else None,
        previews=tuple(_preview(part) for part in answer["previews"]),
        partial=Partial(read=int(cut["read"]), of=int(cut["of"]), cause=cause) if cut else None,
    )
    return _with_ledger(upload, answer["ledger"])


def _with_ledger(upload: Upload, part: Mapping[str, Any]) -> Upload:
    ledger = Ledger(
        files=int(part["files"]),
        read=tuple(map(str, part["read"])),
        dropped=int(part["dropped"]),
        dropped_names=tuple(map(str, part["dropped_names"])),
        tokens=upload.tokens,
    )
    return replace(upload, ledger=ledger)


def refusal(index: int, member: int | None, reason: Reason) -> Refusal:
    """A refusal with its text."""
    return Refusal(index=index, member=member, reason=reason.text)


def _scan(part: Mapping[str, Any]) -> ScanInfo:
    spacing = part["spacing"]
    return ScanInfo(
        format=Format(part["format"]),
        modality=Modality(part["modality"]) if part["modality"] else None,
        dimension=Dimension(part["dimension"]) if part["dimension"] else None,
        body_part=BodyPart(part["body_part"]) if part["body_part"] else None,
        sequence=PulseSequence(part["sequence"]) if part["sequence"] else None,
        shape=tuple(int(size) for size in part["shape"]),
        spacing=tuple(float(size) for size in spacing) if spacing else None,
        files=int(part["files"]),
        channels=int(part["channels"]) if part["channels"] else None,
        units=part["units"] if part["units"] in ("HU", "normalised", "arbitrary") else None,
        notes=tuple(Note(note).value for note in part["notes"]),
    )


def _preview(part: Any) -> Preview:  # noqa: ANN401 - JSON
    if isinstance(part, list):
        return Preview(scan=int(part[0]), reason=Reason(part[1]).text)
    views = tuple(_view(view) for view in part["views"])
    return Preview(scan=int(part["scan"]), views=views, window=str(part["window"]))


def _view(part: Mapping[str, Any]) -> View:
    left, right, top, bottom = (str(letter)[:1] for letter in part["letters"])
    return View(
        plane=part["plane"],
        image=str(part["image"]),
        media_type=str(part["media_type"]),
        width=int(part["width"]),
        height=int(part["height"]),
        letters=(left, right, top, bottom),
    )
