"""Compound questions in six languages, generated, and the sets that the records give for them.

The sets are worked out here from the fields of the records, without the graph or the reader.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from retrieval.core.types import Tool
from retrieval.graph.facts import OPEN, licence_class

Tools = frozenset[str]

PHRASES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "en": {
        "reads": ("read {}", "do not read {}"),
        "writes": ("write {}", "do not write {}"),
        "gpu": ("require a GPU", "need no GPU"),
        "open": ("are open", "are not open"),
        "written": ("are written in {}", "are not written in {}"),
    },
    "de": {
        "reads": ("lesen {}", "lesen kein {}"),
        "writes": ("schreiben {}", "schreiben kein {}"),
        "gpu": ("brauchen eine GPU", "brauchen keine GPU"),
        "open": ("sind quelloffen", "sind nicht quelloffen"),
        "written": ("sind in {} geschrieben", "sind nicht in {} geschrieben"),
    },
    "fr": {
        "reads": ("lisent {}", "ne lisent pas {}"),
        "writes": ("écrivent {}", "n'écrivent pas {}"),
        "gpu": ("ont besoin d'un GPU", "n'ont pas besoin de GPU"),
        "open": ("sont libres", "ne sont pas libres"),
        "written": ("sont écrits en {}", "ne sont pas écrits en {}"),
    },
    "es": {
        "reads": ("leen {}", "no leen {}"),
        "writes": ("escriben {}", "no escriben {}"),
        "gpu": ("necesitan GPU", "no necesitan GPU"),
        "open": ("son de código abierto", "no son de código abierto"),
        "written": ("están escritas en {}", "no están escritas en {}"),
    },
    "pt": {
        "reads": ("leem {}", "não leem {}"),
        "writes": ("escrevem {}", "não escrevem {}"),
        "gpu": ("precisam de GPU", "não precisam de GPU"),
        "open": ("são de código aberto", "não são de código aberto"),
        "written": ("são escritas em {}", "não são escritas em {}"),
    },
    "zh": {
        "reads": ("能读取 {}", "不能读取 {}"),
        "writes": ("能写出 {}", "不能写出 {}"),
        "gpu": ("需要 GPU", "不需要 GPU"),
        "open": ("是开源的", "不是开源的"),
        "written": ("用 {} 编写", "不用 {} 编写"),
    },
}
FRAMES = {
    "en": ("Which tools {}?", " and ", " or "),
    "de": ("Welche Werkzeuge {}?", " und ", " oder "),
    "fr": ("Quels outils {} ?", " et ", " ou "),
    "es": ("¿Qué herramientas {}?", " y ", " o "),
    "pt": ("Quais ferramentas {}?", " e ", " ou "),
    "zh": ("哪些工具{}？", " 并且 ", " 或者 "),
}
VALUES = {
    "reads": ("DICOM", "NIfTI", "OME-TIFF", "CZI", "NRRD", "BIDS"),
    "writes": ("DICOM", "NIfTI", "OME-Zarr", "NRRD", "MetaImage"),
    "written": ("Python", "Java", "C++", "MATLAB"),
    "gpu": ("",),
    "open": ("",),
}


@dataclass(frozen=True)
class Compound:
    """A question, its language, and the ids of the tools that fulfil it."""

    question: str
    language: str
    wanted: Tools


def compounds_of(tools: Mapping[str, Tool], number: int, seed: int = 19) -> Iterator[Compound]:
    """Questions of two and three parts, every language in turn."""
    chance = random.Random(seed)
    for n in range(number):
        language = list(PHRASES)[n % len(PHRASES)]
        kinds = chance.sample(sorted(VALUES), 2 + n % 2)
        parts = [_part(tools, language, kind, chance) for kind in kinds]
        operators = [chance.choice(("and", "or")) for _ in kinds[1:]]
        yield _compound(language, parts, operators)


def _compound(language: str, parts: list[tuple[str, Tools]], operators: list[str]) -> Compound:
    """The parts joined; *and* binds before *or*, as in logic."""
    frame, both, either = FRAMES[language]
    text, alternatives = parts[0][0], [parts[0][1]]
    for operator, (phrase, wanted) in zip(operators, parts[1:], strict=True):
        text += (both if operator == "and" else either) + phrase
        if operator == "and":
            alternatives[-1] &= wanted
        else:
            alternatives.append(wanted)
    return Compound(frame.format(text), language, frozenset().union(*alternatives))


def _part(
    tools: Mapping[str, Tool], language: str, kind: str, chance: random.Random
) -> tuple[str, Tools]:
    value, negated = chance.choice(VALUES[kind]), chance.random() < 0.35
    phrase = PHRASES[language][kind][negated].format(value)
    return phrase, frozenset(t.id for t in tools.values() if _holds(t, kind, value, negated))


def _holds(tool: Tool, kind: str, value: str, negated: bool) -> bool:
    """What a record states; of a GPU and of a licence also the denial has to be stated."""
    if kind == "gpu":
        return tool.gpu in (("none", "optional") if negated else ("required",))
    if kind == "open":
        is_open = bool(tool.license) and licence_class(str(tool.license)) == OPEN
        return bool(tool.license) and is_open != negated
    fields: Mapping[str, Callable[[Tool], object]] = {
        "reads": lambda t: t.formats_in,
        "writes": lambda t: t.formats_out,
        "written": lambda t: t.languages,
    }
    return (value in fields[kind](tool)) != negated  # type: ignore[operator]
