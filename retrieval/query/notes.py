"""What of a text could not be read as it was typed, in words for the visitor."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from retrieval.query.parse import cut_note
from retrieval.query.rewording.outside_programs import outside_note
from retrieval.query.tongues import unread_tongue
from retrieval.query.unweighed import unweighed_note

TAG = re.compile(
    r"\[\s{0,8}(?P<kind>EXCLUDE|REQUIRE|WISH|NO_RERANK|REFINE)\s{0,8}(?::|$)", re.IGNORECASE
)

FORMS = {
    "EXCLUDE": "[EXCLUDE:name|name]",
    "REQUIRE": "[REQUIRE:kind=value]",
    "WISH": "[WISH:kind=value]",
    "NO_RERANK": "[NO_RERANK]",
    "REFINE": "[REFINE]",
}
"""The control tags as they are written."""

READ = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "GREEK", "FULLWIDTH", "HALFWIDTH"})
"""Scripts of the eight languages that are read; Greek letters name quantities, as in T2 and µ."""

MOSTLY = 0.5
"""Share of the letters in another script from which on a text is not read; below it, a word such
as a person's name stands in a text that is."""


LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœß")
"""Latin letters of the languages that are read, with those of units and names in English texts."""

LANGUAGES = "English, Chinese, French, German, Italian, Japanese, Portuguese or Spanish"

FEW = 0.1
"""Share of the words with a letter of another language from which on a text is in it; of such words
an English sentence has none but names, whose capital tells them apart."""


def text_notes(raw: str, text: str) -> tuple[str, ...]:
    """Notes on a text as typed and without its tags.

    One on a text that is cut, one on a tag that is not closed, one on a language that is not
    read, one on wishes that no record answers, and one on a program that the catalog lacks.
    """
    read_as = (cut_note(raw), _open_tag(raw), unread_note(text))
    notes = (*read_as, unweighed_note(text), outside_note(raw, text))
    return tuple(filter(None, notes))


@lru_cache(maxsize=8)  # several remarks on one answer ask
def unread_note(text: str) -> str:
    """The note on a text in a language that is not read; empty for one that is."""
    return _unread_script(text) or _unread_language(text)


def _open_tag(raw: str) -> str:
    """The note on a tag without its closing bracket; its words stay in the text."""
    match = TAG.search(raw.rpartition("]")[2])
    if match is None:
        return ""
    kind = match["kind"].upper()
    return (
        f"The tag [{kind} has no closing bracket, so its words are read as text; "
        f"write {FORMS[kind]}."
    )


def _unread_script(text: str) -> str:
    """The note on a text in letters of a language that is not read."""
    letters = [c for c in text if c.isalpha()]
    scripts = [unicodedata.name(c, "UNKNOWN").split()[0].split("-")[0] for c in letters]
    unread = [script for script in scripts if script not in READ]
    if not unread or len(unread) < MOSTLY * len(letters):
        return ""
    script = max(unread, key=unread.count).capitalize()
    return (
        f"Text in {script} letters is not read, so this list may have nothing to do with it; "
        f"write it in {LANGUAGES}."
    )


def _unread_language(text: str) -> str:
    """The note on a text in Latin letters of a language that is not read."""
    words = re.findall(r"[^\W\d_]+", unicodedata.normalize("NFC", text))
    small = [word for word in words if word.islower()]
    letters = [c for word in small for c in word if c not in LETTERS and _is_latin(c)]
    strange = [word for word in small if not set(letters).isdisjoint(word)]
    if not strange or len(strange) < FEW * len(words):
        tongue = unread_tongue(text)
        return tongue and (
            f"The text seems to be in {tongue}, which is not read, so this list may have little to "
            f"do with it; write it in {LANGUAGES}."
        )
    return (
        f"The language with the letter {letters[0]} is not read, so this list may have little to "
        f"do with the text; write it in {LANGUAGES}."
    )


def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN")
