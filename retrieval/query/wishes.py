"""Reads the wishes about software of a request, and takes their words out of its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from msgspec import structs

from retrieval.catalog import kind_of
from retrieval.core import Query, Tool, Wish
from retrieval.query.clauses.agreement import (
    agreed,
    leaves_out,
    with_sure,
    without_other_products,
    without_repeats,
)
from retrieval.query.clauses.known_languages import with_choice_of_languages
from retrieval.query.clauses.left_over import GAP, without_left_over
from retrieval.query.clauses.model import clause_model
from retrieval.query.clauses.named import with_names
from retrieval.query.clauses.needless import needless_spans
from retrieval.query.clauses.others import with_others
from retrieval.query.clauses.reading import with_clauses
from retrieval.query.clauses.stories import told, without_stories
from retrieval.query.clauses.windows import Span
from retrieval.query.grammar import Words, grammar, words_of
from retrieval.query.mentions import Mention, Reading
from retrieval.query.parse import clean_text
from retrieval.query.rewording.outside_programs import outside_programs, purpose_of
from retrieval.query.tongues import grammar_words
from retrieval.query.tool_names import Names

HALF = 0.5
"""Share of the records that must state a field for its words to leave the text: below it, what
descriptions say in words tells more than the field does."""

NEVER_SAID = frozenset({"method", "memory"})
"""Wishes whose words no description of what is wanted holds: searched, "no deep learning" finds the
tools that learn, and "4 GB on an NVIDIA card" those that were written for large images."""

SINCE = "since"
"""Kind of the wishes for a recent release, which no description holds either: "updated in 2025"."""

MOST_LETTERS = 5_000
"""Characters of a text that are read; as many as are searched with."""

MOST_LIKE = 5
"""Keywords of a tool that its like are searched with; the first ones are the most telling."""

NO_TASK_KINDS = frozenset({"modality", "format", "domain", "method"})
"""Kinds of concepts beside which what is to be done is still unsaid."""

IMAGES = frozenset(
    {"data:image", "data:medical image", "data:2D image", "data:volume", "data:large image"}
)
"""Kinds of data that say no more than that an image is to be worked on."""

OF_WHOM = frozenset(
    {"anatomy:human", "anatomy:child", "anatomy:infant", "anatomy:neonate", "anatomy:rodent"}
    | {"anatomy:mouse", "anatomy:rat", "anatomy:non-human primate", "anatomy:zebrafish"}
    | {"anatomy:fruit fly", "anatomy:nematode", "anatomy:other animals", "anatomy:plant"}
)
"""Whose images they are: of another species or age the same is to be done."""

WORK = frozenset({"graphical", "command line"})
"""Wishes that tell how one works. Of 52 that clauses alone state in 1,715 requests six name images
or a task as well: none of them is a wish. Of the other wishes seven of eight are."""

WORK_KINDS = frozenset({"operation", "anatomy", "modality", "disease", "format"})
"""Kinds of concepts that name images, or what is done with them."""

FEW_WORDS = 2
"""Words to search for below which a text without a concept says too little."""

WISH = "wish"
"""Start of the name by which a wish is switched off, among the muted tokens."""

_ENDS = re.compile(
    r"^(?:[\s,;:.\-]|(?:and|or|but|for|to|that|und|oder|für|et|ou|pour|y|para|e|per)\s)+"
    r"|(?:[\s,;:\-]|\s(?:and|or|but|in|with|for|as|a|an|the|und|oder|mit|et|ou|avec|y|o|con|e))+$",
    re.IGNORECASE,
)
_CONTENT = re.compile(rf"[^\W\d_]{{3,}}|[{chr(0x3400)}-{chr(0x9FFF)}]")
TASK_WORDS = frozenset(
    {"viewer", "viewers", "visor", "visores", "betrachter", "visionneuse", "visualizador"}
    | {"visualizadores", "visualizzatore", "visore", "workflow", "workflows", "preprocessing"}
    | {"analysis", "conversion", "reconstruction", "registration", "segmentation"}
    | {"tractography", "denoising", "parcellation", "deconvolution", "stitching", "detection"}
    | {"classification", "quantification", "normalisation", "normalization", "stripping"}
    | {"defacing", "anonymisation", "anonymization", "diffusion", "fmri"}
)
"""Words inside the phrase of a wish that say what to do as well: "a free viewer for CBCT"."""

_NO_TASK = frozenset(
    {"tool", "tools", "software", "package", "program", "library", "app", "find"}
    | {"client", "server"}
)


def wish_name(wish: Wish) -> str:
    """The name under which a wish is switched off."""
    return f"{WISH}:{wish.kind}:{wish.value}:{wish.strength}"


@dataclass(frozen=True)
class WishReader:
    """Reads the wishes of a text.

    ``stated`` is the share of the catalog that states the field of each kind of wish; without
    ``hides`` (judged runs) a tool that the text leaves out is ranked down and stays. ``concepts``
    names what a clause says of images: one that says any is searched with, whatever it wishes.
    """

    tools: Sequence[Tool] = ()
    stated: Mapping[str, float] = field(default_factory=dict)
    hides: bool = True
    concepts: Callable[[str], Collection[str]] = lambda clause: ()

    @cached_property
    def names(self) -> Names:
        """The names by which a text can leave tools out, those of programs that are sold too."""
        return Names((*self.tools, *self._outside.values()))

    @cached_property
    def _outside(self) -> Mapping[Words, Tool]:
        return outside_programs(self.tools)

    def read(self, query: Query) -> Query:
        """The query with its wishes, and without their words where the catalog states the field.

        A query that has wishes with words was read before and stays as it is (those of tags and
        options have none), and so does a text that would
        be left without a word to search for: its words are searched, its wishes weighed.
        """
        if any(wish.text for wish in query.wishes) or not query.text:
            return query
        if purpose := purpose_of(query.text, self._outside):
            return structs.replace(query, text=purpose)
        reading = Reading(query.text[:MOST_LETTERS], self.names)
        mentions = [
            m for m in self._mentions(reading) if wish_name(m.wish) not in query.muted_tokens
        ]
        tag_wishes = tuple(w for w in query.wishes if wish_name(w) not in query.muted_tokens)
        beside = (*needless_spans(reading), *told(reading, mentions, self.concepts))
        if not mentions and not beside:
            return (
                query if tag_wishes == query.wishes else structs.replace(query, wishes=tag_wishes)
            )
        leaving = [m for m in mentions if self._leaves(query.text, m)]
        leaving = self._but_telling_hosts(query.text, leaving)
        text = _without(query.text, leaving, beside)
        if not _says_something(text):
            text = self._like([m.wish for m in leaving])
            leaving = leaving if text else []
        elif self._names_no_task(text):
            like = self._like([m.wish for m in leaving if _asks_like(m.wish)], text)
            text = f"{text} {like}".strip()
        if purpose := purpose_of(text, self._outside):  # "open source Imaris"
            mentions = [m for m in mentions if m.wish.value.casefold() != text.casefold()]
            text = purpose
        text = text or query.text
        wishes = (replace(m.wish, searched=m not in leaving) for m in mentions)
        return structs.replace(query, text=text, wishes=without_repeats((*tag_wishes, *wishes)))

    def _leaves(self, text: str, mention: Mention) -> bool:
        """Whether the words of a wish leave the text that is searched."""
        if mention.wish.kind in NEVER_SAID:
            return True
        is_stated = self.stated.get(mention.wish.kind, 0.0) >= HALF or mention.wish.kind == SINCE
        return is_stated and not (
            mention.is_clause and self.concepts(text[mention.start : mention.end])
        )

    def _but_telling_hosts(self, text: str, leaving: list[Mention]) -> list[Mention]:
        """The wishes that leave a text: no wanted host where little would be left to search for.

        "A napari connector for OMERO" is searched whole: programs say of what field a tool is.
        """
        hosts = [m for m in leaving if m.wish.kind == "host" and m.wish.strength != "unwanted"]
        rest = _without(text, leaving)
        if not hosts or len(_content(rest)) >= FEW_WORDS or self.concepts(rest):
            return leaving
        return [m for m in leaving if m not in hosts]

    def left_out(self, query: Query) -> tuple[str, ...]:
        """The names of tools that the wishes of a query leave out."""
        names = (w.value for w in query.wishes if leaves_out(w))
        return tuple(dict.fromkeys(names)) if self.hides else ()

    def _names_no_task(self, text: str) -> bool:
        """Whether a text says at most on which kind of image, and of whom, something is done."""
        others = set(self.concepts(text)) - IMAGES - OF_WHOM
        return {concept.partition(":")[0] for concept in others} <= NO_TASK_KINDS

    def _like(self, wishes: Sequence[Wish], text: str = "") -> str:
        """What the tools that are left out do, in words to search with: their like is wanted.

        Of a suite its own record tells it, not that of a member. The ``text`` beside it says on
        which kind of image: "something like TotalSegmentator for MRI" is not for CT.
        """
        names = (words_of(w.value) for w in wishes if leaves_out(w))
        ranked = [
            (words_of(tool.name) != name, n, tool)
            for n, name in enumerate(names)
            for tool in self.names.tools(name)
        ]
        if not ranked:
            return ""
        tool = min(ranked, key=lambda one: one[:2])[2]
        if self._names_image(text):
            keywords = [word for word in tool.keywords if not self._names_image(word)]
            return " ".join(dict.fromkeys((*tool.tasks[:2], *keywords[:MOST_LIKE])))
        facts = (*tool.tasks[:2], *map(str, tool.modalities[:2]), *tool.keywords[:MOST_LIKE])
        return " ".join(dict.fromkeys(facts))

    def _names_image(self, words: str) -> bool:
        return any(concept.startswith("modality:") for concept in self.concepts(words))

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """Every wish of a text in its order, none overlapping another."""
        return self._mentions(Reading(text[:MOST_LETTERS], self.names))

    def _mentions(self, reading: Reading) -> tuple[Mention, ...]:
        mentions = without_other_products(with_others(reading, tuple(reading.mentions())))
        named = with_names(reading, mentions, clause_model("names"), self.concepts)
        mentions = with_sure(with_clauses(reading, named, clause_model("wishes")), mentions)
        meant = tuple(m for m in mentions if not self._tells_of_work(m))
        meant = without_stories(reading, meant, self.concepts)
        return agreed(with_choice_of_languages(reading.text, meant))

    def _tells_of_work(self, mention: Mention) -> bool:
        """Whether a clause without a phrase of a wish says what images are worked on.

        "My postdoc left me with .ims files" wishes for no window.
        """
        is_read_so = mention.is_clause and mention.wish.value in WORK
        kinds = map(kind_of, self.concepts(mention.wish.text)) if is_read_so else ()
        return any(kind in WORK_KINDS for kind in kinds)


def with_wishes_in_text(query: Query) -> Query:
    """The query as before its wishes were read: with its text as it was typed.

    Put together again from parts, "free, not MATLAB" would read as one wish.
    """
    text = clean_text(query.raw)[:MOST_LETTERS] or query.text
    # Those of tags and options have no words in the text, so they stay as they are.
    return structs.replace(query, text=text, wishes=tuple(w for w in query.wishes if not w.text))


def _without(text: str, leaving: Sequence[Mention], beside: Sequence[Span] = ()) -> str:
    """The text less the words of wishes and what stands beside what is asked, with clean ends."""
    pieces, last = list[str](), 0
    parts = {(m.start, m.end, _task_in(text, m)) for m in leaving}
    parts.update((start, end, "") for start, end in beside)
    for start, end, stays in sorted(parts):
        if end <= last:
            continue
        pieces += (text[last : max(start, last)], stays or GAP)
        last = max(end, last)
    if not pieces:
        return text
    rest = " ".join(without_left_over("".join([*pieces, text[last:]])).split())
    # A point that begins a word, as in ".czi", keeps its distance.
    rest = re.sub(r"\s+([,.;:])(?=\s|$)", r"\1", re.sub(r"([,;])(?:\s*[,;])+", r"\1", rest))
    return _ENDS.sub("", _ENDS.sub("", rest)).strip()


def _task_in(text: str, mention: Mention) -> str:
    """The word of a wish that says what to do, which is searched for all the same."""
    if mention.wish.strength == "unwanted":
        return ""
    words = _CONTENT.findall(text[mention.start : mention.end])
    return next((f" {word} " for word in words if word.casefold() in TASK_WORDS), "")


def _asks_like(wish: Wish) -> bool:
    """Whether the words of a wish ask for the like of a tool, as "alternative to" does."""
    words = words_of(wish.text)
    cues = ("like", "like after")
    said = any(grammar().cue(name, words, n) for name in cues for n in range(len(words)))
    return leaves_out(wish) and said


def _content(text: str) -> set[str]:
    """The words of a text to search for: those that no grammar needs, as it does "how"."""
    words = {word.casefold() for word in _CONTENT.findall(text)}
    return words - _NO_TASK - grammar().filler - grammar_words()


def _says_something(text: str) -> bool:
    """Whether a text has a word to search for."""
    return bool(_content(text))
