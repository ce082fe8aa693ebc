"""Words of a text with their places, and the stems under which spellings meet."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

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
_SPELLED = {
    "fibre": "fiber",
    "centre": "center",
    "grey": "gray",
    "artefact": "artifact",
    "catalogue": "catalog",
    "programme": "program",
}
_SPELLING = re.compile("|".join(_SPELLED))
_OWN_STEM = """
sequencing:sequenced networking contouring vesselness vertebrate:vertebrates organic animation
conformation:conformations,conformational genomics testis:testes,testicular generative integrative
typing:typed sampling inference recording:recordings reading phasing:phased fitting distributed
guided documentation diverse publication:publications important interpretation adaptive oriented
transformer:transformers extension:extensions translational ageing:aging gridding binning
embedding:embeddings enhancer:enhancers extremity:extremities connectivity affinity streaming
accession:accessions fragmentation clipping container:containers fluorescens
nifty rooted inversion:inversions variational adaptation
minimiser:minimisers,minimizer,minimizers
"""
_STEM_OVERRIDES = {
    word: group.partition(":")[0] for group in _OWN_STEM.split() for word in re.split("[:,]", group)
}
"""Words whose common stem would put them under another meaning."""
_SNOWBALL = {"es": "spanish", "fr": "french", "de": "german", "pt": "portuguese"}


class Word(NamedTuple):
    """A word, or one character of Chinese or Japanese; joined when no punctuation parts it."""

    text: str
    start: int
    end: int
    joined: bool


def words_of(text: str) -> list[Word]:
    """The words in order; ``SkullStrip`` gives two, a hyphen or underscore parts words."""
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
    """The word without case, width and accents: ``Läsion`` and ``lasion`` give the same."""
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
    for pattern, put in _BRITISH:
        plain = pattern.sub(put, plain)
    return str(_stemmer("english").stemWord(plain))


@lru_cache(maxsize=200_000)
def foreign_stem(word: str, language: str) -> str:
    """The Snowball stem in ``es``, ``fr``, ``de`` or ``pt``, of the word without accents."""
    plain = fold(word)[:MAX_WORD]
    if language == "pt":
        plain = re.sub(r"(?:o|a)es$", "ao", re.sub(r"ns$", "m", plain))
    return str(_stemmer(_SNOWBALL[language]).stemWord(plain))


def stem(word: str, language: str) -> str:
    """The stem of one language; Chinese and Japanese share the English one."""
    return foreign_stem(word, language) if language in _SNOWBALL else english_stem(word)
