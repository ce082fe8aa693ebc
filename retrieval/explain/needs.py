"""The parts of a request with the records that state each, and what is to be done with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from retrieval.catalog import Mention, kind_of
from retrieval.explain.lacking import PARTS, Need
from retrieval.explain.lists import listed
from retrieval.explain.measured import depends_on_thing
from retrieval.explain.regions import is_in_region, is_of_unnamed_organ, is_seldom_named
from retrieval.explain.request_parts import (
    ANIMALS,
    Mentions,
    Part,
    concept_parts,
    is_abbreviation,
    is_handling,
    is_occasion,
    is_story,
)
from retrieval.explain.stated import Records, StatedFacts
from retrieval.explain.task_kinds import (
    BEYOND_IMAGES,
    BOUND,
    CELL,
    COMMON,
    HANDLING,
    KINDS,
    LESION,
    MICROSCOPY,
    NAMED_PARTS,
    NO_IMAGES,
    NOT_WHOLE,
    OPEN,
    OWN_KINDS,
    WHOLE,
    Scene,
    TaskKind,
)
from retrieval.explain.thing_words import ThingWords


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
        return concept_parts(text, self.mentions(text), self.stated.wider, self.labels)

    def mentions(self, text: str) -> Sequence[Mention]:
        """The concepts that a text names, without what images of a named kind do not show.

        A strain on a CT is no bacterial one, and its sutures fuse as no genes do.
        """
        mentions = self.finder.mentions(text)
        kinds = (m.concept for m in mentions if kind_of(m.concept) == "modality" and not m.negated)
        if not any(NO_IMAGES.isdisjoint(self._with_wider(kind)) for kind in kinds):
            return mentions
        return [
            m
            for m in mentions
            if kind_of(m.concept) != "operation" or not self.is_beyond_images(m.concept)
        ]

    def is_beyond_images(self, concept: str) -> bool:
        """Whether a concept is of a field whose data are no images."""
        return not BEYOND_IMAGES.isdisjoint(self._with_wider(concept))

    def needs(self, text: str) -> tuple[Need, ...]:
        """The parts of a text with the records that state each; words that name a thing too."""
        mentions = self.mentions(text)
        parts = concept_parts(text, mentions, self.stated.wider, self.labels)
        return self.needs_of(text, mentions, parts)

    def needs_of(
        self, text: str, mentions: Sequence[Mention], parts: Sequence[Part]
    ) -> tuple[Need, ...]:
        """The same of a text that is read already: to find its mentions takes the most time."""
        scene = self._scene(text, mentions, parts)
        needs = [self._need(part, scene) for part in parts]
        needs = [n for n in needs if n.stating or not is_abbreviation(text, n.part)]
        # Of a story most words are not about the images (at lunch, two urologists).
        if scene.task != "handling" and not is_story(text):
            words = self.things.parts(text, mentions, self.stated)
            needs += [Need(part=word, kind="word", stating=self.stating(word)) for word in words]
        return listed(text, needs[:PARTS])

    def _scene(self, text: str, mentions: Sequence[Mention], parts: Sequence[Part]) -> Scene:
        objects = [part for part in parts if part.kind == "object"]
        setting = set(objects) - set(self._things(parts))
        occasions = {part for part in objects if is_occasion(text, part.start)}
        if set(objects) - setting - occasions:
            setting |= occasions
        return Scene(
            task=self._task_kind(text, parts),
            setting=setting,
            names_cells=is_story(text) and any(m.concept == CELL for m in mentions),
            willing=self._willing([p.concept for p in parts if p.kind == "task"]),
        )

    def _willing(self, tasks: Sequence[str]) -> Records:
        """Records that list one of these tasks and name no body part, where many of its records do.

        A promptable model outlines any organ, though whoever outlines livers does not: 7 alarms
        fewer in 1,970 served requests, no gap lost.
        """
        willing = 0
        for task in set(tasks) - BOUND - HANDLING:
            records = self.stated.listing(task)
            free = records & self.stated.without_organ
            if free.bit_count() > max(1, OPEN * records.bit_count()):
                willing |= free
        return willing

    def stating(self, part: Part) -> Records:
        """Records that state a part: its concept, or all of its words."""
        words = self.stated.with_stems(part.sure_stems(self.narrower))
        if part.stems in self.narrower or not part.concept:
            return words
        if self._is_family(part.concept):
            return words | self._of_family(part)
        return words | self.stated.serving(part.concept)

    def _need(self, part: Part, scene: Scene) -> Need:
        """A part of concepts with its records."""
        kind = self._kind(part, part in scene.setting)
        is_family = self._is_family(part.concept)
        stating = self.stating(part) if is_family else self.strictly(part)
        general = self._general(part, kind, stating, scene)
        if part.kind == "task" and self._is_bodily(part.concept):
            stating, general = stating & ~self._without_images, general & ~self._without_images
        if part.kind == "object":
            general &= ~self._many_kinds
        if scene.task == "bound":
            free = scene.willing if part.kind == "object" and kind != "species" else 0
            return Need(part=part, kind=kind, stating=stating, general=general, free=free)
        kind, free = f"open {kind}", self._silent(part)
        if scene.task == "handling":
            return Need(part=part, kind=kind, stating=stating, general=general, free=free)
        return Need(part=part, kind=kind, stating=stating, general=general | free)

    def _silent(self, part: Part) -> Records:
        """Records that name nothing of a part's kind; of images, in fields that have them."""
        silent = {"object": self.stated.without_object, "modality": self.stated.without_modality}
        of_images = part.kind == "modality" and not self.is_beyond_images(part.concept)
        return silent.get(part.kind, 0) & ~(self._without_images if of_images else 0)

    def _general(self, part: Part, kind: str, stating: Records, scene: Scene) -> Records:
        """Records for something wider that may do for a part."""
        concept = part.concept
        if concept in BOUND:
            return self._able
        if kind in NAMED_PARTS and not stating and not is_in_region(concept, self.stated):
            return self.stated.serving(CELL) if kind == "cell" and scene.names_cells else 0
        is_part = kind == "anatomy"
        if concept in OWN_KINDS or (is_part and is_seldom_named(concept, stating, self.stated)):
            return stating
        is_absent = not stating and is_of_unnamed_organ(concept, self.stated)
        general = 0 if is_absent else self.stating(part)
        if is_part and NOT_WHOLE.isdisjoint(self._with_wider(concept)):
            general |= self.stated.serving(WHOLE)
        return general

    def strictly(self, part: Part) -> Records:
        """Records that state the concept of a part or a narrower one, or all of its words."""
        words = self.stated.with_stems(part.sure_stems(self.narrower))
        return words if part.stems in self.narrower else words | self.stated.stating(part.concept)

    def _kind(self, part: Part, is_setting: bool) -> str:
        """The key of the costs for a part."""
        if part.kind == "modality":
            return "modality"
        if self._is_family(part.concept):
            return "finding"
        if part.kind == "task":
            return "common task" if part.concept in BOUND else "task"
        if self._is_animal(part.concept):
            return "species"
        if is_setting:
            return "setting"
        if kind_of(part.concept) != "anatomy":
            return "finding"
        return "cell" if CELL in self._with_wider(part.concept) else "anatomy"

    def _things(self, parts: Sequence[Part]) -> list[Part]:
        """The objects, without the species, and without what cells in a slide are part of.

        Glands in a slide of the colon are found by a tool for glands in slides, and mitoses of a
        tumour by one that counts mitoses. Where other images are named as well ("polyps in
        colonoscopy and cells in histology"), what those show is a thing of its own.
        """
        things = [p for p in parts if p.kind == "object" and not self._is_animal(p.concept)]
        magnified = {p for p in parts if MICROSCOPY in self._with_wider(p.concept)}
        if not magnified or any(p.kind == "modality" and p not in magnified for p in parts):
            return things
        small = [part for part in things if self._is_small(part.concept)]
        if small or any(p.kind == "task" and CELL in self._with_wider(p.concept) for p in parts):
            return small
        return [part for part in things if kind_of(part.concept) == "data"] or things

    def _is_small(self, concept: str) -> bool:
        """Whether a thing is a cell, in one or between cells; lesions and tumours hold them."""
        if kind_of(concept) == "data" and LESION not in self._with_wider(concept):
            return True
        return CELL in self._with_wider(concept)

    def _is_animal(self, concept: str) -> bool:
        return not ANIMALS.isdisjoint(self._with_wider(concept))

    def _with_wider(self, concept: str) -> frozenset[str]:
        return self.stated.wider(concept) | {concept}

    def _task_kind(self, text: str, parts: Sequence[Part]) -> TaskKind:
        """Whether what is to be done depends on the object."""
        tasks = [p.concept for p in parts if p.kind == "task"]
        shows = [self._with_wider(p.concept) for p in parts if p.kind == "modality"]
        if depends_on_thing(text, parts) and all(map(NO_IMAGES.isdisjoint, shows)):
            return "bound"
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

    def _is_bodily(self, task: str) -> bool:
        """Whether a task is one on images of a part of the body: counting cells, no reads."""
        lineage = self._with_wider(task)
        return BEYOND_IMAGES.isdisjoint(lineage) and any(kind_of(c) == "anatomy" for c in lineage)

    @cached_property
    def _without_images(self) -> Records:
        """Records of fields without images that take none: single-cell tools count no cells."""
        return sum(
            1 << row
            for row, tool in enumerate(self.stated.tools)
            if f"domain:{tool.domain}" in BEYOND_IMAGES
            and all(self.is_beyond_images(f"modality:{kind}") for kind in tool.modalities)
        )

    @cached_property
    def _many_kinds(self) -> Records:
        """Records for so many kinds of image that they state no organ in each."""
        return sum(1 << n for n, t in enumerate(self.stated.tools) if len(t.modalities) >= KINDS)

    @cached_property
    def _able(self) -> Records:
        """Records that do one of the tasks in BOUND."""
        records = 0
        for task in BOUND:
            records |= self.stated.serving(task)
        return records

    def _is_family(self, concept: str) -> bool:
        """Whether a task is a family named after its organ: "bone analysis" holds many tasks.

        To lack it is to lack the organ: what segments teeth does so in no ultrasound.
        """
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
