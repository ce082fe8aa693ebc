"""Languages that the writer of a request knows: a tool in any of them will do."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from retrieval.query.mentions import EITHER, Mention

_KNOWING = re.compile(
    r"\b(?:knows?(?! (?:what|how|that|if|where|why))|speak|understand|learn(?:ed|t|ing)?|taught"
    r"|(?:can|to|i|we|they) (?:program|code|script)|(?:program|code|script)s? in"
    r"|(?:familiar|comfortable|experienced?|fluent|skilled|good|at home|proficient) (?:with|in|at)"
    r"|(?:knowledge|command) of|skills? (?:in|are)|background (?:is|in)"
    r"|(?:ich|wir) (?:kann|können|programmier\w*)|kenntnisse in|kenne"
    r"|connais\w*|maîtris\w*|je (?:sais|code|programme)"
    r"|conozco|conocemos|programo|programamos|conosco|conosciamo|programmo|conheço|sei programar)\b"
    r"|会|懂|熟悉",
    re.IGNORECASE,
)
"""What says that somebody knows something, in the languages that are read."""

_SENTENCE = re.compile(r"[.;!?。；！？\n]+(?:\s|$)")

REACH = 60
"""Letters between the words for knowing and a language, or between two of these."""


def with_choice_of_languages(text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions, with languages that one sentence says its writer knows as one choice.

    "I know R and some Python" asks for no tool in both. What is required stays so.
    """
    ends = [match.start() for match in _SENTENCE.finditer(text)]
    languages = [m for m in mentions if m.wish.kind == "language" and m.wish.strength == "wanted"]
    choices: dict[Mention, str] = {}
    for number, group in groupby(languages, lambda m: bisect_left(ends, m.start)):
        options = _behind_knowing(text, ends[number - 1] if number else 0, list(group))
        names = (name for m in options for name in m.wish.value.split(EITHER))
        choices |= dict.fromkeys(options, EITHER.join(dict.fromkeys(names)))
    return tuple(
        replace(m, wish=replace(m.wish, value=choices[m])) if m in choices else m for m in mentions
    )


def _behind_knowing(text: str, start: int, languages: Sequence[Mention]) -> list[Mention]:
    """Of the languages of a sentence those that follow the words for knowing, near each other."""
    options: list[Mention] = []
    for mention in languages:
        last = options[-1].end if options else max(start, mention.end - REACH)
        # A clause holds both: "I can program in Python and MATLAB".
        between = text[last : mention.end]
        if len(between) <= REACH and (options or _KNOWING.search(between)):
            options.append(mention)
    return options
