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
        start = self.behind_fillers(at + denial)
        leaving = self.grammar.cue("leaving", self.words, start) if denial else 0
        start = self.behind_fillers(start + leaving)
        program = self.phrase_or_name(start) if denial else None
        if program is None:
            return None
        is_left_behind = bool(self.grammar.cue("left behind", self.words, program[0]))
        return program if leaving or is_left_behind else None
