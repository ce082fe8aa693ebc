"""A question parsed without a model: its form, subjects, relations and constraints."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from retrieval.ask.cues import clauses_of, cues_of
from retrieval.ask.grouping import Limit
from retrieval.ask.limits import CPU_ONLY, asked_needs, constraints_of
from retrieval.ask.linker import QuestionLinker
from retrieval.ask.marked_text import Marked
from retrieval.ask.records import NEEDED
from retrieval.ask.stated.cue_limits import MAINTAINED, UNMAINTAINED
from retrieval.ask.stated.joint import (
    CHANGES,
    DATES,
    Joint,
    joint_of,
    unread_likeness,
    without_amounts,
)
from retrieval.ask.stated.ranks import EXTREMES, Rank, rank_of
from retrieval.ask.stated.roles import role_of
from retrieval.ask.stated.structure import Fault, Trouble, likened, shares, unsettled
from retrieval.ask.words.compounds import PRICED
from retrieval.graph import FactBase

Form = Literal["select", "attribute", "check", "common", "choice", "compare"]

WANTED = {
    "license": ("has_license", "weights_license"),
    "open": ("has_license", "license_is"),
    "restricted": ("has_license", "license_is"),
    "free": ("has_license", "license_is", "commercial_use"),
    "allows": ("has_license", "license_is", "commercial_use"),
    "paid": ("has_license", "license_is", "commercial_use"),
    "gpu": ("gpu_is",),
    "suite": ("part_of",),
    "asked_suite": ("part_of",),
    "platform": ("runs_on",),
    "language": ("written_in",),
    "interface": ("has_interface",),
    "modality": ("images",),
    "anatomy": ("applies_to",),
    "dimension": ("works_in",),
    "domain": ("member_of",),
    "asked_domain": ("member_of",),
    "released": ("last_released",),
    "maintained": ("last_released", "last_changed", "maintenance_is"),
    "unmaintained": ("last_released", "last_changed", "maintenance_is"),
    "weights": ("weights_license",),
    "cite": ("cite_as",),
    "page": ("has_page",),
    "install": ("installs_with",),
    "gpu_memory": ("needs_gpu_memory",),
    "memory": ("needs_memory",),
    "python_version": ("needs_python",),
    "commercial": (
        "has_license",
        "commercial_use",
        "weights_license",
        "weights_commercial_use",
    ),
}
"""The relations that a cue asks for beside the name of a tool."""

FIELD_CUES = ("formats", "accepts", "produces", *WANTED)
"""The cues that name a field of a record."""

ABOUT = ("performs", "applies_to", "images", "has_license", "last_released", "has_page")
"""What is told of a tool that a question asks about; of what it does, the first three."""

OF_WEIGHTS = frozenset({"weights_license", "weights_commercial_use"})
"""What is asked of a licence where the question names the weights of a model."""

ASKED_ANYWAY = frozenset({"gpu_is", "license_is"})
"""Relations whose fact itself answers a yes-no question better than yes or no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A question as data. ``unread`` are the words that were not understood.

    ``verbs`` are words that no list has and that were taken for verbs of the names after them, each
    with the kind of cue that it was read as. ``judged``: it asks which of several tools is better.
    ``whole``: it asks how many tools there are, ``share``: which part of all tools. ``faults`` are
    known words that would have to change the answer and do not. ``likened`` are words with the
    names that they were read as. ``joint``: what is asked of the subjects together; with
    ``changes`` their order in time is that of releases and changes. ``rank``: the superlative.
    ``priced``: it asks what a tool costs.
    """

    language: str
    form: Form = "select"
    count: bool = False
    subjects: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    linked: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    verbs: tuple[tuple[str, str], ...] = ()
    judged: bool = False
    whole: bool = False
    share: bool = False
    faults: tuple[Fault, ...] = ()
    likened: tuple[tuple[str, str], ...] = ()
    joint: Joint = ""
    rank: Rank | None = None
    changes: bool = False
    priced: bool = False

    @property
    def understood(self) -> bool:
        """Whether every word was understood and something is asked."""
        request = self.limits or self.subjects or self.whole or self.rank
        return not self.trouble and bool(request)

    @property
    def trouble(self) -> Trouble:
        """What of the words was not understood."""
        if self.unread:
            return "unread"
        return self.faults[0][0] if self.faults else ""


class Reader:
    """Reads questions over one base of facts."""

    def __init__(self, base: FactBase, linker: QuestionLinker) -> None:
        self.base, self.linker = base, linker

    def read(self, question: str, language: str = "", *, any_verb: bool = False) -> Reading:
        """The reading of a question; words that were not understood are in ``unread``.

        The language is detected from its words where none is given. With ``any_verb`` unread words
        in the place of a verb are read as one.
        """
        marked = Marked(self.base, self.linker, question, language, any_verb=any_verb)
        constraints = constraints_of(marked)
        limits = constraints.limits
        subjects = _subjects(marked)
        either = _or_between(marked)
        joint = joint_of(marked, subjects, FIELD_CUES, either) if not limits else ""
        form = "attribute" if joint else _form(marked, subjects, limits)
        if joint == "order":
            marked.cues = without_amounts(marked.cues, ("order",))
        needing, limits = asked_needs(marked, limits)
        if needing:
            subjects, form = needing, "check" if limits else "attribute"
        rank, limits = _ranked(marked, form, limits)
        unread, faults = _unread(marked, form)
        relations = _relations(marked, needing) if form == "attribute" else ()
        relations = DATES if joint == "order" else relations
        return Reading(
            language=marked.language,
            form=form,
            count=marked.has("count"),
            subjects=subjects if form != "select" else (),
            relations=relations,
            limits=limits,
            linked=tuple(dict.fromkeys(link.node for span in marked.spans for link in span)),
            unread=unread,
            verbs=tuple((verb.text, verb.kinds[-1]) for verb in marked.verbs),
            whole=not (limits or subjects or unread)
            and marked.has("count")
            and marked.has("tools"),
            share=bool(shares(marked, form)),
            judged=_judged(marked, form),
            faults=(*constraints.faults, *faults, *unsettled(marked, form, limits, relations)),
            likened=likened(marked),
            joint=joint,
            rank=rank,
            changes=marked.has(*CHANGES),
            priced=marked.has(*PRICED),
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
    kinds = {limit.kind for limit in limits}
    if (
        not subjects
        or kinds - {"has", "any", "requires"}
        or ("requires" in kinds and marked.has("tools"))
    ):
        return "select"
    if len(subjects) > 1 and marked.has("compare", "better"):
        return "choice" if limits else "compare"
    if len(subjects) > 1 and marked.has("common"):
        return "common"
    if len(subjects) > 1 and _or_between(marked):
        asks = marked.has(*FIELD_CUES)
        return "choice" if limits else "attribute" if asks else "compare"
    if marked.has("commercial"):
        return "attribute"
    if any(link.node == CPU_ONLY for span in marked.spans for link in span):
        return "check"
    relations = {r for limit in limits if not limit.soft for r, _ in limit.options}
    all_relations = {r for limit in limits for r, _ in limit.options}
    wants_formats = marked.has("formats") and all_relations.isdisjoint(("accepts", "produces"))
    if relations - ASKED_ANYWAY and not wants_formats:
        return "check"
    wants_attribute = marked.has("task", *FIELD_CUES)
    return "check" if limits and not wants_attribute and not relations else "attribute"


def _or_between(marked: Marked) -> bool:
    """Whether *or* joins two of the named tools."""
    places = [span[0] for span, kind in marked.meanings if kind == "tool"]
    return any(marked.between("or", a.end, b.start) for a, b in pairwise(places))


def _judged(marked: Marked, form: Form) -> bool:
    """Whether a question asks which tool is better, in that word or by *or* alone."""
    if form == "select":
        return any(cue.kind == "better" for cue in cues_of(marked.text, marked.language))
    better = marked.has("better") and form in ("compare", "choice")
    return better or (form == "compare" and not marked.has("compare"))


def _ranked(
    marked: Marked, form: Form, limits: tuple[Limit, ...]
) -> tuple[Rank | None, tuple[Limit, ...]]:
    """The extreme that is asked for, and the constraints beside it; its words are no cues more."""
    rank = rank_of(marked, form, bool(limits))
    # "The most recent release of napari" is the one that its record states.
    if rank or (form == "attribute" and marked.has("released", *CHANGES)):
        marked.cues = without_amounts(marked.cues, EXTREMES)
    if rank:
        # "Updated most recently" asks for a date, and not for what is kept up.
        limits = tuple(limit for limit in limits if limit not in (MAINTAINED, UNMAINTAINED))
    return rank, limits


def _unread(marked: Marked, form: Form) -> tuple[tuple[str, ...], list[Fault]]:
    """The words that were not understood, and those for which no rule is known, as faults."""
    words = tuple(dict.fromkeys(marked.unread()))
    # Records state dates; a day, a month or a year in other words has no rule.
    dated = marked.has("released", "maintained")
    dates = tuple(word for word in words if dated and word.isdecimal())
    faults: list[Fault] = [("not read", dates)] if dates else []
    if form == "check" and marked.has("instead") and marked.has("tools"):
        faults.append(("no replacement", ()))
    if alike := unread_likeness(marked) if form == "check" else ():
        faults.append(("not read", alike))
    return tuple(word for word in words if word not in dates), faults


def _relations(marked: Marked, needing: tuple[str, ...]) -> tuple[str, ...]:
    """The relations that the cues ask for, in their order; all needs where none is named."""
    relations: list[str] = []
    verbs = tuple(k for k in ("accepts", "produces") if marked.has(k))
    if marked.has("formats") or verbs:
        relations.extend(verbs or ("accepts", "produces"))
    for cue in marked.cues:
        relations.extend(WANTED.get(cue.kind, ()))
    if marked.has("weights"):
        relations = [relation for relation in relations if relation in OF_WEIGHTS]
    default = NEEDED if needing else ABOUT if marked.has("about") else ABOUT[:3]
    return tuple(dict.fromkeys(relations)) or default


def asked_limits(reader: Reader, question: str) -> tuple[Limit, ...]:
    """The constraints of a question that asks for one set of tools and was wholly understood.

    Empty for any other, and where a constraint may be dropped, so that the set is another one.
    """
    reading = reader.read(question)
    single = len(clauses_of(question, reading.language)) == 1
    firm = all(not limit.soft for limit in reading.limits)
    return (
        reading.limits
        if single and firm and reading.understood and reading.form == "select"
        else ()
    )
