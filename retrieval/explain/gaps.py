"""What a request asks for that no single record states together.

A request is read into parts: tasks, objects and kinds of image. Each part has the set of records
that state it; a part with an empty set is a gap, and so are parts whose sets have no record in
common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from retrieval.catalog import kind_of
from retrieval.explain.medical_words import MedicalWords
from retrieval.explain.nearness import shared_parts
from retrieval.explain.request_parts import (
    ANIMALS,
    Mentions,
    Part,
    PartKind,
    concept_parts,
    is_handling,
)
from retrieval.explain.stated import Records, StatedFacts, group_of

BOUND = frozenset(
    f"operation:{name}"
    for name in (
        "segmentation", "instance segmentation", "semantic segmentation", "object detection",
        "classification", "measurement", "morphometry", "counting", "prediction", "tracking",
    )
)  # fmt: skip
"""Tasks that a tool can do only on the objects it is made for.

Viewing, conversion or registration work on any object; a record that names none serves them.
A tool for one of these mostly serves the others: what is outlined can be counted and measured.
"""

BEYOND_IMAGES = frozenset(
    f"domain:{name}"
    for name in (
        "genomics", "transcriptomics", "proteomics", "metabolomics", "structural biology",
        "systems biology", "cheminformatics", "phylogenetics", "metagenomics", "single-cell",
        "bioinformatics", "literature",
    )
)  # fmt: skip
"""Fields whose tools are not made for an object; only a part without any record counts there."""

LONG = 25
"""Words of a text that tells a story: which of its things go together cannot be read from it."""

COMMON = 20
"""A word of more than one in so many records says nothing of its own: extraction, analysis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmet:
    """A part of a request that no record states together with the rest.

    ``records``: how many state it alone.
    """

    kind: PartKind
    value: str
    records: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The unmet parts of a request, each with the ids of the records that state it.

    ``shared`` scores the records that state some of the request, by id.
    """

    parts: tuple[tuple[Part, frozenset[str]], ...] = ()
    shared: Mapping[str, int] = field(default_factory=dict)

    @property
    def unmet(self) -> tuple[Unmet, ...]:
        """The parts with the number of their records."""
        return tuple(
            Unmet(kind=part.kind, value=part.value, records=len(ids)) for part, ids in self.parts
        )

    def lacks(self, tool_id: str) -> tuple[str, ...]:
        """The unmet parts that the record of a tool does not state."""
        return tuple(part.value for part, ids in self.parts if tool_id not in ids)

    @property
    def sentence(self) -> str:
        """One sentence for people; empty without a gap."""
        unmet = self.unmet
        if not unmet:
            return ""
        if not any(part.records for part in unmet):
            return f"No record mentions {' or '.join(part.value for part in unmet)}."
        counts = "; ".join(f"{p.value}: {p.records}" for p in unmet)
        values = [part.value for part in unmet]
        joined = f"{', '.join(values[:-1])} and {values[-1]}"
        return f"No record states {joined} together (records for {counts})."


NO_GAP = Gap()


@dataclass(frozen=True)
class GapJudge:
    """Judges whether a single record states all parts of a request.

    ``finder`` reads every language, ``english`` English alone. ``narrower`` are the stems of each
    spelling that names a part of its concept. Of words that are no concept only ``medical`` ones
    are judged: all of them raised false alarms from 3.2 to 9.5 %, gaps told from 50 to 67 %.
    """

    stated: StatedFacts
    finder: Mentions
    english: Mentions
    labels: Mapping[str, str]
    narrower: frozenset[tuple[str, ...]]
    medical: MedicalWords

    def prepare(self) -> None:
        """Read the records now (.3 s for 600), so that no search waits for it."""
        self.judge("segment the liver in CT and count xyzzy")
        _ = self._able

    def reads(self, text: str, *, doubtful: bool) -> bool:
        """Whether to tell gaps: of a doubtful text, where it names a thing or a kind of image."""
        if not doubtful:
            return True
        if any(part.kind != "task" for part in self.parts(text)):
            return True
        return any(self.medical.unmentioned(text, self.finder.mentions(text), self.stated))

    def parts(self, text: str) -> tuple[Part, ...]:
        """The tasks, objects and kinds of image that a text asks for."""
        return concept_parts(text, self.finder.mentions(text), self.stated.wider, self.labels)

    def judge(self, text: str) -> Gap:
        """The parts of a text that no record states, or not together with the rest."""
        mentions = self.finder.mentions(text)
        parts = concept_parts(text, mentions, self.stated.wider, self.labels)
        if any(self._is_beyond_images(m.concept) for m in mentions):
            missing = [p for p in parts if p.kind != "object" and not self.stating(p)]
        else:
            bound = self._is_bound(text, parts)
            missing = self._absent(parts, bound)
            if bound:
                missing += self.medical.unmentioned(text, mentions, self.stated)
            if not missing and len(text.split()) <= LONG:
                missing = self._apart(parts, bound)
        if not missing:
            return NO_GAP
        return Gap(
            tuple((part, self.stated.ids(self.stating(part))) for part in missing),
            shared_parts(parts, self.stated, self.stating, self._outside),
        )

    def stating(self, part: Part) -> Records:
        """Records that state a part: its concept, or all of its words."""
        words = self.stated.with_stems(part.stems)
        if part.stems in self.narrower:
            return words
        if self._is_family(part.concept):
            return words | self._of_family(part)
        return words | self.stated.serving(part.concept)

    def _is_beyond_images(self, concept: str) -> bool:
        return not BEYOND_IMAGES.isdisjoint(self._with_wider(concept))

    def _absent(self, parts: Sequence[Part], bound: bool) -> list[Part]:
        """Parts that no record states and no general tool serves."""
        objects, modalities = ([p for p in parts if p.kind == k] for k in ("object", "modality"))
        things = self._things(objects, modalities)
        sources = [p for p in objects if p not in things and not self._is_animal(p.concept)]
        return [p for p in parts if p not in sources and not self._serving(p, bound)]

    def _apart(self, parts: Sequence[Part], bound: bool) -> list[Part]:
        """The fewest parts, of different kinds, that no record states together."""
        tasks, objects, modalities = (
            [p for p in parts if p.kind == kind] for kind in ("task", "object", "modality")
        )
        objects = self._things(objects, modalities)
        # A task with an object of its own (cell counting) says what it is done on.
        open_tasks = [p for p in tasks if bound and not self._has_object(p.concept)]
        pairs = (*product(objects, modalities), *product(objects, open_tasks))
        more = (*product(modalities, tasks), *product(objects, modalities, open_tasks))
        for chosen in (*pairs, *more):
            together = self.stated.every
            for part in chosen:
                together &= self._serving(part, bound)
            if not together:
                # What no record states at all is the gap, whatever stands beside it.
                return [p for p in chosen if not self.stating(p)] or list(chosen)
        return []

    def _things(self, objects: Sequence[Part], modalities: Sequence[Part]) -> list[Part]:
        """The objects, without the species, and without the organ that a tissue is from.

        Glands in a slide of the colon are found by a tool for glands in slides.
        """
        things = [part for part in objects if not self._is_animal(part.concept)]
        if not any("modality:microscopy" in self._with_wider(p.concept) for p in modalities):
            return things
        small = [
            part
            for part in things
            if kind_of(part.concept) == "data" or "anatomy:cell" in self._with_wider(part.concept)
        ]
        return small or things

    def _is_animal(self, concept: str) -> bool:
        return not ANIMALS.isdisjoint(self._with_wider(concept))

    def _with_wider(self, concept: str) -> frozenset[str]:
        return self.stated.wider(concept) | {concept}

    def _serving(self, part: Part, bound: bool) -> Records:
        """Records that state a part, or can do without it where the task is not bound."""
        if part.concept in BOUND:
            return self._able
        records = self.stating(part)
        if not bound and part.kind == "object":
            return records | self.stated.without_object
        if not bound and part.kind == "modality":
            return records | self.stated.without_modality
        return records

    def _is_bound(self, text: str, parts: Sequence[Part]) -> bool:
        """Whether what is to be done depends on the object."""
        tasks = [p.concept for p in parts if p.kind == "task"]
        if not tasks:
            return not is_handling(text)
        return any(not BOUND.isdisjoint(self._with_wider(task)) for task in tasks)

    def _has_object(self, task: str) -> bool:
        return any(group_of(wider) in ("anatomy", "finding") for wider in self.stated.wider(task))

    @cached_property
    def _outside(self) -> Records:
        """Records of fields without images, which are near to no request for one."""
        records = 0
        for domain in BEYOND_IMAGES:
            records |= self.stated.serving(domain)
        return records

    @cached_property
    def _able(self) -> Records:
        """Records that do one of the tasks in BOUND."""
        records = 0
        for task in BOUND:
            records |= self.stated.serving(task)
        return records

    def _is_family(self, concept: str) -> bool:
        """Whether a task is a family named after its organ: "bone analysis" holds many tasks."""
        organs = any(kind_of(p) == "anatomy" for p in self.stated.parents.get(concept, ()))
        return kind_of(concept) == "operation" and concept.endswith(" analysis") and organs

    def _of_family(self, part: Part) -> Records:
        """Records of a family whose words have what the part says beside the organ."""
        organs = {p for p in self.stated.parents[part.concept] if kind_of(p) == "anatomy"}
        general = organs | BOUND
        family = self.stated.serving(part.concept)
        if part.concept not in {m.concept for m in self.english.mentions(part.value)}:
            return family
        for stem in part.stems:
            concepts = {m.concept for m in self.english.mentions(stem)}
            records = self.stated.with_stems([stem])
            if concepts & general or records.bit_count() * COMMON > len(self.stated.tools):
                continue
            for concept in concepts - {part.concept}:
                records |= self.stated.serving(concept)
            family &= records
        return family
