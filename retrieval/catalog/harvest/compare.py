"""Proposals beside what a record states: both are shown and nothing is overwritten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from retrieval.catalog.harvest.findings import Proposal
from retrieval.catalog.record import Record

Standing = Literal["new", "same", "more", "differs"]
"""Against the record: it has no value; it has this one; its list lacks it; it has another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedFact:
    """A proposal, the record's value of that field (None for none) and how the two stand."""

    proposal: Proposal
    stated: str | tuple[str, ...] | None
    standing: Standing


def compare_facts(proposals: Iterable[Proposal], record: Record | None) -> tuple[ComparedFact, ...]:
    """Each proposal beside the record's value, in the order given; without a record all are new."""
    compared = []
    for proposal in proposals:
        stated = _stated(record, proposal.field) if record else None
        compared.append(
            ComparedFact(proposal=proposal, stated=stated, standing=_standing(proposal, stated))
        )
    return tuple(compared)


def _stated(record: Record, field: str) -> str | tuple[str, ...] | None:
    """A field of the record as text; the record may lack the field altogether."""
    value: object = record
    for name in field.split("."):
        value = getattr(value, name, None)
    if isinstance(value, list):
        return tuple(map(str, value)) or None
    return None if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _standing(proposal: Proposal, stated: str | tuple[str, ...] | None) -> Standing:
    value = str(proposal.value).casefold()
    if stated is None:
        return "new"
    if isinstance(stated, tuple):
        return "same" if value in {s.casefold() for s in stated} else "more"
    return "same" if value == stated.casefold() else "differs"


def compared_text(facts: Iterable[ComparedFact]) -> str:
    """One line per proposal, grouped by field, with the stated value where it is another."""
    lines: list[str] = []
    for fact in sorted(facts, key=lambda fact: fact.proposal.field):
        proposal = fact.proposal
        mark = "?" if proposal.hint else " "
        value = ", ".join(fact.stated) if isinstance(fact.stated, tuple) else fact.stated
        stated = f"; the record states {value}" if value else ""
        note = f" ({proposal.note})" if proposal.note else ""
        lines.append(
            f"{fact.standing:8}{mark} {proposal.field}: {proposal.value}{note}"
            f"  [{proposal.file}:{proposal.line}]{stated if fact.standing != 'same' else ''}"
        )
        if proposal.hint and proposal.quote:
            lines.append(f"           | {proposal.quote}")
    return "\n".join(lines)
