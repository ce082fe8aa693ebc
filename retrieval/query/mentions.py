"""The parts of a text that state wishes about software.

Phrases are looked up left to right, the longest first. The words before a phrase, as far as they
only join it to the text ("but it must not run in"), are part of it and tell its strength.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval.core import Wish
from retrieval.query.grammar import NUMBER, Phrase, Strength, Words
from retrieval.query.phrase_search import ORDINARY, STRENGTHS, PhraseSearch

BEFORE = 8
"""Most words before a phrase that are read as part of it."""

NAMED = frozenset({"language", "host", "system"})
"""Kinds of wishes with names that mean nothing else after "not"."""

EITHER = " or "
"""Between two values of one wish: one of them is enough."""

SUFFIXES = (("free",), ("less",))
"""Words that rule a name out as the second part of a compound alone."""

OF = frozenset({"to", "zu", "zum", "à"})
"""After "alternative": what follows is to be left out, not what stands before."""

FOND = frozenset({"i", "we", "they", "you", "who", "people", "students", "would", "i'd", "we'd"})
"""Who likes a tool wants it; "a viewer like Imaris" asks for another one."""

NUMBER_TEXT = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A wish and the part of the text that states it."""

    wish: Wish
    start: int
    end: int


def _required(mention: Mention) -> Mention:
    """A wanted wish as a required one; an unwanted one as it is."""
    if mention.wish.strength != "wanted":
        return mention
    return replace(mention, wish=replace(mention.wish, strength="required"))


Read = tuple[tuple[Mention, ...], int]
"""Wishes that begin at a word, and the first word after them."""


class Reading(PhraseSearch):
    """One text while it is read: its words, folded, and where each stands."""

    def mentions(self) -> Iterator[Mention]:
        """Every wish in the order of the text, none overlapping another."""
        at, before = 0, False
        while at < len(self.words):
            read = (
                self._neutral_at(at)
                or self._compared_at(at)
                or self._wish_at(at)
                or self._left_out_at(at)
            )
            if read is None:
                before = before and self.words[at] in self.grammar.joining
                at += 1
                continue
            # "It must run headless on our cluster": both are required.
            wishes = [_required(m) if before else m for m in read[0]]
            yield from wishes
            before = any(m.wish.strength == "required" for m in wishes)
            at = self.free = max(read[1], at + 1)

    def _neutral_at(self, at: int) -> Read | None:
        """A name after words such as "it does not matter whether": no wish at all."""
        size = self.grammar.cue("neutral", self.words, at)
        start = at + size
        while size and start < len(self.words) and self.words[start] in self.grammar.filler:
            if self.phrase_at(start) is not None:
                break
            start += 1
        phrase_read = self.phrase_at(start) if size else None
        if phrase_read is None:
            return None
        stop, phrase = phrase_read
        while (joined := self._joined(stop, phrase)) is not None:
            stop = joined[0]
        return (), stop

    def _wish_at(self, at: int) -> Read | None:
        """The wish that begins at this word, and those of the same kind joined to it."""
        phrase_read = self.phrase_at(at) or self.first_of_two(at)
        if phrase_read is None:
            return None
        stop, phrase = phrase_read
        stop = self.framed_end(stop, phrase)
        first, strength, negative = self._before(at, stop, phrase)
        denied = self.grammar.cue("unwanted after", self.words, stop) if phrase.negated else 0
        if phrase.negated and (not (negative or denied) or self.is_name(stop)):
            return None
        stop += denied
        neutral = self.grammar.cue("neutral after", self.words, stop)
        if neutral and not negative:
            # "GPU optional" wishes nothing; "commercial use is fine" is asked of a licence.
            if phrase.kind != "purpose":
                return (), stop
            stop += neutral
        stop, strength = self._after(stop, phrase, strength)
        values = [self._value(phrase, at, stop)]
        while (joined := self._joined(stop, phrase)) is not None:
            stop, value, either = joined
            if either and strength != "unwanted":
                values[-1] = f"{values[-1]}{EITHER}{value}"
            else:
                values.append(value)
        kind = phrase.kind
        return tuple(self._mention(first, stop, kind, v, strength) for v in values), stop

    def _value(self, phrase: Phrase, at: int, stop: int) -> str:
        """The value of a phrase, with the number of the text where it takes one."""
        digits = NUMBER_TEXT.search(" ".join(self.words[at:stop]))
        return phrase.value.replace(NUMBER, digits.group() if digits else NUMBER)

    def _mention(self, first: int, stop: int, kind: str, value: str, strength: Strength) -> Mention:
        start, end = self.spans[first][0], self.spans[stop - 1][1]
        wish = Wish(kind=kind, value=value, text=self.text[start:end], strength=strength)
        return Mention(wish=wish, start=start, end=end)

    def _before(self, at: int, stop: int, phrase: Phrase) -> tuple[int, Strength, bool]:
        """The first word of a wish, the strength that words before give, and whether they deny."""
        first = at
        while first > max(self.free, at - BEFORE) and self._joins(first - 1, first):
            first -= 1
        between = self.words[self._turn(first, at) : at]
        # "No more than 8 GB" says how much there is.
        negative = phrase.kind != "memory" and self.cued("unwanted", between)
        required = self.cued("required", (*between, *self.words[at:stop]))
        strength = phrase.strength
        if phrase.negated:
            # "Must work without" requires; "nothing that requires coding" says no more than "no".
            denied = next(
                (n for n in range(len(between)) if self.grammar.cue("unwanted", between, n)), 0
            )
            required = self.cued("required", between[:denied])
            strength = "required" if required and strength == "wanted" else strength
        elif negative or self._is_far_denied(first):
            strength = "wanted" if strength == "unwanted" else "unwanted"
        elif required and strength == "wanted":
            strength = "required"
        return first, strength, negative

    def _turn(self, first: int, at: int) -> int:
        """The word behind the last contrast before a phrase: "not in R but in Python"."""
        turn, n = first, first
        while n < at:
            size = max(self.grammar.cue(name, self.words, n) for name in STRENGTHS)
            if not size and self.grammar.cue("contrast", self.words, n):
                turn = n + 1
            n += max(1, size)
        return turn

    def _is_far_denied(self, first: int) -> bool:
        """Whether "nothing" stands before other words: "nothing with deep nets on a GPU"."""
        for at in range(first - 1, max(self.free, first - BEFORE) - 1, -1):
            if self.is_pause(at, at + 1) or self.grammar.cue("contrast", self.words, at):
                return False
            if self.grammar.cue("far unwanted", self.words, at):
                return self.cued("unwanted", self.words[at:first])
        return False

    def _joins(self, at: int, following: int) -> bool:
        """Whether a word only joins the next one to the text."""
        if self.text[self.spans[at][0] - 1 : self.spans[at][0]] == "-":  # "header-only"
            return False
        return not self.is_pause(at, following) and self.words[at] in self.grammar.joining

    def _after(self, stop: int, phrase: Phrase, strength: Strength) -> tuple[int, Strength]:
        """The end of a phrase with what follows: "only", "not needed", "licence has expired"."""
        owned = stop + self.grammar.cue("belongings", self.words, stop)
        if owned > stop and self.grammar.cue("unwanted after", self.words, owned):
            stop = owned
        size = self.grammar.cue("unwanted after", self.words, stop)
        if not size and (last := self.grammar.cue("unwanted at end", self.words, stop)):
            size = (
                last
                if self.ends(stop + last) or self.grammar.cue("contrast", self.words, stop + last)
                else 0
            )
        if size and self.words[stop : stop + size] in SUFFIXES and phrase.kind != "gpu":
            # "MATLAB-free" wants none of it; "Python free software" does.
            size = size if self.text[self.spans[stop - 1][1]] == "-" else 0
        size = size or (self._like_after(stop) if phrase.kind in NAMED else 0)
        if size:
            return stop + size, "unwanted" if strength != "unwanted" else strength
        size = self.grammar.cue("required after", self.words, stop)
        if size and strength != "unwanted":
            return stop + size, "required"
        return stop + self.grammar.cue("polite after", self.words, stop), strength

    def _joined(self, stop: int, phrase: Phrase) -> tuple[int, str, bool] | None:
        """The end and value of a further name of the same kind, and whether either will do."""
        if stop >= len(self.words):
            return None
        joint = self.grammar.cue("joints", self.words, stop)
        gap = self.text[self.spans[stop - 1][1] : self.spans[stop][0]]
        if not joint and not re.fullmatch(r"\s*[,/]\s*", gap):
            return None
        at = stop + joint
        while joint and self.next_word(at) in self.grammar.determiners:
            at += 1
        for size in range(min(3, len(self.words) - at), 0, -1):
            bare = self.grammar.bare.get(self.words[at : at + size])
            if bare and bare.kind == phrase.kind and bare.value != phrase.value:
                typed = [self.text[a:b] for a, b in self.spans[at : at + size]]
                if bare.exact and bare.exact not in typed and not self.is_listed(at + size):
                    return None
                end = self.framed_end(at + size, bare)
                # "Python only, MATLAB is not installed": each has a strength of its own.
                if self.is_ruled_out(end):
                    return None
                either = bool(self.grammar.cue("either", self.words, stop)) or "/" in gap
                return end, bare.value, either
        return None

    def _compared_at(self, at: int) -> Read | None:
        """What another is preferred to, right behind that one: "lieber napari als Fiji"."""
        size = self.grammar.cue("compared", self.words, at) if at == self.free > 0 else 0
        before = self.words[max(0, at - 2 * BEFORE) : at]
        preference = any(self.grammar.cue("preference", before, n) for n in range(len(before)))
        if not size or not preference or self.is_pause(at - 1, at):
            return None
        start = at + size
        while self.next_word(start) in self.grammar.filler and not self.phrase_at(start):
            start += 1
        if phrase_read := self.phrase_at(start):
            stop, phrase = phrase_read
            value = self._value(phrase, start, stop)
            stop = self.framed_end(stop, phrase)
            return (self._mention(at, stop, phrase.kind, value, "unwanted"),), stop
        return self._bare_at(at, start)

    def _left_out_at(self, at: int) -> Read | None:
        """Tools named after "not", "other than" or "alternative to" that begins at this word."""
        like = self.grammar.cue("like", self.words, at)
        if like == 1 and self.words[at - 1 : at] and self.words[at - 1] in FOND:
            like = 0
        cue = max(like, self.grammar.cue("leave out", self.words, at))
        if self.grammar.cue("required", self.words, at) > cue:  # "nothing but Python"
            return None
        if not cue:
            return self._ruled_out_at(at)
        start, grammar = at + cue, self.grammar
        while (
            self.next_word(start) in grammar.filler or self.next_word(start) in grammar.determiners
        ):
            start += 1
        end, joint, named = start, 0, list[str]()
        while size := self.names.longest(self.words, end + joint):
            name = self.words[end + joint : end + joint + size]
            if self.names.is_ordinary(name):
                break
            end += joint + size
            name, end = self._member(name, end)
            named.append(self._name(name))
            joint = self.grammar.cue("joints", self.words, end)
        if not named:
            return self._bare_at(at, start)
        while self.next_word(end) in self.grammar.frames["host"].after:  # "not another Fiji plugin"
            end += 1
        first = self._before(at, at, Phrase(kind="tool", value=""))[0]
        return tuple(self._mention(first, end, "tool", n, "unwanted") for n in named), end

    def _member(self, name: Words, end: int) -> tuple[Words, int]:
        """The tool of a suite where its name follows the suite's, "FSL BET", and its end."""
        size = self.names.longest(self.words, end)
        following = self.words[end : end + size]
        suites = {tool.suite for tool in self.names.tools(name)}
        own = size and any(t.suite and t.suite in suites for t in self.names.tools(following))
        return (following, end + size) if own and following != name else (name, end)

    def _bare_at(self, at: int, start: int) -> Read | None:
        """A language, host or system whose name alone follows a word such as "not"."""
        for size in range(min(3, len(self.words) - start), 0, -1):
            bare = self.grammar.bare.get(self.words[start : start + size])
            typed = (
                self.text[self.spans[start][0] : self.spans[start + size - 1][1]] if bare else ""
            )
            if not bare or bare.kind not in NAMED:
                continue
            if typed in ORDINARY and not self.ends(start + size):
                continue
            if self.is_meant(start, size, bare):
                end, values = self.framed_end(start + size, bare), [bare.value]
                # "Not Python or MATLAB": neither. After a comma another may be what is wanted.
                while self.grammar.cue("joints", self.words, end):
                    joined = self._joined(end, bare)
                    if joined is None:
                        break
                    end, values = joined[0], [*values, joined[1]]
                first = self._before(at, at, bare)[0]
                kind = bare.kind
                return tuple(self._mention(first, end, kind, v, "unwanted") for v in values), end
        return None

    def _ruled_out_at(self, at: int) -> Read | None:
        """A tool named before "is not an option" and the like; a single word may say otherwise."""
        size = self.names.longest(self.words, at)
        name = self.words[at : at + size]
        if not size or self.names.is_ordinary(name):
            return None
        after = self.grammar.cue("unwanted after", self.words, at + size)
        # "Is FreeSurfer free" asks for it.
        after = max(after if after > 1 else 0, self._like_after(at + size))
        if not after:
            return None
        end = at + size + after
        return (self._mention(at, end, "tool", self._name(name), "unwanted"),), end

    def _like_after(self, at: int) -> int:
        """Words of "alternative" behind a name; 0 where that to which it is one follows."""
        size = self.grammar.cue("like after", self.words, at)
        return 0 if self.next_word(at + size) in OF else size

    def _name(self, name: Words) -> str:
        tools = self.names.tools(name)
        if len(tools) == 1:
            return tools[0].name
        return next((t.suite for t in tools if t.suite), tools[0].name)
