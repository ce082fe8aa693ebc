"""The language that somebody knows better than another one: "I know R better than Python"."""

from __future__ import annotations

from retrieval.query.clauses.needless import Needless
from retrieval.query.grammar import Phrase

MOST_BETWEEN = 6
"""Words between what one knows and what is known less: "R is a lot easier for me than"."""


class Compared(Needless):
    """One text, and which of the languages that it names is known better."""

    def better_known_at(self, at: int) -> tuple[int, Phrase] | None:
        """A language that begins at a word and is known better: the end of the other, its phrase.

        The other is known as well, so nothing rules it out; "R rather than Python" does.
        """
        known = self.phrase_at(at) or self._language_at(at)
        if known is None or known[1].kind != "language":
            return None
        stop, phrase = known
        for than in range(stop, min(stop + MOST_BETWEEN, len(self.words))):
            if self.is_pause(than - 1, than):
                return None
            size = self.grammar.cue("skill compared", self.words, than)
            other = self._language_at(self._past_light(than + size)) if size else None
            if other is not None and other[1].value != phrase.value:
                return (other[0], phrase) if self._says_skill(at, than) else None
        return None

    def _language_at(self, at: int) -> tuple[int, Phrase] | None:
        """The language whose name begins at a word: its end and phrase."""
        name = self.grammar.name(self.words, at) if at < len(self.words) else None
        if name is None or name[1].kind != "language":
            return None
        return (at + len(name[0]), name[1]) if self.is_meant(at, len(name[0]), name[1]) else None

    def _past_light(self, at: int) -> int:
        """The first word from a place on that does not only join: "in my R"."""
        while self._language_at(at) is None and self.next_word(at) in self.grammar.joining:
            at += 1
        return at

    def _says_skill(self, at: int, stop: int) -> bool:
        """Whether the part of a sentence up to a word tells what somebody knows or finds easy."""
        first = at
        while first > 0 and not self.is_pause(first - 1, first):
            first -= 1
        return any(self.grammar.cue("skill", self.words, n) for n in range(first, stop))
