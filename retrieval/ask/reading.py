"""A question parsed without a model: its form, subjects, relations and constraints."""

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
"""The relations that a cue asks for beside the name of a tool."""

ASKED_ANYWAY = frozenset({"gpu_is", "license_is"})
"""Relations whose fact itself answers a yes-no question better than yes or no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A question as data. ``unread`` are the words that were not understood."""

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
        """The reading of a question; words that were not understood are in ``unread``.

        The language is detected from its words where none is given.
        """
        marked = Marked(self.base, self.linker, question, language)
        limits = limits_of(marked)
        subjects = _subjects(marked)
        form = _form(marked, subjects, limits)
        return Reading(
            language=marked.language,
            form=form,
            count=marked.has("count"),
            subjects=subjects if form != "select" else (),
            relations=_relations(marked, limits) if form == "attribute" else (),
            limits=limits,
            linked=tuple(dict.fromkeys(link.node for span in marked.spans for link in span)),
            unread=tuple(dict.fromkeys(marked.unread())),
        )


def _subjects(marked: Marked) -> tuple[str, ...]:
    nodes = (
        node
        for span, kind in marked.meanings
        if kind == "tool" and role_of(marked, span) == "subject"
        for node in marked.nodes(span, "tool")
    )
    return tuple(dict.fromkeys(nodes))


def _form(marked: Marked, subjects: tuple[str, ...], limits: tuple[Limit, ...]) -> Form:
    if not subjects or any(limit.kind != "has" for limit in limits):
        return "select"
    if len(subjects) > 1 and marked.has("common"):
        return "common"
    relations = {r for limit in limits if not limit.soft for r, _ in limit.options}
    named = {r for limit in limits for r, _ in limit.options}
    wants_formats = marked.has("formats") and named.isdisjoint(("accepts", "produces"))
    if relations - ASKED_ANYWAY and not wants_formats:
        return "check"
    wanted = marked.has("task", "formats", "accepts", "produces", *WANTED)
    return "check" if limits and not wanted and not relations else "attribute"


def _relations(marked: Marked, limits: tuple[Limit, ...]) -> tuple[str, ...]:
    """The relations that the cues ask for, in their order."""
    relations: list[str] = []
    verbs = tuple(k for k in ("accepts", "produces") if marked.has(k))
    if marked.has("formats") or verbs:
        relations.extend(verbs or ("accepts", "produces"))
    for cue in marked.cues:
        relations.extend(WANTED.get(cue.kind, ()))
    return tuple(dict.fromkeys(relations)) or ("performs", "applies_to", "images")
