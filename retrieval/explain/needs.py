"""The parts of a request with the records that state each, and what is to be done with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from retrieval.catalog import Mention, kind_of
from retrieval.explain.lacking import PARTS, Need
from retrieval.explain.request_parts import (
    ANIMALS,
    Mentions,
    Part,
    concept_parts,
    is_handling,
)
from retrieval.explain.stated import SINGLE_ORGANS, Records, StatedFacts
from retrieval.explain.thing_words import ThingWords

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

HANDLING = frozenset(
    f"operation:{name}"
    for name in (
        "conversion", "viewing", "reading and writing", "anonymisation", "data organisation",
        "data archive", "data transfer", "metadata extraction", "annotation", "3D rendering",
        "resampling", "cropping", "image arithmetic", "file management", "registration",
        "model training", "denoising",
    )
)  # fmt: skip
"""Tasks that a tool does whatever the image shows; of others, most tools name what they are for."""

TaskKind = Literal["bound", "open", "handling"]

REGIONS = frozenset(
    f"anatomy:{name}"
    for name in (
        "whole body", "abdomen", "chest", "pelvis", "neck", "spine", "limb",
    )
)  # fmt: skip
"""What a tool is made for that outlines many organs at once, also such as its record does not name.

Of the head, an organ, a plant or a cell a record names the parts that its tool is for."""

WHOLE = "anatomy:whole body"
"""What a tool for it does may be done on any part of the body."""

NO_BODY = frozenset({"anatomy:plant", "anatomy:diatom", "anatomy:parasite", "anatomy:virus"})
"""What is no part of a body, with all that is of it."""

NOT_WHOLE = SINGLE_ORGANS | NO_BODY
"""Parts, with all that is of them, which tools for the whole body do not serve."""

OPEN = 0.2
"""A task is open to any object where more than this share of its records name none: .6 of those
that convert, .25 of those that register, .1 of those that find functional connectivity."""

NAMED_PARTS = frozenset({"anatomy", "cell"})
"""Kinds of parts that no record names which are served in a region alone."""

COMMON = 20
"""A word of more than one in so many records says nothing of its own: extraction, analysis."""


@dataclass(frozen=True)
class NeedReader:
    """Reads what a request needs and which records state it.

    ``finder`` reads every language, ``english`` English alone. ``narrower`` are the stems of each
    spelling that names a part of its concept; ``things`` the words that are parts beside those of
    concepts.
    """

    stated: StatedFacts
    finder: Mentions
    english: Mentions
    labels: Mapping[str, str]
    narrower: frozenset[tuple[str, ...]]
    things: ThingWords

    def parts(self, text: str) -> tuple[Part, ...]:
        """The tasks, objects and kinds of image that a text asks for."""
        return concept_parts(text, self.finder.mentions(text), self.stated.wider, self.labels)

    def needs(self, text: str) -> tuple[Need, ...]:
        """The parts of a text with the records that state each; words that name a thing too."""
        mentions = self.finder.mentions(text)
        parts = concept_parts(text, mentions, self.stated.wider, self.labels)
        return self.needs_of(text, mentions, parts)

    def needs_of(
        self, text: str, mentions: Sequence[Mention], parts: Sequence[Part]
    ) -> tuple[Need, ...]:
        """The same of a text that is read already: to find its mentions takes the most time."""
        task = self._task_kind(text, parts)
        objects, modalities = ([p for p in parts if p.kind == k] for k in ("object", "modality"))
        setting = set(objects) - set(self._things(objects, modalities))
        needs = [self._need(part, task, part in setting) for part in parts]
        for part in self.things.parts(text, mentions, self.stated) if task != "handling" else ():
            needs.append(Need(part=part, kind="word", stating=self.stating(part)))
        return tuple(needs[:PARTS])

    def stating(self, part: Part) -> Records:
        """Records that state a part: its concept, or all of its words."""
        words = self.stated.with_stems(part.stems)
        if part.stems in self.narrower or not part.concept:
            return words
        if self._is_family(part.concept):
            return words | self._of_family(part)
        return words | self.stated.serving(part.concept)

    def _need(self, part: Part, task: TaskKind, is_setting: bool) -> Need:
        """A part of concepts with its records."""
        kind, general, free = self._kind(part, is_setting), self.stating(part), 0
        stating = general if self._is_family(part.concept) else self._strictly(part)
        unnamed = kind in NAMED_PARTS and not stating and not self._is_in_region(part.concept)
        if unnamed:
            general = 0
        if part.concept in BOUND:
            general = self._able
        elif kind == "anatomy" and not unnamed:
            is_body = NOT_WHOLE.isdisjoint(self._with_wider(part.concept))
            general |= self.stated.serving(WHOLE) if is_body else 0
        if task != "bound":
            silent = {
                "object": self.stated.without_object,
                "modality": self.stated.without_modality,
            }
            kind, free = f"open {kind}", silent.get(part.kind, 0)
        if task == "handling":
            return Need(part=part, kind=kind, stating=stating, general=general, free=free)
        return Need(part=part, kind=kind, stating=stating, general=general | free)

    def _is_in_region(self, concept: str) -> bool:
        """Whether a part lies in a region, or is where two things meet (the head of a fetus)."""
        parents = [p for p in self.stated.parents.get(concept, ()) if kind_of(p) == "anatomy"]
        return len(parents) > 1 or not REGIONS.isdisjoint(self._with_wider(concept))

    def _strictly(self, part: Part) -> Records:
        """Records that state the concept of a part or a narrower one, or all of its words."""
        words = self.stated.with_stems(part.stems)
        return words if part.stems in self.narrower else words | self.stated.stating(part.concept)

    def _kind(self, part: Part, is_setting: bool) -> str:
        """The key of the costs for a part."""
        if part.kind == "modality":
            return "modality"
        if part.kind == "task":
            return "common task" if part.concept in BOUND else "task"
        if self._is_animal(part.concept):
            return "species"
        if is_setting:
            return "setting"
        if kind_of(part.concept) != "anatomy":
            return "finding"
        return "cell" if "anatomy:cell" in self._with_wider(part.concept) else "anatomy"

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

    def _task_kind(self, text: str, parts: Sequence[Part]) -> TaskKind:
        """Whether what is to be done depends on the object."""
        tasks = [p.concept for p in parts if p.kind == "task"]
        if not tasks:
            return "handling" if is_handling(text) else "bound"
        if any(map(self._needs_object, tasks)):
            return "bound"
        return "open" if HANDLING.isdisjoint(tasks) else "handling"

    def _needs_object(self, task: str) -> bool:
        """Whether a task is bound, or nearly all of its records name an object."""
        if not BOUND.isdisjoint(self._with_wider(task)):
            return True
        records = self.stated.stating(task)
        free = records & self.stated.without_object
        return free.bit_count() <= OPEN * records.bit_count()

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
