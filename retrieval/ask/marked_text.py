"""A question annotated with its names and cue words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from retrieval.ask.cues import (
    Cue,
    asking_words,
    cues_of,
    language_of,
    ordinary,
    years_of,
)
from retrieval.ask.linker import SPACELESS, Link, QuestionLinker, words_at
from retrieval.ask.stated.dates import dated, without_changes
from retrieval.ask.stated.languages import is_written_in
from retrieval.ask.stated.measures import measured
from retrieval.ask.stated.suites import names_suite, without_asked_suites
from retrieval.ask.verbs import Verb, Word, unlisted_verbs
from retrieval.ask.words.compounds import without_compounds
from retrieval.graph import FactBase

Span = tuple[Link, ...]
"""The links of one place in the text; a name may belong to nodes of several kinds."""

KIND_ORDER = (
    "tool",
    "format",
    "license",
    "interface",
    "platform",
    "language",
    "dimension",
    "operation",
    "modality",
    "anatomy",
    "domain",
    "suite",
)
"""Precedence of kinds for an ambiguous name where no cue decides."""

NAMED = frozenset({"tool", "format", "suite"})
CUE_PHRASE = frozenset({"read", "reads", "reading", "and", "write", "writes", "writing"})
"""Words that together ask for formats although the catalog also has a task of that name."""

NEARBY, PLUGGED = 24, 16
"""Largest distance in characters between a cue, or a plugin, and the name that it belongs to."""


class Marked:
    """A question over one base of facts: ``cues`` and ``spans`` in the order of the text."""

    def __init__(
        self,
        base: FactBase,
        linker: QuestionLinker,
        text: str,
        language: str = "",
        *,
        any_verb: bool = False,
    ) -> None:
        self.base, self.text = base, text
        self.language = language or language_of(text)
        cues = without_compounds(text, cues_of(text, self.language))
        cues = without_asked_suites(text, cues, self.language)
        self.years = dated(text, cues, years_of(text))
        self.measures = measured(text, cues)
        self._counted = [(year.start, year.end) for year in self.years]
        self._counted += [(one.start, one.end) for one in self.measures]
        self.cues = self._asking(cues)
        links = linker.links(text, self._is_plain)
        name_links = [link for link in links if base.kind(link.node) in NAMED]
        # A cue inside a longer name is part of that name (*open* in *Open Ephys*).
        self.cues = tuple(
            cue
            for cue in self.cues
            if not any(
                link.start <= cue.start
                and cue.end <= link.end
                and link.end - link.start > cue.end - cue.start
                for link in name_links
            )
        )
        tools = {(x.start, x.end) for x in name_links if base.kind(x.node) == "tool"}
        # "Tools to compare images" compares no tools.
        between_tools = {"compare", "better"}
        self.cues = tuple(c for c in self.cues if c.kind not in between_tools or len(tools) > 1)
        # "Which Python packages" asks for no version.
        self.cues = tuple(
            c for c in self.cues if c.kind != "python_version" or not self.after("tools", c.end, 1)
        )
        if not tools and self._about_one():
            self.cues = tuple(c for c in self.cues if c.kind not in ("maintained", "unmaintained"))
        self.cues = tuple(self._reread(cue, links) for cue in self.cues)
        self.cues = tuple(
            cue for cue in self.cues if cue.kind != "server" or self._hosted(cue, links)
        )
        self.spans = self._spans(links)
        self.cues = tuple(map(self._entered, self.cues))
        self.verbs: tuple[Verb, ...] = ()
        if any_verb:
            self.verbs = unlisted_verbs(self)
            more = (Cue(kind=k, start=v.start, end=v.end) for v in self.verbs for k in v.kinds)
            self.cues = tuple(sorted((*self.cues, *more), key=lambda cue: cue.start))

    def _asking(self, cues: Sequence[Cue]) -> tuple[Cue, ...]:
        """The cues outside the words of a year: "not older than 2023" denies nothing."""
        counted = self._counted
        cues = [c for c in cues if not any(a <= c.start and c.end <= b for a, b in counted)]
        return tuple(without_changes(cues, self.years))

    def _about_one(self) -> bool:
        """Whether a yes-no question names what it asks about: "Is SPM12 still maintained?"."""
        opens = any(c.kind == "yesno" and c.start == 0 for c in self.cues)
        return opens and not self.has("tools")

    def _is_plain(self, start: int, end: int) -> bool:
        """Whether a word is a cue or ordinary, and so no misread name of a task."""
        word = self.text[start:end].casefold()
        cued = any(c.start <= start and end <= c.end for c in self.cues)
        return cued or word in ordinary(self.language)

    def _reread(self, cue: Cue, links: Sequence[Link]) -> Cue:
        """``open`` opens a file when a format or a name comes after it; else it is a licence."""
        if self.text[cue.start : cue.end].casefold() != "open" or cue.kind != "accepts":
            return cue
        # "Open what Cellpose writes"
        if self.has("formats") or self.after("something", cue.end, 1):
            return cue
        for link in links:
            kind = self.base.kind(link.node)
            opened = kind == "format" and 0 <= link.start - cue.end <= 40
            if opened or (kind == "tool" and 0 <= cue.start - link.end <= 6):
                return cue
        return Cue(kind="open", start=cue.start, end=cue.end)

    def _entered(self, cue: Cue) -> Cue:
        """What plugs *into* a host runs on it; what works *with* one is compatible with it."""
        if cue.kind != "compatible_with":
            return cue
        for span in self.spans:
            between = self.text[cue.start : span[0].start].casefold()
            kinds = {self.base.kind(link.node) for link in span}
            if kinds >= {"tool", "platform"} and between.endswith("into ") and "," not in between:
                return Cue(kind="platform", start=cue.start, end=span[0].start - 1)
        return cue

    def _hosted(self, cue: Cue, links: Sequence[Link]) -> bool:
        """Whether the word before *server* names a platform: a DICOM server is no such."""
        return any(
            self.base.kind(link.node) == "platform" and 0 <= cue.start - link.end <= 1
            for link in links
        )

    def _spans(self, links: Sequence[Link]) -> list[Span]:
        """Links by place, without cue words that also happen to be names."""
        spans: dict[tuple[int, int], Span] = {}
        for link in links:
            taken = any(m.start <= link.start < m.end for m in self.measures)
            if taken or self._is_cue(link) or self._is_small(link):
                continue
            if link.node in self.base:
                place = (link.start, link.end)
                spans[place] = (*spans.get(place, ()), link)
        return [spans[place] for place in sorted(spans)]

    def _is_small(self, link: Link) -> bool:
        """Whether a word of the question's own language only looks like a name: German ``mit``."""
        small = link.text.casefold() in ordinary(self.language)
        return small and link.how == "exact" and link.text != self.base.label(link.node)

    def _is_cue(self, link: Link) -> bool:
        kind = self.base.kind(link.node)
        if kind in NAMED or kind == "license":
            # "The last commit of CERR" names no COMMIT.
            longer = (c for c in self.cues if c.end - c.start > link.end - link.start)
            covered = any(c.start <= link.start and link.end <= c.end for c in longer)
            return covered and link.text != self.base.label(link.node)
        of_format = self.after("formats", link.end, 1)
        if of_format and "format" in self.text[of_format.start : of_format.end].casefold():
            return kind not in {"modality", "anatomy", "domain"}
        words = [(w.casefold(), link.start + a, link.start + b) for w, a, b in words_at(link.text)]
        plain = {word for word, _, _ in words}
        inside = [any(c.start <= a and b <= c.end for c in self.cues) for _, a, b in words]
        if kind in {"data", "method"} and plain <= ordinary(self.language):
            return True
        return all(inside) or (any(inside) and plain <= CUE_PHRASE)

    def kind_of(self, span: Span) -> str:
        """The kind of node that a span stands for.

        An ambiguous name is a suite, format, platform or language where a cue beside it says so,
        else the first of its kinds in KIND_ORDER.
        """
        kinds = {self.base.kind(link.node) for link in span}
        at, end = span[0].start, span[0].end
        suite = names_suite(self, at, end)
        runs = "platform" in kinds and (self.before("platform", at, 5) or self.supported(at, end))
        if {"platform", "tool"} <= kinds:
            # MATLAB is no tool of the catalog: "not in MATLAB" says what a tool is written in.
            runs = runs or self._houses(at, end) or bool(suite and "suite" not in kinds)
        plugged = "platform" in kinds and self.plugged(at, end)
        if "suite" in kinds and suite and not (runs or plugged):
            return "suite"
        if "tool" in kinds and any(
            link.how == "exact" and self.base.kind(link.node) == "format" for link in span
        ):
            asks = self.has("accepts", "produces", "converts", "formats")
            return "format" if asks else "tool"
        if "suite" in kinds and "tool" not in kinds:
            return "suite"
        runs = runs or self.hosts(at, end) or not kinds & {"tool", "interface"}
        if "platform" in kinds and runs:
            return "platform"
        if "language" in kinds and is_written_in(self, at, end):
            return "language"
        return next((kind for kind in KIND_ORDER if kind in kinds), min(kinds))

    def hosts(self, at: int, end: int) -> bool:
        """``plugins for napari``, ``Fiji plugins``, ``something for QuPath``."""
        if self.plugged(at, end):
            return True
        cue = self.before("of", at, 2)
        if cue is None or self.text[cue.start : cue.end].casefold() != "for":
            return False
        return any(self.before(kind, cue.start, 2) for kind in ("tools", "something"))

    def plugged(self, at: int, end: int) -> bool:
        """``Which plugins are there for napari``: as far as that; ``Fiji plugins``."""
        return bool(self.before("plugins", at, PLUGGED) or self.after("plugins", end, 1))

    def _houses(self, at: int, end: int) -> bool:
        """``tools in QuPath``, ``a Galaxy server``."""
        cue = self.before("inside", at, 1)
        inside = cue is not None and self.before("tools", cue.start, len(self.text))
        return bool(inside or self.after("server", end, 1))

    def supported(self, at: int, end: int) -> bool:
        """``tools that support napari``; in Chinese the verb may follow: ``napari上运行``."""
        runs = self.language in SPACELESS and self.after("platform", end, 2)
        supports = self.before("supports", at, 2) and self.before("tools", at, len(self.text))
        return bool(runs or supports)

    def before(self, kind: str, at: int, reach: int = NEARBY) -> Cue | None:
        """The last cue of a kind that ends within reach before a place."""
        cues = [c for c in self.cues if c.kind == kind and 0 <= at - c.end <= reach]
        return cues[-1] if cues else None

    def after(self, kind: str, end: int, reach: int = NEARBY) -> Cue | None:
        """The first cue of a kind that begins within reach after a place."""
        cues = (c for c in self.cues if c.kind == kind and 0 <= c.start - end <= reach)
        return next(cues, None)

    def near(self, kind: str, at: int, end: int, reach: int = NEARBY) -> bool:
        """Whether a cue of a kind is within reach on either side."""
        return bool(self.before(kind, at, reach) or self.after(kind, end, reach))

    def has(self, *kinds: str) -> bool:
        """Whether a cue of any of the kinds is there."""
        return any(c.kind in kinds for c in self.cues)

    def between(self, kind: str, start: int, end: int) -> bool:
        """Whether a cue of a kind lies between two places."""
        return any(c.kind == kind and start <= c.start and c.end <= end for c in self.cues)

    def denied(self, at: int) -> bool:
        """Whether a negation stands before a place with no other name between."""
        cue = self.before("negative", at)
        if cue is None:
            return False
        return not any(cue.end <= span[0].start and span[0].end <= at for span in self.spans)

    @cached_property
    def meanings(self) -> list[tuple[Span, str]]:
        """Every span with the kind that it stands for."""
        return [(span, self.kind_of(span)) for span in self.spans]

    def nodes(self, span: Span, kind: str) -> tuple[str, ...]:
        """The nodes of one kind at a place."""
        return tuple(link.node for link in span if self.base.kind(link.node) == kind)

    def unread(self) -> Iterator[str]:
        """The words that are neither a name nor a cue nor a stop word."""
        return (word for word, _, _ in self.unread_words())

    def unread_words(self) -> Iterator[Word]:
        """Those words with their places."""
        places = [(c.start, c.end) for c in self.cues]
        places += [(v.start, v.end) for v in self.verbs]
        places += self._counted
        places += [(span[0].start, span[0].end) for span in self.spans]
        small = ordinary(self.language) | asking_words(self.language)
        for word, start, end in words_at(self.text):
            inside = any(a <= start and end <= b for a, b in places)
            is_read = inside or word.casefold() in small or (len(word) == 1 and word.isascii())
            if not is_read:
                yield word, start, end
