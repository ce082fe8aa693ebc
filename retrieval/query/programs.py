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

FOR = frozenset({"for", "of", "für", "von", "pour", "de", "para", "per", "di"})
"""Words between "plugin" and the program that it is for."""

TASK = 2
"""Words right before a name that say what is to be done with it."""

NOT_TASK = frozenset(
    {"of", "vs", "versus", "to", "into", "against", "between", "than", "like", "who", "what", "how"}
    | {"why", "when", "where", "which", "is", "does", "can", "are", "do", "did", "was", "has"}
)
"""Words before a name that say something else about it, or ask about it."""

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
        program = self.names.program(self.words, at) if at < len(self.words) else None
        mark = self.text[self.spans[at][0] - 1 : self.spans[at][0]] if program else ""
        is_second = mark == "/" and at == self.free and self.is_name(at - 1)  # "matlab/SPM"
        if (
            program is None
            or self.grammar.name(self.words, at)
            or (mark in ("-", "/") and not is_second)
        ):
            return None
        size, value = program
        phrase, stop = Phrase(kind=KIND, value=value), at + size
        # "FSL BET" asks for the one tool, "FreeSurfer space" for none.
        end = self.framed_end(stop, phrase)
        if self.is_name(stop) or not (end > stop or self._may_end(stop)):
            return None
        is_framed = (
            is_second
            or end > stop
            or self._is_used(at)
            or self._is_alone(at, self._first(at), stop)
        )
        is_framed = is_framed or self._is_said_apart(at, stop) or self._is_after_task(at, stop)
        return (end, phrase) if is_framed else None

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
        frame, joint = self.grammar.frames[KIND], self.words[before]
        what = self.words[before - 1] if before else ""
        is_made = what.endswith(MADE) and what not in NOT_MADE
        return (joint in frame.before and not is_made) or (joint in FOR and what in frame.after)

    def _is_said_apart(self, at: int, stop: int) -> bool:
        """Whether a part of a longer text says nothing else: "align brains, ANTs please"."""
        is_list = at > 0 and self.is_name(at - 1)
        paused = any(self.is_pause(n - 1, n) for n in range(1, len(self.words)))
        return paused and not is_list and self._is_clause(at, stop)

    def _is_after_task(self, at: int, stop: int) -> bool:
        """Whether a name ends what is asked, behind what is to be done: "skull stripping FSL"."""
        end = stop + self.grammar.cue("polite after", self.words, stop)
        words_before = self.words[max(0, at - TASK) : at]
        light = self.grammar.joining | self.grammar.softening | NOT_TASK
        is_task = (
            len(words_before) == TASK
            and light.isdisjoint(words_before)
            and not self.is_name(at - 1)
        )
        return is_task and self.ends(end) and not self.is_pause(at - TASK, at)

    def _may_end(self, stop: int) -> bool:
        """Whether a name may end before a word: one that only joins, or of a further wish."""
        word = self.next_word(stop)
        light = word in self.grammar.joining or word in self.grammar.softening
        light = light or any(self.grammar.cue(name, self.words, stop) for name in AFTER)
        is_verb = "mit" in self.words[: stop - 1] and word.endswith("en")
        return self.ends(stop) or light or is_verb or _HAN.match(word) is not None
