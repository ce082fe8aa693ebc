"""The number of a version behind the name of a language or system: "MATLAB 2021b", "Fedora 39"."""

from __future__ import annotations

import re

from retrieval.query.clauses.cards import Cards
from retrieval.query.grammar import Phrase

VERSIONED = frozenset({"language", "system"})
"""Kinds of wishes whose names have versions. Of a program that hosts others a version tells most
often what a file was made with."""

LONG_TERM = "lts"
"""Behind the number of a version that is supported for long: "Ubuntu 22.04 LTS"."""

_VERSION = re.compile(r"r?\d+(?:\.\d+)*[ab]?\Z")


class Versions(Cards):
    """One text, and how far its names go."""

    def framed_end(self, stop: int, phrase: Phrase) -> int:
        """The end of a name with its version and the nouns that belong to it."""
        if phrase.kind in VERSIONED and self._is_version(stop, phrase):
            stop += 2 if self.next_word(stop + 1) == LONG_TERM else 1
        return super().framed_end(stop, phrase)

    def _is_version(self, at: int, phrase: Phrase) -> bool:
        """Whether a number ends what is said or leads on: "Python 3 volumes" counts volumes."""
        if not _VERSION.match(self.next_word(at)) or self.is_pause(at - 1, at):
            return False
        behind = self.next_word(at + 1)
        is_light = behind in self.grammar.joining or behind == LONG_TERM
        return self.ends(at + 1) or is_light or behind in self.grammar.frames[phrase.kind].after
