"""Phrases that are no wish where they stand, since they say another thing there.

A program that the visitor writes is no tool that is looked for, a date of scans is none of a
release, and "plugin" before "electrode" names a thing. The words stand in ``senses.json``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from retrieval.query.grammar import Phrase, Words, spellings, words_of
from retrieval.query.strength import BEFORE, Strengths

DATED = 4
"""Words before a year among which the data stand that it dates: "patients scanned at 3T since"."""

ATTRIBUTE = 2
"""Words behind a phrase with the thing that it describes: "our company MRI scanner"."""

PLUG = ("plug", "in")
"""A noun and a preposition, unless a hyphen, an end or a joining word makes it one word."""


NEEDED = frozenset({"needed", "required", "necessary"})
"""Words behind what somebody has not learned: "no deep learning expertise needed"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherSenses:
    """The words beside which a phrase says another thing.

    ``things`` stand by the kind or value of a phrase, or by its last word.
    """

    own_work: frozenset[str]
    oneself: frozenset[str]
    calls: frozenset[str]
    data: frozenset[str]
    release: frozenset[str]
    installers: frozenset[str]
    things: Mapping[str, frozenset[str]]
    preceding: frozenset[tuple[str, Words]]
    following: frozenset[tuple[Words, str]]


@cache
def other_senses() -> OtherSenses:
    """The words of ``senses.json``, read once."""
    table = json.loads(files("retrieval.query").joinpath("senses.json").read_text("utf-8"))
    pairs = [
        (words_of(phrase), side, word)
        for row in table["other senses"]
        for side in ("preceding", "following")
        for phrase in spellings(row["phrase"])
        for word in spellings(row.get(side, ""))
    ]
    return OtherSenses(
        own_work=frozenset(table["own work"]),
        oneself=frozenset(table["oneself"]),
        calls=frozenset(table["calls"]),
        data=frozenset(table["data"]),
        release=frozenset(table["release"]),
        installers=frozenset(table["installers"]),
        things={kind: frozenset(spellings(row)) for kind, row in table["things"].items()},
        preceding=frozenset((word, phrase) for phrase, side, word in pairs if side == "preceding"),
        following=frozenset((phrase, word) for phrase, side, word in pairs if side == "following"),
    )


class Senses(Strengths):
    """One text, and which of its phrases say another thing than a wish."""

    def means_another(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether a phrase is no wish here: it has another sense, or names who uses the result.

        "So that a web viewer can show it" asks for what the viewer reads, in whatever runs.
        """
        if phrase.unless and any(word.startswith(phrase.unless) for word in self.words):
            return True
        if self._is_own_work(at, stop, phrase) or self._dates_data(at, phrase):
            return True
        if self._is_skill(at, stop, phrase) or self._is_installer_out(at, stop, phrase):
            return True
        if self.describes(at, stop, phrase):
            return True
        acts = any(self.grammar.cue("acts", self.words, n) for n in (stop, stop + 1))
        starts = range(max(self.free, at - BEFORE), at)
        return acts and any(n + self.grammar.cue("result for", self.words, n) == at for n in starts)

    def _clause(self, at: int) -> int:
        """The first word of the part of a sentence in which a word stands."""
        while at > 0 and not self.is_pause(at - 1, at):
            at -= 1
        return at

    def _is_own_work(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether a language is that of what the visitor writes: "that we write ourselves in R".

        A tool that is called from there has to be callable from it.
        """
        senses, first = other_senses(), self._clause(at)
        before = self.words[first:at]
        if phrase.kind != "language" or senses.own_work.isdisjoint(before):
            return False
        if not senses.calls.isdisjoint(before):
            return False
        if self._is_spared(first, at, stop, phrase):
            return True
        behind = (self.next_word(stop),) if not self.ends(stop) else ()
        return not senses.oneself.isdisjoint((*before, *behind))

    def _is_spared(self, first: int, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether a language is that of work that a tool spares: "instead of coding it in R".

        What the tool is written in is all the same, so the words are not searched either.
        """
        spared = (n for n in range(first, at) if self.grammar.cue("instead", self.words, n))
        start = next(
            (n for n in spared if not other_senses().own_work.isdisjoint(self.words[n:at])), at
        )
        if start == at or self.before(at, stop, phrase)[2]:
            return False
        self.needless.append((start, stop))
        return True

    def _is_skill(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether a method is what somebody has not learned: "no deep learning expertise".

        That asks nothing of a tool, so the words are not searched either.
        """
        if phrase.kind != "method":
            return False
        first = self.before(at, stop, phrase)[0]
        skills = other_senses().things[phrase.kind]
        while self.next_word(stop) in skills or self.next_word(stop) in NEEDED:
            stop += 1
        is_skill = not skills.isdisjoint(self.words[first:stop])
        self.needless += [(first, stop)] * is_skill
        return is_skill

    def _is_installer_out(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether what is ruled out is a way to install, and no language: "without conda".

        Records state no way that is shut, so the words are not searched either.
        """
        if phrase.kind != "language" or other_senses().installers.isdisjoint(self.words[at:stop]):
            return False
        first, _, negative = self.before(at, stop, phrase)
        behind = self.denied_behind(stop)
        if negative or behind:
            self.needless.append((first, stop + behind))
        return bool(negative or behind)

    def _dates_data(self, at: int, phrase: Phrase) -> bool:
        """Whether a date or state is that of the data: "patients scanned since 2019"."""
        if phrase.kind != "since":
            return False
        reach = DATED if phrase.value.isdecimal() else 1
        before = self.words[max(self._clause(at), at - reach) : at]
        senses = other_senses()
        return not senses.data.isdisjoint(before) and senses.release.isdisjoint(before)

    def describes(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether a phrase describes a thing that is no software: "plugin electrode"."""
        senses, words = other_senses(), self.words[at:stop]
        beside = not self.ends(stop) and (words, self.next_word(stop)) in senses.following
        if beside or (self.words[at - 1 if at else at], words) in senses.preceding:
            return True
        if words == PLUG and "-" not in self.text[self.spans[at][0] : self.spans[stop - 1][1]]:
            light = self.grammar.joining - self.grammar.determiners
            return not self.ends(stop) and self.next_word(stop) not in light
        keys = (phrase.kind, phrase.value, words[-1])
        things = frozenset().union(*(senses.things.get(key, ()) for key in keys))
        for n in range(stop, min(stop + ATTRIBUTE, len(self.words)) if things else stop):
            if self.is_pause(n - 1, n):
                return False
            if self.words[n] in things:
                return True
            if self.words[n] in self.grammar.joining:
                return False
        return False
