"""The first look at a text before annotation: its words, their stems and parts, languages, case."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple

import Stemmer

MAX_WORD = 60
"""Characters; a longer run of letters is no word of any language and has no stem."""

_CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|(?:[^\W_{_CJK}]|[\u0300-\u036f])+(?:\+\+|#(?!\w)|\*)?")
_CAMEL = re.compile(r"(?<=[a-z]{3})(?=[A-Z][a-z]{2})|(?<=\dd)(?=[A-Z][a-z])")
_JOIN = re.compile(r"[\s\-\u2010-\u2014_/'\u2019&+]{0,8}|\.")
_JOINS = frozenset({"", " ", "-", "_", "/", "'", "\u2019", "&", "."})
# Pattern and replacement: -ize/-ise, -our/-or, ae and oe/e.
_BRITISH = (
    (re.compile(r"(?<=\w{3})([iy])z(?=(?:e[sdr]?|ers|ing|ations?)$)"), r"\1s"),
    (re.compile(r"(?<=\w{2})our(?=$|s$|al|ed$|ing$)"), "or"),
    (re.compile(r"(?<=\w)[ao]e(?=\w{3})"), "e"),
    (re.compile(r"^oe(?=\w{3})"), "e"),
)
_TABLES = json.loads(files("retrieval.catalog").joinpath("words.json").read_text("utf-8"))
_SPELLED: dict[str, str] = _TABLES["british_spellings"]
_SPELLING = re.compile("|".join(_SPELLED))
# Words whose common stem would put them under another meaning, each with forms that share it.
_STEM_OVERRIDES = {
    word: group.partition(":")[0]
    for group in " ".join(_TABLES["own_stems"]).split()
    for word in re.split("[:,]", group)
}
_SNOWBALL = {"es": "spanish", "fr": "french", "de": "german", "pt": "portuguese", "it": "italian"}

FOREIGN = ("es", "fr", "de", "pt", "it")
_SHORT_QUERY, _SHOUT = 16, 3

_SHORTEST_PART = 5
"""Letters of a part that stands for a whole compound whose other part is not known."""

_SURE_STEM = 4
"""Letters from which the stem of such a part tells it: lebendig has that of Leber."""

_NO_PARTS = frozenset(" ".join(_TABLES["no_parts"]).split())
"""Spellings that end many words of other origin: Methoden, Handlungen, existieren, konsistent."""

_LINKS = ("", "s", "n", "en", "es", "er", "e")
"""Linking elements of German compounds (Fugenelemente)."""

FUNCTION_WORDS = {tongue: frozenset(w.split()) for tongue, w in _TABLES["function_words"].items()}
_SHARED = FUNCTION_WORDS["en"] & frozenset().union(*(FUNCTION_WORDS[t] for t in FOREIGN))
WORDLIKE = frozenset(" ".join(_TABLES["abbreviations_like_words"]).split())
"""Abbreviations that are also words: PET, SPIN, FISH. In lower case they name no concept."""
SHORT_LOWER = frozenset({"ct", "mr", "ai", "ml", "dl"})
"""Two letters that name a concept in lower case too."""


class Word(NamedTuple):
    """A word, or one character of Chinese or Japanese; joined when no punctuation parts it."""

    text: str
    start: int
    end: int
    joined: bool


def words_of(text: str) -> list[Word]:
    """The words in order; ``SkullStrip`` gives two, a hyphen or underscore parts words.

    Each character of Chinese or Japanese is a word. ``start`` and ``end`` count characters.
    """
    words: list[Word] = []
    last = 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        # Ten characters or more part two words whatever they are; the bar is in neither table.
        gap = text[last:start] if start - last < 10 else "|"
        joined = bool(words) and (gap in _JOINS or _JOIN.fullmatch(gap) is not None)
        words.extend(_split(match.group(), start, joined))
        last = end
    return words


def _split(word: str, start: int, joined: bool) -> list[Word]:
    if word.islower() or not 6 < len(word) <= MAX_WORD or not _CAMEL.search(word):
        return [Word(word, start, start + len(word), joined)]
    parts: list[Word] = []
    for part in _CAMEL.split(word):
        parts.append(Word(part, start, start + len(part), joined or bool(parts)))
        start += len(part)
    return parts


@lru_cache(maxsize=100_000)
def fold(word: str) -> str:
    """The word without case, width and accents: ``Läsion`` and ``lasion`` give the same.

    Kana keep their marks (``が`` is not ``か``), since those are no accents.
    """
    if word.isascii():
        return word.lower()
    if "\u3005" <= word[0] <= "\ufaff":
        return unicodedata.normalize("NFKC", word).casefold()
    plain = unicodedata.normalize("NFKD", word.casefold().replace("œ", "oe"))
    return "".join(c for c in plain if not unicodedata.combining(c))


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language)


@lru_cache(maxsize=100_000)
def english_stem(word: str) -> str:
    """The Porter2 stem (Snowball English), the same for British and American spelling."""
    plain = fold(word)
    if len(plain) > MAX_WORD or not plain.isascii() or len(plain) < 4:
        return plain[:MAX_WORD]
    if plain in _STEM_OVERRIDES:
        return _STEM_OVERRIDES[plain]
    plain = _SPELLING.sub(lambda m: _SPELLED[m.group()], plain)
    for pattern, american in _BRITISH:
        plain = pattern.sub(american, plain)
    return str(_stemmer("english").stemWord(plain))


@lru_cache(maxsize=200_000)
def foreign_stem(word: str, language: str) -> str:
    """The Snowball stem in one of ``FOREIGN``, of the word without accents."""
    plain = fold(word)[:MAX_WORD]
    if language == "pt":
        plain = re.sub(r"(?:o|a)es$", "ao", re.sub(r"ns$", "m", plain))
    # Snowball takes the ending of "polmonite" (pneumonia) for that of a verb: the lung's stem.
    if language == "it" and len(plain) > 6 and plain.endswith(("ite", "iti")):
        return plain[:-1]
    # Of "Mikroskops" and "Endoskops" Snowball leaves the genitive's s, which it takes elsewhere.
    if language == "de" and len(plain) > 4 and plain.endswith("ps"):
        plain = plain[:-1]
    return str(_stemmer(_SNOWBALL[language]).stemWord(plain))


def foreign_stems(word: str) -> frozenset[str]:
    """The word with its stem in each language of ``FOREIGN``, as ``es:segment``."""
    return frozenset(f"{language}:{foreign_stem(word, language)}" for language in FOREIGN)


def stem(word: str, language: str) -> str:
    """The stem of one language; Chinese and Japanese share the English one."""
    return foreign_stem(word, language) if language in _SNOWBALL else english_stem(word)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The words of a text and their keys in each trie to search; the lists are parallel.

    ``is_guess`` where words of concepts alone tell that it is foreign.
    """

    words: list[Word]
    folded: list[str]
    keys: dict[str, list[str]]
    is_foreign: bool
    is_guess: bool = False


def _key(word: str, tree: str, cased: str) -> str:
    if tree not in ("as written", "lower"):
        return stem(word, tree)
    # The s of "CTs" and "MRIs" is a plural.
    is_plural = len(word) > 2 and word[-1] == "s" and word[:-1].isupper()
    bare = word[:-1] if is_plural else word
    # In a text of capitals PET may be a pet: the key is one that no abbreviation has.
    return f"\0{word}" if cased == "upper" and bare.lower() in WORDLIKE else bare


def look_at(text: str) -> Text:
    """The words of a text and the tries of spellings to search.

    Foreign tries are searched when the text has no English function word, or at most two of them
    beside accented letters; of the foreign languages those with the most function words.
    """
    words = words_of(text)
    folded = [fold(w.text) for w in words]
    english = [w for w in folded if w in FUNCTION_WORDS["en"]]
    accented = any(w.text.lower() != f and f.isascii() for w, f in zip(words, folded, strict=True))
    cased: Literal["", "lower", "upper"] = ""
    if text.islower() and len(words) < _SHORT_QUERY:
        cased = "lower"
    elif text.isupper() and len(words) >= _SHOUT:
        cased = "upper"
    trees = ("as written", "en", "lower") if cased == "lower" else ("as written", "en")
    small = {name: sum(w in FUNCTION_WORDS[name] for w in folded) for name in FOREIGN}
    most = max(small.values())
    likely = tuple(name for name in FOREIGN if small[name] == most)
    # Words of other languages too, such as the Italian article "i", tell no English by themselves.
    is_open = _SHARED.issuperset(english) or (accented and len(english) <= 2)
    searched = (*trees, *likely) if is_open else trees
    return Text(
        words=words,
        folded=folded,
        keys={tree: [_key(w.text, tree, cased) for w in words] for tree in searched},
        is_foreign=accented or most > 0,
    )


def in_tongues(text: Text, tongues: Collection[str]) -> Text:
    """The text as one of these languages and English."""
    keys = {tree: k for tree, k in text.keys.items() if tree not in FOREIGN or tree in tongues}
    return replace(text, keys=keys, is_foreign=True, is_guess=True)


def is_foreign(text: str) -> bool:
    """Whether a text has accented letters or function words of another language than English."""
    return look_at(text).is_foreign


def stems_of(text: str) -> tuple[str, ...]:
    """The English stems of the words of a text, in order."""
    return tuple(english_stem(word.text) for word in words_of(text))


class Compounds:
    """The concepts of German words, and of the compounds of them."""

    def __init__(self) -> None:
        self._concepts: dict[str, tuple[str, ...]] = {}
        self._spelled = set[str]()
        self.parts = lru_cache(maxsize=20_000)(self._split)

    def add(self, word: str, concept: str) -> None:
        """Add a word; the first concept of a stem is kept."""
        key = foreign_stem(word, "de")
        if len(key) > 2:
            self._concepts.setdefault(key, (concept,))
            self._spelled.add(fold(word))

    def _split(self, word: str) -> tuple[str, ...]:
        """``Hirntumorsegmentierung``: the concepts of its parts when every part is known."""
        plain = fold(word)
        if len(plain) > 40 or not plain.isalpha():
            return ()
        # Parts shorter than four letters are endings or particles, not nouns.
        for cut in range(len(plain) - 4, 3, -1):
            tail = self._concepts.get(foreign_stem(plain[cut:], "de"))
            head = self._head(plain[:cut]) if tail else ()
            if tail and head:
                return (*head, *tail)
        return self._part(plain)

    def _part(self, word: str) -> tuple[str, ...]:
        """``Herzklappenring``: the concepts of the longest part that is known, the end first."""
        shortest = _SHORTEST_PART
        ending = max((len(end) for end in _NO_PARTS if word.endswith(end)), default=0)
        for size in range(len(word) - 2, shortest - 1, -1):
            tail = self._surely(word[-size:], ("",)) if size > ending else ()
            concepts = tail or self._surely(word[:size], _LINKS)
            if concepts:
                return concepts
        return ()

    def _surely(self, part: str, links: Sequence[str]) -> tuple[str, ...]:
        """The concepts of a part beside one that is not known, by its stem where that is long."""
        for link in links:
            bare = part.removesuffix(link) if link else part
            key = foreign_stem(bare, "de")
            is_spelled = bare in self._spelled or len(key) >= _SURE_STEM
            if is_spelled and len(bare) > 3 and bare not in _NO_PARTS and key in self._concepts:
                return self._concepts[key]
        return ()

    def _head(self, head: str, depth: int = 1) -> tuple[str, ...]:
        for link in _LINKS:
            bare = head.removesuffix(link) if link else head
            concepts = self._concepts.get(foreign_stem(bare, "de"))
            if concepts and len(bare) > 3:
                return concepts
        for cut in range(4, len(head) - 3) if depth else ():
            rest = self._head(head[cut:], 0)
            first = self._head(head[:cut], 0) if rest else ()
            if first:
                return (*first, *rest)
        return ()
