"""Whether a text asks for a measure or a find: then the task depends on the thing it names."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from retrieval.explain.request_parts import Part

BEFORE = 60
"""Characters before a thing that are read: a measure, an article and an adjective."""

_MEASURE = re.compile(
    r"\b(?:thickness|diameter|width|circumference|perimeter|cross[- ]section(?:al)? area|curvature"
    r"|espesor|grosor|di[áa]metro|anchura|circunferencia|per[íi]metro|[áa]rea transversal"
    r"|[ée]paisseur|diam[èe]tre|largeur|circonf[ée]rence|p[ée]rim[èe]tre"
    r"|dicke|wanddicke|durchmesser|breite|umfang|querschnittsfl[äa]che"
    r"|espessura|largura|circunfer[êe]ncia"
    r"|spessore|diametro|larghezza|circonferenza|perimetro)\b"
    r"|厚度|直径|宽度|周长|厚さ|太さ|直徑"
    r"|\bhow (?:big|large|long|wide|thick|deep|far|fast|severe|bad|dense|stiff|old|much|many)\b"
    r"|\b(?:cu[áa]nt[oa]s?|wie (?:gro(?:ß|ss)|dick|breit|lang|tief|viele?|schnell|weit)"
    r"|quant[oaie]s?|combien|quelle taille)\b",
    re.IGNORECASE,
)
"""Nouns of measuring that no image is called by, and questions for a measure."""

_NOUNS = (
    r"areas?|volumes?|loads?|burdens?|grades?|grading|stages?|staging|depths?|counts?|ratios?"
    r"|lengths?|sizes?|angles?|scores?|densit(?:y|ies)|rates?|percentage|fractions?|stiffness"
    r"|volumen|tama[ñn]o|longitud|[áa]ngulo|volumi|lunghezza|angolo|rapporto|frazione"
    r"|longueur|taille|fl[äa]che|l[äa]nge|gr[öo](?:ß|ss)e|winkel|anteil|tamanho"
    r"|comprimento|[âa]ngulo|fra[çc][ãa]o|grado|grau"
)
"""Nouns that measure only beside a thing: an OCT volume is an image, that of the liver is none."""

_AFTER = re.compile(rf"\s*[- ](?:\w+ )?(?:{_NOUNS})\b", re.IGNORECASE)
_BEFORE = re.compile(
    rf"\b(?:{_NOUNS}) (?:of|de|du|des|del|della|dell|do|da|di|der|von|vom)\b"
    r"(?: (?:the|a|an|each|la|el|los|las|le|les|l|il|lo|i|gli|der|den|dem)\b|')?(?: ?\w+)?\W?$",
    re.IGNORECASE,
)
_SEARCH = re.compile(
    r"\b(?:is there|are there|where (?:is|are)|finds?|finding|marks?|marking|detects?|locates?"
    r"|highlights?|outlines?|points? out)(?: (?:the|a|an|all|each|every|any|deep|small))? $",
    re.IGNORECASE,
)
"""Verbs of looking for a thing, right before it."""


def depends_on_thing(text: str, parts: Sequence[Part]) -> bool:
    """Whether a text asks for a measure of one of its objects, or where it is."""
    objects = [part for part in parts if part.kind == "object"]
    if objects and _MEASURE.search(text):
        return True
    images = frozenset(part.end for part in parts if part.kind == "modality")
    return any(_is_measured(text, part, images) for part in objects)


def _is_measured(text: str, part: Part, images: Set[int]) -> bool:
    """``images`` is where kinds of image end: "MRI volumes of the knee" are images."""
    start = max(0, part.start - BEFORE)
    before = text[start : part.start]
    if _AFTER.match(text, part.end) or _SEARCH.search(before):
        return True
    noun = _BEFORE.search(before)
    return noun is not None and start + noun.start() - 1 not in images
