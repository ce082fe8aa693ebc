"""The concept layer, read once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from retrieval.catalog import (
    Annotator,
    Concept,
    ConceptAnnotator,
    Mention,
    english_stem,
    load_concepts,
    load_words,
    stem,
    words_of,
)
from retrieval.core import Encoder, StageUnavailable
from retrieval.graph import Lexicon
from retrieval.lexical import Bm25Index
from retrieval.query import (
    ImpliedImages,
    Slips,
    Verbs,
    is_grammar,
    plain_words,
    read_verbs,
    tongues_of,
)
from retrieval.settings import ROOT

CONCEPTS = ROOT / "assets" / "concepts" / "concepts.jsonl"
WORDS = ROOT / "assets" / "concepts" / "words.jsonl"
VERBS = ROOT / "assets" / "concepts" / "verbs.json"
IMPLIED_IMAGES = ROOT / "assets" / "concepts" / "implied_images.json"
THING_WORDS = ROOT / "assets" / "concepts" / "thing_words.txt"


REMEMBERED = 64
"""Texts whose concepts are cached: most stages of a search need those of the same text."""

SENSES = 2
"""English words for a foreign one that are searched: of 278 requests in six languages .968 have a
right tool in the first three with two, .960 with all of them, .957 with one."""

USED = 3
"""Records that use a word which a slip may stand for: fewer may have the slip themselves."""

SHORTEST = 4
"""Letters of such a word; one slip of three letters leaves too little."""

SURE = 8
"""Letters from which a word near one of the field is replaced before the encoder can be asked."""

_LETTERS = re.compile(r"[a-z]+")


class CachedAnnotator:
    """An annotator with a cache of the last texts."""

    def __init__(self, annotator: Annotator) -> None:
        self._lookup = lru_cache(maxsize=REMEMBERED)(annotator.concepts)

    def concepts(self, text: str) -> tuple[str, ...]:
        """The ids of one text."""
        return self._lookup(text)


class CachedMentions:
    """An annotator that names places, with a cache of the last texts."""

    def __init__(self, annotator: ConceptAnnotator) -> None:
        self._lookup = lru_cache(maxsize=REMEMBERED)(annotator.mentions)

    def mentions(self, text: str) -> Sequence[Mention]:
        """Every mention of one text, in order."""
        return self._lookup(text)


@cache
def english() -> ConceptAnnotator:
    """The annotator of English alone."""
    return every_language().english()


@cache
def every_language() -> ConceptAnnotator:
    """The annotator of all languages, with places and denials."""
    return ConceptAnnotator(load_concepts(CONCEPTS))


@cache
def _every_word(tongue: str) -> tuple[ConceptAnnotator, dict[str, str]]:
    """The annotator of concepts and words of one language, or of all where it is empty."""
    every = (*load_concepts(CONCEPTS), *load_words(WORDS))
    if tongue:
        every = tuple(
            replace(c, labels=tuple(pair for pair in c.labels if pair[0] == tongue)) for c in every
        )
    return ConceptAnnotator(every), {c.id: c.label for c in every}


@lru_cache(maxsize=REMEMBERED)
def _senses(text: str) -> tuple[tuple[str, ...], ...]:
    """The English labels of each place of a foreign text that names something, in order.

    Its words are those of its language where its grammar tells one: a Spanish "nombre" is a name,
    a French one a number.
    """
    tongues = tongues_of(text)
    annotator, labels = _every_word(tongues[0] if len(tongues) == 1 else "")
    places: dict[tuple[int, int], list[str]] = {}
    for mention in annotator.mentions(text):
        if not is_grammar(text[mention.start : mention.end]):
            places.setdefault((mention.start, mention.end), []).append(labels[mention.concept])
    return tuple(map(tuple, places.values()))


def in_english(text: str, used: Mapping[str, int]) -> tuple[str, ...]:
    """The English of the words of a foreign text that are known, in their order, once each.

    Of a word with several senses the SENSES whose words most records have (``used``): an
    "Untersuchung" is a study more often than an observer. The words are read when a foreign text
    is (.5 s).
    """

    def uses(label: str) -> int:
        return min((used.get(word, 0) for word in _LETTERS.findall(label.casefold())), default=0)

    chosen = ((senses, sorted(senses, key=uses, reverse=True)[:SENSES]) for senses in _senses(text))
    return tuple(dict.fromkeys(x for senses, most in chosen for x in senses if x in most))


@cache
def usual_verbs() -> Verbs:
    """The usual verb of each operation, read once."""
    return read_verbs(VERBS)


@cache
def implied_images() -> ImpliedImages:
    """The kinds of images that tasks are done on, read once."""
    words = json.loads(IMPLIED_IMAGES.read_text("utf-8"))
    return ImpliedImages(words, every_language())


@cache
def field_words() -> frozenset[str]:
    """The English words of all spellings, which a slip may stand for."""
    return plain_words(name for c in load_concepts(CONCEPTS) for name in c.english)


@cache
def thing_stems() -> frozenset[str]:
    """The shipped stems of words that name an animal, a plant, a body part, a disease and such."""
    return frozenset(THING_WORDS.read_text("utf-8").split())


def is_thing(word: str) -> bool:
    """Whether a word in lower case names a thing, and so need not be a tool's name."""
    return english_stem(word) in thing_stems()


@cache
def foreign_words() -> frozenset[str]:
    """The stems of all words of other languages, as ``foreign_stems`` gives them."""
    labels = (label for c in load_concepts(CONCEPTS) for label in c.labels)
    words = ((tongue, w.text) for tongue, names in labels for n in names for w in words_of(n))
    return frozenset(f"{t}:{stem(word, t)}" for t, word in words)


def field_slips(bm25: Bm25Index, encoder: Encoder) -> Slips:
    """What replaces misspelt words by those of the field and of the records.

    A word that names a thing is none: an udder is not "under", nor hypotension its opposite.
    """

    def is_english(word: str) -> bool:
        return is_thing(word) or is_whole_word(encoder, word)

    vocabulary = _vocabulary(bm25)
    return Slips(vocabulary, bm25.holds, is_english, foreign_words(), _is_in_other_tongue)


@lru_cache(maxsize=1)
def _vocabulary(bm25: Bm25Index) -> dict[str, int]:
    """Words a slip may stand for, by their use; those of the field before all others."""
    used = bm25.written
    common = {word: n for word, n in used.items() if n >= USED and len(word) >= SHORTEST}
    return common | {word: len(bm25.tools) + used.get(word, 0) for word in field_words()}


def is_whole_word(encoder: Encoder, word: str) -> bool:
    """Whether the encoder's own list of words has this one whole; unread while it loads."""
    try:
        return len(encoder.encode_tokens([word])[0]) == 1
    except StageUnavailable:
        return len(word) < SURE


def _is_in_other_tongue(text: str) -> bool:
    """Whether a text names concepts by several words that English does not have, or by accents.

    A single one may be a slip as well: "abdomnal" has the stem of abdominal in other languages.
    """
    places = {(m.start, m.end) for m in every_language().mentions(text) if m.foreign}
    words = [word for start, end in places for word in text[start:end].split()]
    return len(words) > 1 or not "".join(words).isascii()


@cache
def lexicon() -> Lexicon:
    """The annotator with labels and wider concepts; the shipped files never change at run time."""
    return lexicon_of(load_concepts(CONCEPTS), every_language())


def lexicon_of(concepts: Sequence[Concept], annotator: ConceptAnnotator | None = None) -> Lexicon:
    """The annotator of some concepts with their labels and wider concepts."""
    return Lexicon(
        annotator=annotator or ConceptAnnotator(concepts),
        labels={c.id: c.label for c in concepts},
        parents={c.id: c.parents for c in concepts},
    )


@lru_cache(maxsize=REMEMBERED)
def coverage(text: str) -> float:
    """The share (0 to 1) of a text's letters that lie in the name of a concept; 0 without one."""
    mentions = every_language().mentions(text)
    letters = {n for n, character in enumerate(text) if character.isalnum()}
    named = {n for mention in mentions for n in range(mention.start, mention.end)}
    return len(letters & named) / len(letters) if letters else 0.0
