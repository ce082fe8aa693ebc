"""Further names of the same kind that are joined to one: "in R or Python", "FSL and SPM"."""

from __future__ import annotations

import re
from dataclasses import replace

from retrieval.query.grammar import Phrase
from retrieval.query.programs import KIND
from retrieval.query.senses import Senses

EVEN = 2
"""Words of the longest of "including" and its like."""

STRICTEST = frozenset({"GPL", "AGPL"})
"""Licences that allow the least: who allows one of them allows the others as well."""

_INTO = (("in",), ("with",), ("using",), ("en",), ("em",), ("con",), ("mit",), ("avec",))
"""Words after which the first of two languages counts in small letters too."""


class Joined(Senses):
    """One text, and which of its names are joined to others."""

    def means_another(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether a phrase is no wish here; a licence that is only allowed is none either."""
        return super().means_another(at, stop, phrase) or self._is_allowed(at, stop, phrase)

    def _is_allowed(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether licences are what may be as well: "even GPL", "LGPL or GPL ok".

        That asks for nothing narrower than what is said before, so the words are not searched.
        """
        first, _, negative = self.before(at, stop, phrase)
        if phrase.kind != "licence" or negative:
            return False
        end, values = stop, {phrase.value}
        while (joined := self.joined(end, phrase)) is not None:
            end, values = joined[0], values | {joined[1]}
        allowed = self.grammar.cue("neutral after", self.words, end)
        starts = (n for n in range(max(self.free, first - EVEN), at) if self._is_even(n, first))
        if (start := next(starts, None)) is None and not (allowed and STRICTEST & values):
            return False
        self.needless.append((first if start is None else min(first, start), end + allowed))
        return True

    def _is_even(self, at: int, first: int) -> bool:
        """Whether "even" or "including" begins at a word and leads on to another one."""
        size = self.grammar.cue("even", self.words, at)
        return size > 0 and at + size >= first

    def joined(self, stop: int, phrase: Phrase) -> tuple[int, str, bool] | None:
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
        either = bool(self.grammar.cue("either", self.words, stop)) or "/" in gap
        if phrase.kind == KIND:
            return self._joined_program(at, phrase, either)
        for size in range(min(3, len(self.words) - at), 0, -1):
            bare = self.grammar.bare.get(self.words[at : at + size])
            if bare and bare.kind == phrase.kind and bare.value != phrase.value:
                typed = [self.text[a:b] for a, b in self.spans[at : at + size]]
                if bare.exact and bare.exact not in typed and not self.is_listed(at + size):
                    return None
                end = self.framed_end(at + size, bare)
                # "Python only, MATLAB is not installed": each has a strength of its own.
                will_do = not either and self.grammar.cue("neutral after", self.words, end)
                if will_do or self.is_ruled_out(end):
                    return None
                return end, bare.value, either
        return None

    def first_of_two(self, at: int) -> tuple[int, Phrase] | None:
        """A name joined to a phrase of its kind: "MIT" before "or BSD licence"."""
        first = self.grammar.bare.get(self.words[at : at + 1])
        joint = self.grammar.cue("joints", self.words, at + 1)
        second = self.phrase_at(at + 1 + joint) if first is not None and joint else None
        if first is not None and first.kind == "licence" and self._is_beside(at, joint, first):
            return at + 1, first
        if first is None or second is None or second[1].kind != first.kind:
            return None
        if first.kind == "language" and self.words[at - 1 : at] in _INTO:
            first = replace(first, exact="")  # "in rust or C++"
        return (at + 1, first) if self.is_meant(at, 1, first) else None

    def _is_beside(self, at: int, joint: int, first: Phrase) -> bool:
        """Whether another short name of a licence is joined: "MIT/BSD would be fine"."""
        second = self.grammar.bare.get(self.words[at + 1 + joint : at + 2 + joint])
        if second is None or second.kind != first.kind or second.value == first.value:
            return False
        is_slash = self.text[self.spans[at][1] : self.spans[at + 1][0]] == "/"
        return (joint > 0 or is_slash) and self.is_meant(at, 1, first)

    def is_listed(self, stop: int) -> bool:
        """Whether a name in small letters ends a list of names: "rust or c, please"."""
        return self.ends(stop) or self.next_word(stop) in self.grammar.frames["language"].after

    def is_ruled_out(self, stop: int) -> bool:
        """Whether what follows a name rules it out: "MATLAB licence expired"."""
        owned = stop + self.grammar.cue("belongings", self.words, stop)
        return any(self.grammar.cue("unwanted after", self.words, at) for at in {stop, owned})

    def _joined_program(
        self, at: int, phrase: Phrase, either: bool
    ) -> tuple[int, str, bool] | None:
        """The end and name of a further program, and whether either will do: "FSL or SPM"."""
        program = self.names.program(self.words, at) if at < len(self.words) else None
        if program is None or program[1] == phrase.value or self.is_ruled_out(at + program[0]):
            return None
        return at + program[0], program[1], either

    def joined_end(self, stop: int, phrase: Phrase) -> int:
        """The end of a phrase with the names of its kind that are joined to it."""
        while (joined := self.joined(stop, phrase)) is not None:
            stop = joined[0]
        return stop
