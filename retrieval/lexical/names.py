"""Names of tools and suites in a text: exact, folded, without a version, or misspelt."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import Stemmer
from rapidfuzz import process
from rapidfuzz.distance import OSA

from retrieval.core import Tool
from retrieval.lexical.mentions import MentionTable, folded
from retrieval.lexical.tokenise import tokenise

CACHED_TEXTS = 4
"""Texts whose names are cached: the order and the remarks of a search ask for the same."""

LONGEST = 5
"""Words a name may be typed in."""

MAX_WORDS = 60
"""Words of a query that are looked at."""

FUZZY_FROM, TWO_FROM = 5, 9
"""Folded characters from which one slip, and from which two, are forgiven."""

Extent = Literal["whole", "part"]

FUZZY_WORDS = 8
"""Words up to which a text is looked through for slips; in prose an odd word is a word."""

FEW_WORDS = 3
"""Words up to which a name is what the text is about, wherever it stands."""

ABOUT = frozenset(
    {"official", "github", "repository", "website", "homepage", "documentation", "manual"}
    | {"where", "give", "get", "find", "show", "need", "want"}
)
"""Words that ask for a tool or its own pages and say nothing of a task."""

_CUE = re.compile(r"\b(?:with|using|use|run|in|via|by|through)\s+(?:the\s+)?$", re.IGNORECASE)
_VERSION = re.compile(r"(?<=[a-z])v?\d+$")
_AVOID = re.compile(
    r"\b(?:without|not|except|excluding|avoid|unlike|like|similar to|instead of|other than"
    r"|alternatives? (?:to|for)|replac\w+(?: for| of)?|successor (?:of|to))\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[-+.'][^\W_]+)*\+*", re.UNICODE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A name found in a text: as typed, the tools it names, others it may mean (their suite).

    ``share`` is the part of the words that the name makes.
    """

    typed: str
    name: str
    tools: tuple[str, ...]
    suite: tuple[str, ...]
    extent: Extent
    share: float = 1.0
    misspelt: bool = False


class NameIndex:
    """Folded names, ids, suites and short forms of a catalog; ids come in ascending order."""

    def __init__(
        self,
        tools: Sequence[Tool],
        table: MentionTable,
        is_kind: Callable[[str], bool] = lambda text: False,
        is_thing: Callable[[str], bool] = lambda word: False,
    ) -> None:
        """``is_kind``: whether a text names a kind of image or task, whatever is so called.

        ``is_thing``: whether a word means something that no record may speak of ("flower").
        """
        self._table, self._is_kind, self._is_thing = table, is_kind, is_thing
        self._tools: defaultdict[str, set[str]] = defaultdict(set)
        self._suites: defaultdict[str, set[str]] = defaultdict(set)
        self._loose: defaultdict[str, set[str]] = defaultdict(set)
        self._full: defaultdict[str, set[str]] = defaultdict(set)
        self._label: dict[str, str] = {}
        self._words: set[str] = set()
        self._stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
        self._cached_find = lru_cache(maxsize=CACHED_TEXTS)(self._find)
        for tool in tools:
            self._add(tool)
        self._keys: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        for key in sorted({*self._tools, *self._suites}):
            # By first letter and length: a slip rarely hits the first letter (Pollock and
            # Zamora, CACM 1984), and so few names need to be compared.
            if len(key) >= FUZZY_FROM:
                self._keys[key[0], len(key)].append(key)

    def _add(self, tool: Tool) -> None:
        self._full[folded(tool.name)].add(tool.id)
        for name in (tool.name, tool.id, *_short(tool.name)):
            if key := folded(name):
                self._tools[key].add(tool.id)
                self._label.setdefault(key, tool.name)
                if (loose := _VERSION.sub("", key)) != key and len(loose) > 2:
                    self._loose[loose].add(tool.id)
        if tool.suite and (key := folded(tool.suite)):
            self._suites[key].add(tool.id)
            self._label.setdefault(key, tool.suite)
        text = " ".join((tool.description, *tool.keywords, *tool.tasks))
        self._words.update(map(self._stem, re.findall(r"[a-z]{4,}", text.casefold())))

    def find(self, text: str) -> Named | None:
        """The name that a text is, or the longest one in it, the first of equal length.

        Else a name misspelt by a slip or two, in texts of at most FUZZY_WORDS words; None where
        there is none. Names after words such as ``without`` are not looked for.
        """
        return self._cached_find(text)

    def _find(self, text: str) -> Named | None:
        key = folded(text)
        exact = self._exact(key)
        bare = _VERSION.sub("", key)
        if not exact and len(bare) > 2:
            # ``spm12`` for a catalog with SPM, ``nnunet`` for one with nnU-Net v2.
            exact = self._exact(bare) or (key if key in self._loose else "")
        if exact:
            return None if self._is_kind(text) else self._found_name(text.strip(), exact, "whole")
        words = [(m.group(), m.start()) for m in _WORD.finditer(text)][:MAX_WORDS]
        return self._contained(text, words) or self._misspelt(text, words)

    def _exact(self, key: str) -> str:
        return key if key in self._tools or key in self._suites else ""

    def _contained(self, text: str, words: Sequence[tuple[str, int]]) -> Named | None:
        own_words = _own_words(words)
        for many in range(min(LONGEST, len(words)), 0, -1):
            for at in range(len(words) - many + 1):
                run = words[at : at + many]
                if not _is_asked_for(text[: run[0][1]], own_words):
                    continue
                key = self._exact(folded(" ".join(w for w, _ in run)))
                typed = " ".join(w for w, _ in run)
                if key and self._is_name(key, run, text) and not self._is_kind(typed):
                    return self._found_name(typed, key, "part", share=min(1.0, many / own_words))
        return None

    def _is_name(self, key: str, run: Sequence[tuple[str, int]], text: str) -> bool:
        """Whether words that spell a name are meant as one and not as plain words."""
        if len(key) < 3:
            return False
        plain = all(self._is_word(w) or len(w) < 4 for w, _ in run)
        if not (plain or self._table.is_ordinary(key)):
            return True
        start = run[0][1]
        opens = not text[:start].strip()
        return any(c.isupper() or c.isdigit() for w, _ in run for c in (w[1:] if opens else w))

    def _misspelt(self, text: str, words: Sequence[tuple[str, int]]) -> Named | None:
        if len(words) > FUZZY_WORDS:
            return None
        own_words = _own_words(words)
        for many in (1, 2):
            for at in range(len(words) - many + 1):
                run = [w for w, _ in words[at : at + many]]
                key = folded(" ".join(run))
                # Words that no record uses; short ones and numbers are not looked at.
                odd = (w for w in run if len(w) > 2 and w.isalpha() and not self._is_word(w))
                if len(key) < FUZZY_FROM or not any(odd):
                    continue
                near = self._near(key)
                extent: Extent = "whole" if many == len(words) else "part"
                if near and (extent == "whole" or _is_asked_for(text[: words[at][1]], own_words)):
                    share = min(1.0, many / own_words)
                    return self._found_name(" ".join(run), near, extent, share=share, misspelt=True)
        return None

    def _is_word(self, word: str) -> bool:
        return self._stem(word.casefold()) in self._words or self._is_thing(word.casefold())

    def _near(self, key: str) -> str:
        """The name of the same first letter with the fewest slips, ties by spelling."""
        slips = 1 if len(key) < TWO_FROM else 2
        lengths = range(len(key) - slips, len(key) + slips + 1)
        alike = [name for n in lengths for name in self._keys.get((key[0], n), ())]
        hits = process.extract(key, alike, scorer=OSA.distance, score_cutoff=slips, limit=5)
        return min(((score, name) for name, score, _ in hits), default=(0, ""))[1]

    def _found_name(
        self, typed: str, key: str, extent: Extent, *, share: float = 1.0, misspelt: bool = False
    ) -> Named:
        every = self._tools.get(key) or self._loose.get(key) or set()
        full = self._full.get(key, set())
        tools = full or every
        return Named(
            typed=typed,
            name=self._label.get(key, typed),
            tools=tuple(sorted(tools)),
            suite=tuple(sorted((every | self._suites.get(key, set())) - tools)),
            extent=extent,
            share=share,
            misspelt=misspelt,
        )


def _is_asked_for(before: str, own_words: int) -> bool:
    """Whether a name in a text is what to use: in few words, or after ``with``, ``using``."""
    if _AVOID.search(before):
        return False
    return own_words <= FEW_WORDS or _CUE.search(before) is not None


def _own_words(words: Sequence[tuple[str, int]]) -> int:
    """How many words of a text say something of a task or are a name.

    Stop words count but beside words of ABOUT: "I want X for my PC" asks for X, and "export
    OME-Zarr from ND2" for a task.
    """
    own = [word for word, _ in words if word.casefold() not in ABOUT]
    few = [word for word in own if tokenise(word)]
    return max(1, len(few) if len(own) < len(words) and len(few) <= FEW_WORDS else len(own))


def _short(name: str) -> Iterable[str]:
    """``FLIRT`` of ``FLIRT (FSL)``, ``ITK`` of ``ITK - Insight Toolkit``, ``SPM`` of it all."""
    bare = re.sub(r"\([^)]*\)", " ", name).strip()
    if bare != name:
        yield bare
        yield from (m for m in re.findall(r"\(([A-Z][\w-]+)\)", name) if m.isupper())
    head = re.split(r"\s[-–—:]\s|:\s", bare)[0]
    if head != bare:
        yield head
