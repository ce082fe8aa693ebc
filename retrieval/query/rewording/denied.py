"""What a text sets aside, left out of what is searched: "stitching, not registration".

A model of meaning and an index of words find what is named, whether it is wanted or not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.catalog import ConceptAnnotator, Mention
from retrieval.query.clauses.windows import lies_in

_FILLERS = (
    r"(?:\s+(?:about|for|the|a|an|any|of|in|on|its|their|das|die|den|der|um|la|le|el|il|lo|los|las"
    r"|o|do|de|del))*\s*$"
)

_SURE = (
    r"neither|(?:do not|don't|doesn't|does not|did not|didn't|won't|will not) "
    r"(?:want|need|mean|care for|care about|bother with|show(?: me)?|mind)"
    r"|(?:not|never|aren't|isn't|am not|are not) "
    r"(?:interested in|looking for|after|asking (?:for|about))"
    r"|(?:with )?no (?:interest(?: whatsoever)? in|use for|need (?:for|of|to))"
    r"|nothing to do with|anything but|as opposed to|setting aside|unlike"
    r"|(?<=[,;:.(–-] )(?:apart|aside) from|^(?:apart|aside) from"
    r"|without (?:caring about|bothering with)|(?:could|can) (?:do|go) without|spare me"
    r"|not so much|hold off on|forget(?: about)?|never ?mind"
    r"|(?<=[,;:.(] )(?:please )?(?:ignore|skip(?: anything about)?|leave out|leave aside"
    r"|leaving out)"
    r"|nicht gemeint|weder|abgesehen von|abgesehen vom|außer|ohne dass|anders als|nicht so sehr"
    r"|ni|nada de|ninguna?|nessuna?|nenhuma?|dejando fuera|dejando de lado|aparte de|salvo"
    r"|no es que me importe|no (?:me|nos) interesan?|no (?:necesito|necesitamos|busco)"
    r"|à part|hormis|sauf|sans que|plutôt que|contrairement à|je ne (?:veux|cherche) pas"
    r"|a parte|tranne|al posto d(?:i|ei|egli|elle|ella|el|ell')|più che"
    r"|non (?:mi serve|cerco|voglio)"
    r"|ao contrário d[aeo]s?|exceto|não preciso d[aeo]s?|dispenso"
)
"""Words that set aside whatever follows; those that ask otherwise ("skip connections") need a
pause before them."""

_CUE = re.compile(
    r"(?:[,;(]\s*|\s-\s)?(?:\b(?:but|and|sino|aber|mais|mas|ma)\s+)?"
    r"(?:\b(?:i|we)\s+(?:am\s+|are\s+)?|\bi'm\s+|\bwe're\s+|\bit's\s+|\bes\s+geht\s+)?"
    r"(?:\b(?:definitely|certainly|absolutely)\s+)?"
    rf"\b(?:{_SURE}|(?:not|no|except|excluding|rather than|instead of|other than"
    r"|nicht|kein|keine|keinen|statt|anstatt|pas|au lieu de|en vez de|en lugar de|não|nao|em vez de"
    rf"|non|invece di)){_FILLERS}",
    re.IGNORECASE,
)
"""Words that set one thing against another. "Without" is not among them: a brain without skull."""

_SURELY = re.compile(rf"(?:^|[^\w])(?:{_SURE}){_FILLERS}", re.IGNORECASE)

_JOINT = re.compile(
    r"\s*(?:,|/|and|or|nor|y|o|et|ou|und|oder|noch|ni|e)?\s*(?:the\s+)?$", re.IGNORECASE
)

_OF = re.compile(
    r"\s+(?:of|from|von|vom|der|des|de|del|della|dello|dei|delle|do|da|dos|das)\s+(?:the\s+|a\s+)?$",
    re.IGNORECASE,
)
"""What is set aside is of something: "no volumes of the nuclei"."""

_NOT_NEEDED = re.compile(
    r"[^\S\n]+(?:(?:is|are|was|were)(?:n['’]t|\s+not)\s+(?:needed|required|necessary|wanted|relevant"
    r"|important|of (?:any )?interest|interesting|what (?:i|we) (?:want|need|mean))"
    r"|(?:not|un)\s*(?:needed|required|necessary|wanted)|(?:do|does)(?:n['’]t|\s+not) matter"
    r"|(?:is|are) (?:irrelevant|of no (?:interest|consequence|use|concern)|no concern|not my \w+)"
    r"|can wait|(?:is |are )?excluded|no longer (?:needed|required)|no,? thanks?|, thanks"
    r"|(?:itself )?(?:has been|have been|is|are|being) (?:already )?"
    r"(?:done|finished|solved|settled|covered)"
    r"(?: already)?|(?:we|i)(?:['’]ve| have) (?:already )?(?:sorted(?: out)?|covered|done|solved)"
    r"|(?:ist|sind|wird|werden|brauch\w*)(?:\s+\w+)?\s+nicht(?:\s+(?:nötig|gebraucht|benötigt|wichtig))?"
    r"|(?:ist|sind) (?:egal|unwichtig|schon \w+|bereits \w+)"
    r"|interessier(?:t|en)(?: mich| uns)? nicht"
    r"|kann (?:ich|man) verzichten"
    r"|n['’](?:est|a) pas (?:nécessaire|besoin|d['’]intérêt)|ne m['’]intéressent? (?:pas|guère)"
    r"|on verra plus tard|(?:est|sont) déjà \w+"
    r"|no (?:es|son) necesari[oa]s?|no hacen? falta|no (?:me|nos) interesan?"
    r"|ya (?:está|están|hech[oa]s?)|esclus[oaie]|excluid[oa]s?|já (?:foi|está|feit[oa])|já foram"
    r"|non (?:mi serve|mi servono|serve|servono|è necessari[oa]|sono necessari[ae]|(?:mi"
    r"|ci) interessa(?:no)?)"
    r"|não (?:é|são) necessári[oa]s?|não (?:me|nos) interessam?)\b",
    re.IGNORECASE,
)
"""Words behind a thing that set it aside."""

_LEAD = re.compile(
    r"(?:[,;(]\s*|\s-\s)?(?:\b(?:but|and|aber|und|mais|et|pero|y|ma|e|mas)\s+)?"
    r"(?:\b(?:the|any|die|der|das|la|le|les|el|los|las|il|lo|i|gli|o|a|os|as)\s+|\bl['’])?$",
    re.IGNORECASE,
)
"""What leads to a thing that words behind it set aside."""

_TURN = re.compile(r"^(?:but|rather|sondern|sino|mais|mas|ma)\s+(?:also\s+)?", re.IGNORECASE)
"""Words that turn from what was set aside to what is meant; nothing stands before them now."""

REACH = 60
"""Letters before a mention among which words that set it aside are looked for."""

THING = frozenset({"anatomy", "data", "disease"})
"""Kinds of concepts that name what is looked at: "the liver, no tumours"."""


def is_denied(before: str) -> bool:
    """Whether a text ends in words that set aside what follows."""
    return bool(_CUE.search(before))


def without_denied(text: str, annotator: ConceptAnnotator) -> str:
    """The text less what it denies, where something else of that kind is asked for.

    Only a contrast is left out: where nothing of the kind remains, the denied word may be all
    that tells what the text is about.
    """
    cuts = _cuts(text, annotator.mentions(text))
    rest = text
    for start, end in reversed(cuts):
        end += text[start : start + 1] == "(" and text[end : end + 1] == ")"
        rest = f"{rest[:start].rstrip()} {rest[end:].lstrip(' ,;')}"
    rest = " ".join(re.sub(r"\(\s*\)", " ", rest).split()).strip(" ,;")
    return _TURN.sub("", rest) if cuts else text


def _cuts(text: str, mentions: Sequence[Mention]) -> list[tuple[int, int]]:
    """The parts to leave out: what is denied, with its cue, where its kind is asked for too."""
    denied = _denied(text, mentions)
    places = {(start, end) for start, end, _ in denied}
    asked_kinds = {_kind(m.concept) for m in mentions if not lies_in(places, m.start)}
    cuts: list[tuple[int, int]] = []
    for start, end, kind in denied:
        first = max(0, start - REACH)
        if kind not in asked_kinds:
            continue
        between = text[cuts[-1][1] : start] if cuts else "."
        if _JOINT.match(between) or _OF.match(between):
            cuts[-1] = (cuts[-1][0], max(cuts[-1][1], end))
        elif _NOT_NEEDED.search(text, start, end):
            lead = _LEAD.search(text[first:start])
            cuts.append((first + lead.start() if lead else start, end))
        elif cue := _CUE.search(text[first:start]):
            cuts.append((first + cue.start(), end))
    return cuts


def _denied(text: str, mentions: Sequence[Mention]) -> list[tuple[int, int, str]]:
    """What is set aside, as start, end and kind, in order."""
    denied: list[tuple[int, int, str]] = []
    chained = before = -1  # ends of what is denied as being of something, and of the mention before
    for mention in mentions:
        start, end, kind = mention.start, mention.end, _kind(mention.concept)
        is_of = bool(denied) and bool(_OF.fullmatch(text[denied[-1][1] : start]))
        goes_on = bool(denied) and chained == denied[-1][1] and not text[chained:start].strip()
        if behind := _NOT_NEEDED.match(text, end):
            head = _OF.search(text[:start])
            first = _start_at(mentions, before) if head and head.start() == before else start
            denied.append((first, behind.end(), kind))
        elif (
            mention.negated
            or _is_set_aside(text, start)
            or _is_joined(text, start, kind, denied)
            or is_of
            or goes_on
        ):
            denied.append((start, end, kind))
            chained = end if is_of or goes_on else chained
        before = end
    return denied


def _start_at(mentions: Sequence[Mention], end: int) -> int:
    return min(m.start for m in mentions if m.end == end)


def _is_set_aside(text: str, start: int) -> bool:
    return bool(_SURELY.search(text[max(0, start - REACH) : start]))


def _is_joined(text: str, start: int, kind: str, denied: Sequence[tuple[int, int, str]]) -> bool:
    """Whether a mention shares the words before it that set aside another of its kind."""
    if not denied or kind != denied[-1][2] or start <= denied[-1][0]:
        return False
    return bool(_JOINT.fullmatch(text[denied[-1][1] : start])) and _is_set_aside(
        text, denied[-1][0]
    )


def _kind(concept: str) -> str:
    kind = concept.partition(":")[0]
    return "thing" if kind in THING else kind
