"""A question parsed without a model: its form, subjects, relations and constraints.

Words that were not understood are replaced by names of the graph, by spelling or by meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from retrieval.ask.grouping import Limit
from retrieval.ask.limits import CPU_ONLY, limits_of, role_of
from retrieval.ask.linker import EntityLinker, QuestionLinker, words_at
from retrieval.ask.marked_text import Marked
from retrieval.ask.records import NEEDED
from retrieval.graph import FactBase

Replacements = list[tuple[str, str]]
Form = Literal["select", "attribute", "check", "common", "choice", "compare"]

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
    "maintained": ("last_released", "last_changed", "maintenance_is"),
    "unmaintained": ("last_released", "last_changed", "maintenance_is"),
    "weights": ("weights_license",),
    "cite": ("cite_as",),
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

OF_WEIGHTS = frozenset({"weights_license", "weights_commercial_use"})
"""What is asked of a licence where the question names the weights of a model."""

ASKED_ANYWAY = frozenset({"gpu_is", "license_is"})
"""Relations whose fact itself answers a yes-no question better than yes or no."""

SHORTEST_SPELLED, LIKE = 6, 86.0
"""Least characters and similarity (0 to 100) of an unknown word that is read as a name."""
LEAST_COSINE, MOST_WORDS = 0.7, 4
"""Least cosine, and most words, of a phrase that is read as a name of like meaning."""
MEANINGFUL = frozenset({"operation", "anatomy", "modality", "domain", "interface", "format"})
"""Kinds of nodes that a phrase may be read as by its meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A question as data. ``unread`` are the words that were not understood.

    ``verbs`` are words that no list has and that were taken for verbs of the names after them, each
    with the kind of cue that it was read as. ``judged``: it asks which of several tools is better.
    ``whole``: it asks how many tools there are.
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

    @property
    def understood(self) -> bool:
        """Whether every word was understood and something is asked."""
        return not self.unread and bool(self.limits or self.subjects or self.whole)


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
        limits = limits_of(marked)
        subjects = _subjects(marked)
        form = _form(marked, subjects, limits)
        if needing := _needing(marked, limits):
            subjects, form, limits = needing, "attribute", ()
        elif checked := _checked_need(marked, limits):
            subjects, form = checked, "check"
            limits = tuple(limit for limit in limits if limit.kind != "required_by")
        unread = tuple(dict.fromkeys(marked.unread()))
        return Reading(
            language=marked.language,
            form=form,
            count=marked.has("count"),
            subjects=subjects if form != "select" else (),
            relations=_relations(marked, needing) if form == "attribute" else (),
            limits=limits,
            linked=tuple(dict.fromkeys(link.node for span in marked.spans for link in span)),
            unread=unread,
            verbs=tuple((verb.text, verb.kinds[-1]) for verb in marked.verbs),
            whole=not (limits or subjects or unread)
            and marked.has("count")
            and marked.has("tools"),
            judged=_judged(marked, form),
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
        asks = marked.has("formats", "accepts", "produces", *WANTED)
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
    wants_attribute = marked.has("task", "formats", "accepts", "produces", *WANTED)
    return "check" if limits and not wants_attribute and not relations else "attribute"


def _or_between(marked: Marked) -> bool:
    """Whether *or* joins two of the named tools."""
    places = [span[0] for span, kind in marked.meanings if kind == "tool"]
    return any(marked.between("or", a.end, b.start) for a, b in pairwise(places))


def _judged(marked: Marked, form: Form) -> bool:
    """Whether a question asks which tool is better, in that word or by *or* alone."""
    better = marked.has("better") and form in ("compare", "choice")
    return better or (form == "compare" and not marked.has("compare"))


def _needing(marked: Marked, limits: tuple[Limit, ...]) -> tuple[str, ...]:
    """The tools of "what does X need", which asks for all of their needs and not for tools only."""
    counts = marked.has("count") and not marked.has("memory", "gpu_memory")
    if counts or marked.has("tools", "ahead") or len(limits) != 1:
        return ()
    only = limits[0]
    alone = only.kind == "required_by" and not only.negated
    return tuple(node for _, node in only.options) if alone else ()


def _checked_need(marked: Marked, limits: tuple[Limit, ...]) -> tuple[str, ...]:
    """The tools of "does X need Y", which asks whether the record of X states that need."""
    by = [one for one in limits if one.kind == "required_by" and not one.negated]
    others = [one for one in limits if one.kind in ("has", "requires")]
    if marked.has("tools", "ahead", "count") or len(by) != 1 or len(others) + 1 != len(limits):
        return ()
    return tuple(node for _, node in by[0].options) if others else ()


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
    default = NEEDED if needing else ("performs", "applies_to", "images")
    return tuple(dict.fromkeys(relations)) or default


@dataclass(frozen=True)
class Rewording:
    """Reads a question; words that were not understood are replaced where one name fits."""

    reader: Reader
    linker: EntityLinker

    def read(self, question: str, language: str = "") -> tuple[Reading, Replacements]:
        """The reading, and the pairs (words, name) that were replaced for it.

        It is read as typed, then with misspelt names, then with unknown phrases replaced; each
        later reading is tried only where unknown words remain. Where these stand as verbs before
        names, and nothing else is unknown, they are read by the names.
        """
        reading = self.reader.read(question, language)
        replacements: Replacements = []
        for reword in (self._by_spelling, self._by_meaning):
            matches = reword(question, reading) if reading.unread else []
            for words, name in matches:
                question = question.replace(words, name)
            if matches:
                replacements.extend(matches)
                reading = self.reader.read(question, language)
        if reading.unread:
            with_verbs = self.reader.read(question, language, any_verb=True)
            reading = with_verbs if with_verbs.understood else reading
        return reading, replacements

    def _by_spelling(self, question: str, reading: Reading) -> Replacements:
        matches = []
        for word in reading.unread:
            near = self.linker.names.fuzzy(word, 2, LIKE) if len(word) >= SHORTEST_SPELLED else []
            if near:
                matches.append((word, self.reader.base.label(near[0][0])))
        return matches

    def _by_meaning(self, question: str, reading: Reading) -> Replacements:
        """For every unknown word the phrase around it that is nearest to a name in meaning."""
        meanings = self.linker.meanings
        if meanings is None:
            return []
        names: dict[str, str] = {}
        parts = self.reader.linker.parts_of_names(question)
        for word in reading.unread:
            # A phrase may cover several unknown words; the later ones are done with it.
            if word in parts or any(word in phrase for phrase in names):
                continue
            phrases = list(_phrases(question, word, self.reader.linker))
            hits = meanings.nearest(phrases, 3, LEAST_COSINE)
            fits = [
                (-score, len(phrase), phrase, node)
                for phrase, near in zip(phrases, hits, strict=True)
                for node, score in near
                if self.reader.base.kind(node) in MEANINGFUL
            ]
            if fits:
                _, _, phrase, node = min(fits)
                names[phrase] = self.reader.base.label(node)
        return list(names.items())


def _phrases(question: str, word: str, linker: QuestionLinker) -> Iterator[str]:
    """The runs of words around a word that cross neither a linked name nor punctuation."""
    words = words_at(question)
    name_spans = [(link.start, link.end) for link in linker.links(question)]
    at = next((n for n, one in enumerate(words) if one[0] == word), None)
    if at is None:
        return
    for first in range(max(0, at - MOST_WORDS + 1), at + 1):
        for last in range(at, min(len(words), first + MOST_WORDS)):
            start, end = words[first][1], words[last][2]
            crossed = any(a < end and start < b for a, b in name_spans)
            if not crossed and not set(",;:?!") & set(question[start:end]):
                yield question[start:end]
