"""Names of programs that a text says to do its task with: "skull stripping in FSL".

A program counts that others are of, or are built on (a suite, a framework); the name of another
tool asks for the tool itself and stays a word to search for.
"""

from __future__ import annotations

import re

from retrieval.query.grammar import HAN, Phrase
from retrieval.query.phrase_search import PhraseSearch

KIND = "tool"
"""Kind of the wishes that name a tool."""

MADE = "ed"
"""End of words that tell what was made before: "cells segmented with Cellpose"."""

NOT_MADE = frozenset(
    {"implemented", "based", "included", "provided", "integrated", "supported", "needed"}
)
"""Words that end so and say how a tool is to be."""

AFTER = ("required after", "unwanted after", "neutral after", "polite after", "contrast", "joints")
"""Cues that may follow a name as such; "FreeSurfer space" is no wish for FreeSurfer."""

_HAN = re.compile(f"[{HAN}]")


class Programs(PhraseSearch):
    """One text, with the programs that it says to use among its phrases."""

    def phrase_at(self, at: int) -> tuple[int, Phrase] | None:
        """The phrase, framed name or program that begins at a word: its end, what it wishes."""
        return super().phrase_at(at) or self._program_at(at)

    def _program_at(self, at: int) -> tuple[int, Phrase] | None:
        """A program after a word such as "in" or "using", beside "only", or before "toolbox"."""
        named = self.names.program(self.words, at) if at < len(self.words) else None
        if (
            named is None
            or self.grammar.name(self.words, at)
            or self.text[self.spans[at][0] - 1 : self.spans[at][0]] in ("-", "/")
        ):
            return None
        size, value = named
        phrase, stop = Phrase(kind=KIND, value=value), at + size
        # "FSL BET" asks for the one tool, "FreeSurfer space" for none.
        end = self.framed_end(stop, phrase)
        if self.is_name(stop) or not (end > stop or self._may_end(stop)):
            return None
        is_framed = end > stop or self._is_used(at) or self._is_alone(at, self._first(at), stop)
        return (end, phrase) if is_framed or self._is_preferred(at, stop) else None

    def _first(self, at: int) -> int:
        """The word before a name and its articles; -1 where there is none."""
        before = at - 1
        while before >= 0 and self.words[before] in self.grammar.determiners:
            before -= 1
        return before

    def _is_used(self, at: int) -> bool:
        """Whether a name stands after "in" or "using", and not after what was made with it."""
        before = self._first(at)
        if before < 0 or self.is_pause(before, at):
            return False
        made = self.words[before - 1] if before else ""
        is_made = made.endswith(MADE) and made not in NOT_MADE
        return self.words[before] in self.grammar.frames[KIND].before and not is_made

    def _is_preferred(self, at: int, stop: int) -> bool:
        """Whether a name is all that a part of a longer text says: "align brains, ANTs please"."""
        polite = self.grammar.cue("polite after", self.words, stop)
        begins = at > 0 and self.is_pause(at - 1, at) and not self.is_name(at - 1)
        return begins and self.ends(stop + polite)

    def _may_end(self, stop: int) -> bool:
        """Whether a name may end before a word: one that only joins, or of a further wish."""
        word = self.next_word(stop)
        light = word in self.grammar.joining or word in self.grammar.softening
        light = light or any(self.grammar.cue(name, self.words, stop) for name in AFTER)
        return self.ends(stop) or light or _HAN.match(word) is not None
