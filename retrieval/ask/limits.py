"""What a question demands of a tool, from the names in it and the cues beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from retrieval.ask.cues import Cue
from retrieval.ask.marked_text import Marked, Span
from retrieval.graph import OPEN, OWN, RESTRICTED, FactBase

RELATION_OF = {
    "operation": "performs",
    "modality": "images",
    "anatomy": "applies_to",
    "domain": "member_of",
    "suite": "part_of",
    "license": "has_license",
    "platform": "runs_on",
    "interface": "has_interface",
    "language": "written_in",
    "dimension": "works_in",
}
"""The relation that joins a tool to a node of each kind; any other is ``associated_with``."""

BROAD = frozenset({"operation", "modality", "anatomy"})
"""Kinds whose wider nodes stand for the narrower ones too."""

CONVERSION = "operation:conversion"
Role = Literal["subject", "requires", "required_by", "near", "reads_output", "writes_input"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A demand: one of these relations to one of these nodes, or a place beside a tool.

    A soft limit is dropped where it would leave nothing.
    """

    kind: Role | Literal["has"] = "has"
    options: tuple[tuple[str, str], ...]
    negated: bool = False
    soft: bool = False


def narrower(base: FactBase, node: str) -> tuple[str, ...]:
    """The node and everything of its kind below it."""
    found = {node: None}
    level = [node] if base.kind(node) in BROAD else []
    while level:
        below = [h for n in level for h in base.heads("is_a", n) if base.kind(h) == base.kind(node)]
        level = [h for h in dict.fromkeys(below) if h not in found]
        found.update(dict.fromkeys(level))
    return tuple(found)


def limits_of(asked: Marked) -> tuple[Limit, ...]:
    """Every demand of the question in order, those joined by *or* as one."""
    found: list[tuple[int, Limit]] = []
    for span, kind in asked.meanings:
        at = span[0].start
        for limit in _of_span(asked, span, kind):
            last = found[-1] if found else None
            if last and _either(asked, last[0], at) and _alike(last[1], limit):
                limit = replace(limit, options=(*last[1].options, *limit.options))
                found.pop()
            found.append((at, limit))
    plain = [limit for _, limit in found]
    return tuple(dict.fromkeys([*plain, *_of_cues(asked)]))


def _either(asked: Marked, start: int, end: int) -> bool:
    if asked.between("or", start, end):
        return True
    listed = "," in asked.text[start:end] and not any(
        c.start > start and c.end < end for c in asked.cues
    )
    return listed and asked.between("or", end, end + 40)


def _alike(one: Limit, other: Limit) -> bool:
    return (one.kind, one.options[0][0], one.negated) == (
        other.kind,
        other.options[0][0],
        other.negated,
    )


def _of_span(asked: Marked, span: Span, kind: str) -> Iterator[Limit]:
    at = span[0].start
    negated = asked.denied(at) or span[0].negated
    if kind == "tool":
        role = role_of(asked, span)
        relations = _near_relations(asked) if role == "near" else ("",)
        options = tuple((r, n) for r in relations for n in asked.nodes(span, "tool"))
        if role != "subject":
            yield Limit(kind=role, options=options, negated=negated)
    elif kind == "format":
        for relation in _format_roles(asked, span):
            nodes = asked.nodes(span, "format")
            yield Limit(options=tuple((relation, n) for n in nodes), negated=negated)
    elif options := tuple(_options(asked, span, kind)):
        soft = all(relation == "associated_with" for relation, _ in options)
        yield Limit(options=options, negated=negated and not soft, soft=soft)


def _options(asked: Marked, span: Span, kind: str) -> Iterator[tuple[str, str]]:
    """The nodes of a place with the relations that may lead to them."""
    several = kind in {"operation", "modality", "anatomy", "domain"}
    if kind not in RELATION_OF:
        known = [pair for link in span for pair in _same_label(asked.base, link.node)]
        yield from known
        span = () if known else span
    for link in span:
        other = asked.base.kind(link.node)
        if other == kind or (several and other in RELATION_OF):
            relation = RELATION_OF.get(other, "associated_with")
            yield from ((relation, node) for node in narrower(asked.base, link.node))
    if kind == "platform":
        yield from (("requires_tool", node) for node in asked.nodes(span, "tool"))


def _same_label(base: FactBase, node: str) -> Iterator[tuple[str, str]]:
    """``method:command line`` is also the interface of that name."""
    code = node.partition(":")[2]
    for kind in ("interface", "platform", "language"):
        if f"{kind}:{code}" in base:
            yield RELATION_OF[kind], f"{kind}:{code}"


def _near_relations(asked: Marked) -> tuple[str, ...]:
    return tuple(r for r in ("compatible_with", "co_used_with") if asked.has(r))


def role_of(asked: Marked, span: Span) -> Role:
    """What a named tool is in the question: what it is about, or something beside which it asks."""
    at, end = span[0].start, span[0].end
    if asked.after("accepts", end, 14) and _elsewhere(asked, at, ("converts", "produces")):
        return "writes_input"
    if asked.has("converts") and asked.before("of", at, 5):
        return "writes_input"
    if asked.after("produces", end, 14) and _elsewhere(asked, at, ("accepts", "tools")):
        return "reads_output"
    made = asked.before("produces", at, 12)
    if made and asked.between("of", made.end, at) and _elsewhere(asked, made.start, ("accepts",)):
        return "reads_output"
    if _near_relations(asked):
        return "near"
    if asked.before("ahead", at, 24) and not asked.has("requires"):
        return "required_by"
    if asked.hosts(at, end) or (asked.before("uses", at, 2) and asked.has("tools")):
        return "requires"
    return _needs(asked, at, end)


def _elsewhere(asked: Marked, at: int, kinds: tuple[str, ...]) -> bool:
    return any(c.kind in kinds and c.end <= at for c in asked.cues)


def _needs(asked: Marked, at: int, end: int) -> Role:
    cues = [c for c in asked.cues if c.kind == "requires" and not _of_gpu(asked, c)]
    ahead = [c for c in cues if 0 <= at - c.end <= 40]
    behind = [c for c in cues if 0 <= c.start - end <= 30]
    if ahead and not (behind and behind[0].start - end < at - ahead[-1].end):
        alone = asked.language != "en" and not asked.has("tools")
        told = alone or asked.between("of", ahead[-1].start, at)
        return "required_by" if told else "requires"
    if behind:
        passive = asked.text[behind[0].end :].lstrip().casefold().startswith("by ")
        named = " as " in asked.text[end : behind[0].start + 1].casefold()
        return "requires" if passive or named else "required_by"
    return "subject"


def _of_gpu(asked: Marked, cue: Cue) -> bool:
    return asked.after("gpu", cue.end, 20) is not None


def _format_roles(asked: Marked, span: Span) -> tuple[str, ...]:
    """``accepts``, ``produces`` or both, by the words round the name of a format."""
    at, end = span[0].start, span[0].end
    formats = [s[0].start for s, kind in asked.meanings if kind == "format"]
    if asked.has("converts") or _from_to(asked, formats):
        return (_converted(asked, at, formats),)
    if asked.language == "en" and asked.before("from", at, 8):
        return ("accepts",)
    verbs = [c for c in asked.cues if c.kind in {"accepts", "produces"}]
    earlier = [c for c in verbs if c.end <= at]
    later = [c for c in verbs if c.start >= end and not set(";,.") & set(asked.text[end : c.start])]
    if asked.language == "ja" and later:
        earlier = []
    if not earlier:
        return _both(later[:2]) or ("accepts",)
    return _both(earlier[-2:][::-1])


def _converted(asked: Marked, at: int, formats: list[int]) -> str:
    """The side of a conversion: what is said beside a format, else what is left, else its order."""
    told = {place: _side(asked, place) for place in formats}
    if told[at]:
        return told[at]
    others = {side for place, side in told.items() if place != at and side}
    if len(others) == 1:
        return "produces" if others == {"accepts"} else "accepts"
    return "produces" if len(formats) > 1 and at == formats[-1] else "accepts"


def _side(asked: Marked, at: int) -> str:
    sides = {"from": "accepts", "to": "produces", "accepts": "accepts", "produces": "produces"}
    cues = [(cue.end, side) for kind, side in sides.items() if (cue := asked.before(kind, at, 9))]
    return max(cues)[1] if cues else ""


def _from_to(asked: Marked, formats: list[int]) -> bool:
    return len(formats) > 1 and bool(
        asked.before("from", formats[0], 8) and asked.before("to", formats[-1], 8)
    )


def _both(cues: list[Cue]) -> tuple[str, ...]:
    """The nearest verb's relation, and that of the one joined to it: *read and write*."""
    if len(cues) == 2 and abs(cues[0].start - cues[1].start) <= 14:
        near = min(abs(cues[0].start - cues[1].end), abs(cues[1].start - cues[0].end))
        if near <= 5 and cues[0].kind != cues[1].kind:
            return tuple(sorted({c.kind for c in cues}))
    return (cues[0].kind,) if cues else ()


def _of_cues(asked: Marked) -> Iterator[Limit]:
    for cue in asked.cues:
        if cue.kind == "open":
            closed = asked.denied(cue.start)
            yield _class(RESTRICTED, OWN) if closed else _class(OPEN)
        elif cue.kind == "restricted":
            yield _class(RESTRICTED, OWN)
        elif cue.kind == "gpu":
            levels = _levels(asked, cue)
            yield Limit(options=tuple(("gpu_is", f"gpu:{level}") for level in levels))
    if asked.has("converts"):
        yield Limit(options=(("performs", CONVERSION),), soft=True)


def _class(*nodes: str) -> Limit:
    return Limit(options=tuple(("license_is", node) for node in nodes))


def _levels(asked: Marked, cue: Cue) -> tuple[str, ...]:
    """Which statements about a GPU fulfil what is said of it."""
    start, end = cue.start, cue.end
    if asked.before("negative", start, 30) or asked.after("negative", end, 16):
        return ("none", "optional")
    for kind, level in (("recommended", "recommended"), ("optional", "optional")):
        if asked.near(kind, start, end):
            return (level,)
    return ("required",) if asked.near("requires", start, end, 16) else ("required", "recommended")
