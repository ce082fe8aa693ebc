"""What a question asks of the graph, read without a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from retrieval.ask.limits import Limit, limits_of, role_of
from retrieval.ask.linker import QuestionLinker
from retrieval.ask.marked_text import Marked
from retrieval.graph import FactBase

Form = Literal["select", "attribute", "check", "common"]

WANTED = {
    "license": ("has_license", "weights_license"),
    "open": ("has_license", "license_is"),
    "restricted": ("has_license", "license_is"),
    "gpu": ("gpu_is",),
    "suite": ("part_of",),
    "platform": ("runs_on",),
    "language": ("written_in",),
    "interface": ("has_interface",),
    "modality": ("images",),
    "anatomy": ("applies_to",),
    "dimension": ("works_in",),
    "domain": ("member_of",),
    "released": ("last_released",),
}
"""The relations that a cue asks for when it stands beside the name of a tool."""

ASKED_ANYWAY = frozenset({"gpu_is", "license_is"})
"""A yes or no about these is better answered by the fact itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A question as data. ``unread`` are its words that nothing here understands."""

    language: str
    form: Form = "select"
    count: bool = False
    subjects: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    linked: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def understood(self) -> bool:
        """Whether every word was understood and something is asked."""
        return not self.unread and bool(self.limits or self.subjects)


class Reader:
    """Reads questions over one base of facts."""

    def __init__(self, base: FactBase, linker: QuestionLinker) -> None:
        self.base, self.linker = base, linker

    def read(self, question: str, language: str = "") -> Reading:
        """The reading of a question; what it does not understand stands in ``unread``.

        Its language is told by its own words where none is given.
        """
        asked = Marked(self.base, self.linker, question, language)
        limits = limits_of(asked)
        subjects = _subjects(asked)
        form = _form(asked, subjects, limits)
        return Reading(
            language=asked.language,
            form=form,
            count=asked.has("count"),
            subjects=subjects if form != "select" else (),
            relations=_wanted(asked, limits) if form == "attribute" else (),
            limits=limits,
            linked=tuple(dict.fromkeys(link.node for span in asked.spans for link in span)),
            unread=tuple(dict.fromkeys(asked.unread())),
        )


def _subjects(asked: Marked) -> tuple[str, ...]:
    found = (
        node
        for span, kind in asked.meanings
        if kind == "tool" and role_of(asked, span) == "subject"
        for node in asked.nodes(span, "tool")
    )
    return tuple(dict.fromkeys(found))


def _form(asked: Marked, subjects: tuple[str, ...], limits: tuple[Limit, ...]) -> Form:
    if not subjects or any(limit.kind != "has" for limit in limits):
        return "select"
    if len(subjects) > 1 and asked.has("common"):
        return "common"
    relations = {r for limit in limits if not limit.soft for r, _ in limit.options}
    if relations - ASKED_ANYWAY and not _wants_formats(asked, limits):
        return "check"
    wanted = asked.has("task", "formats", "accepts", "produces", *WANTED)
    return "check" if limits and not wanted and not relations else "attribute"


def _wants_formats(asked: Marked, limits: tuple[Limit, ...]) -> bool:
    named = any(r in {"accepts", "produces"} for limit in limits for r, _ in limit.options)
    return asked.has("formats") and not named


def _wanted(asked: Marked, limits: tuple[Limit, ...]) -> tuple[str, ...]:
    """The relations asked for, in the order of the cues."""
    found: list[str] = []
    verbs = tuple(k for k in ("accepts", "produces") if asked.has(k))
    if asked.has("formats") or verbs:
        found.extend(verbs or ("accepts", "produces"))
    for cue in asked.cues:
        found.extend(WANTED.get(cue.kind, ()))
    return tuple(dict.fromkeys(found)) or ("performs", "applies_to", "images")
