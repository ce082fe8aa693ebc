"""The state of one visitor: facts of files and the form. Kept in the session only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from components.taste import NO_TASTE, Taste
from retrieval import SIZES, WISH, Answer, Filters, Machine, Purpose, Refusal, ScanInfo, Upload


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What the visitor said of purpose and machine; None where nothing was said."""

    purpose: Purpose | None = None
    machine: Machine | None = None


NO_PROFILE = Profile()

ScanFacts = tuple[tuple[ScanInfo, ...], tuple[str, ...], tuple[Refusal, ...]]
"""Series that count, tokens in effect, and what could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """The visitor's scans and tokens. ``typed``: tokens from a link or a one-click answer.

    ``undo`` is the tool that was excluded last, so that the page can offer the way back;
    ``images`` lets the middle slices of this upload go to the language model.
    ``chosen`` are ids of tools to compare and cite, ``profile`` is what tools are marked by,
    ``taste`` what the visitor's browser remembers; ``remarks`` refined the search, oldest first.
    ``text`` is what was searched last, in which the wishes among ``muted`` are switched off;
    ``answers`` are tokens that answered a question about a text, and hold for that text alone.
    ``note`` is what was understood of the last remark.
    """

    upload: Upload | None = None
    typed: tuple[str, ...] = ()
    muted: frozenset[str] = frozenset()
    undo: str = ""
    chosen: tuple[str, ...] = ()
    profile: Profile = NO_PROFILE
    taste: Taste = NO_TASTE
    images: bool = False
    remarks: tuple[Remark, ...] = ()
    text: str = ""
    answers: frozenset[str] = frozenset()
    note: Note | None = None

    @property
    def scans(self) -> tuple[ScanInfo, ...]:
        """The series that count: the picked one, or all."""
        if self.upload is None:
            return ()
        # A picked series narrows the search; the panel still lists every series.
        if self.upload.picked is not None:
            return (self.upload.scans[self.upload.picked],)
        return self.upload.scans

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """What could not be read."""
        return self.upload.refused if self.upload else ()

    @property
    def scan_facts(self) -> ScanFacts:
        """What of the scans a search takes; verdicts hold for these alone."""
        return self.scans, self.tokens, self.refused

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens in effect, each once."""
        scan_tokens = self.upload.search_tokens if self.upload else ()
        return tuple(dict.fromkeys(t for t in (*scan_tokens, *self.typed) if t not in self.muted))

    @property
    def removed(self) -> tuple[str, ...]:
        """What was read or said of the scan and is left out of the query, in that order."""
        scan_tokens = self.upload.search_tokens if self.upload else ()
        return tuple(dict.fromkeys(t for t in (*scan_tokens, *self.typed) if t in self.muted))

    @property
    def silenced(self) -> frozenset[str]:
        """Tokens of the scans, and wishes, that must not enter the query."""
        every = {token for scan in self.scans for token in scan.tokens}
        return frozenset(every - set(self.tokens)) | self.words

    @property
    def words(self) -> frozenset[str]:
        """The names of wishes that are switched off: their words are searched."""
        return frozenset(name for name in self.muted if name.startswith(f"{WISH}:"))

    def note_on(self, form: Form) -> str:
        """What is to be said of the last remark beside the list of a form."""
        return self.note.html if self.note is not None and self.note.form == form else ""

    def for_text(self, text: str) -> Data:
        """The data of a search for a text; in a new one every wish that it states is on again.

        What answered a question about the last one is not in effect there. A text is new where it
        neither adds words to the last one nor takes some away.
        """
        old, new = (set(re.findall(r"\w+", one.casefold())) for one in (self.text, text))
        if old <= new or new <= old:
            return replace(self, text=text)
        typed = tuple(token for token in self.typed if token not in self.answers)
        return replace(self, text=text, typed=typed, muted=self.muted - self.words)

    def without(self, token: str) -> Data:
        """The same data with one token taken out of the query, so that it can be put back."""
        return replace(self, muted=self.muted | {token})

    def with_token(self, token: str) -> Data:
        """The same data with one token added."""
        typed, muted = (*self.typed, token), self.muted - {token}
        return replace(self, typed=typed, muted=muted, answers=self.answers - {token})

    def with_answer(self, token: str) -> Data:
        """The same with a token that answers a question about the text, and goes with that."""
        if token in self.tokens:
            return self
        return replace(self.with_token(token), answers=self.answers | {token})


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Everything that a search depends on besides the visitor's data."""

    text: str = ""
    mode: str = "hybrid"
    rerank: bool = True
    refine: bool = False
    excluded: tuple[str, ...] = ()
    filters: Filters = NO_FILTERS
    off: frozenset[str] = frozenset()
    sizes: tuple[tuple[str, int], ...] = ()
    """Sizes of this search that are otherwise than set, by their names, in the order of SIZES."""


NO_FORM = Form()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What the page says of the last remark, for as long as the form is as it left it."""

    html: str
    form: Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A sentence that refined the search: what was understood, the form before and after it.

    ``state`` are the typed and the muted tokens before it.
    """

    text: str
    lines: tuple[str, ...]
    before: Form
    after: Form
    state: tuple[tuple[str, ...], frozenset[str]]

    def set_values(self, facet: str) -> frozenset[str]:
        """The values of a filter that the remark added."""
        new: frozenset[str] = getattr(self.after.filters, facet)
        old: frozenset[str] = getattr(self.before.filters, facet)
        return new - old

    @property
    def sizes(self) -> frozenset[tuple[str, int]]:
        """The sizes that it set."""
        return frozenset(self.after.sizes) - frozenset(self.before.sizes)

    def adds(self, words: str) -> bool:
        """Whether it brought words into the text."""
        new, old = (one.text.casefold() for one in (self.after, self.before))
        return words.casefold() in new and words.casefold() not in old

    @property
    def excluded(self) -> tuple[str, ...]:
        """The tools that it left out."""
        return tuple(name for name in self.after.excluded if name not in self.before.excluded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The answer on the page, and the form, scans and taste that led to it."""

    answer: Answer | None = None
    form: Form = NO_FORM
    scan_facts: ScanFacts = ((), (), ())
    taste: Taste = NO_TASTE


FACETS = ("licenses", "modalities", "formats", "dimensions", "interfaces", "gpu")
"""Filters the page offers, in their order; names of the fields of Filters."""


def in_force(form: Form, remarks: Sequence[Remark]) -> tuple[Remark, ...]:
    """The remarks whose whole effect is still in the form."""
    return tuple(one for one in remarks if _holds(form, one, remarks[-1]))


def _holds(form: Form, one: Remark, last: Remark) -> bool:
    values = all(one.set_values(facet) <= getattr(form.filters, facet) for facet in FACETS)
    narrows = bool(one.excluded) or any(one.set_values(facet) for facet in FACETS)
    return values and set(one.excluded) <= set(form.excluded) and (narrows or form == last.after)


def before_remarks(form: Form, remarks: Sequence[Remark]) -> Form | None:
    """The form without what the remarks set, and with what was changed by hand since.

    None where something that a remark set was changed by hand afterwards, or there is no remark.
    """
    if not remarks:
        return None
    forms = [*(one.before for one in remarks), form]
    effects = [(_settings(one.before), _settings(one.after)) for one in remarks]
    by_remarks = {name for old, new in effects for name in old if old[name] != new[name]}
    for (_, after), later in zip(effects, map(_settings, forms[1:]), strict=True):
        if any(after[name] != later[name] for name in by_remarks):
            return None
    first = {name: effects[0][0][name] for name in by_remarks}
    filters = {facet: first.pop(facet) for facet in FACETS if facet in first}
    return replace(form, **first, filters=replace(form.filters, **filters))


def _settings(form: Form) -> dict[str, Any]:
    """Every part of a form by its name, each filter as one of its own."""
    values = {one.name: getattr(form, one.name) for one in fields(form) if one.name != "filters"}
    return values | {facet: getattr(form.filters, facet) for facet in FACETS}


SWITCHES = (
    *("tokens", "expand", "dense", "bm25", "late interaction"),
    *("graph", "rank", "parts", "conversion", "names", "fit", "kind", "taste"),
)
"""Stages that a visitor can switch off."""


TOP_K = "top_k"
NO_SIZE = -1
SIZE_NAMES = (TOP_K, *SIZES)
"""Sizes that a visitor can set, in their order: tools listed, then those of the stages."""


def form_of(values: Sequence[Any]) -> Form:
    """The form from component values: text, mode, rerank, refine, excluded, facets, stages, sizes.

    The stages box lists what stays on; the form holds what is off. Missing values become defaults.
    """
    text, mode, rerank, refine, excluded, *rest = values
    facets, stages, sizes = rest[: len(FACETS)], rest[len(FACETS)], rest[len(FACETS) + 1 :]
    codes_by_facet = {
        name: frozenset(map(str, codes or ())) for name, codes in zip(FACETS, facets, strict=True)
    }
    return Form(
        text=str(text or ""),
        mode=str(mode or "hybrid"),
        rerank=bool(rerank),
        refine=bool(refine),
        excluded=tuple(map(str, excluded or ())),
        filters=Filters(**codes_by_facet),
        off=frozenset(SWITCHES) - frozenset(stages or ()),
        sizes=tuple(
            # An empty box is a size as set; one that is out of range is refused by the search.
            (name, _size(size))
            for name, size in zip(SIZE_NAMES, sizes, strict=False)
            if size is not None and str(size).strip()
        ),
    )


def _size(typed: object) -> int:
    """A whole number as typed; NO_SIZE, which no size may be, for any other text."""
    digits = str(typed).strip()
    return int(digits) if digits.isascii() and digits.isdigit() else NO_SIZE
