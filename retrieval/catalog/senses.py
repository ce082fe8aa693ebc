"""Spellings of concepts that mean another thing where they stand.

A unit of an amount of data ("several TB of scans"), a nationality ("a Polish hospital"), and the
word for the file of a kind of image that is named beside it ("fundus photos").
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from retrieval.catalog.words import FOREIGN, FUNCTION_WORDS, Text, english_stem

_TABLES = json.loads(files("retrieval.catalog").joinpath("words.json").read_text("utf-8"))
_WORDS = _TABLES["amounts"]

UNITS = frozenset(_WORDS["units"].split())
"""Units of data that abbreviate something else: a terabyte is written as tuberculosis is."""

AMOUNTS = frozenset(" ".join(_WORDS["before"]).split())
"""Words before a unit that say how many; a number does as well."""

OF = frozenset(_WORDS["of"].split())
"""Words between an amount and what there is of it."""

CONTENTS = frozenset(" ".join(_WORDS["after"]).split())
"""Words that may follow an amount of data; "12 TB patients" have the disease."""


def _stems_by_word(table: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """The stems of each row of a table by each spelling of its key."""
    rows = ((names, frozenset(" ".join(stems).split())) for names, stems in table.items())
    return {name: stems for names, stems in rows for name in names.split(", ")}


BESIDE = _stems_by_word(_TABLES["only_beside"])
"""Words that name a task of one field beside words of it alone, by stem: whoever asks to polish
reads means a genome, and whoever asks to polish a mask does not. The strain of a heart is none of
bacteria, and the peak of a dose none of a genome."""

NEVER_BESIDE = _stems_by_word(_TABLES["never_beside"])
"""Words that name a task of one field unless words of another stand in the text, by stem: barcodes
are decoded otherwise than what a brain sees, the beams of ultrasound find no sources, and a
diffusion model that generates images is none of water in tissue."""

ELSEWHERE = {
    word: (concept, frozenset(" ".join(stems).split()))
    for names, (concept, *stems) in _TABLES["means_beside"].items()
    for word in names.split(", ")
}
"""What a word of ``BESIDE`` means outside its field, beside words of another, by stem: the strain
of a heart."""

REGISTRATION = "operation:registration"

_REGISTERING, _BETWEEN, _SIGNALS = (
    frozenset(_TABLES["registering"][name].split()) for name in ("words", "between", "signals")
)
"""Words that name a registration, those that part it from its images, and what is no image."""

_OF_PICTURES = (
    "modality:",
    "anatomy:",
    "data:image",
    "data:volume",
    "data:slice",
    "operation:atlas",
)

REACH = 4
"""Words between a registration and its images: "registro no lineal de imágenes"."""

PHOTOGRAPHY = "modality:XC"

PICTURES = frozenset({"modality:OP", "modality:dermoscopy", "modality:ES"})
"""Kinds of image that a camera for visible light takes: a photo of the fundus is one of them. A
photo of an X-ray film is no radiograph."""

ARTICLES = 3
"""Words of grammar between a photo and what it is of: "fotos de la retina", "photo of the eye"."""

_OF = frozenset(" ".join(_TABLES["of_words"]).split())

_USUAL = {t: frozenset(" ".join(w).split()) for t, w in _TABLES["usual_words"].items()}
"""Those of the 6,000 most frequent words of a language, without accents, that have the spelling or
stem of a concept and do not name it: a Spanish "antes" is no ANTs, and "hombre" no shoulder. Of
English those of the records as well: laminar fMRI is of no Spanish lámina, a slide."""

_GRAMMAR = frozenset[str]().union(*(FUNCTION_WORDS[t] for t in FOREIGN)) - frozenset(
    _TABLES["shared_words"].split()
)
"""Words of the grammar of other languages that no English text has: "in" and "a" are English."""

Match = tuple[int, int, tuple[str, ...], bool]
"""The first word of a spelling, the word behind it, its concepts, and whether it is foreign."""

SHORT = 4
"""Letters of a word that may be an English one or an abbreviation: rate, os, rim, main."""

_PROFESSION = re.compile(r"olog(?:ists?|e|en|in|innen|ues?|os?|as?|i)$")
"""Endings of who studies or treats an organ: a nephrologist, Nephrologin or néphrologue."""

UNMISTAKEN = frozenset(" ".join(_TABLES["never_english"]).split())
"""Words so short that are none: foie, Darm, bazo."""

TELLING = 6
"""Letters from which a word of another language tells that a text is in it; March is marcher."""


def may_be_english(text: Text, at: int, key: str, is_exact: bool) -> bool:
    """Whether a word that another language has may be meant as an English one.

    ``is_exact`` where that language has the word itself and not only its stem, ``key``: "rate" has
    the stem of ratos, and "time" that of timo. A very short stem is that of other words of its own
    language as well: cavità and cavie.
    """
    word = text.words[at].text
    if len(key) < SHORT and not is_exact:
        return True
    is_short = word.isascii() and len(word) <= SHORT
    if text.is_foreign:
        return text.is_guess and is_short and not is_exact
    return is_short and text.folded[at] not in UNMISTAKEN


def is_usual(text: Text, at: int, tree: str) -> bool:
    """Whether a word is an ordinary one of its language, not the concept that a trie has for it.

    In a text of another language that language's words are ordinary in every trie, and those of
    English where nothing tells another language: "corner detection" is of no cornea.
    """
    word = text.folded[at]
    if tree in FOREIGN:
        return word in _USUAL[tree] or (not text.is_foreign and word in _USUAL["en"])
    if not any(word in _USUAL[tongue] for tongue in text.keys if tongue in FOREIGN):
        return False
    return not _GRAMMAR.isdisjoint(text.folded) or any(not w.text.isascii() for w in text.words)


def tells_a_language(text: Text, at: int) -> bool:
    """Whether a word that is known in another language alone tells that a text is in it."""
    return len(text.folded[at]) >= TELLING or text.folded[at] in UNMISTAKEN


def meant(text: Text, first: int, last: int, ids: tuple[str, ...]) -> tuple[str, ...]:
    """The concepts that the words from first to last (not included) name, of those they spell.

    None where they say something else; where they name one of another field, that one. Who treats
    an organ is not that organ.
    """
    if not ids or is_size(text.folded, first, last):
        return ()
    if last == first + 1 and _PROFESSION.search(text.folded[first]):
        return tuple(i for i in ids if not i.startswith(("anatomy:", "disease:")))
    if not _is_out_of_field(text, first, last):
        return ids
    concept, stems = ELSEWHERE.get(" ".join(text.folded[first:last]), ("", frozenset[str]()))
    return () if stems.isdisjoint(map(english_stem, text.folded)) else (concept,)


def _is_out_of_field(text: Text, first: int, last: int) -> bool:
    """Whether a word stands without a word of its field, or beside one of another."""
    words = " ".join(text.folded[first:last])
    if words not in BESIDE and words not in NEVER_BESIDE:
        return False
    if first > 0 and text.words[first].text == "Polish":
        return True
    stems = frozenset(map(english_stem, text.folded))
    if words in BESIDE and BESIDE[words].isdisjoint(stems):
        return True
    return not NEVER_BESIDE.get(words, frozenset()).isdisjoint(stems)


def is_beside(text: Text, matches: Sequence[Match], n: int) -> bool:
    """Whether what stands beside a match tells that it is another thing."""
    return is_file(text, matches, n) or is_record(text, matches, n)


def is_file(text: Text, matches: Sequence[Match], n: int) -> bool:
    """Whether the photos of a match are those of a kind of image that is named beside them.

    Right behind any kind ("fundus photos", "X-ray photos") they say what file it is; before one
    they are of it where a camera takes it ("photos of the fundus").
    """
    first, last, ids, _ = matches[n]
    if ids != (PHOTOGRAPHY,):
        return False
    if n and matches[n - 1][1] == first and text.words[first].joined:
        return any(concept.startswith("modality:") for concept in matches[n - 1][2])
    start, _, kinds, _ = matches[n + 1] if n + 1 < len(matches) else (last, last, (), False)
    between = text.folded[last:start]
    is_of = 0 < len(between) <= ARTICLES and _OF.issuperset(between)
    is_joined = all(word.joined for word in text.words[last : start + 1])
    return is_of and is_joined and not PICTURES.isdisjoint(kinds)


def is_record(text: Text, matches: Sequence[Match], n: int) -> bool:
    """Whether a Spanish or Portuguese "registro" is a log or a recording, and no registration.

    It is one of images where a kind of image, a body part or images follow it: "registro rígido de
    cerebro"; a "registro de pacientes" and a "registro de EEG" are none.
    """
    first, last, ids, _ = matches[n]
    if ids != (REGISTRATION,) or last != first + 1 or text.folded[first] not in _REGISTERING:
        return False
    start, _, things, _ = matches[n + 1] if n + 1 < len(matches) else (0, 0, (), False)
    is_near = last <= start <= last + REACH and _BETWEEN.issuperset(text.folded[last:start])
    is_joined = all(word.joined for word in text.words[last : start + 1])
    return not (is_near and is_joined and any(map(_is_picture, things)))


def _is_picture(concept: str) -> bool:
    """Whether images can be of a concept: of an atlas, of a kind of image and of a body part."""
    return concept not in _SIGNALS and concept.startswith(_OF_PICTURES)


def is_size(words: Sequence[str], first: int, last: int) -> bool:
    """Whether the folded words from first to last (not included) are the unit of an amount."""
    if last != first + 1 or words[first] not in UNITS or not first:
        return False
    before, after = words[first - 1], words[last] if last < len(words) else ""
    if before in OF and first > 1:  # "hundreds of TB"
        before = words[first - 2]
    is_amount = before in AMOUNTS or before.replace(".", "").isdigit()
    return is_amount and (not after or after in CONTENTS)
