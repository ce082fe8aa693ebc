"""Further names of the same kind that are joined to one: "in R or Python", "FSL and SPM"."""

from __future__ import annotations

import re

from retrieval.query.grammar import Phrase
from retrieval.query.programs import KIND
from retrieval.query.senses import Senses


class Joined(Senses):
    """One text, and which of its names are joined to others."""

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
