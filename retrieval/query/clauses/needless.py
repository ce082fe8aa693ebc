"""Words that say of something that it may be otherwise: "it need not be Python".

What need not be is neither wanted nor ruled out, so its words wish nothing and find nothing. The
words stand in ``wishes.json``, as those of the other cues do.
"""

from __future__ import annotations

from retrieval.query.clauses.joined import Joined
from retrieval.query.grammar import Phrase
from retrieval.query.senses import NEEDED
from retrieval.query.strength import BEFORE

BURDENS = frozenset({"GPU", "container", "MATLAB", "Java"})
"""Values of wishes for what costs something to have: "MATLAB is not needed" asks to do without it,
and "a GUI is not needed" asks for nothing."""

DEPENDENCIES = frozenset({"tool", "host", "memory"})
"""Kinds of wishes for what a tool stands on: "FreeSurfer is not needed" asks to do without it."""


class Needless(Joined):
    """One text, and what of it may be otherwise."""

    def needless_at(self, at: int) -> tuple[int, Phrase] | None:
        """What may be otherwise, if words that say so begin at a word: its end and phrase."""
        return self._needless_behind(at) or self._needless_before(at) or self._needless_system(at)

    def _needless_system(self, at: int) -> tuple[int, Phrase] | None:
        """A system between "no" and "needed": who needs no Windows may have it all the same."""
        phrase_read = self.phrase_or_name(at + 1) if self.words[at] == "no" else None
        if phrase_read is None or phrase_read[1].kind != "system":
            return None
        stop, phrase = phrase_read
        return (stop + 1, phrase) if self.next_word(stop) in NEEDED else None

    def _needless_behind(self, at: int) -> tuple[int, Phrase] | None:
        """What follows "need not be" or "no need for" that begins at a word."""
        size = self.grammar.cue("needless", self.words, at)
        if not size or self.phrase_at(at) is not None:
            return None
        # "Need not be free": the words of a phrase may begin among those of the cue.
        for start in range(at + 1, min(len(self.words), at + size + BEFORE) + 1):
            phrase_read = self.phrase_or_name(start)
            if phrase_read is not None and phrase_read[0] > at + size:
                # "No need to code", "need not be installed": such denials wish something.
                return None if phrase_read[1].negated else phrase_read
            if start >= at + size and not self._is_led_on(start):
                return None
        return None

    def _is_led_on(self, at: int) -> bool:
        """Whether a word only leads on to what need not be, without a pause before it."""
        word = self.next_word(at)
        is_light = word in self.grammar.filler or word in self.grammar.determiners
        return is_light and (word in self.grammar.that or not self.is_pause(at - 1, at))

    def _needless_before(self, at: int) -> tuple[int, Phrase] | None:
        """What stands before "is not a must" or, where it is no burden, "is not needed"."""
        phrase_read = self.phrase_or_name(at)
        if phrase_read is None or phrase_read[1].negated:
            return None
        stop, phrase = phrase_read
        size = self.grammar.cue("needless after", self.words, stop)
        if not size and phrase.value not in BURDENS and phrase.kind not in DEPENDENCIES:
            size = self.grammar.cue("dispensable after", self.words, stop)
        is_denied = bool(size) and self.before(at, stop, phrase)[2]
        return (stop + size, phrase) if size and not is_denied else None

    def phrase_or_name(self, at: int) -> tuple[int, Phrase] | None:
        """The phrase that begins at a word, or the name, whatever stands before it."""
        phrase_read = self.phrase_at(at)
        if phrase_read is None:
            name = self.grammar.name(self.words, at) if at < len(self.words) else None
            if name is None or not self.is_meant(at, len(name[0]), name[1]):
                return None
            phrase_read = at + len(name[0]), name[1]
        return self.framed_end(*phrase_read), phrase_read[1]


def needless_spans(reading: Needless) -> list[tuple[int, int]]:
    """Where in a text stand the words about what may be otherwise, once its wishes are read."""
    return [(reading.spans[a][0], reading.spans[b - 1][1]) for a, b in reading.needless]
