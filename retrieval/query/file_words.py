"""Formats and dimensions that a text names, with the words for them as typed."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from retrieval.catalog import dimension_of, format_of
from retrieval.core import Wish, codes
from retrieval.query.rewording.denied import is_denied

_WORD = re.compile(r"\.?\w[\w.+-]*\w|\.?\w")

AMBIGUOUS = frozenset({"text", "sam", "volume", "volumes"})
"""Spellings of the closed vocabularies that mean something else in most requests: a model is called
SAM, and the volume of an organ is a measure."""

CACHED_TEXTS = 4
"""Texts whose formats are cached: the pair to convert and the goal are looked for in the same."""

REACH = 5
"""Words between two formats of a conversion: "a NIfTI mask of the liver as DICOM SEG"."""

GOAL_REACH = 2
"""Words before a format among which that of direction stands: "into a NIfTI file"."""

TOWARDS = frozenset({"to", "into", "2", "->", "→", "nach", "zu", "vers", "para", "hacia"})
OUT_OF = frozenset({"from", "aus", "depuis", "desde", "dal", "partir"})
"""Words of direction between two formats, in six languages."""

TOWARDS_WITH_VERB = frozenset({"as", "in", "als", "en", "a", "em", "como", "come"})
"""The same where a verb of converting or writing stands in the text: they mean much else."""

AS = frozenset({"as", "als", "como", "come"})
"""Those of them that need no verb where the second format ends what is said."""

_ONE_WORD = re.compile(r"\b([a-z]+)2([a-z]+)\b", re.IGNORECASE)
"""A conversion as programs are named: "nii2dicom"."""

_VERB = re.compile(
    r"\b(?:convert|konvert|umwand|wandel|umzuwand|turn|transform|export|export[ae]|esport|save|write"
    r"|make|create|generate|speicher|schreib|erzeug|guarda|salva|enregistr|[ée]cri|escrev|escrib"
    r"|scriv|gera|crea)",
    re.IGNORECASE,
)

_READS = re.compile(
    r"(?:read|open|load|view|show|inspect|pars|import|les|öffn|lad|li[rs]|ouvr|ler|legg|leer|abr|apr)",
    re.IGNORECASE,
)
"""How a verb begins that makes the format behind it what is read: "to read DICOM"."""

_WANTED = ("format", "wanted")

_NEAR = r"(?:[ ,]+(?!(?:want|need|would|like|to|as|als|zu|but|and)\b)[\w./-]+){0,3}(?: an?| the)? $"
"""At most three words up to a format, none of which turns to what is wanted."""

_TO_READ = re.compile(
    r"\b(?:reads?|reading|opens?|opening|loads?|loading|import|parse|lesen|öffnen|lire|ouvrir"
    r"|leer|abrir|ler)" + _NEAR,
    re.IGNORECASE,
)
"""What stands before a format that is to be read."""

_AT_HAND = re.compile(
    r"\b(?:have|has|got|own|given|my|our|habe|haben|meine?|unsere?|ai|avons|mes|nos|tengo|tenemos"
    r"|mis|tenho|meus)" + _NEAR + r"|\b(?:files?|data|images?|scans?|stacks?|volumes?|slides?"
    r"|series)(?: all)? (?:is|are|come|comes)(?: stored| saved)?(?: in| as)?(?: an?| the)? $",
    re.IGNORECASE,
)
"""What stands before a format that somebody has."""

_PROGRAM = re.compile(
    r"[\s-]*(?:viewer|reader|writer|converter|exporter|importer|editor|browser|server|library"
    r"|plugin|support|output|export|import)\b",
    re.IGNORECASE,
)
"""Words behind a format that say what a program is."""

LABELS = re.compile(
    r"\b(?:segmentation|mask|label|segmentierung|maske|masque|segmentaci[oó]n|m[aá]scara"
    r"|segmentazion|mascher|segmenta[cç]|etiqueta|[eé]tiquette)",
    re.IGNORECASE,
)
"""Words for a map of labels."""


def file_words(text: str) -> tuple[Wish, ...]:
    """The formats and dimensions that a text names, once each, in its order.

    One that the text sets aside ("DICOM instead of NIfTI") is unwanted.
    """
    wishes = [wish for _, wish in _mentions(text)]
    return tuple({(w.kind, w.value): w for w in reversed(wishes)}.values())[::-1]


def conversion_of(text: str) -> codes.Conversion | None:
    """The pair of formats that a text asks to convert, with what is carried over; None for none.

    The first two formats that stand near each other with a word of direction between them: "X to
    Y", or the other way round "Y from X". ``what`` is "label" or "contour" where the text says
    so, else "image"; a map of labels in DICOM is DICOM-SEG.
    """
    format_mentions = [one for one in _mentions(text) if one[1].kind == "format"]
    towards = TOWARDS | TOWARDS_WITH_VERB if _VERB.search(text) else TOWARDS
    for (before, first), (after, second) in pairwise(format_mentions):
        between = text[before + len(first.text) : after]
        apart = len(between.split()) > REACH or not set(".;?!").isdisjoint(between)
        if apart or "unwanted" in (first.strength, second.strength):
            continue
        words = [word.casefold() for word in re.findall(r"[^\W_]+|->|→", between)]
        is_end = not re.match(r"\s*\w", text[after + len(second.text) :])
        allowed = towards | AS if is_end else towards
        word = next((w for w in words if w in allowed or w in OUT_OF), "")
        if word:
            pair = (first.value, second.value)
            return _carried(text, *(pair if word in allowed else pair[::-1]))
    return _in_one_word(text)


def conversion_goal(text: str) -> codes.Format | None:
    """The format that a text asks a file to become: "convert to NIfTI"; None for none or several.

    The word before it tells the direction, and a verb of converting or writing stands in the text.
    """
    formats = [one for one in _mentions(text) if one[1].kind == "format"]
    if len({wish.value for _, wish in formats}) != 1 or not _VERB.search(text):
        return None
    for start, wish in formats:
        words = [
            word.casefold() for word in re.findall(r"[^\W_]+|->|→", text[:start])[-GOAL_REACH:]
        ]
        is_read = bool(words) and _READS.match(words[-1]) is not None
        towards = not (TOWARDS | TOWARDS_WITH_VERB).isdisjoint(words)
        if wish.strength == "wanted" and towards and not is_read:
            return codes.Format(wish.value)
    return None


@lru_cache(maxsize=CACHED_TEXTS)
def formats_at_hand(text: str) -> tuple[codes.Format, ...]:
    """The formats that a text says its files have, once each, in its order.

    What is to be read or converted, and what somebody has: "I have a LIF file", "our scans are
    NIfTI". What is to come out, or is set aside, is none of them.
    """
    return formats_to_read(text) or _formats_after(text, _AT_HAND)


@lru_cache(maxsize=CACHED_TEXTS)
def formats_to_read(text: str) -> tuple[codes.Format, ...]:
    """The formats that a text asks to read or to convert, once each, in its order."""
    pair = conversion_of(text)
    return _formats_after(text, _TO_READ) if pair is None else (pair.before,)


def _formats_after(text: str, words: re.Pattern[str]) -> tuple[codes.Format, ...]:
    """The wanted formats behind such words, but for the goal and what only names a program."""
    goal = conversion_goal(text)
    wanted = [one for one in _mentions(text) if (one[1].kind, one[1].strength) == _WANTED]
    behind = [
        codes.Format(wish.value)
        for start, wish in wanted
        if words.search(text[:start]) and not _PROGRAM.match(text, start + len(wish.text))
    ]
    return tuple(dict.fromkeys(format for format in behind if format != goal))


def _in_one_word(text: str) -> codes.Conversion | None:
    """The pair of formats that one word names; None for none."""
    for match in _ONE_WORD.finditer(text):
        before, after = map(format_of, match.groups())
        if before and after:
            return _carried(text, before, after)
    return None


def _carried(text: str, before: str, after: str) -> codes.Conversion | None:
    """The pair with the data it carries over; None where both are one format."""
    what = "label" if LABELS.search(text) else "image"
    if codes.Format.RTSTRUCT in (before, after):
        what = "contour"
    if what == "label":
        in_dicom = {codes.Format.DICOM: codes.Format.DICOM_SEG}
        before, after = (
            in_dicom.get(codes.Format(before), before),
            in_dicom.get(codes.Format(after), after),
        )
    if before == after:
        return None
    return codes.Conversion(codes.Format(before), codes.Format(after), what, source="")


@lru_cache(maxsize=CACHED_TEXTS)
def _mentions(text: str) -> tuple[tuple[int, Wish], ...]:
    """The place and the wish for each format and dimension."""
    mentions = list[tuple[int, Wish]]()
    spans = [match.span() for match in _WORD.finditer(text)]
    after = 0
    for n, (start, end) in enumerate(spans):
        # "OME TIFF" and "time series" are two words.
        ends = (spans[n + 1][1], end) if n + 1 < len(spans) else (end,)
        for stop in ends if start >= after else ():
            typed = text[start:stop]
            dimension = dimension_of(typed)
            code = dimension or format_of(typed) or format_of(typed.replace(" ", "-"))
            # "3 channels" counts; a dimension has its letter.
            if code is None or typed.isdigit() or typed.casefold() in AMBIGUOUS:
                continue
            after = stop
            wish = Wish(
                kind="dimension" if dimension else "format",
                value=str(code),
                text=typed,
                strength="unwanted" if is_denied(text[:start]) else "wanted",
            )
            mentions.append((start, wish))
            break
    return tuple(mentions)
