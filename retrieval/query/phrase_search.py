"""The words of one text, and the phrases and names of wishes that begin at a word."""

from __future__ import annotations

import re

from retrieval.query.clauses.continued import means_otherwise
from retrieval.query.clauses.words import word_spans
from retrieval.query.grammar import Phrase, Words, grammar, shapes_of
from retrieval.query.tongues import ACCENT, INFINITIVE, NASAL, without_choices
from retrieval.query.tool_names import Names

ORDINARY = frozenset({"windows", "slicer", "mac", "omero"})
"""Names that in lower case are words as well: windows of intensity, slicer gaps, l'omero."""

STRENGTHS = ("required", "unwanted")
"""Cues before a phrase that tell its strength."""

SUFFIXES = frozenset({"free", "less", "frei", "independent", "unabhängig"})
"""Words that rule a name out as the second part of a compound alone."""

MICROSCOPE = "SEM"
"""In small letters it is Portuguese for "without"."""

ELIDED = re.compile(r"(?:un|l|d|dell|nell|all|dall|sull|quest)'(?=\w)")
"""Articles that Italian and French write together with the next word: "un'app"."""

LONGEST_CUE = 4
"""Words of the longest cue before a name alone: "ne tourne que sous"."""

_STOP = re.compile(r"[.;!?](?:\s|$)|[。；]")
_PAUSE = re.compile(r"[,.;:!?()\[\]，。；、]|\s[-–—]\s")
_LIKENESS = re.compile(r"-(?:like|shaped|ish)\b")
_AFTER_EXACT = re.compile(r"\s*[=²*^]|\.\s?[a-z]|-(?!based|package|script|library|tool)|'")


class PhraseSearch:
    """One text: its words, folded, and where each stands.

    ``free`` is the first unread word; ``denied`` tells whether the wish before it rules out.
    ``needless`` are the runs of words that say of something that it may be otherwise.
    """

    def __init__(self, text: str, names: Names) -> None:
        self.text, self.names, self.grammar = text, names, grammar()
        self.spans = list(word_spans(text))
        typed = tuple(text[a:b].replace("’", "'") for a, b in self.spans)
        words = tuple(word if word == MICROSCOPE else word.casefold() for word in typed)
        # What belongs to a program names it: "TotalSegmentator's licence"; "python's lung" is no
        # program's.
        own = tuple(
            w.removesuffix("'s") if t[0].isupper() else w for w, t in zip(words, typed, strict=True)
        )
        self.words = tuple(
            w if w in self.grammar.elided else ELIDED.sub("", o)
            for w, o in zip(words, own, strict=True)
        )
        # "No" is "in the" where other words are Portuguese; "EM" is a microscope.
        if "no" in self.words:
            into = self._portuguese_in(typed)
            self.words = tuple("em" if n in into else w for n, w in enumerate(self.words))
        self.words = without_choices(self.words)
        self.shapes = shapes_of(self.words)
        self.free, self.denied = 0, False
        self.needless: list[tuple[int, int]] = []

    def _portuguese_in(self, typed: Words) -> set[int]:
        """Where "no" is Portuguese: by its own words, or by accents, no Spanish, and a name."""
        into = {n for n, word in enumerate(self.words) if word == "no"}
        # "Cryo-em" is a microscope's.
        apart = (
            w for w, (a, _) in zip(typed, self.spans, strict=True) if self.text[a - 1 : a] != "-"
        )
        own = not self.grammar.portuguese.isdisjoint(apart)
        if own or any(word.endswith(NASAL) for word in self.words):
            return into
        if not self.grammar.not_portuguese.isdisjoint(self.words):
            return set()
        accented = bool(ACCENT.search(self.text))
        return {n for n in into if self.is_name(n + 1) and self._may_be_in_the(n, accented)}

    def _may_be_in_the(self, at: int, accented: bool) -> bool:
        """Whether "no" follows what may be Portuguese: "segmentar tumores no QuPath".

        Spanish and Italian put a comma before their "no".
        """
        paused = [n for n in range(1, at + 1) if self.is_pause(n - 1, n)]
        clause = self.words[paused[-1] if paused else 0 : at]
        return bool(clause) and (accented or any(INFINITIVE.search(word) for word in clause))

    def next_word(self, at: int) -> str:
        """The word at a place; empty behind the last one."""
        return self.words[at] if at < len(self.words) else ""

    def is_pause(self, at: int, following: int) -> bool:
        """Whether a comma, full stop or the like stands between two words."""
        start, end = self.spans[at][1], self.spans[following][0]
        return bool(_PAUSE.search(self.text, start, end))

    def is_stop(self, at: int, following: int) -> bool:
        """Whether a sentence ends between two words."""
        return bool(_STOP.search(self.text, self.spans[at][1], self.spans[following][0]))

    def cued(self, name: str, words: Words) -> bool:
        """Whether a cue of this name stands among words, not as a part of a longer one.

        "Nothing but Python" requires it, though "nothing" alone would rule it out.
        """
        at = 0
        while at < len(words):
            sizes = {cue: self.grammar.cue(cue, words, at) for cue in STRENGTHS}
            longest = max(sizes.values())
            if longest and sizes[name] == longest:
                return True
            at += max(1, longest)
        return False

    def phrase_at(self, at: int) -> tuple[int, Phrase] | None:
        """The longest phrase or framed name that begins at a word: its end, and what it wishes."""
        if at >= len(self.words):
            return None
        rows = [*self.grammar.longest(self.words, at), *self.grammar.longest(self.shapes, at)]
        for words, phrase in sorted(rows, key=lambda row: -len(row[0])):
            if self.is_meant(at, len(words), phrase):
                return at + len(words), phrase
        return self._named_at(at)

    def _named_at(self, at: int) -> tuple[int, Phrase] | None:
        """A name beside a word that makes it a wish: "use Fiji", "Windows laptop"."""
        row = self.grammar.name(self.words, at)
        if row is None or not self.is_meant(at, len(row[0]), row[1]):
            return None
        phrase, stop = row[1], at + len(row[0])
        frame, before = self.grammar.frames[phrase.kind], at - 1
        while (
            before >= 0
            and self.words[before] in self.grammar.determiners
            and not self.is_pause(before, before + 1)
        ):
            before -= 1
        is_framed = before >= 0 and self.words[before] in frame.before
        is_framed = is_framed and not self.is_pause(before, at)
        is_turn = before == self.free > 0 and bool(self.grammar.cue("contrast", self.words, before))
        is_framed = is_framed or is_turn or self._is_item(at, stop) or self._is_judged(stop)
        is_framed = is_framed or self.is_compound(stop) or self._is_system_with(at, stop, phrase)
        is_framed = is_framed or self._is_desktop_program(stop)
        is_framed = is_framed or self._is_alone(at, before, stop) or self._is_clause(at, stop)
        is_framed = is_framed or self._is_last(at, stop, phrase) or self._is_place(at, stop, phrase)
        is_ordinary = self.text[self.spans[at][0] : self.spans[stop - 1][1]] in ORDINARY
        if is_ordinary and (self.next_word(stop) in self.grammar.not_before or before < at - 1):
            is_framed = False
        end = self.framed_end(stop, phrase)
        return (end, phrase) if is_framed or end > stop else None

    def framed_end(self, stop: int, phrase: Phrase) -> int:
        """The end of a name with the nouns that belong to it: "plugin", "laptop"."""
        after = self.grammar.frames[phrase.kind].after if phrase.kind in self.grammar.frames else ()
        while self.next_word(stop) in after and not self.is_pause(stop - 1, stop):
            if phrase.kind == "system" and self._is_desktop_program(stop):
                return stop
            stop += 1
        return stop

    def _is_desktop_program(self, at: int) -> bool:
        """Whether "desktop program" begins at a word, behind a system that it runs on."""
        following = self.phrase_at(at) if self.next_word(at) == "desktop" else None
        return following is not None and following[1].value == "desktop"

    def _is_item(self, at: int, stop: int) -> bool:
        """Whether words stand alone between pauses: "Windows, spine segmentation"."""
        # "Like MATLAB but free", "no GPU windows", "a GPU and Ubuntu": a wish stands before.
        joint = self.grammar.cue("joints", self.words, self.free) if self.free < at else 0
        if at == self.free + joint and self.ends(stop):
            return True
        # "R rather than Python": another name is what it stands for.
        other = self.grammar.cue("instead", self.words, stop)
        is_led_on = self.grammar.cue("joints", self.words, stop) or (
            other and self.is_name(stop + other)
        )
        return (at == 0 or self.is_pause(at - 1, at)) and (self.ends(stop) or bool(is_led_on))

    def _is_whole(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether words that mean other things as well state a wish: ", web", "Apache only"."""
        last = stop + self.grammar.cue("required after", self.words, stop)
        if self._is_item(at, last) or self._is_clause(at, stop):
            return True
        is_first = at in (0, self.free) or self.is_pause(at - 1, at)
        is_followed = self.phrase_at(stop) is not None
        return (is_first and is_followed) if phrase.is_alone else (is_followed or self.ends(last))

    def _is_system_with(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether another wish is joined to a system: "liver, Windows with a GUI"."""
        if phrase.kind != "system" or self.ends(stop) or not (at == 0 or self.is_pause(at - 1, at)):
            return False
        is_light = self.next_word(stop) in self.grammar.joining and not self.ends(stop + 1)
        return any(map(self.phrase_at, (stop, stop + 1) if is_light else (stop,)))

    def _is_alone(self, at: int, before: int, stop: int) -> bool:
        """Whether "only" or its like stands beside a name: "only Windows", "Slicer only"."""
        first = max(0, self.free, before - LONGEST_CUE + 1)
        for start in range(first, at):
            size = self.grammar.cue("required", self.words, start)
            if size and start + size > before and not self.is_pause(start, at):
                return True
        size = self.grammar.cue("required after", self.words, stop)
        return bool(size) and self.ends(stop + size)

    def _is_clause(self, at: int, stop: int) -> bool:
        """Whether a name is all that a part of a sentence says: "deve essere QuPath"."""
        polite = self.grammar.cue("polite after", self.words, stop)
        stop += polite
        light = self.grammar.joining | self.grammar.softening
        while at > self.free and not self.is_pause(at - 1, at) and self.words[at - 1] in light:
            at -= 1
        is_end = self.ends(stop) or (polite and self.grammar.cue("contrast", self.words, stop))
        return bool(is_end) and (at == self.free or self.is_pause(at - 1, at))

    def _is_last(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether a name that is no other word ends what is asked: "segment nuclei napari"."""
        typed = self.text[self.spans[at][0] : self.spans[stop - 1][1]]
        if phrase.kind == "language" or phrase.exact or typed in ORDINARY or at == 0:
            return False
        before = self.words[at - 1]
        return self.ends(stop) and before not in self.grammar.joining and before != "of"

    def _is_place(self, at: int, stop: int, phrase: Phrase) -> bool:
        """Whether a host is named as such: "a napari way to count", and not "to Imaris files"."""
        typed = ELIDED.sub("", self.text[self.spans[at][0] : self.spans[stop - 1][1]])
        if phrase.kind != "host" or phrase.exact or typed in ORDINARY or at == 0:
            return False
        return self.grammar.host_data.isdisjoint((self.words[at - 1], self.next_word(stop)))

    def _is_judged(self, stop: int) -> bool:
        """Whether what follows a name says that it is needed or ruled out: "Linux is required"."""
        owned = stop + self.grammar.cue("belongings", self.words, stop)
        return self.grammar.cue("required after", self.words, owned) > 1 or (
            self.plainly_out(owned) > 0
        )

    def plainly_out(self, stop: int) -> int:
        """Words behind a name that rule it out and mean nothing else: "unavailable", no "free".

        One word alone has to end what is said: "FSL excluded".
        """
        size = self.grammar.cue("unwanted after", self.words, stop)
        is_plain = size > 1 or (
            size and self.words[stop] not in SUFFIXES and self.ends(stop + size)
        )
        return size if is_plain else 0

    def is_compound(self, stop: int) -> bool:
        """Whether a name is the first part of a compound that rules it out: "Slicer-free"."""
        end = self.spans[stop - 1][1]
        return self.text[end : end + 1] == "-" and self.next_word(stop) in SUFFIXES

    def ends(self, stop: int) -> bool:
        """Whether the text or a part of a sentence ends before a word."""
        return stop == len(self.words) or self.is_pause(stop - 1, stop)

    def is_name(self, at: int) -> bool:
        """Whether a name begins at a word, of a tool or of a language, host or system."""
        if at >= len(self.words):
            return False
        size = self.names.longest(self.words, at)
        is_tool = size and not self.names.is_ordinary(self.words[at : at + size])
        return bool(is_tool) or self.grammar.name(self.words, at) is not None

    def is_meant(self, at: int, size: int, phrase: Phrase) -> bool:
        """Whether a phrase stands there as words of its own, and in the case that it needs."""
        start, stop = self.spans[at][0], self.spans[at + size - 1][1]
        following = self.next_word(at + size)
        if following in self.grammar.not_before and not self.is_pause(at + size - 1, at + size):
            return False
        if _LIKENESS.match(self.text, stop) and phrase.kind != "licence":  # "GPL-ish" is none else
            return False
        end = at + size
        is_led_on = end < len(self.words) and not self.is_pause(end - 1, end)
        if is_led_on and means_otherwise(self.words, end, phrase, named=self.is_name(end)):
            return False
        if (phrase.is_alone or phrase.is_item) and not self._is_whole(at, end, phrase):
            return False
        if phrase.exact:
            typed = [self.text[a:b] for a, b in self.spans[at : at + size]]
            if phrase.exact not in typed:
                return False
            if typed[-1] == phrase.exact and _AFTER_EXACT.match(self.text, stop):
                return False
        # Inside a compound ("genome-browser-based") a word may mean anything.
        before = self.text[start - 1 : start]
        is_denied = self.words[at - 1 : at] == ("non",) and not phrase.negated
        return before not in ("-", "_", "/") or is_denied
