"""Concepts found in any text: longest match over stems, in seven languages, minding denials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Protocol

from retrieval.catalog.concepts import Concept
from retrieval.catalog.glance import FOREIGN, SHORT_LOWER, WORDLIKE, Text, look_at
from retrieval.catalog.negation import Span, negated
from retrieval.catalog.words import fold, foreign_stem, stem, words_of

ENGLISH = ("en", "as written", "lower")
OTHER = "other"
"""Spellings of Chinese and Japanese, under English stems: no word has both."""

_SHORT_FOREIGN = 4
_LINKS = ("", "s", "n", "en", "es", "er", "e")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A concept named by ``text[start:end]``; negated when the text denies it."""

    start: int
    end: int
    concept: str
    negated: bool


@dataclass(slots=True)
class _Node:
    """A step in a tree of spellings; ``concepts`` where one ends, ``shy`` if too like English.

    Where a phrase ``ends`` without concepts its words name none: a cell phone is no cell.
    """

    next: dict[str, _Node] = field(default_factory=dict)
    concepts: tuple[str, ...] = ()
    shy: bool = False
    ends: bool = False

    def at(self, keys: Sequence[str]) -> _Node:
        """The node that these keys lead to, made where there is none."""
        node = self
        for key in keys:
            node = node.next.setdefault(key, _Node())
        return node

    def add(self, keys: Sequence[str], concept: str, shy: bool = False) -> None:
        node = self.at(keys)
        if concept not in node.concepts:
            node.concepts = (*node.concepts, concept)
            node.shy = shy


class Annotator(Protocol):
    """Concept ids found in a text, in order of appearance, once each."""

    def concepts(self, text: str) -> tuple[str, ...]:
        """The ids of one text."""
        ...


class ConceptAnnotator:
    """Finds concepts in English, Chinese, Spanish, French, German, Portuguese and Japanese.

    Where spellings overlap the longest of the leftmost wins; a spelling of two concepts gives
    both. Time is linear in the length of the text.
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._kinds: dict[str, str] = {}
        self._trees = {name: _Node() for name in (*ENGLISH, *FOREIGN, OTHER)}
        self._german: dict[str, tuple[str, ...]] = {}
        for concept in concepts:
            self._add(concept)
        for phrase in _everyday():
            self._trees["en"].at([stem(w.text, "en") for w in words_of(phrase)]).ends = True
        self._compound: Callable[[str], tuple[str, ...]] = lru_cache(maxsize=20_000)(
            self._split_compound
        )

    def _add(self, concept: Concept) -> None:
        self._kinds[concept.id] = concept.kind
        for spelling in concept.english:
            self._put("en", spelling, concept.id)
        for language, spellings in concept.labels:
            tree = language if language in FOREIGN else OTHER
            for spelling in spellings:
                self._put(tree, spelling, concept.id)
        for short in concept.abbreviations:
            keys = [w.text for w in words_of(short)]
            self._trees["as written"].add(keys, concept.id)
            if short.lower() not in WORDLIKE and (len(short) > 2 or short.lower() in SHORT_LOWER):
                self._trees["lower"].add([k.lower() for k in keys], concept.id)

    def _put(self, tree: str, spelling: str, concept: str) -> None:
        words = words_of(spelling)
        keys = [stem(w.text, tree) for w in words]
        short = len(keys) == 1 and len(fold(spelling)) <= _SHORT_FOREIGN and spelling.isascii()
        self._trees[tree].add(keys, concept, shy=tree in FOREIGN and short)
        if tree == "de" and len(keys) == 1 and len(keys[0]) > 2:
            self._german.setdefault(keys[0], (concept,))

    def english(self) -> ConceptAnnotator:
        """The same spellings without those of other languages; what is found is shared."""
        alone = copy(self)
        alone._trees = {name: self._trees[name] for name in ENGLISH}
        alone._compound = _no_compound
        return alone

    def concepts(self, text: str) -> tuple[str, ...]:
        """Ids of the concepts that the text names and does not deny, in order, once each."""
        return tuple(dict.fromkeys(m.concept for m in self.mentions(text) if not m.negated))

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """Every mention in order of appearance."""
        seen = look_at(text)
        found = self._spans(seen)
        words, joined = seen.folded, [w.joined for w in seen.words]
        spans = [Span(a, b, self._kinds[ids[0]]) for a, b, ids in found]
        denied = negated(words, joined, spans)
        return tuple(
            Mention(
                start=seen.words[a].start,
                end=seen.words[b - 1].end,
                concept=concept,
                negated=n in denied or _is_free_of(text, seen.words[b - 1].end),
            )
            for n, (a, b, ids) in enumerate(found)
            for concept in ids
        )

    def _spans(self, seen: Text) -> list[tuple[int, int, tuple[str, ...]]]:
        found: list[tuple[int, int, tuple[str, ...]]] = []
        at = 0
        while at < len(seen.words):
            end, ids = self._longest(seen, at)
            if end == at and "de" in seen.keys and len(seen.words[at].text) > 7:
                end, ids = at + 1, self._compound(seen.words[at].text)
            if ids:
                found.append((at, end, ids))
            at = max(end, at + 1)
        return found

    def _longest(self, seen: Text, at: int) -> tuple[int, tuple[str, ...]]:
        best: tuple[int, tuple[str, ...]] = (at, ())
        for name, keys in seen.keys.items():
            for tree in (name, OTHER) if name == "en" else (name,):
                node = self._trees[tree].next.get(keys[at]) if tree in self._trees else None
                if node is not None:
                    end, ids = _walk(node, keys, seen, at)
                    best = (end, ids) if end > best[0] else best
        return best

    def _split_compound(self, word: str) -> tuple[str, ...]:
        """``Hirntumorsegmentierung``: the concepts of its parts when every part is known."""
        plain = fold(word)
        if len(plain) > 40 or not plain.isalpha():
            return ()
        for cut in range(len(plain) - 4, 3, -1):
            tail = self._german.get(foreign_stem(plain[cut:], "de"))
            head = self._german_head(plain[:cut]) if tail else ()
            if tail and head:
                return (*head, *tail)
        return ()

    def _german_head(self, head: str, depth: int = 1) -> tuple[str, ...]:
        for link in _LINKS:
            bare = head.removesuffix(link) if link else head
            found = self._german.get(foreign_stem(bare, "de"))
            if found and len(bare) > 3:
                return found
        for cut in range(4, len(head) - 3) if depth else ():
            rest = self._german_head(head[cut:], 0)
            first = self._german_head(head[:cut], 0) if rest else ()
            if first:
                return (*first, *rest)
        return ()


def _no_compound(word: str) -> tuple[str, ...]:
    return ()


@cache
def _everyday() -> tuple[str, ...]:
    """Phrases of everyday English whose words are those of concepts but do not mean them."""
    text = files("retrieval.catalog").joinpath("everyday.txt").read_text("utf-8")
    return tuple(text.splitlines())


def _walk(node: _Node, keys: list[str], seen: Text, at: int) -> tuple[int, tuple[str, ...]]:
    """The longest spelling that goes on from the first word's node: its end and its concepts."""
    best: tuple[int, tuple[str, ...]] = (at, ())
    i = at + 1
    while True:
        if node.ends or (node.concepts and (seen.is_foreign or not node.shy)):
            best = (i, node.concepts)
        if i == len(keys) or not seen.words[i].joined or keys[i] not in node.next:
            return best
        node = node.next[keys[i]]
        i += 1


def _is_free_of(text: str, end: int) -> bool:
    """``GPU-free`` and the like."""
    return text[end : end + 5].lower() == "-free" and not text[end + 5 : end + 6].isalnum()
