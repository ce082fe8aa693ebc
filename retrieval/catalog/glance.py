"""The first look at a text before annotation: its words, likely languages and case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from retrieval.catalog.words import Word, fold, stem, words_of

FOREIGN = ("es", "fr", "de", "pt")
_SHORT_QUERY, _SHOUT = 16, 3
_ENGLISH_WORDS = """
the of and for with from is are that this by which using to an into how what i
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_SMALL_WORDS = {
    "es": "de del la el los las un una y en con por para sin no al",
    "fr": "de du la le les des un une et en dans pour par avec sur sans au aux d l",
    "de": "der die das dem den des und im in mit von vom aus auf ohne zu zur fur bei nach",
    "pt": "de do da dos das um uma e em com por para sem no na nos nas ao",
}
_FUNCTION_WORDS = {name: frozenset(words.split()) for name, words in _SMALL_WORDS.items()}
_WORDLIKE_WORDS = """
pet bold fast us sense palm paint storm aids als root sim cad go ac rest opt shape spin cars
clip rf er ms mt la ad it is as am at be by do he in me my no of on or so to up we ti ta art
case mol loom gif bed sam maf dig stm rad obj his her ants rag map snow clarity codex fis flip
fret beam lung lif iss et an if all git far has was via can per mass cat let dose mip mean ria
fat dia ion sem tem sans des las les
"""
WORDLIKE = frozenset(_WORDLIKE_WORDS.split())
SHORT_LOWER = frozenset({"ct", "mr", "ai", "ml", "dl"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The words of a text and their keys in each trie to search; the lists are parallel."""

    words: list[Word]
    folded: list[str]
    keys: dict[str, list[str]]
    is_foreign: bool
    cased: Literal["", "lower", "upper"]


def _key(word: str, tree: str, cased: str) -> str:
    if tree in ("as written", "lower"):
        bare = word[:-1] if len(word) > 2 and word[-1] == "s" and word[:-1].isupper() else word
        return f"\0{word}" if cased == "upper" and bare.lower() in WORDLIKE else bare
    return stem(word, tree)


def look_at(text: str) -> Text:
    """The words of a text and the tries of spellings to search.

    Foreign tries are searched when the text has no English function word, or at most two of them
    beside accented letters; of the foreign languages those with the most function words.
    """
    words = words_of(text)
    folded = [fold(w.text) for w in words]
    english = sum(w in _ENGLISH for w in folded)
    accented = any(w.text.lower() != f and f.isascii() for w, f in zip(words, folded, strict=True))
    cased = _cased(text, len(words))
    trees = ("as written", "en", "lower") if cased == "lower" else ("as written", "en")
    small = {name: sum(w in words_ for w in folded) for name, words_ in _FUNCTION_WORDS.items()}
    most = max(small.values())
    likely = tuple(name for name in FOREIGN if small[name] == most)
    is_open = english == 0 or (accented and english <= 2)
    searched = (*trees, *likely) if is_open else trees
    return Text(
        words=words,
        folded=folded,
        keys={t: [_key(w.text, t, cased) for w in words] for t in searched},
        is_foreign=accented or most > 0,
        cased=cased,
    )


def _cased(text: str, words: int) -> Literal["", "lower", "upper"]:
    """``lower`` for a short text in lower case, ``upper`` for one in capitals, else empty."""
    if text.islower() and words < _SHORT_QUERY:
        return "lower"
    return "upper" if text.isupper() and words >= _SHOUT else ""
