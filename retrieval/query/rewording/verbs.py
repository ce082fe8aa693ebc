"""What a request asks to have done, in the word that the records use.

"delineate the liver on CT" and "segment the liver on CT" are one request; searched as they stand
they share few of the first five tools. The operations, their verbs and nouns, and what these take
as an object are data beside the concepts; a verb that may mean something else there stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.catalog import Mention, Word, english_stem, stems_of
from retrieval.catalog import words_of as spelled
from retrieval.query.rewording.verb_table import DIRECT, IMAGE, Stems, Verb, Verbs

NOUN = ("ion", "ions", "ment", "ments")
"""Endings of a noun made of a verb: "delineation of the liver"."""

GERUND = "ing"

LONGEST = 5
"""Words of a phrase that stands for a verb: "get rid of noise in"."""

APART = 5
"""Words that may part a verb from its particle: "cut the left upper lobe out"."""

SAID = frozenset({"operation", "method", "domain"})
"""Kinds of concepts beside which a verb is not the operation: "show the overlap of regions"."""

AFTER = frozenset({"across", "at", "by", "for", "from", "in", "into", "of", "on", "to", "with"})
"""Prepositions: a direct object ends before them, and a gerund before them is a noun."""


class Annotations(Protocol):
    """The concepts of a text with their places."""

    def mentions(self, text: str) -> Sequence[Mention]:
        """Every mention in order of appearance."""
        ...


@dataclass(frozen=True)
class UsualVerbs:
    """Rewords what a request asks to have done by the usual word for it.

    ``parents`` are the wider concepts of each: beside a verb a narrower operation may stand.
    """

    verbs: Verbs
    annotator: Annotations | None
    parents: Mapping[str, Sequence[str]]

    def reworded(self, text: str) -> str:
        """The text with the usual verb, or as it is where the verb may mean something else.

        The verb stands after lead words alone, a noun made of one anywhere; the rest of the text
        names an object of the operation and no other operation, method or field.
        """
        words, leads = spelled(text), self.verbs.leads
        at = next((n for n, w in enumerate(words) if w.text.lower() not in leads), len(words))
        for phrase in _phrases(words, at):
            for verb in self._verbs_of(text, phrase, words):
                usual = _form(phrase, words, verb)
                if usual and self._is_meant(text, phrase, verb):
                    return _replace_phrase(text, phrase, usual)
        parted = self._parted(text, words[at:])
        return self._with_usual_noun(text, words) if parted == text else parted

    def _parted(self, text: str, words: Sequence[Word]) -> str:
        """The text with the usual verb for a verb parted by its object: "stick tiles together"."""
        for far in words[2 : APART + 2]:
            for verb in self.verbs.verbs.get(_stems([words[0], far]), ()):
                whole = f"{text[: far.start].rstrip()}{text[far.end :]}"
                if self._is_meant(whole, words[:1], verb):
                    return _replace_phrase(whole, words[:1], verb.verb)
        return text

    def _verbs_of(self, text: str, phrase: Sequence[Word], words: Sequence[Word]) -> Sequence[Verb]:
        """What a phrase may stand for as a verb: "spots" and "spot detection" are none."""
        first, end = phrase[0].text.lower(), phrase[-1].end
        if (first.endswith("s") and not first.endswith("ss")) or text[end : end + 1].isalnum():
            return ()
        following = next((w for w in words if w.start >= end), None)
        if following is not None and _is_action(following):
            stems = _stems([following])
            if stems in self.verbs.verbs or stems in self.verbs.nouns:
                return ()
        return self.verbs.verbs.get(_stems(phrase), ())

    def _with_usual_noun(self, text: str, words: Sequence[Word]) -> str:
        """The text with the usual noun for a noun of an operation: "cell enumeration"."""
        for first in range(len(words)):
            for size in range(min(LONGEST, len(words) - first), 0, -1):
                phrase = words[first : first + size]
                for verb in self.verbs.nouns.get(_stems(phrase), ()):
                    if verb.noun and _is_action(phrase[-1]) and self._is_meant(text, phrase, verb):
                        return _replace_phrase(text, phrase, verb.noun)
        return text

    def _is_meant(self, text: str, phrase: Sequence[Word], verb: Verb) -> bool:
        """Whether what is done is done to an object of the operation, and nothing else is.

        The direct object alone may tell, or else the whole text.
        """
        start, end = phrase[0].start, phrase[-1].end
        before = [w for w in spelled(text) if w.end <= start]
        behind = [w for w in spelled(text) if w.start >= end]
        stop = next((n for n, w in enumerate(behind) if w.text.lower() in AFTER), len(behind))
        direct = _lower(behind[:stop])
        if self.annotator is None or not self.verbs.software.isdisjoint(direct):
            return False
        mentions = [m for m in self.annotator.mentions(text) if m.start < start or m.end > end]
        last = behind[stop - 1].end if stop else end
        near = [m for m in mentions if m.start < last and m.end > end]
        words = _lower([*before, *behind])
        return self._takes(verb, near, direct, DIRECT) or self._takes(verb, mentions, words)

    def _takes(
        self, verb: Verb, mentions: Sequence[Mention], words: frozenset[str], place: str = ""
    ) -> bool:
        """Whether these words and concepts name an object of an operation, and no other one."""
        wider = {m.concept: frozenset(self._widened(m.concept)) for m in mentions}
        own = {c for c, all_of_it in wider.items() if verb.operation in all_of_it}
        names = frozenset().union(*wider.values())
        kinds = {name.split(":", 1)[0] for c in wider.keys() - own for name in wider[c]}
        is_image = not self.verbs.images.isdisjoint(words)
        objects = {*names, *kinds, *words, *({IMAGE} if is_image else ())}
        objects |= {f"{place}{name}" for name in objects}
        others = {c.split(":", 1)[0] for c in wider.keys() - own - verb.objects}
        allowed = {"domain"} if is_image or "modality" in kinds else set[str]()
        return bool(own or objects & verb.objects) and others & SAID <= allowed

    def _widened(self, concept: str) -> Iterator[str]:
        """A concept and all that is wider; the concepts have no circle."""
        yield concept
        for parent in self.parents.get(concept, ()):
            yield from self._widened(parent)


def _form(phrase: Sequence[Word], words: Sequence[Word], verb: Verb) -> str | None:
    """The usual word in the form in which a phrase was typed; None for the usual word itself."""
    if _stems(phrase) == stems_of(verb.verb):
        return None
    if " ".join(word.text.lower() for word in phrase) in verb.like:
        return verb.verb
    after = next((w.text.lower() for w in words if w.start >= phrase[-1].end), "of")
    last = phrase[-1].text.lower()
    if last.endswith(NOUN) or (last.endswith(GERUND) and after in AFTER):
        return verb.noun
    return verb.gerund if phrase[0].text.lower().endswith(GERUND) else verb.verb


def _is_action(word: Word) -> bool:
    return word.text.lower().endswith((*NOUN, GERUND, "al"))


def _lower(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.text.lower() for word in words)


def _phrases(words: Sequence[Word], at: int) -> Iterator[Sequence[Word]]:
    """Runs of words that end behind the leads, of which the verb is the first that is one."""
    # "How many" and "how big is" begin with a lead word.
    for first in range(min(at, len(words) - 1) + 1):
        for size in range(min(LONGEST, len(words) - first), 0, -1):
            if first + size > at:
                yield words[first : first + size]


def _stems(phrase: Sequence[Word]) -> Stems:
    return tuple(english_stem(word.text) for word in phrase)


def _replace_phrase(text: str, phrase: Sequence[Word], usual: str) -> str:
    start, end = phrase[0].start, phrase[-1].end
    same = text[start:end].casefold() == usual.casefold()
    return text if same else f"{text[:start]}{usual}{text[end:]}"
