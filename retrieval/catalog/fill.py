"""How often the fields of a catalog are filled: over all records, imaging ones and each domain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.catalog.record import Record, Requirements
from retrieval.core import Modality

NO_DOMAIN = "no domain"
_NOT_IMAGING = {
    *(Modality.EEG, Modality.MEG, Modality.ECG, Modality.SCRNA, Modality.SCATAC, Modality.RNASEQ),
    *(Modality.DNASEQ, Modality.CHIPSEQ, Modality.ATACSEQ, Modality.METAGENOMICS),
    *(Modality.PROTEOMICS, Modality.METABOLOMICS, Modality.STRUCTURE, Modality.CYTOMETRY),
    Modality.TEXT,
}
_IMAGING = {
    *("radiology", "neuroimaging", "microscopy", "pathology", "cardiology", "oncology"),
    *("radiotherapy", "ophthalmology", "dental", "preclinical", "general imaging"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """How often a field is filled: counts and shares, of all records and of imaging ones."""

    field: str
    filled: int
    share: float
    imaging_filled: int
    imaging_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainFill:
    """The records of a domain, and the share of them that fill each field."""

    domain: str
    records: int
    shares: Mapping[str, float]


def is_imaging(record: Record) -> bool:
    """Whether a record is about images: by its modalities, or by its domain if it has none."""
    if record.modalities:
        return not _NOT_IMAGING.issuperset(record.modalities)
    return record.domain in _IMAGING


def is_filled(record: Record, name: str) -> bool:
    """Whether a field says anything."""
    return getattr(record, name) not in (None, "", [], Requirements())


def fill_by_field(records: Sequence[Record], imaging: Sequence[Record]) -> tuple[Fill, ...]:
    """The fill of every field of the schema, in its order; shares of 1, three decimals."""
    counts = [(name, _count(records, name), _count(imaging, name)) for name in Record.model_fields]
    return tuple(
        Fill(
            field=name,
            filled=filled,
            share=_share(filled, records),
            imaging_filled=of_imaging,
            imaging_share=_share(of_imaging, imaging),
        )
        for name, filled, of_imaging in counts
    )


def fill_by_domain(records: Sequence[Record]) -> tuple[DomainFill, ...]:
    """The fill within each domain, the largest first, ties by name."""
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[record.domain or NO_DOMAIN].append(record)
    return tuple(
        DomainFill(
            domain=domain,
            records=len(group),
            shares={name: _share(_count(group, name), group) for name in Record.model_fields},
        )
        for domain, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    )


def _count(records: Sequence[Record], name: str) -> int:
    return sum(is_filled(record, name) for record in records)


def _share(filled: int, records: Sequence[Record]) -> float:
    return round(filled / max(len(records), 1), 3)
