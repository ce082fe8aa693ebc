"""The parts of a text that state wishes about software.

Phrases are looked up left to right, the longest first. The words before a phrase, as far as they
only join it to the text ("but it must not run in"), are part of it and tell its strength.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.core import Wish
from retrieval.query.grammar import WORD, Phrase, Strength, Words, grammar
from retrieval.query.tool_names import Names

BEFORE = 8
"""Most words before a phrase that are read as part of it."""

NAMED = frozenset({"language", "host", "system"})
"""Kinds of wishes with names that mean nothing else after "not"."""

ORDINARY = frozenset({"windows", "slicer", "mac"})
"""Names that in lower case are words as well: windows of intensity, slicer gaps."""

_PAUSE = re.compile(r"[,.;:!?()\[\]，。；]")
_AFTER_EXACT = re.compile(r"\s*[=²*^]|\.\s?[a-z]|-(?!based|package|script|library|tool)|'")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A wish and the part of the text that states it."""

    wish: Wish
    start: int
    end: int


class Reading:
    """One text while it is read: its words, folded, and where each stands."""

    def __init__(self, text: str, names: Names) -> None:
        self.text, self.names, self.grammar = text, names, grammar()
        self.spans = [match.span() for match in WORD.finditer(text)]
        self.words = tuple(text[a:b].casefold().replace("’", "'") for a, b in self.spans)
        self.last: Mention | None = None
        self.free = 0

    def mentions(self) -> Iterator[Mention]:
        """Every wish in the order of the text, none overlapping another."""
        at = 0
        while at < len(self.words):
            several = self._wish_at(at) or self._left_out_at(at)
            if several:
                yield from several
                self.last = several[-1]
                at = self.free = self._word_after(several[-1].end)
            else:
                at += 1

    def _wish_at(self, at: int) -> tuple[Mention, ...]:
        """The wish that begins at this word, and those of the same kind joined to it."""
        row = self.grammar.longest(self.words, at)
        if row is None or not self._is_meant(at, len(row[0]), row[1]):
            return ()
        words, phrase = row
        first, strength = self._before(at, phrase)
        before = self.words[first:at]
        # "Not only in Python" rules nothing out, and asks for nothing either.
        if "only" in before and self._cued("unwanted", before):
            return ()
        stop, strength = self._after(at + len(words), phrase, strength)
        values = [phrase.value]
        while (joined := self._joined(stop, phrase, strength)) is not None:
            end, value, either = joined
            if either and strength != "unwanted":
                values[-1] = f"{values[-1]} or {value}"
            else:
                values.append(value)
            stop = end
        return tuple(self._mention(first, stop, phrase.kind, v, strength) for v in values)

    def _mention(self, first: int, stop: int, kind: str, value: str, strength: Strength) -> Mention:
        start, end = self.spans[first][0], self.spans[stop - 1][1]
        wish = Wish(kind=kind, value=value, text=self.text[start:end], strength=strength)
        return Mention(wish=wish, start=start, end=end)

    def _is_meant(self, at: int, size: int, phrase: Phrase) -> bool:
        """Whether a phrase stands there as words of its own, and in the case that it needs."""
        start, stop = self.spans[at][0], self.spans[at + size - 1][1]
        if phrase.exact:
            typed = [self.text[a:b] for a, b in self.spans[at : at + size]]
            after = self.words[at + size] if at + size < len(self.words) else ""
            if phrase.exact not in typed or after in self.grammar.not_before:
                return False
            if typed[-1] == phrase.exact and _AFTER_EXACT.match(self.text, stop):
                return False
        # Inside a compound ("genome-browser-based") a word may mean anything.
        before = self.text[start - 1 : start]
        return before not in ("-", "_", "/") or self.words[at - 1 : at] == ("non",)

    def _before(self, at: int, phrase: Phrase) -> tuple[int, Strength]:
        """The first word that belongs to a phrase, and the strength that the words before give."""
        first = at
        while first > max(self.free, at - BEFORE) and self._joins(first - 1, first):
            first -= 1
        between = self.words[first:at]
        strength = phrase.strength
        negative = self._cued("unwanted", between)
        if self._cued("required", between) and not negative:
            strength = "required" if strength == "wanted" else strength
        if negative:
            strength = "wanted" if strength == "unwanted" else "unwanted"
        return first, strength

    def _joins(self, at: int, following: int) -> bool:
        """Whether a word only joins the next one to the text."""
        gap = self.text[self.spans[at][1] : self.spans[following][0]]
        if _PAUSE.search(gap):
            return False
        word, cues = self.words[at], self.grammar.cues
        return (
            word in self.grammar.filler
            or any(word in row for rows in cues["unwanted"].values() for row in rows)
            or any(word in row for rows in cues["required"].values() for row in rows)
        )

    def _cued(self, name: str, words: Words) -> bool:
        return any(self.grammar.cue(name, words, at) for at in range(len(words)))

    def _after(self, stop: int, phrase: Phrase, strength: Strength) -> tuple[int, Strength]:
        """The end of a phrase with what follows: "only", "not needed"."""
        if size := self.grammar.cue("unwanted after", self.words, stop):
            return stop + size, "unwanted" if strength != "unwanted" else strength
        size = self.grammar.cue("required after", self.words, stop)
        # "GPU only" is no sentence about what comes next: a pause or the end follows.
        if size and strength != "unwanted":
            return stop + size, "required"
        return stop, strength

    def _joined(
        self, stop: int, phrase: Phrase, strength: Strength
    ) -> tuple[int, str, bool] | None:
        """The end and value of a further name of the same kind, and whether either will do."""
        joint = self.grammar.cue("joints", self.words, stop)
        gap = self.text[self.spans[stop - 1][1] : self.spans[stop][0]] if self._more(stop) else ""
        if not joint and not re.fullmatch(r"\s*[,/]\s*", gap):
            return None
        at = stop + joint
        for size in range(min(3, len(self.words) - at), 0, -1):
            bare = self.grammar.bare.get(self.words[at : at + size])
            if bare and bare.kind == phrase.kind and bare.value != phrase.value:
                typed = [self.text[a:b] for a, b in self.spans[at : at + size]]
                if bare.exact and bare.exact not in typed:
                    return None
                either = bool(self.grammar.cue("either", self.words, stop)) or "/" in gap
                return at + size, bare.value, either
        return None

    def _more(self, stop: int) -> bool:
        return stop < len(self.words)

    def _left_out_at(self, at: int) -> tuple[Mention, ...]:
        """Tools named after "not", "other than" or "alternative to" that begins at this word."""
        like = self.grammar.cue("like", self.words, at)
        cue = max(like, self.grammar.cue("leave out", self.words, at))
        if not cue:
            return self._ruled_out_at(at)
        start = at + cue
        while start < len(self.words) and self.words[start] in self.grammar.filler:
            start += 1
        end, joint, named = start, 0, list[str]()
        while size := self.names.longest(self.words, end + joint):
            name = self.words[end + joint : end + joint + size]
            if self.names.is_ordinary(name):
                break
            named.append(self._name(name))
            end += joint + size
            joint = self.grammar.cue("joints", self.words, end)
        if not named:
            return self._bare_at(at, start)
        first = self._before(at, Phrase(kind="tool", value=""))[0]
        return tuple(self._mention(first, end, "tool", n, "unwanted") for n in named)

    def _bare_at(self, at: int, start: int) -> tuple[Mention, ...]:
        """A language, host or system whose name alone follows a word such as "not"."""
        for size in range(min(3, len(self.words) - start), 0, -1):
            bare = self.grammar.bare.get(self.words[start : start + size])
            typed = (
                self.text[self.spans[start][0] : self.spans[start + size - 1][1]] if bare else ""
            )
            if typed in ORDINARY or not bare or bare.kind not in NAMED:
                continue
            if self._is_meant(start, size, bare):
                return (self._mention(at, start + size, bare.kind, bare.value, "unwanted"),)
        return ()

    def _ruled_out_at(self, at: int) -> tuple[Mention, ...]:
        """A tool named before "is not an option" and the like; a single word may say otherwise."""
        size = self.names.longest(self.words, at)
        name = self.words[at : at + size]
        if not size or self.names.is_ordinary(name):
            return ()
        after = self.grammar.cue("unwanted after", self.words, at + size)
        if after < 2:  # "is FreeSurfer free" asks for it
            return ()
        return (self._mention(at, at + size + after, "tool", self._name(name), "unwanted"),)

    def _name(self, name: Words) -> str:
        tools = self.names.tools(name)
        if len(tools) == 1:
            return tools[0].name
        return next((t.suite for t in tools if t.suite), tools[0].name)

    def _word_after(self, place: int) -> int:
        return next((n for n, (a, _) in enumerate(self.spans) if a >= place), len(self.spans))
