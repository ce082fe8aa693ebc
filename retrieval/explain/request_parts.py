"""The parts of a request: what to do, on what, in which kind of image."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal, Protocol

from retrieval.catalog import Mention, kind_of, stems_of
from retrieval.explain.stated import is_thing
from retrieval.query import LABELS, conversion_goal

PartKind = Literal["task", "object", "modality", "request"]
"""A ``request`` is a whole one: a need that no record serves though each word is stated."""


class Mentions(Protocol):
    """Finds the concepts that a text names, with their places."""

    def mentions(self, text: str) -> Sequence[Mention]:
        """Every mention, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing a request asks for.

    ``stems`` are those of the words as typed, ``start`` and ``end`` their place in the text.
    ``is_short``: a few capitals stand for the concept, whose word in a record may be anything.
    """

    kind: PartKind
    value: str
    concept: str
    stems: tuple[str, ...] = ()
    labelled: bool = False
    is_short: bool = False
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    def sure_stems(self, narrower: Set[tuple[str, ...]]) -> tuple[str, ...]:
        """The stems that a record cannot have in another sense.

        None of a short abbreviation, and none of an animal: with a mouse people click. Where it
        names a part of its concept (``narrower``), its word alone tells that part.
        """
        is_unsure = self.is_short or self.concept in ANIMALS
        return () if is_unsure and self.stems not in narrower else self.stems


KIND_OF: Mapping[str, PartKind] = {
    "operation": "task",
    "anatomy": "object",
    "disease": "object",
    "data": "object",
    "modality": "modality",
}

CONVERSION = "operation:conversion"

LABEL_FILES = frozenset({"modality:SEG", "modality:RTSTRUCT"})
"""Kinds of DICOM files that hold what was drawn in images."""

WHOSE = frozenset({"anatomy:human", "anatomy:child", "anatomy:tissue"})
"""Whom or what a scan is of, in general; a record for an organ does not state them."""

ANIMALS = frozenset(
    f"anatomy:{name}"
    for name in (
        "mouse", "non-human primate", "zebrafish", "fruit fly", "nematode", "other animals",
    )
)  # fmt: skip
"""Of which species a scan is; whether a tool fits it is judged with the other facts of a scan."""

TRAINED = frozenset({"trained", "pretrained", "pre-trained"})
"""What a model is, as a wish for its weights has it; no training is asked for."""

_NAME = re.compile(r"\w*[a-z][A-Z]\w*")
"""A word with a capital inside, as programs are named."""

_COHORT_AFTER = re.compile(
    r"^\W*(?:patients?|subjects?|cohorts?|stud(?:y|ies)|cases?|participants?|people|survivors?)\b",
    re.IGNORECASE,
)
_PATIENTS_BEFORE = re.compile(
    r"\b(?:patients?|subjects?|people|cohort|participants|children|adults|women|men)"
    r"\s+(?:with|having|suffering from)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)


_HANDLING = re.compile(
    r"\b(?:view|see|look|open|show|display|browse|inspect|load|read|import|export|save|share|store"
    r"|upload|download|rotate|flip|overlay|zoom|crop|resize|rename|sort|compress|print"
    r"|merge|join|combine|glue|remove|delete|erase|hide|blank|blur|sharpen|straighten|align"
    r"|enhance|warp|transform)\b",
    re.IGNORECASE,
)


LONG = 25
"""Words of a text that tells a story: which of its things go together cannot be read from it."""


def is_story(text: str) -> bool:
    """Whether a text tells a story."""
    return len(text.split()) > LONG


def is_handling(text: str) -> bool:
    """Whether a text has a verb of what is done with an image whatever it shows.

    They are ordinary words, which the spellings of concepts leave out.
    """
    return bool(_HANDLING.search(text))


ABBREVIATION = 4
"""Letters of the longest object that is taken for an abbreviation: ESC is a cell and a society."""


def is_abbreviation(text: str, part: Part) -> bool:
    """Whether an object is named by a few capitals alone, which mostly stand for several things."""
    words = text[part.start : part.end]
    return part.kind == "object" and len(words) <= ABBREVIATION and words.isupper()


SHORT = 3
"""Letters of an abbreviation that is a word, a unit or a name elsewhere: of the two records with
the word "TB" one has terabytes of sequences, the other of images, and neither tuberculosis."""

_OCCASION = re.compile(
    r"\b(?:(?:before|after|prior to|following|avant|après|antes d[eo]|después de|depois d[eo]"
    r"|nach|vor|prima di|dopo)(?: [\w-]+){0,4}"
    r"|(?:in order )?to (?:judge|assess|study|understand|investigate|monitor)(?: \w+)?) $",
    re.IGNORECASE,
)


CLAUSE = 60
"""Characters before a thing that are read: "after" and at most four words."""


def is_occasion(text: str, start: int) -> bool:
    """Whether what starts at a place only says when or why the images are made."""
    return bool(_OCCASION.search(text[max(0, start - CLAUSE) : start]))


def is_cohort(text: str, mention: Mention) -> bool:
    """Whether a disease only says who was scanned: "of patients with asthma"."""
    before, after = text[: mention.start], text[mention.end :]
    return bool(_PATIENTS_BEFORE.search(before) or _COHORT_AFTER.search(after))


def without_drawn_things(text: str, parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts of a text without what masks show that are to be written in another format.

    "A mask called liver into RTSTRUCT" asks a converter nothing about livers. Where a task besides
    is named, such as to segment, all parts stay.
    """
    holds = {part.concept for part in parts} & LABEL_FILES
    tasks = [part for part in parts if part.kind == "task" and part.concept != CONVERSION]
    is_only_written = all(LABELS.search(text[one.start : one.end]) for one in tasks)
    if not LABELS.search(text) or not is_only_written or not (holds or conversion_goal(text)):
        return tuple(parts)
    return tuple(part for part in parts if part.kind != "object")


def concept_parts(
    text: str,
    mentions: Sequence[Mention],
    wider: Callable[[str], frozenset[str]],
    labels: Mapping[str, str],
) -> tuple[Part, ...]:
    """The tasks, objects and kinds of image that are named and not denied, in order, once each.

    What another part implies is left out: the lung of a lung nodule.
    """
    counted = [m for m in mentions if not m.negated and _counts(text, m, wider)]
    things = [m.concept for m in counted if kind_of(m.concept) != "operation"]
    implied = {w for concept in things for w in wider(concept)}
    parts: dict[str, Part] = {}
    for mention in counted:
        concept = mention.concept
        part = _part(text, mention, labels)
        # A synonym says more than the label: "the meniscus on knee MRI" asks for the meniscus.
        if not part.labelled or (concept not in implied and concept not in parts):
            parts[concept] = part
    return tuple(parts.values())


def _part(text: str, mention: Mention, labels: Mapping[str, str]) -> Part:
    words, concept = text[mention.start : mention.end], mention.concept
    label = labels.get(concept, concept.split(":", 1)[-1])
    # No record is searched for the stem of a word of another language, and no notice names one.
    is_english = words.isascii() and not mention.foreign
    stems = stems_of(words if is_english else label)
    # Names have the capitals of the vocabulary, as MRI, or those typed; other words are in lower
    # case.
    is_label = not is_english or words.lower() == label.lower()
    kind = KIND_OF[kind_of(concept)]
    is_short = words.isupper() and len(words) <= SHORT and not is_label
    is_acronym = words.isupper() and not text.isupper()
    # Kinds of image are mostly called by their abbreviation.
    is_spelled_out = is_label or (is_short and kind != "modality")
    return Part(
        kind=kind,
        value=label if is_spelled_out else words if is_acronym else words.lower(),
        concept=concept,
        stems=stems,
        labelled=stems == stems_of(label) or not is_english,
        is_short=is_short,
        start=mention.start,
        end=mention.end,
    )


def _counts(text: str, mention: Mention, wider: Callable[[str], frozenset[str]]) -> bool:
    kind, concept = kind_of(mention.concept), mention.concept
    if kind not in KIND_OF or concept in WHOSE:
        return False
    if kind == "operation" and _is_no_task(text[mention.start : mention.end]):
        return False
    if kind == "data":
        return is_thing(concept, wider)
    return kind != "disease" or not is_cohort(text, mention)


def _is_no_task(words: str) -> bool:
    """Whether words of a task name what a model is, or a program in one word: CellProfiler."""
    return words.lower() in TRAINED or bool(_NAME.fullmatch(words))
