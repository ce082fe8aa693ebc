"""How many records state an unmet part, and under which name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from retrieval.explain.request_parts import Part, PartKind
from retrieval.explain.stated import Records, StatedFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmet:
    """A part of a request that no record states together with the rest.

    ``records``: how many state it alone. ``read_as``: the concept that these records state where
    most of them do not have the words of the request; else empty. ``is_phrased``: people ask for
    some record in these words, so that it is mentioned, though not stated.
    """

    kind: PartKind
    value: str
    records: int
    read_as: str = ""
    is_phrased: bool = False

    @property
    def count(self) -> str:
        """The number of records with the name of what they state."""
        if not self.read_as or not self.records:
            return f"{self.value}: {self.records}"
        return f"{self.read_as}, as “{self.value}” is read: {self.records}"


def unmet_of(part: Part, records: Records, stated: StatedFacts, labels: Mapping[str, str]) -> Unmet:
    """An unmet part with the number of ``records`` that state it or something narrower.

    Where not each of them has the words as typed ("motion artefacts" of 40 records that correct
    motion) the number is that of the concept and stands beside its name: with the words it would
    be untrue.
    """
    label = labels.get(part.concept, "")
    literal = stated.with_stems(part.stems).bit_count()
    # An abbreviation that records have in the words of those who ask names no concept of theirs.
    number = records.bit_count() or (literal if part.is_short else 0)
    initials = "".join(word[0] for word in label.split()).casefold()
    is_label = part.labelled or part.is_short or part.value in {label, initials}
    is_named = not label or is_label or literal >= number
    return Unmet(
        kind=part.kind,
        value=part.value,
        records=number,
        read_as="" if is_named else label,
        is_phrased=bool(stated.with_stems(part.stems, phrased=True)),
    )
