"""What each record states, as sets of records by concept and by word.

A set is an integer with one bit per record, so that "which record states all of these" is an AND.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import and_, or_

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import Annotator, english_stem, facts_of, kind_of, words_of
from retrieval.core import Tool

OBJECT_KINDS = frozenset({"anatomy", "finding"})
"""Kinds of concepts that a tool is made for; a ``finding`` is a disease or what an image shows."""

FINDINGS = frozenset(
    f"data:{name}"
    for name in (
        "implant", "surgical instrument", "particle", "pore", "crack", "crystal",
        "filamentous structure", "colony", "mitosis", "gland", "gel image", "lesion",
    )
)  # fmt: skip
"""Kinds of data that are things in an image; their narrower concepts count as well.

Others (a mask, a mesh, a table) are forms of data, which tools are not made for.
"""

BROAD = frozenset({"data:lesion", "data:particle"}) | frozenset(
    f"operation:{name}"
    for name in (
        "measurement", "statistical analysis", "simulation", "artefact correction", "filtering",
        "prediction",
    )
)  # fmt: skip
"""Concepts whose narrower ones have little in common, for which their records do not stand.

What measures a volume measures no stiffness; what finds lesions of the brain finds no fracture.
"""

SINGLE_ORGANS = frozenset(
    f"anatomy:{name}"
    for name in (
        "kidney", "liver", "pancreas", "gallbladder", "prostate", "uterus", "bladder", "testis",
        "eye", "retina", "ear", "nose", "tooth", "jaw", "skin", "thyroid", "joint", "hip", "knee",
        "shoulder", "hand", "foot", "airway", "nerve", "muscle", "embryo",
    )
)  # fmt: skip
"""Organs whose structures need tools of their own.

A tool that outlines kidneys finds no glomeruli; one for a region (chest, abdomen, brain, spine)
serves what lies in it.
"""

Records = int
"""A set of records: bit n is the record at row n."""


def mask_of(
    records: Records, number: int, rows: NDArray[np.int64] | None = None
) -> NDArray[np.bool_]:
    """Whether each of ``number`` records is in a set, shape (number,); or each of these rows."""
    packed = np.frombuffer(records.to_bytes((number + 7) // 8, "little"), dtype=np.uint8)
    if rows is None:
        return np.unpackbits(packed, count=number, bitorder="little").view(np.bool_)
    # A list has a hundred rows: their bits alone, whatever the size of the catalog.
    bits: NDArray[np.bool_] = (packed[rows >> 3] >> (rows & 7).astype(np.uint8) & 1).astype(bool)
    return bits


def group_of(concept: str) -> str:
    """The kind of a concept, where diseases and data (a tumour, a lesion) are one: findings."""
    kind = kind_of(concept)
    return "finding" if kind in ("disease", "data") else kind


def is_thing(concept: str, wider: Callable[[str], frozenset[str]]) -> bool:
    """Whether data are a thing in an image, or belong to an organ or a disease."""
    lineage = wider(concept)
    if not FINDINGS.isdisjoint({concept, *lineage}):
        return True
    return any(kind_of(one) in ("anatomy", "disease") for one in lineage)


@dataclass(frozen=True, eq=False)
class StatedFacts:
    """The concepts and words of every record; computed on first use.

    A record for a narrower concept states its wider ones (``parents``) too. The other way it counts
    only where the record names nothing narrower: a tool for abdominal organs serves the liver, one
    for the lungs (a part of the chest) not the breast.
    """

    tools: Sequence[Tool]
    annotator: Annotator
    parents: Mapping[str, Sequence[str]]
    _serving: dict[str, Records] = field(default_factory=dict, repr=False)
    _ancestors: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)

    @property
    def every(self) -> Records:
        """All records."""
        return (1 << len(self.tools)) - 1

    def serving(self, concept: str) -> Records:
        """Records that state a concept, a narrower one, or a wider one and nothing narrower."""
        if concept not in self._serving:
            self._serving[concept] = self._stated.get(concept, 0) | self._through_wider(concept)
        return self._serving[concept]

    def naming(self, concept: str) -> Records:
        """Records whose fields or texts name a concept itself."""
        return self._naming_records.get(concept, 0)

    def listing(self, concept: str) -> Records:
        """Records that have a concept in a field."""
        return self._fields.get(concept, 0)

    def listing_kind_of(self, concept: str) -> Records:
        """Records that have a concept or a narrower one in a field."""
        kinds = (r for c, r in self._fields.items() if concept in self.wider(c))
        return reduce(or_, kinds, self.listing(concept))

    def listing_any(self, kind: str) -> Records:
        """Records that have any concept of a kind in a field, whatever their texts name."""
        return reduce(or_, (r for c, r in self._fields.items() if kind_of(c) == kind), 0)

    def stating(self, concept: str) -> Records:
        """Records that name a concept or a narrower one."""
        return self._stated.get(concept, 0)

    def narrower(self, concept: str) -> Records:
        """Records that name a narrower concept of the same kind."""
        return self._narrower.get(concept, 0)

    def has_stem(self, stem: str) -> bool:
        """Whether any record has a word of a stem."""
        return stem in self._words[0]

    def with_stems(self, stems: Iterable[str], *, phrased: bool = False) -> Records:
        """Records whose words have all of these stems; none for no stem.

        With ``phrased`` the words in which people ask for a record are its words too.
        """
        records, by_stem = self.every if (stems := tuple(stems)) else 0, self._words[phrased]
        for stem in stems:
            records &= by_stem.get(stem, 0)
        return records

    def ids(self, records: Records) -> frozenset[str]:
        """The ids of a set of records."""
        # Not bit by bit: each shift copies the whole number, 12 kB of 100,000 records.
        rows = np.flatnonzero(mask_of(records, len(self.tools)))
        return frozenset(self.tools[row].id for row in rows.tolist())

    @cached_property
    def without_object(self) -> Records:
        """Records that name no body part, disease or finding."""
        return self.every & ~self._any_of(self.is_object)

    @cached_property
    def without_finding(self) -> Records:
        """Records that name no disease and nothing else that an image may show."""
        return self.every & ~self._any_of(lambda c: group_of(c) == "finding" and self.is_object(c))

    @cached_property
    def without_organ(self) -> Records:
        """Records that name no body part; findings that they name may be examples."""
        return self.every & ~self._any_of(lambda c: kind_of(c) == "anatomy")

    @cached_property
    def without_modality(self) -> Records:
        """Records that name no kind of image."""
        return self.every & ~self._any_of(lambda c: kind_of(c) == "modality")

    def is_object(self, concept: str) -> bool:
        """Whether a concept is a body part, a disease, or a thing in an image."""
        if kind_of(concept) == "data":
            return is_thing(concept, self.wider)
        return group_of(concept) in OBJECT_KINDS

    def _any_of(self, counts: Callable[[str], bool]) -> Records:
        return reduce(or_, (r for c, r in self._naming_records.items() if counts(c)), 0)

    def _through_wider(self, concept: str) -> Records:
        """Records for a wider concept that also state what else the concept is about."""
        group = group_of(concept)
        wider = [p for p in self.parents.get(concept, ()) if group_of(p) == group]
        if not wider or not (BROAD | SINGLE_ORGANS).isdisjoint(wider):
            return 0
        others = [
            other
            for other in self.parents.get(concept, ())
            if group_of(other) in ("anatomy", "modality", "finding") and other not in wider
        ]
        records = self.every
        for parent in wider:
            records &= self._general(parent, concept)
            # A task or kind of image may be several levels below what records state.
            records |= self._through_wider(parent) if group not in OBJECT_KINDS else 0
        return reduce(and_, map(self.serving, others), records)

    def _general(self, wider: str, concept: str) -> Records:
        """Records for a wider concept that do not tell that they are for another part of it."""
        group = group_of(concept)
        # A text says "chest" or "radiographic" in passing; a field says what a tool is for.
        stated = self._fields if group in ("anatomy", "modality") else self._naming_records
        records = stated.get(wider, 0)
        # A tool for cells takes any cell: that it also finds the nucleus leaves none out.
        if group not in OBJECT_KINDS or wider == "anatomy:cell":
            return records
        records &= ~self._narrower.get(wider, 0)
        if group == "anatomy":
            lineage = {wider, concept, *self.wider(concept)}
            for other, having in self._fields.items():
                if kind_of(other) == "anatomy" and other not in lineage:
                    records &= ~having
        return records

    @cached_property
    def _fields(self) -> dict[str, Records]:
        """Records by concept, as their fields state it."""
        fields: defaultdict[str, Records] = defaultdict(int)
        for row, tool in enumerate(self.tools):
            for concept in facts_of(tool):
                fields[concept] |= 1 << row
        return dict(fields)

    @cached_property
    def _naming_records(self) -> dict[str, Records]:
        """Records by concept, as their fields and texts name it."""
        by_concept: defaultdict[str, Records] = defaultdict(int)
        for row, tool in enumerate(self.tools):
            text = ". ".join((tool.name, tool.description, *tool.keywords, *tool.tasks))
            for concept in {*self.annotator.concepts(text), *facts_of(tool)}:
                by_concept[concept] |= 1 << row
        return dict(by_concept)

    @cached_property
    def _narrower(self) -> dict[str, Records]:
        """Records by concept that name a narrower one of the same kind."""
        by_concept: defaultdict[str, Records] = defaultdict(int)
        for concept, records in self._naming_records.items():
            for wider in self.wider(concept):
                if group_of(wider) == group_of(concept):
                    by_concept[wider] |= records
        return dict(by_concept)

    @cached_property
    def _stated(self) -> dict[str, Records]:
        """Records by concept that name it or a narrower one."""
        by_concept: defaultdict[str, Records] = defaultdict(int)
        for concept, records in self._naming_records.items():
            for one in (concept, *self.wider(concept)):
                by_concept[one] |= records
        return dict(by_concept)

    def wider(self, concept: str) -> frozenset[str]:
        """Every wider concept of a concept."""
        if concept not in self._ancestors:
            reached: set[str] = set()
            level = list(self.parents.get(concept, ()))
            while level:
                reached.update(level)
                level = [p for c in level for p in self.parents.get(c, ()) if p not in reached]
            self._ancestors[concept] = frozenset(reached - {concept})
        return self._ancestors[concept]

    @cached_property
    def _words(self) -> tuple[Mapping[str, Records], ...]:
        """Records by the stem of a word of theirs: of stated ones alone, and of phrasings too."""
        tables = defaultdict[str, Records](int), defaultdict[str, Records](int)
        for row, tool in enumerate(self.tools):
            texts = _text(tool), ". ".join(tool.asked_as)
            own, asked = ({english_stem(word) for word in words_in(text)} for text in texts)
            for by_stem, stems in zip(tables, (own, own | asked), strict=True):
                for stem in stems:
                    by_stem[stem] |= 1 << row
        return tables


def words_in(text: str) -> frozenset[str]:
    """The words of a text in lower case; FreeSurfer gives ``freesurfer``, ``free``, ``surfer``."""
    return frozenset(w.text.lower() for t in (text, text.lower()) for w in words_of(t))


def _text(tool: Tool) -> str:
    facts = (*tool.tasks, *tool.modalities, *tool.anatomy, *tool.formats_in, *tool.formats_out)
    software = (*tool.languages, *tool.platforms, *tool.interfaces, tool.suite or "")
    # Words in which people ask for a tool are words of its record and no facts: of several kinds
    # of image they may hold for one alone ("hippocampus volume" of a tool for MRI, and for CT).
    phrasings = tool.asked_as if len(tool.modalities) <= 1 else ()
    words = (*tool.keywords, *phrasings)
    return ". ".join((tool.name, tool.description, *words, *map(str, facts), *software))
