"""The parts of a text that state wishes about software.

Phrases are looked up left to right, the longest first. The words before a phrase, as far as they
only join it to the text ("but it must not run in"), are part of it and tell its strength.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval.core import Wish
from retrieval.query.clauses.needless import BURDENS
from retrieval.query.clauses.versions import Versions
from retrieval.query.grammar import NUMBER, Phrase, Strength, Words
from retrieval.query.phrase_search import ORDINARY
from retrieval.query.programs import KIND
from retrieval.query.strength import BEFORE, NAMED

EITHER = " or "
"""Between two values of one wish: one of them is enough."""

CARD = "gpu", True
"""Kind of a wish for a graphics card, which is not ruled out."""

CARD_MEMORY = "# GB GPU"
"""Value of a wish for a graphics card's memory."""

NUMBER_TEXT = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A wish and the part of the text that states it, which may be a whole clause.

    One that ``is_sure`` was told by words that no model of clauses knows.
    """

    wish: Wish
    start: int
    end: int
    is_clause: bool = False
    is_sure: bool = False


def _required(mention: Mention) -> Mention:
    """A wanted wish as a required one; an unwanted one as it is."""
    if mention.wish.strength != "wanted":
        return mention
    return replace(mention, wish=replace(mention.wish, strength="required"))


Read = tuple[tuple[Mention, ...], int]
"""Wishes that begin at a word, and the first word after them."""


class Reading(Versions):
    """One text while it is read: its words, folded, and where each stands."""

    def mentions(self) -> Iterator[Mention]:
        """Every wish in the order of the text, none overlapping another."""
        at, before = 0, False
        while at < len(self.words):
            wishes_and_end = (
                self._needless_at(at)
                or self._better_known_at(at)
                or self._card_memory_at(at)
                or self._neutral_at(at)
                or self._compared_at(at)
                or self._wish_at(at)
                or self._left_out_at(at)
            )
            if wishes_and_end is None:
                before = before and self.words[at] in self.grammar.joining
                at += 1
                continue
            # "It must run headless on our cluster": both are required.
            is_joined = before and not self.is_pause(at - 1, at)
            wishes = [_required(m) if is_joined else m for m in wishes_and_end[0]]
            yield from wishes
            before = any(m.wish.strength == "required" for m in wishes)
            self.denied = any(self.denies(m.wish) for m in wishes)
            at = self.free = max(wishes_and_end[1], at + 1)
            is_card = any((m.wish.kind, m.wish.strength != "unwanted") == CARD for m in wishes)
            self.card_end = at if is_card else -1

    def _needless_at(self, at: int) -> Read | None:
        """Names of what may be otherwise, "it need not be Python or R": no wish at all."""
        found = self.needless_at(at)
        if found is None:
            return None
        stop = self.joined_end(*found)
        self.needless.append((at, stop))
        return (), stop

    def _better_known_at(self, at: int) -> Read | None:
        """The language that somebody knows better than another, or a program that is not left."""
        found = self.better_known_at(at) or self.stay_at(at)
        if found is None:
            return None
        stop, phrase = found
        first = self.before(at, stop, phrase)[0]
        mention = self._mention(first, stop, phrase.kind, phrase.value, "wanted")
        return (replace(mention, is_sure=True),), stop

    def _card_memory_at(self, at: int) -> Read | None:
        """The memory of the graphics card right before: "RTX 3060 with 12 GB"."""
        end = self.card_memory_end(at) if at == self.card_end else at
        if end == at:
            return None
        value = self._value(Phrase(kind="memory", value=CARD_MEMORY), at, end)
        return (self._mention(at, end, "memory", value, "wanted"),), end

    def _neutral_at(self, at: int) -> Read | None:
        """A name after words such as "it does not matter whether": no wish at all."""
        size = self.grammar.cue("neutral", self.words, at)
        start = at + size
        while size and start < len(self.words) and self.words[start] in self.grammar.filler:
            if self.phrase_at(start) is not None:
                break
            start += 1
        phrase_read = self.phrase_at(start) if size else None
        return phrase_read and ((), self.joined_end(*phrase_read))

    def _wish_at(self, at: int) -> Read | None:
        """The wish that begins at this word, and those of the same kind joined to it."""
        phrase_read = self.phrase_at(at) or self.first_of_two(at)
        if phrase_read is None:
            return None
        stop, phrase = phrase_read
        if self.means_another(at, stop, phrase):
            return (), stop
        stop = self.framed_end(stop, phrase)
        first, strength, negative = self.before(at, stop, phrase)
        denied = self.denied_behind(stop) if phrase.negated else 0
        if phrase.negated and (not (negative or denied) or self._is_object(stop, phrase)):
            return None
        stop += denied
        if negative and self._allows_others(stop, phrase):
            return (), stop
        neutral = self.grammar.cue("neutral after", self.words, stop)
        if neutral and not negative:
            # "GPU optional" wishes nothing; "commercial use is fine" is asked of a licence.
            if phrase.kind != "purpose":
                # "R preferred, but Python is ok": what is allowed finds nothing.
                self.needless.append((first, stop + neutral))
                return (), stop + neutral
            # "Academic use only is fine" allows, and requires nothing.
            stop, strength = stop + neutral, phrase.strength
        stop, strength = self.after(stop, phrase, strength)
        values = [self._value(phrase, at, stop)]
        while (joined := self.joined(stop, phrase)) is not None:
            stop, value, either = joined
            if either and strength != "unwanted":
                values = [EITHER.join((*values, value))]  # "BSD, MIT or Apache"
            else:
                values.append(value)
        if EITHER in values[-1]:  # "BSD or Apache only": what judges them stands behind the last
            stop, strength = self.after(stop, phrase, strength)
        mentions = (self._mention(first, stop, phrase.kind, v, strength) for v in values)
        is_new = strength != "unwanted" and self.is_new_part(first)
        is_sure = is_new or self.is_behind_denied_thing(at)
        return tuple(replace(m, is_sure=is_sure) for m in mentions), stop

    def _allows_others(self, stop: int, phrase: Phrase) -> bool:
        """Whether a denied name is followed by "only": "not Mac only" rules nothing out."""
        is_burden = self.next_word(stop) == "required" and phrase.value in BURDENS
        if is_burden or phrase.kind == "purpose":  # "no academic-only terms"
            return False
        beside = (self.words[stop - 1 : stop], self.words[stop:])
        return any(self.grammar.cue("required after", words, 0) == 1 for words in beside)

    def _is_object(self, stop: int, phrase: Phrase) -> bool:
        """Whether what is denied goes on to what is ruled out: "can't install Docker"."""
        if self.is_name(stop):
            return True
        is_verb = phrase.value == "browser" and not self.ends(stop)
        following = self.phrase_at(stop) if is_verb else None
        return following is not None and not following[1].negated

    def _value(self, phrase: Phrase, at: int, stop: int) -> str:
        """The value of a phrase, with the number of the text where it takes one."""
        digits = NUMBER_TEXT.search(" ".join(self.words[at:stop]))
        return phrase.value.replace(NUMBER, digits.group() if digits else NUMBER)

    def _mention(self, first: int, stop: int, kind: str, value: str, strength: Strength) -> Mention:
        start, end = self.spans[first][0], self.spans[stop - 1][1]
        wish = Wish(kind=kind, value=value, text=self.text[start:end], strength=strength)
        return Mention(wish=wish, start=start, end=end)

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
        cue = self.leaving_cue(at)
        if self.grammar.cue("required", self.words, at) > cue:  # "nothing but Python"
            return None
        if not cue:
            return self._ruled_out_at(at)
        start = self.behind_fillers(at + cue)
        if start < len(self.words) and self.is_stop(start - 1, start):
            return self._ruled_out_at(at)
        end, joint, tool_names = start, 0, list[str]()
        while size := self.names.longest(self.words, end + joint):
            name = self.words[end + joint : end + joint + size]
            if self.names.is_ordinary(name):
                break
            end += joint + size
            name, end = self._member(name, end)
            tool_names.append(self.names.called(name))
            joint = self.grammar.cue("joints", self.words, end)
        if not tool_names:
            return self._bare_at(at, start)
        while self.next_word(end) in self.grammar.frames["host"].after:  # "not another Fiji plugin"
            end += 1
        first = self.before(at, at, Phrase(kind="tool", value=""))[0]
        return tuple(self._mention(first, end, "tool", n, "unwanted") for n in tool_names), end

    def _member(self, name: Words, end: int) -> tuple[Words, int]:
        """The tool of a suite where its name follows the suite's, "FSL BET", and its end."""
        size = self.names.longest(self.words, end)
        following = self.words[end : end + size]
        suites = {tool.suite for tool in self.names.tools(name)}
        own = size and any(t.suite and t.suite in suites for t in self.names.tools(following))
        return (following, end + size) if own and following != name else (name, end)

    def _bare_at(self, at: int, start: int) -> Read | None:
        """A language, host or system whose name alone follows a word such as "not"."""
        if self.is_behind_denied_thing(start):
            return None
        for size in range(min(3, len(self.words) - start), 0, -1):
            bare = self.grammar.bare.get(self.words[start : start + size])
            typed = (
                self.text[self.spans[start][0] : self.spans[start + size - 1][1]] if bare else ""
            )
            if not bare or bare.kind not in NAMED:
                continue
            is_paired = self.grammar.cue("joints", self.words, start + size) > 0
            if typed in ORDINARY and not (self.ends(start + size) or is_paired):
                continue
            if self.is_meant(start, size, bare):
                end, values = self.framed_end(start + size, bare), [bare.value]
                if self._allows_others(end, bare):
                    return (), end
                # "Not Python or MATLAB": neither. After a comma another may be what is wanted.
                while self.grammar.cue("joints", self.words, end):
                    joined = self.joined(end, bare)
                    if joined is None:
                        break
                    end, values = joined[0], [*values, joined[1]]
                first = self.before(at, at, bare)[0]
                kind = bare.kind
                return tuple(self._mention(first, end, kind, v, "unwanted") for v in values), end
        return self._program_out(at, start)

    def _program_out(self, at: int, start: int) -> Read | None:
        """A program whose name without its number follows "other than" or the like: "MRtrix"."""
        program = self.names.program(self.words, start) if start < len(self.words) else None
        if program is None or not (
            self.ends(start + program[0]) or self._may_end(start + program[0])
        ):
            return None
        first, end = self.before(at, at, Phrase(kind=KIND, value=""))[0], start + program[0]
        return (self._mention(first, end, KIND, program[1], "unwanted"),), end

    def _ruled_out_at(self, at: int) -> Read | None:
        """A tool named before "is not an option" and the like; a single word may say otherwise."""
        size = self.names.longest(self.words, at)
        name = self.words[at : at + size]
        if not size or self.names.is_ordinary(name):
            return None
        owned = self.grammar.cue("belongings", self.words, at + size)
        of_it = self.plainly_out(at + size + owned) if owned else 0
        after = max(self.plainly_out(at + size), owned + of_it if of_it else 0)
        # "Is FreeSurfer free" asks for it.
        last = self.grammar.cue("unwanted at end", self.words, at + size)
        last = last if last and self.ends(at + size + last) else 0
        compound = int(self.is_compound(at + size))  # "FSL-free"
        after = max(after, last, compound, self.like_after(at + size))
        if not after:
            return None
        end = at + size + after
        return (self._mention(at, end, "tool", self.names.called(name), "unwanted"),), end
