"""A question that refers to the one before it, written so that it stands alone.

*It* and *the two* become the names of tools in the questions before, and "And X?" becomes the last
question with another name. *Of them* after a question that lists tools stays, behind that question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from retrieval.ask.cues import REACH, clauses_of, cues_of, json_table, language_of, ordinary
from retrieval.ask.linker import words_at
from retrieval.ask.reading import Reader

DEFINED: Final = re.compile(r"\s*(that|which|who|who's|die|qui|que)\b", re.IGNORECASE)
"""What begins the clause that itself says which ones are meant: "of those that read DICOM"."""

INVERTED: Final = re.compile(r"-(t-)?$")
"""What stands before a French pronoun after its verb: *fonctionne-t-il*."""

JOINED: Final = re.compile(r"\W*(?:(?:and|or|und|oder|et|ou|y|o|e|和|或|と)\W+)?")
"""What stands between the names of one list."""

OF_FILES: Final = frozenset({"accepts", "produces", "converts"})
"""Verbs whose object is a file, and no tool: "how do I convert it"."""

VERBS: Final = OF_FILES | {"predicate", "requires", "supports", "uses"}
"""Kinds of cues that follow *which* where no noun does: "and which run on Windows"."""

MOST_TOOLS = 12
"""Latest tools of a conversation that *of them* may stand for."""

Place = tuple[int, int]
"""Start and end of words in a text, in characters."""


def tools_in(reader: Reader, text: str) -> frozenset[int]:
    """The places in a text where a tool is named."""
    links = reader.linker.links(text)
    return frozenset(link.start for link in links if reader.base.kind(link.node) == "tool")


def tool_names(reader: Reader, text: str) -> tuple[str, ...]:
    """The names of the tools in a text, in its order and in its spelling."""
    links = reader.linker.links(text)
    return tuple(dict.fromkeys(x.text for x in links if reader.base.kind(x.node) == "tool"))


def refers_back(reader: Reader, question: str) -> bool:
    """Whether a question begins by asking among *them*, or what *they* do, and not who they are."""
    tools, language = tools_in(reader, question), language_of(question)
    first = clauses_of(question, language, tools)[0]
    word = first.text[slice(*first.at)]
    # A capital is the German form of address: "Können Sie mir sagen, welche Werkzeuge".
    several = first.back == "it" and word in json_table("clauses")[language]["they"]
    several = several and all(c.kind != "tools" for c in cues_of(question, language))
    if not (first.back == "among" or several) or not first.at[1] or tools or ":" in first.text:
        return False
    is_near = len(words_at(first.text[: first.at[0]])) <= REACH
    return is_near and not DEFINED.match(first.text[first.at[1] :])


def pronoun_of(reader: Reader, question: str) -> Place | None:
    """The place of a word that stands for a tool which the question does not name; *its* is one."""
    language = language_of(question)
    own = _words(language)
    cues, links = cues_of(question, language), reader.linker.links(question)
    if any(reader.base.kind(link.node) == "tool" for link in links):
        return None
    place = _place(question, (*own["it"], *own["its"]))
    if place is None or _place(question, own["expletive"]):
        return None
    start, end = place
    if any(c.kind == "tools" and not start <= c.start < end for c in cues):
        return None
    ahead = [c.kind for c in cues if 0 <= start - c.end <= len("-t-")]
    # An earlier name is what *it* stands for, unless a verb makes it the subject: "does it".
    named = any(link.end <= start for link in links)
    is_subject = not {"predicate", "yesno", "instead"}.isdisjoint(ahead)
    return None if (named and not is_subject) or not OF_FILES.isdisjoint(ahead) else place


def resolved(reader: Reader, question: str, before: str = "", recent: Sequence[str] = ()) -> str:
    """The question in words that need no other one; as it is where they cannot be resolved.

    ``recent`` are names of tools in the questions so far, the latest last.
    """
    if before and (alike := _with_other_name(reader, question, before)):
        return alike
    language, named = language_of(question), tool_names(reader, before)
    own, count = _words(language), 0
    if not tools_in(reader, question):
        question, count = _with_reference(question, language)
    reading = reader.read(before)
    if refers_back(reader, question):
        # A question that went back to none before it has nothing to go on with.
        if before and reading.form == "select" and not refers_back(reader, before):
            return f"{before.rstrip('?？ ')}? {question}"
        enough = len(named) > 1 and count in (0, len(named))
        names = named if enough else recent[-(count or MOST_TOOLS) :] or named
        first = clauses_of(question, language)[0]
        among = own["of"].lstrip() + own["or"].join(names)
        text = first.about(among if first.back == "among" else own["and"].join(names))
        return text + question[len(first.text) :] if names else question
    place = pronoun_of(reader, question)
    # A list that is understood is what *it* is nearest to, and no single tool.
    lists = bool(before) and reading.form == "select" and reading.understood
    names = named or (() if lists else tuple(recent[-1:]))
    return (
        _with_names(question, place, own["and"].join(names), own) if place and names else question
    )


def _words(language: str) -> dict[str, Any]:
    words: dict[str, Any] = json_table("words/follow_up")[language]
    return words


def _place(text: str, phrases: Sequence[str]) -> Place | None:
    """The first place of one of the phrases, longest first; only words that are written small.

    A capital is the German form of address, unless it begins the text.
    """
    words = [re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True)]
    edge = "" if not phrases or ord(phrases[0][0]) > 0x2E80 else r"\b"
    match = re.search(rf"{edge}(?:{'|'.join(words)}){edge}", text[:1].lower() + text[1:])
    return match.span() if match and words else None


def _with_names(question: str, place: Place, names: str, own: dict[str, Any]) -> str:
    """The question with names for the pronoun: *its licence* is *the licence of X*."""
    start, end = place
    head, rest = INVERTED.sub(" ", question[:start]), question[end:]
    if question[start:end].casefold() not in own["its"] or not own["of"]:
        return f"{head}{names}{rest}"
    return f"{head}{own['the']}{rest.rstrip('?？ ')}{own['of']}{names}?"


def _with_reference(question: str, language: str) -> tuple[str, int]:
    """The question with *of them* for "of the two", or after "and which"; how many they are."""
    own, clauses = _words(language), json_table("clauses")[language]
    them = next(p for p in clauses["among"])
    for count, kind in ((2, "two"), (3, "three"), (0, "listed")):
        place = _place(question, own[kind])
        if place and len(words_at(question[: place[0]])) <= REACH:
            return f"{question[: place[0]]}{them}{question[place[1] :]}", count
    opening = "|".join(map(re.escape, clauses["and"]))
    asks = "|".join(sorted(map(re.escape, clauses["asks"]), key=len, reverse=True))
    match = re.match(rf"\W*(?:{opening})\s+(?:{asks})\s+(?=(\w+))", question, re.IGNORECASE)
    if match and any(cue.kind in VERBS for cue in cues_of(match.group(1), language)):
        return f"{match.group()}{them} {question[match.end() :]}", 0
    return question, 0


def _with_other_name(reader: Reader, question: str, before: str) -> str:
    """The question before with the name of "and X?" in place of one of its kind; else empty."""
    language = language_of(question)
    clauses, own = json_table("clauses")[language], _words(language)
    opening = "|".join(map(re.escape, clauses["and"]))
    about = "|".join(map(re.escape, own["about"])) or "(?!)"
    match = re.match(
        rf"\W*(?:(?:{opening})\b\s*(?:{about})?|(?:{about}))\s*", question, re.IGNORECASE
    )
    links = [x for x in reader.linker.links(question) if match and x.start >= match.end()]
    if not links or match is None:
        return ""
    small = ordinary(language) - set(clauses["asks"])
    for word, start, end in words_at(question[match.end() :]):
        start, end = start + match.end(), end + match.end()
        inside = any(x.start <= start and end <= x.end for x in links)
        if not inside and word.casefold() not in small:
            return ""
    kinds = {reader.base.kind(x.node) for x in links}
    kinds = {"tool"} if "tool" in kinds else kinds
    alike = [x for x in reader.linker.links(before) if reader.base.kind(x.node) in kinds]
    if not alike:
        return ""
    start, end = alike[-1].start, alike[-1].end
    for link in reversed(alike):
        start = link.start if JOINED.fullmatch(before[link.end : start]) else start
    return f"{before[:start]}{question[links[0].start : links[-1].end]}{before[end:]}"
