"""The words around a phrase that tell whether it is wanted, required or ruled out.

What joins a phrase to the text ("but it must not run in") is part of it; so is what judges it
behind ("licence has expired").
"""

from __future__ import annotations

import re

from retrieval.core import Wish
from retrieval.query.clauses.words import clause_words
from retrieval.query.grammar import HAN, Phrase, Strength, words_of
from retrieval.query.phrase_search import STRENGTHS, SUFFIXES
from retrieval.query.programs import Programs

BEFORE = 8
"""Most words before a phrase that are read as part of it."""

NAMED = frozenset({"language", "host", "system"})
"""Kinds of wishes with names that mean nothing else after "not"."""

OF = frozenset({"to", "zu", "zum", "à"})
"""After "alternative": what follows is to be left out, not what stands before."""

SAID_BY_DENIAL = frozenset({"offline", "method", "licence"})
"""Kinds of wishes that are wanted in words that deny: "no cloud", "no proprietary code"."""

FOND = frozenset({"i", "we", "they", "you", "who", "people", "students", "would", "i'd", "we'd"})
"""Who likes a tool wants it; "a viewer like Imaris" asks for another one."""

FREE_OF = ("free", "of")
"""Of charge: no end of a word such as "AI-free"."""

NEUTRAL_BEFORE = 3
"""Words of a neutral cue before the one in it that denies: "por qué no", "为什么不"."""

PURPOSE = frozenset({"for", "für", "pour", "para", "per"})
"""Words after "nothing" that say what none was found for."""

COMPOUNDED = frozenset({"data", "daten", "datos", "dati", "dados", "données", "fit"})
"""Light words that belong to the noun right before them: "pixel data in Python", "NODDI fit"."""

OTHERS, TARGETS = frozenset({"another", "other"}), frozenset({"to", "into", "onto", "each"})
"""What stands for a thing that was named, behind a word of where to, or as "each other"."""

PREPOSITIONS = frozenset(
    {"in", "on", "at", "by", "via", "with", "without", "from", "through", "using", "under"}
)
"""Words behind "to another" that belong to the wish, and show that no noun follows."""

_UNSPACED = re.compile(f"[{HAN}]")
"""Chinese and Japanese deny with the same words before a name and behind one."""


class Strengths(Programs):
    """One text and how strongly its phrases are wished."""

    def before(self, at: int, stop: int, phrase: Phrase) -> tuple[int, Strength, bool]:
        """The first word of a wish, the strength that words before give, and whether they deny."""
        first = at
        while first > max(self.free, at - BEFORE) and self._joins(first - 1, first):
            first -= 1
        is_of_thing = first > self.free and not self.is_pause(first - 1, first)
        first += first < at and is_of_thing and self.words[first] in COMPOUNDED
        between = self.words[self._turn(first, at) : at]
        negative = self.cued("unwanted", between) or self._is_denied_too(first, phrase)
        if (head := self._heading(first)) < first:
            first, between = head, (*self.words[head:first], *between)
        # "No more than 8 GB" says how much there is.
        negative = negative and phrase.kind != "memory"
        required = self.cued("required", (*between, *self.words[at:stop]))
        strength = phrase.strength
        if phrase.negated:
            # "Must work without" requires; "nothing that requires coding" says no more than "no".
            denied = next(
                (n for n in range(len(between)) if self.grammar.cue("unwanted", between, n)), 0
            )
            required = self.cued("required", between[:denied])
            strength = "required" if required and strength == "wanted" else strength
        elif negative or self._is_denied_before(first, at):
            strength = "wanted" if strength == "unwanted" else "unwanted"
        elif required and strength == "wanted":
            strength = "required"
        return first, strength, negative

    def _is_denied_too(self, first: int, phrase: Phrase) -> bool:
        """Whether a wish is joined to one that is ruled out: "no MATLAB or Docker".

        "Nothing deep learning with a GPU": the card is what is ruled out would run on.
        """
        # "No coding, no GPU": what denies by itself is not denied again.
        if not self.denied or phrase.strength != "wanted" or self.is_pause(first - 1, first):
            return False
        joint = self.grammar.cue("either", self.words, self.free)
        is_card = phrase.kind == "gpu" and not self.is_new_part(first)
        return first == self.free + joint and (joint > 0 or is_card)

    def is_new_part(self, first: int) -> bool:
        """Whether "and" or "but" goes on to what is there: "no internet and one card"."""
        joint = self.grammar.cue("joints", self.words, first)
        either = self.grammar.cue("either", self.words, first)
        contrast = self.grammar.cue("contrast", self.words, first)
        return first == self.free and self.denied and (contrast > 0 or joint > either)

    def _heading(self, first: int) -> int:
        """The first word of "must have:" before a phrase; the phrase itself where none is."""
        if not first or ":" not in self.text[self.spans[first - 1][1] : self.spans[first][0]]:
            return first
        head = first - 1
        while head > self.free and self._joins(head - 1, head):
            head -= 1
        is_heading = head >= self.free and self.cued("required", self.words[head:first])
        light = all(word in self.grammar.joining for word in self.words[head:first])
        return head if is_heading and light else first

    def _turn(self, first: int, at: int) -> int:
        """The word behind the last contrast before a phrase: "not in R but in Python"."""
        if self.is_behind_denied_thing(at):
            return at
        turn, n = first, first
        while n < at:
            size = max(self.grammar.cue(name, self.words, n) for name in STRENGTHS)
            if not size and self.grammar.cue("contrast", self.words, n):
                turn = n + 1
            n += max(1, size)
        return turn

    def is_behind_denied_thing(self, at: int) -> bool:
        """Whether what is denied is a thing that stands before: "no admin rights on Windows".

        A right or an installer is had on a system and beside a card, so neither is denied, and
        "without leaving Fiji" stays there.
        """
        for thing in range(max(self.free, at - BEFORE), at):
            leaving = self.grammar.cue("leaving", self.words, thing)
            size = leaving or self.grammar.cue("denied thing", self.words, thing)
            place = thing + size
            if not size or place > at or self.ends(place):
                continue
            is_joined = all(self.words[n] in self.grammar.joining for n in range(place, at))
            is_placed = bool(leaving or self.grammar.cue("place", self.words, place)) and is_joined
            if is_placed and self._is_denied_thing(thing):
                return True
        return False

    def _is_denied_thing(self, at: int) -> bool:
        """Whether a denial stands before a thing and the words that belong to it."""
        before = range(at - 1, max(-1, at - NEUTRAL_BEFORE - 1), -1)
        # "We want to leave MATLAB" denies by the thing itself.
        return any(0 < self.grammar.cue("unwanted", self.words, n) <= at - n for n in before)

    def _is_denied_before(self, first: int, at: int) -> bool:
        """Whether words that deny stand further before a phrase."""
        if self.is_behind_denied_thing(at):
            return False
        if self._is_far_denied(first) or self._is_denied_lightly(first):
            return True
        return self.words[first] in TARGETS and self._is_not_sent(first)

    def _is_not_sent(self, first: int) -> bool:
        """Whether what may not be sent stands before: "may not send heads to any web service"."""
        for at in range(first - 1, max(0, first - BEFORE) - 1, -1):
            if self.is_pause(at, at + 1):
                return False
            if self.grammar.cue("not sent", self.words, at):
                return True
        return False

    def _is_far_denied(self, first: int) -> bool:
        """Whether "nothing" stands before other words: "nothing with deep nets on a GPU"."""
        for at in range(first - 1, max(self.free, first - BEFORE) - 1, -1):
            if self.is_pause(at, at + 1) or self.grammar.cue("contrast", self.words, at):
                return False
            if self.grammar.cue("far unwanted", self.words, at):
                # "Nothing for lungs with GPU" says that none was found, and wants one.
                is_lack = self.next_word(at + 1) in PURPOSE
                return not is_lack and self.cued("unwanted", self.words[at:first])
        return False

    def _is_denied_lightly(self, first: int) -> bool:
        """Whether a word that denies stands before light words: "cannot link against GPL code"."""
        at, light = first - 1, clause_words().light
        while at >= max(self.free, first - BEFORE) and not self.is_pause(at, at + 1):
            if self.words[at] not in light or self.grammar.cue("contrast", self.words, at):
                return False
            if self.grammar.cue("unwanted", self.words, at):
                return self.cued("unwanted", self.words[at:first])
            at -= 1
        return False

    def _joins(self, at: int, following: int) -> bool:
        """Whether a word only joins the next one to the text.

        "From one PACS to another at the command line" goes to another PACS.
        """
        is_noun = self.words[at] in OTHERS and self.words[following] in PREPOSITIONS
        if is_noun and at and self.words[at - 1] in TARGETS:
            return False
        if self.text[self.spans[at][0] - 1 : self.spans[at][0]] in (
            "-",
            "&",
        ):  # "header-only", "H&E"
            return False
        return not self.is_pause(at, following) and self.words[at] in self.grammar.joining

    def after(self, stop: int, phrase: Phrase, strength: Strength) -> tuple[int, Strength]:
        """The end of a phrase with what follows: "only", "not needed", "licence has expired"."""
        if stop < len(self.words) and self.is_stop(stop - 1, stop):
            return stop, strength
        owned = stop + self.grammar.cue("belongings", self.words, stop)
        if owned > stop and self.grammar.cue("unwanted after", self.words, owned):
            stop = owned
        size = self.denied_behind(stop)
        if size == 1 and self.words[stop] in SUFFIXES and phrase.kind != "gpu":
            # "MATLAB-free" and "MATLAB free alternative" want none; "Python free software" does.
            size = (
                size
                if self.is_compound(stop) or self.grammar.cue("like after", self.words, stop + 1)
                else 0
            )
        size = size or (self.like_after(stop) if phrase.kind in NAMED else 0)
        if size:
            return stop + size, "unwanted" if strength != "unwanted" else strength
        size = self.grammar.cue("required after", self.words, stop)
        if size and strength != "unwanted" and not self.is_pause(stop - 1, stop):
            return stop + size, "required"
        return stop + self._polite_words(stop), strength

    def _polite_words(self, stop: int) -> int:
        """Words such as "please" behind a phrase; none where they lead to the next wish.

        "In the shell, preferably a container" prefers the container.
        """
        size = self.grammar.cue("polite after", self.words, stop)
        start = stop + size
        while self.next_word(start) in self.grammar.determiners:
            start += 1
        is_leading = size and not self.ends(stop + size) and self.phrase_at(start) is not None
        return 0 if is_leading else size

    def denied_behind(self, stop: int) -> int:
        """Words that deny what stands before: "coding we cannot do", "AI-free"."""
        is_next = stop < len(self.words) and _UNSPACED.match(self.words[stop])
        if self.words[stop : stop + 2] == FREE_OF or (is_next and self.is_pause(stop - 1, stop)):
            return 0
        return self.grammar.cue("unwanted after", self.words, stop) or self._denied_last(stop)

    def _denied_last(self, stop: int) -> int:
        """Words such as "kann ich nicht" that deny what stands before where nothing follows.

        "QuPath kann hier niemand programmieren" does not rule QuPath out.
        """
        size = self.grammar.cue("unwanted at end", self.words, stop)
        end = stop + size
        is_last = size and (self.ends(end) or self.grammar.cue("contrast", self.words, end))
        return size if is_last else 0

    def is_neutral(self, at: int) -> bool:
        """Whether the words right before a word say that it wishes nothing: "why not Fiji"."""
        if any(first <= at < stop for first, stop in self.needless):
            return True
        before = range(max(0, at - 1 - NEUTRAL_BEFORE), at)
        return any(n + self.grammar.cue("neutral", self.words, n) >= at for n in before)

    def leaving_cue(self, at: int) -> int:
        """Words of "not", "other than" or "alternative to" that begin at a word; 0 for none.

        "Why not SimpleITK?" asks about it and leaves nothing out.
        """
        if self.is_neutral(at + 1):
            return 0
        like = self.grammar.cue("like", self.words, at)
        is_suffix = self.text[self.spans[at][0] - 1 : self.spans[at][0]] == "-"  # "FAST-like"
        if is_suffix or (like == 1 and at > 0 and self.words[at - 1] in FOND):
            like = 0
        return max(like, self.grammar.cue("leave out", self.words, at))

    def behind_fillers(self, at: int) -> int:
        """The first word from here on that says something, or begins a sentence."""
        light = self.grammar.filler | self.grammar.determiners
        while self.next_word(at) in light and not self.is_stop(at - 1, at):
            at += 1
        return at

    def like_after(self, at: int) -> int:
        """Words of "alternative" behind a name; 0 where that to which it is one follows."""
        size = self.grammar.cue("like after", self.words, at)
        return 0 if self.next_word(at + size) in OF else size

    def denies(self, wish: Wish) -> bool:
        """Whether the words of a wish rule something out: "no MATLAB", "no cloud"; "on CPU" not."""
        is_negative = wish.strength == "unwanted" or wish.kind in SAID_BY_DENIAL
        return is_negative and self.cued("unwanted", words_of(wish.text))
