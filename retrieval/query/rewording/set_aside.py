"""What a clause sets aside in words of its own: "the vessels are the surgeons' affair".

``denied`` knows phrases. Here the words of a whole clause tell, by a linear model that is learned
from requests of people who set subjects aside (``python -m benchmarks.train_asides``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from retrieval.catalog import Mention
from retrieval.query.clauses.model import ClauseModel, clause_model
from retrieval.query.clauses.windows import OF_ASIDES, WORD, Span, lies_in, stretches
from retrieval.query.grammar import grammar, words_of
from retrieval.query.rewording.done_steps import done_steps
from retrieval.query.tongues import grammar_words

ASIDE = "aside"
"""Name of the class of stretches that set something aside."""

SURE = 0.6
"""Probability from which a stretch is left out of what is searched. Of 340 requests of two people
left out that set something aside, .5, .6 and .7 leave out .53, .51 and .47 whole, and 14, 13 and
11 of 600 requests lose words that they ask for. Phrases alone: .05, and 2."""

HIDDEN = "x"
"""Stands where a concept is named: how something is set aside does not depend on what it is."""


ARTICLES = frozenset({"i", "gli"})
"""Articles that ``grammar`` does not count as such: the first is a word of English as well."""

SUBJECTS = frozenset({"operation", "anatomy", "disease", "data"})
"""Kinds of concepts of which what is left must name one that is not IMAGE: "on MRI images" asks for
nothing."""

IMAGE = "data:image"

PURPOSE = frozenset({"for", "für", "zum", "zur", "pour", "para", "per"})
"""Words before what something is for."""

_DONE = re.compile(
    r"\b(?:already|done|finished|ready|exists?|complete|schon|bereits|fertig|déjà|ya|già|já)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:them|their|it|its|they|these|those|sie|ihre?[mnrs]?|deren|dessen|davon|leurs?)\b",
    re.IGNORECASE,
)
"""Words that speak of what was named before: of what is done, something is asked."""

_ELSEWHERE = re.compile(
    r"\b(?:later|elsewhere|others?|another|without|ohne|sans|sin|senza|sem|später|ander\w*"
    r"|autres?|otr[oa]s?|altr[oiae]|outr[oa]s?)\b",
    re.IGNORECASE,
)

FEW = 2
"""Words, besides concepts and prepositions, of which a stretch that only describes has no more."""

_PREPOSITION = re.compile(
    r"(?:with|in|on|of|from|for|by|at|to|into|mit|im|auf|von|aus|für|avec|dans|sur|pour|du|des?|d"
    r"|en|con|per|su|d[aio]|del|della|com|em|n[oa]|por|para|and|or|und|y|et?|ou)\Z"
)

_SPEAKS = re.compile(
    r"'|\b(?:the|i|we|you|me|it|der|die|das|den|dem|ich|wir|mich|mir|la|le|les|el|los|las|il|lo"
    r"|gli|as|os|je|nous|yo|io|eu|exclu\w*|escl\w+|omit\w*|aside|need|neither|nor"
    r"|off|out|past|hands|solved|sorted|covered|raus|weg|fuera|via|thanks?|ta|danke|merci"
    r"|gracias|grazie|obrigad[oa])\b",
    re.IGNORECASE,
)
"""Words of a stretch that does more than describe: "ulcers excluded", "hold the Doppler"."""

_NAME = re.compile(r"\S\s+\S*[A-Z]{2}|\s\S*[a-z]\S*[A-Z]|\s[A-Z]\w+")
"""A word with a capital behind another word, or with capitals inside."""

RECENT = 8
"""Texts whose stretches are kept: the search and the remarks on its answer ask for the same."""


def without_set_aside(text: str, mentions_of: Callable[[str], Sequence[Mention]]) -> str:
    """The text less what it sets aside; as typed where it sets nothing aside."""
    asides, rest = set_aside(text, mentions_of), text
    for start, end in reversed(asides):
        rest = f"{rest[:start].rstrip()} {rest[end:].lstrip(' ,;')}"
    return " ".join(rest.split()) if asides else text


@lru_cache(maxsize=RECENT)
def set_aside(text: str, mentions_of: Callable[[str], Sequence[Mention]]) -> tuple[Span, ...]:
    """The stretches of a text that set something aside; none where they are all that it names."""
    spans = list(stretches(text, OF_ASIDES))
    if len(spans) < 2:
        return ()
    mentions = mentions_of(text)
    masked = hidden(text, mentions)
    told = surely_aside(masked, spans, clause_model("asides"))
    asides = tuple(
        span
        for span in told
        if not (
            _is_no_clause(text, span)
            or _only_names(masked, span)
            or _only_describes(text, masked, span)
            or _is_purpose(text, span, mentions)
            or _is_asked_of(text, span)
            or _is_request(text, span, mentions)
        )
    )
    steps = (
        step
        for step in done_steps(text, mentions)
        if not lies_in(asides, step[0]) and not _AGAIN.search(text, step[1])
    )
    asides = tuple(sorted((*asides, *steps)))
    others = (m.concept for m in mentions if not lies_in(asides, m.start))
    is_enough = any(c != IMAGE and c.partition(":")[0] in SUBJECTS for c in others)
    return asides if is_enough else ()


def naming_asides(text: str, mentions_of: Callable[[str], Sequence[Mention]]) -> tuple[Span, ...]:
    """The stretches of ``set_aside`` that name something; "as you know" sets nothing aside.

    A concept, or a word with a capital behind another word: "I have read about nnU-Net".
    """
    places = [mention.start for mention in mentions_of(text)]
    return tuple(
        span
        for span in set_aside(text, mentions_of)
        if any(lies_in([span], start) for start in places) or _NAME.search(text[slice(*span)])
    )


def _is_no_clause(text: str, span: Span) -> bool:
    """Whether a stretch sets nothing aside: an abbreviation in brackets, or words of grammar.

    "A worklist (MWL) server" says its name again; "os dados" of a Portuguese text asks for nothing.
    """
    words = text[slice(*span)].strip(" ()[]")
    before, after = text[: span[0]].rstrip()[-1:], text[span[1] :].lstrip()[:1]
    is_in_brackets = before in ("(", "[") or after in (")", "]") or text[span[0]] in "(["
    is_abbreviation = is_in_brackets and words.isupper() and " " not in words
    return is_abbreviation or (bool(words) and grammar_words().issuperset(words.casefold().split()))


def _only_names(masked: str, span: Span) -> bool:
    """Whether a stretch names concepts and says nothing of them: "contare i nuclei"."""
    words = {word.casefold() for word in WORD.findall(masked, *span)}
    return HIDDEN in words and words <= grammar().determiners | {HIDDEN, *ARTICLES}


def _only_describes(text: str, masked: str, span: Span) -> bool:
    """Whether a stretch is a short noun phrase: "with lesions present", "dense reconstruction".

    The model knows "x present" and "dense x" by their shape alone.
    """
    words = {word.casefold() for word in WORD.findall(masked, *span)}
    words -= grammar().determiners | {HIDDEN, *ARTICLES}
    words = {word for word in words if not _PREPOSITION.match(word)}
    is_plain = len(words) <= FEW and grammar_words().isdisjoint(words)
    return is_plain and not (_SPEAKS.search(text, *span) or _has_cue(text, span))


def _is_purpose(text: str, span: Span, mentions: Sequence[Mention]) -> bool:
    """Whether a stretch says what for, in one word or as a task: "software for measuring bone"."""
    words = words_of(text[slice(*span)])
    tasks = (m.start for m in mentions if m.concept.startswith("operation:"))
    is_short = len(words) == 2 or any(lies_in([span], start) for start in tasks)
    return words[:1] != () and words[0] in PURPOSE and is_short and not _has_cue(text, span)


def _is_asked_of(text: str, span: Span) -> bool:
    """Whether what is done is spoken of again: "the masks are done, how do I compare them"."""
    return bool(_DONE.search(text, *span) and _AGAIN.search(text, span[1]))


def _is_request(text: str, span: Span, mentions: Sequence[Mention]) -> bool:
    """Whether a stretch behind a colon holds all that is to be done: "mouse CT: count my cells"."""
    if not text[: span[0]].rstrip().endswith(":") or _has_cue(text, span):
        return False
    tasks = [m.start for m in mentions if m.concept.startswith("operation:")]
    return bool(tasks) and all(lies_in([span], start) for start in tasks)


def _has_cue(text: str, span: Span) -> bool:
    """Whether a stretch denies something, or says that it is done or for another time."""
    words = words_of(text[slice(*span)])
    denied = any(grammar().cue("unwanted", words, n) for n in range(len(words)))
    return denied or bool(_DONE.search(text, *span) or _ELSEWHERE.search(text, *span))


def hidden(text: str, mentions: Sequence[Mention]) -> str:
    """The text with HIDDEN in place of every concept that it names; all else stays in its place."""
    letters = list(text)
    for mention in mentions:
        width = mention.end - mention.start
        letters[mention.start : mention.end] = HIDDEN.ljust(width)
    return "".join(letters)


def surely_aside(
    text: str, spans: Sequence[Span], model: ClauseModel, sure: float = SURE
) -> tuple[Span, ...]:
    """The stretches of a text with hidden concepts that set something aside, in its order.

    The surest first, and of equally sure ones the longer; none overlaps another.
    """
    worded = [span for span in spans if WORD.search(text, *span)]
    if not worded:
        return ()
    chances = model.chances(text, worded)[:, model.classes.index(ASIDE)].tolist()
    asides: list[Span] = []
    for chance, (start, end) in sorted(
        zip(chances, worded, strict=True), key=lambda one: (-one[0], one[1][0] - one[1][1], one[1])
    ):
        if chance < sure:
            break
        if all(end <= a or b <= start for a, b in asides):
            asides.append((start, end))
    return tuple(sorted(asides))
