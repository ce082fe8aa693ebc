"""Concepts of a text by longest match over stems, in eight languages, with negation.

Spellings are in tries whose edges are stems (``_Node``), one trie per language and spelling rule.
``negation.py`` decides which mentions a text denies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple, Protocol

from retrieval.catalog.concepts import Concept
from retrieval.catalog.finding import DETECTION, finding_verb
from retrieval.catalog.negation import Span, negated
from retrieval.catalog.senses import (
    is_beside,
    is_usual,
    may_be_english,
    meant,
    tells_a_language,
)
from retrieval.catalog.words import (
    FOREIGN,
    FUNCTION_WORDS,
    SHORT_LOWER,
    WORDLIKE,
    Compounds,
    Text,
    fold,
    in_tongues,
    look_at,
    stem,
    words_of,
)

ENGLISH = ("en", "as written", "lower")
OTHER = "other"
"""Trie of Chinese and Japanese spellings. It is searched by English stems: no word is in both."""

CACHED_TEXTS = 4
"""Texts whose mentions are cached: several stages of a query ask for those of the same text."""

DISEASES = ("disease", "data")
"""Kinds by which a disease is under what it leaves in an image: brain tumour, tumour, lesion."""

_LETTER_DIGIT = re.compile(r"[A-Z]\d")
"""Abbreviations that are no word in small letters either: "on t2"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A concept named by ``text[start:end]``; negated when the text denies it.

    ``foreign`` where the spelling is one of another language, and none of English.
    """

    start: int
    end: int
    concept: str
    negated: bool
    foreign: bool = False


class _Match(NamedTuple):
    """Concepts of a run of words, and whether their spelling is not English."""

    first: int
    last: int
    ids: tuple[str, ...]
    foreign: bool = False


@dataclass(slots=True)
class _Node:
    """A node of a trie of spellings; ``concepts`` are those whose spelling ends here.

    ``exact`` has those of one word by the word itself: a foie is a liver, though its stem is that
    of a foyer. ``ends`` marks the end of a phrase without concepts, which hides those of its words:
    a cell phone is no cell.
    """

    next: dict[str, _Node] = field(default_factory=dict)
    concepts: tuple[str, ...] = ()
    exact: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ends: bool = False

    def at(self, keys: Sequence[str]) -> _Node:
        """The node at the end of these keys; missing nodes are added."""
        node = self
        for key in keys:
            node = node.next.setdefault(key, _Node())
        return node

    def add(self, keys: Sequence[str], concept: str, word: str = "") -> None:
        node = self.at(keys)
        if concept not in node.concepts:
            node.concepts = (*node.concepts, concept)
        if word and concept not in node.exact.get(word, ()):
            node.exact[word] = (*node.exact.get(word, ()), concept)


class Annotator(Protocol):
    """Concept ids found in a text, in order of appearance, once each."""

    def concepts(self, text: str) -> tuple[str, ...]:
        """The ids of one text."""
        ...


class ConceptAnnotator:
    """Finds concepts in English, Chinese, Spanish, French, German, Portuguese, Italian, Japanese.

    Where spellings overlap the longest of the leftmost wins, or a narrower kind of image that goes
    on behind it. A spelling of two concepts gives both. Time is linear in the length of the text.
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._kinds: dict[str, str] = {}
        self._parents: dict[str, tuple[str, ...]] = {}
        self._trees = {name: _Node() for name in (*ENGLISH, *FOREIGN, OTHER)}
        self._compounds = Compounds()
        for concept in concepts:
            self._add(concept)
        # Phrases of everyday English that contain spellings of concepts but do not name them.
        everyday = files("retrieval.catalog").joinpath("everyday.txt").read_text("utf-8")
        for phrase in everyday.splitlines():
            self._trees["en"].at([stem(w.text, "en") for w in words_of(phrase)]).ends = True
        self._compound: Callable[[str], tuple[str, ...]] = self._compounds.parts
        self._mentions = lru_cache(maxsize=CACHED_TEXTS)(self._find)

    def _add(self, concept: Concept) -> None:
        self._kinds[concept.id], self._parents[concept.id] = concept.kind, concept.parents
        for spelling in concept.english:
            self._add_spelling("en", spelling, concept.id)
        for language, spellings in concept.labels:
            tree = language if language in FOREIGN else OTHER
            for spelling in spellings:
                self._add_spelling(tree, spelling, concept.id)
        for short in concept.abbreviations:
            keys = [w.text for w in words_of(short)]
            self._trees["as written"].add(keys, concept.id)
            if _LETTER_DIGIT.fullmatch(short):
                self._trees["en"].add([k.lower() for k in keys], concept.id)
            if short.lower() not in WORDLIKE and (len(short) > 2 or short.lower() in SHORT_LOWER):
                self._trees["lower"].add([k.lower() for k in keys], concept.id)

    def _add_spelling(self, tree: str, spelling: str, concept: str) -> None:
        words = words_of(spelling)
        keys = [stem(w.text, tree) for w in words]
        is_word = tree in FOREIGN and len(keys) == 1
        self._trees[tree].add(keys, concept, fold(spelling) if is_word else "")
        if tree == "de" and len(keys) == 1:
            self._compounds.add(words[0].text, concept)

    def english(self) -> ConceptAnnotator:
        """An annotator of the English spellings only; it shares the tries with this one."""
        alone = copy(self)
        alone._trees = {name: self._trees[name] for name in ENGLISH}
        alone._compound = lambda word: ()
        alone._mentions = lru_cache(maxsize=CACHED_TEXTS)(alone._find)
        return alone

    def concepts(self, text: str) -> tuple[str, ...]:
        """Ids of the concepts that the text names and does not deny, in order, once each."""
        return tuple(dict.fromkeys(m.concept for m in self.mentions(text) if not m.negated))

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """Every mention in order of appearance, with its place in characters of the text.

        Two mentions share a place where a spelling names two concepts. Those of the last
        CACHED_TEXTS texts are cached.
        """
        return self._mentions(text)

    def _find(self, text: str) -> tuple[Mention, ...]:
        text_words = look_at(text)
        matches = self._spans(text_words)
        tongues = () if text_words.is_foreign else self._tongues(text_words, matches)
        if tongues:  # "Darm segmentieren": beside the one word the other is no English one
            text_words = in_tongues(text_words, tongues)
            matches = self._spans(text_words)
        words, joined = text_words.folded, [w.joined for w in text_words.words]
        spans = [Span(m.first, m.last, self._kinds[m.ids[0]]) for m in matches]
        verb = finding_verb(words, joined, spans, tuple(text_words.keys))
        if verb is not None and DETECTION in self._kinds:
            others = [m for m in matches if not m.first <= verb < m.last]
            matches = sorted((*others, _Match(verb, verb + 1, (DETECTION,), True)))
            spans = [Span(m.first, m.last, self._kinds[m.ids[0]]) for m in matches]
        denied = negated(words, joined, spans)
        mentions: list[Mention] = []
        for n, (a, b, ids, foreign) in enumerate(matches):
            start, end = text_words.words[a].start, text_words.words[b - 1].end
            # "GPU-free", but not "GPU-freedom".
            is_free = text[end : end + 5].lower() == "-free" and not text[end + 5 :][:1].isalnum()
            is_denied = n in denied or is_free
            mentions += [
                Mention(start=start, end=end, concept=c, negated=is_denied, foreign=foreign)
                for c in ids
            ]
        return tuple(mentions)

    def _spans(self, text_words: Text) -> list[_Match]:
        matches: list[_Match] = []
        at = 0
        while at < len(text_words.words):
            at, end, ids, foreign = self._narrower(text_words, self._longest(text_words, at))
            # Two parts of four letters each are the shortest compound that is split.
            if end == at and "de" in text_words.keys and len(text_words.words[at].text) > 7:
                parts = self._compound(text_words.words[at].text)
                end, ids = at + 1, () if is_usual(text_words, at, "de") else parts
                foreign = True
            ids = tuple(i for i in meant(text_words, at, end, ids) if i in self._kinds)
            if ids:
                matches.append(_Match(at, end, ids, foreign))
            at = max(end, at + 1)
        return [m for n, m in enumerate(matches) if not is_beside(text_words, matches, n)]

    def _narrower(self, text_words: Text, match: _Match) -> _Match:
        """The match of a narrower kind of image that begins in this one and ends behind it, or it.

        "Imágenes de microscopía electrónica"; a "lung lobe segmentation" names the lobe too. A task
        leaves its object to a disease: "segmentar tumores cerebrales" is of brain tumours.
        """
        wider = {i for i in match.ids if self._kinds[i] == "modality"}
        tasks = [i for i in match.ids if self._kinds[i] == "operation"]
        objects = {p for i in tasks for p in self._parents[i] if self._kinds.get(p) == "data"}
        for at in range(match.first + 1, match.last if wider or objects else 0):
            inner = self._longest(text_words, at)
            if inner.last <= match.last:
                continue
            if any(self._is_under(wider, i, ("modality",)) for i in inner.ids):
                return inner
            if any(self._is_under(objects, i, DISEASES) for i in inner.ids):
                head = self._longest(text_words, match.first, at)
                return head if head.ids else match
        return match

    def _is_under(self, wider: Collection[str], concept: str, kinds: Collection[str]) -> bool:
        """Whether a concept has a wider one of these, at any depth, by concepts of these kinds."""
        parents = self._parents.get(concept, ()) if self._kinds.get(concept) in kinds else ()
        return any(p in wider or self._is_under(wider, p, kinds) for p in parents)

    def _longest(self, text_words: Text, at: int, stop: int | None = None) -> _Match:
        """The longest spelling that begins at a word and ends before ``stop``."""
        best, exact, words = _Match(at, at, ()), False, text_words.words
        for name, keys in text_words.keys.items():
            keys = keys if stop is None else keys[:stop]
            for tree in (name, OTHER) if name == "en" else (name,):
                node = self._trees[tree].next.get(keys[at]) if tree in self._trees else None
                if node is not None:
                    end, ids = _walk(node, keys, text_words, at)
                    is_word, word = end == at + 1, text_words.folded[at]
                    is_exact = is_word and word in node.exact
                    # A Spanish "una" is no nail, a Portuguese "pelo" no hair.
                    if is_word and (
                        word in FUNCTION_WORDS.get(name, ())
                        or is_usual(text_words, at, name)
                        or (name in FOREIGN and may_be_english(text_words, at, keys[at], is_exact))
                    ):
                        continue
                    ids = node.exact[word] if is_exact else ids
                    # An Italian TAC is a CT, not a time-activity curve.
                    own = text_words.is_foreign and name in FOREIGN and is_word and end == best.last
                    if end > best.last or (own and ids and is_exact >= exact):
                        # A colon of a text in English stays one: colonia has the same stem.
                        if end == best.last:
                            ids = tuple(i for i in ids if i in best.ids) or ids
                        best = _Match(at, end, ids, name in FOREIGN and end > best.last)
                        # Where English has a word, another language needs it, not its stem.
                        exact = is_exact or (name not in FOREIGN and word == words[at].text.lower())
        return best

    def _tongues(self, text_words: Text, matches: Sequence[_Match]) -> frozenset[str]:
        """The languages whose words are read in a text without accents and words of grammar."""
        firsts = [m.first for m in matches if m.foreign and tells_a_language(text_words, m.first)]
        return frozenset(
            name
            for name in FOREIGN
            for at in firsts
            if name in text_words.keys and text_words.keys[name][at] in self._trees[name].next
        )


def _walk(node: _Node, keys: list[str], text_words: Text, at: int) -> tuple[int, tuple[str, ...]]:
    """The longest spelling that goes on from the first word's node: its end and its concepts."""
    best: tuple[int, tuple[str, ...]] = (at, ())
    i = at + 1
    while True:
        if node.ends or node.concepts:
            best = (i, node.concepts)
        if i == len(keys) or not text_words.words[i].joined or keys[i] not in node.next:
            return best
        node = node.next[keys[i]]
        i += 1
