"""Programs that somebody does not want to leave: "without leaving Fiji" wants it."""

from __future__ import annotations

from retrieval.query.clauses.compared import Compared
from retrieval.query.grammar import Phrase


class Staying(Compared):
    """One text, and which of the programs that it names are not to be left."""

    def stay_at(self, at: int) -> tuple[int, Phrase] | None:
        """A program that is not left from a word on, as "without leaving" says: its end, phrase.

        In German the verb is last: "ohne Fiji zu verlassen".
        """
        denial = self.grammar.cue("unwanted", self.words, at)
        start = self._past_fillers(at + denial)
        leaving = self.grammar.cue("leaving", self.words, start) if denial else 0
        start = self._past_fillers(start + leaving)
        program = self._place_of_work_at(start) if denial else None
        if program is None:
            return None
        is_left_behind = bool(self.grammar.cue("left behind", self.words, program[0]))
        return program if leaving or is_left_behind else None

    def _past_fillers(self, at: int) -> int:
        """The first word from a place on that says something: "to have to leave the browser"."""
        light = self.grammar.filler | self.grammar.determiners
        while self.next_word(at) in light and not self.is_pause(at - 1, at):
            at += 1
        return at

    def _place_of_work_at(self, at: int) -> tuple[int, Phrase] | None:
        """The host, language or interface whose name begins at a word: its end and phrase."""
        named = self.grammar.name(self.words, at) if at < len(self.words) else None
        if named is not None and self.is_meant(at, len(named[0]), named[1]):
            return at + len(named[0]), named[1]
        return self.phrase_at(at)
