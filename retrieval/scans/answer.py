"""The answer of the reader process: JSON, checked against closed codes and given its texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from retrieval.core import ScanInfo
from retrieval.scans.notes import Note, finding_of
from retrieval.scans.reasons import Reason
from retrieval.scans.upload import Ledger, Partial, Preview, Refusal, Role, Upload


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What ``reader.batch`` writes: every text in it is a code, a number or a picture."""

    scans: tuple[ScanInfo, ...]
    series: tuple[int, ...]
    refused: tuple[tuple[int, int | None, Reason], ...]
    previews: tuple[Preview | tuple[int, Reason], ...]
    role: Role | None
    ledger: Ledger
    partial: Partial | None


_ANSWER = TypeAdapter(_Answer)


def decode(answer: Mapping[str, Any]) -> Upload:
    """The upload; a ValueError where something is not a closed code.

    Texts are made here, from the codes: none of the reader's process is shown.
    """
    checked = _ANSWER.validate_python(answer)
    notes = ((k, Note(note)) for k, scan in enumerate(checked.scans) for note in scan.notes)
    upload = Upload(
        scans=checked.scans,
        series=checked.series,
        refused=tuple(refusal(index, member, why) for index, member, why in checked.refused),
        findings=tuple(finding_of(note, k, checked.scans[k]) for k, note in notes),
        role=checked.role,
        previews=tuple(
            one if isinstance(one, Preview) else Preview(scan=one[0], reason=one[1].text)
            for one in checked.previews
        ),
        partial=checked.partial,
    )
    return replace(upload, ledger=replace(checked.ledger, tokens=upload.tokens))


def refusal(index: int, member: int | None, reason: Reason) -> Refusal:
    """A refusal with its text."""
    return Refusal(index=index, member=member, reason=reason.text)
