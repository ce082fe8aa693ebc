"""Text to terms: stems, with the short codes of the field kept whole."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import Stemmer

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TERM = re.compile(
    rf"(?:format|task):[\w.+-]+|[{_CJK}]+|(?:(?![{_CJK}_])[\w])+(?:[-+'.*](?![{_CJK}_])[\w]+)*\*?"
)
_PLAIN = re.compile(r"[a-z0-9]+")
_STOP = frozenset(files("retrieval.lexical").joinpath("stopwords.txt").read_text("utf-8").split())


_PER_THREAD = threading.local()


def _stem(word: str) -> str:
    """One stemmer a thread: it is slow to make and two threads may not share it."""
    stemmer = getattr(_PER_THREAD, "stemmer", None)
    if stemmer is None:
        stemmer = _PER_THREAD.stemmer = Stemmer.Stemmer("english")
    return str(stemmer.stemWord(word))


def tokenise(text: str) -> list[str]:
    """Terms of a text in order.

    ``format:x`` is one term; ``3D``, ``T1``, ``10x``, ``il-6`` and accented words survive; a
    hyphened word gives itself, its parts and its joined form; CJK runs give their characters
    and character pairs.
    """
    terms: list[str] = []
    for match in _TERM.finditer(unicodedata.normalize("NFKC", text).casefold()):
        terms.extend(_forms(match.group()))
    return terms


@lru_cache(maxsize=100_000)
def _forms(word: str) -> Sequence[str]:
    if _PLAIN.fullmatch(word):
        return () if word in _STOP else (_stem(word),)
    if word.startswith(("format:", "task:")):
        return [word.rstrip(".")]
    if re.match(rf"[{_CJK}]", word):
        return [*word, *(word[i : i + 2] for i in range(len(word) - 1))]
    if word in _STOP:
        return []
    parts = re.split(r"[-+'.*]", word)
    if len(parts) == 1:
        return [_stem(word)]
    split = [_stem(p) for p in parts if p and p not in _STOP]
    return list(dict.fromkeys([_stem(word), *split, _stem("".join(parts))]))
