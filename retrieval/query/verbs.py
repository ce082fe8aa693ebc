"""Verbs that ask for one operation, replaced by the verb that the records use.

"delineate the liver on CT" and "segment the liver on CT" are one request; searched as they stand
they share few of the first five tools. The operations, their verbs and what these take as an
object are data beside the concepts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.catalog import Annotator, Word, stems_of
from retrieval.catalog import words_of as spelled

NOUN = ("ion", "ions", "ment", "ments")
"""Endings of a noun made of a verb: "delineation of the liver"."""

LONGEST = 5
"""Words of a phrase that stands for a verb: "get rid of noise in"."""

APART = 5
"""Words that may part a verb from its particle: "cut the left upper lobe out"."""

SAID = frozenset({"operation", "method", "domain"})
"""Kinds of concepts beside which a verb is not the operation: "show the overlap of regions"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """An operation's usual verb and noun, and the kinds of concepts that it is done to."""

    operation: str
    verb: str
    noun: str | None
    objects: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbs:
    """The verb that stands for each verb of its kind, by the stems of its words.

    ``leads`` may stand before the verb of a request: after any other word it may be a noun.
    ``images`` are words for objects that are images, whatever they show.
    """

    usual: Mapping[tuple[str, ...], Verb]
    leads: frozenset[str]
    images: frozenset[str]


def read_verbs(path: Path) -> Verbs:
    """The verbs of a file beside the concepts."""
    data = json.loads(path.read_text("utf-8"))
    usual = {
        stems_of(like): Verb(
            operation=operation,
            verb=entry["verb"],
            noun=entry.get("noun"),
            objects=frozenset(entry["of"]),
        )
        for operation, entry in data["operations"].items()
        for like in entry["like"]
    }
    leads, images = frozenset(data["leads"]), frozenset(data["images"])
    return Verbs(usual=usual, leads=leads, images=images)


@dataclass(frozen=True)
class UsualVerbs:
    """Rewords a request that begins with a verb of ``verbs`` and names what it is done to."""

    verbs: Verbs
    annotator: Annotator | None

    def reworded(self, text: str) -> str:
        """The text with the usual verb, or as it is where the verb may mean something else.

        The verb stands after lead words alone, and what follows names an object of the operation
        and no other operation, method or field.
        """
        words, leads = spelled(text), self.verbs.leads
        at = next((n for n, w in enumerate(words) if w.text.lower() not in leads), len(words))
        # "How many" and "how big is" begin with a lead word.
        for first in range(min(at, len(words) - 1) + 1):
            for size in range(min(LONGEST, len(words) - first), 0, -1):
                phrase = words[first : first + size]
                usual_verb = self.verbs.usual.get(stems_of(" ".join(word.text for word in phrase)))
                if usual_verb is not None and first + size > at:
                    return self._put(text, phrase, phrase[-1].end, usual_verb)
        return self._parted(text, words[at:])

    def _parted(self, text: str, words: Sequence[Word]) -> str:
        """The text with the usual verb for a verb parted by its object: "stick tiles together"."""
        for far in words[2 : APART + 2]:
            usual_verb = self.verbs.usual.get(stems_of(f"{words[0].text} {far.text}"))
            if usual_verb is not None:
                whole = f"{text[: far.start].rstrip()}{text[far.end :]}"
                put = self._put(whole, words[:1], words[0].end, usual_verb)
                return text if put == whole else put
        return text

    def _put(self, text: str, phrase: Sequence[Word], end: int, usual_verb: Verb) -> str:
        rest = text[end:]
        if not self._is_object(rest, usual_verb):
            return text
        is_noun = len(phrase) == 1 and phrase[0].text.lower().endswith(NOUN)
        usual = usual_verb.noun if is_noun else usual_verb.verb
        return f"{text[: phrase[0].start]}{usual}{rest}" if usual else text

    def _is_object(self, rest: str, verb: Verb) -> bool:
        concepts = self.annotator.concepts(rest) if self.annotator else ()
        kinds = {concept.split(":", 1)[0] for concept in concepts}
        images = any(word.text.lower() in self.verbs.images for word in spelled(rest))
        return (images or not kinds.isdisjoint(verb.objects)) and kinds.isdisjoint(SAID)
