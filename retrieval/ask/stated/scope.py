"""How far a constraint goes: *only* Linux, liver *or* kidney but *not both*, a licence *stated*.

*Only* holds for the name beside it and the list that this name stands in. Where no name takes it,
and it does not speak of the tools themselves (``only tools that``), it is left unsettled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from retrieval.ask.cues import Cue, ordinary
from retrieval.ask.grouping import CONVERSION_ENDS, Item, Limit
from retrieval.ask.linker import SPACELESS, words_at
from retrieval.ask.stated.cue_limits import REQUIRES_GPU, WANTS_GPU
from retrieval.ask.stated.lists import LISTS

if TYPE_CHECKING:
    from retrieval.ask.marked_text import Marked
    from retrieval.graph import FactBase

AFTER, AHEAD, LISTED = 12, 40, 12
"""Most characters from a name to *only* (``NIfTI files only``), from *only* to the name that it
holds for, and between two names of one list."""

OF = 6
"""Most characters from a field to what it is a field of: ``licence of MATLAB``."""

EXCLUSIVE = frozenset(
    {"license_is", "weights_license_is", "maintenance_is", "commercial_use", "last_released",
     "last_changed", "needs_gpu_memory", "needs_memory", "needs_python", "gpu_is"}
)  # fmt: skip
"""Relations of one value each, to which *only* adds nothing."""

FIELDS = {
    "license": "has_license",
    "cite": "cite_as",
    "released": "last_released",
    "install": "installs_with",
    "platform": "runs_on",
    "language": "written_in",
    "interface": "has_interface",
    "modality": "images",
    "anatomy": "applies_to",
    "dimension": "works_in",
    "domain": "member_of",
    "gpu_memory": "needs_gpu_memory",
    "memory": "needs_memory",
    "python_version": "needs_python",
    "weights": "weights_license",
}
"""The relation of a field that a question asks to be stated, by the cue that names it."""

OWNED = frozenset({"license", "cite", "released", "python_version"})
"""Fields that a tool *has*; whether it has a platform nobody asks."""


def scoped(
    marked: Marked, items: Sequence[Item], denied: Sequence[bool]
) -> tuple[list[Item], tuple[str, ...]]:
    """The items with *only* taken into their limits, and the words of it that no item takes."""
    widened, unsettled = list(items), list[str]()
    for cue in marked.cues:
        if not _bounds(marked, cue) or _in_name(marked, cue):
            continue
        at = _target(marked, cue, items)
        members = [] if at is None else _listed(marked, items, at)
        if members and not any(denied[n] for n in members):
            exclusive = _exclusive(marked.base, [items[n] for n in members])
            if exclusive:
                for n, item in zip(members, exclusive, strict=True):
                    widened[n] = item
                continue
        if cue.kind == "only" and not _of_tools(marked, cue, items):
            unsettled.append(marked.text[cue.start : cue.end])
    return widened, tuple(unsettled)


def _bounds(marked: Marked, cue: Cue) -> bool:
    """Whether a word bounds what tools have: "tools have only X", but not "I have only X"."""
    if cue.kind == "own_only" and "have" in marked.text[cue.start : cue.end].casefold().split():
        return _word_before(marked, cue) not in ("i", "we")
    return cue.kind in ("only", "merely")


def _in_name(marked: Marked, cue: Cue) -> bool:
    """Whether the word is a part of a name: *CPU only*, *GPL-3.0-only*."""
    return any(span[0].start <= cue.start and cue.end <= span[0].end for span in marked.spans)


def _target(marked: Marked, cue: Cue, items: Sequence[Item]) -> int | None:
    """The item that *only* holds for: the one right before it, else the next one."""
    before = max((n for n, x in enumerate(items) if x.end <= cue.start), default=None)
    final = cue.kind != "own_only"  # "Have only" has its name after it.
    if before is not None and final and _beside(marked, items[before].end, cue.start, AFTER):
        return before
    after = next((n for n, x in enumerate(items) if x.start >= cue.end), None)
    if after is None or not _beside(marked, cue.end, items[after].start, AHEAD, verbs=True):
        return None
    # "Only MRI tools" are the tools for MRI, be it their only kind of image or not.
    return None if marked.after("tools", items[after].end, 2) else after


def _beside(marked: Marked, start: int, end: int, most: int, *, verbs: bool = False) -> bool:
    """Whether only small words (and verbs) stand between two places."""
    between = marked.text[start:end]
    if len(between) > most or set(between) & set(",;:.?!，、。"):
        return False
    parting = ("tools", "or", "joins", "but", *(() if verbs else ("predicate",)))
    # In Chinese and Japanese, single characters of cues stand in other words.
    cues = [c for c in marked.cues if start <= c.start and c.end <= end and c.kind in parting]
    if cues and marked.language not in SPACELESS:
        return False
    small = ordinary(marked.language)
    cued = [(c.start, c.end) for c in marked.cues] if verbs else []
    cued += [(c.start, c.end) for c in marked.cues if c.kind == "formats"]
    return all(
        word.casefold() in small or any(a <= start + x and start + y <= b for a, b in cued)
        for word, x, y in words_at(between)
    )


def _listed(marked: Marked, items: Sequence[Item], at: int) -> list[int]:
    """The items of the list that one stands in: ``only NIfTI or DICOM``."""

    def joined(n: int) -> bool:
        one, other = items[n], items[n + 1]
        near = one.relation == other.relation and other.start - one.end <= LISTED
        return near and (
            marked.between("or", one.end, other.start)
            or marked.between("joins", one.end, other.start)
            or marked.text[one.end : other.start].strip() in (",", "、", "，", "/")
        )

    first = last = at
    while first and joined(first - 1):
        first -= 1
    while last + 1 < len(items) and joined(last):
        last += 1
    return list(range(first, last + 1))


def _exclusive(base: FactBase, items: Sequence[Item]) -> list[Item]:
    """The items with limits that allow no other value than theirs; empty where none is such."""
    items = [replace(x, limits=tuple(map(_of_species, x.limits))) for x in items]
    relations = {r for item in items for limit in item.limits for r, _ in limit.options}
    if relations <= EXCLUSIVE:
        needed = {WANTS_GPU: REQUIRES_GPU}
        return [replace(x, limits=tuple(needed.get(y, y) for y in x.limits)) for x in items]
    allowed = tuple(
        dict.fromkeys(
            option
            for item in items
            for limit in item.limits
            for option in limit.options
            if option[0] in LISTS and option[1] in base
        )
    )
    plain = all(x.kind == "has" and not x.soft for item in items for x in item.limits)
    if not (allowed and plain):
        return []
    return [
        replace(x, limits=tuple(replace(limit, only=allowed) for limit in x.limits)) for x in items
    ]


def _of_species(limit: Limit) -> Limit:
    """The limit; of an animal that is a species and a part of anatomy, *only* means the species."""
    species = tuple(option for option in limit.options if option[0] == "for_species")
    return replace(limit, options=species or limit.options)


def _of_tools(marked: Marked, cue: Cue, items: Sequence[Item]) -> bool:
    """Whether *only* speaks of the tools: ``only tools that``, ``show me only open ones``."""
    tools = marked.after("tools", cue.end, AHEAD)
    if tools is None:
        return False
    return sum(cue.end <= item.start < tools.start for item in items) <= 1


def not_both(marked: Marked, items: Sequence[Item]) -> tuple[list[Item], tuple[str, ...]]:
    """What excludes that both of two alternatives hold, and the words where there are none."""
    found, unsettled = list[Item](), list[str]()
    for cue in (c for c in marked.cues if c.kind == "not_both"):
        ahead = [item for item in items if item.end <= cue.start]
        pairs = [
            (one, other)
            for one, other in pairwise(ahead)
            if one.relation == other.relation and marked.between("or", one.end, other.start)
            # Of two conversions each is a pair, which the ends alone do not rule out.
            if one.relation not in CONVERSION_ENDS
        ]
        if not pairs:
            unsettled.append(marked.text[cue.start : cue.end])
            continue
        both = tuple(limit for item in pairs[-1] for limit in item.limits)
        options = tuple(option for limit in both for option in limit.options)
        limit = Limit(kind="any", options=options, either=(both,), negated=True)
        found.append(Item(start=cue.start, end=cue.end, limits=(limit,)))
    return found, tuple(unsettled)


def stated_fields(marked: Marked) -> Iterator[Item]:
    """The fields that are to be stated or not: ``state a citation``, ``no licence stated``."""
    if any(kind == "tool" for _, kind in marked.meanings) or not marked.has("tools"):
        return
    listed: Item | None = None
    for cue in (c for c in marked.cues if c.kind in FIELDS and c.kind != "weights"):
        if not _is_bare(marked, cue):
            continue
        # Of the weights of a model a record states no more than their licence.
        of_weights = cue.kind == "license" and marked.has("weights")
        relation = FIELDS["weights" if of_weights else cue.kind]
        near = [
            c
            for c in marked.cues
            if c.kind in ("states", "unstated")
            and (0 <= cue.start - c.end <= AFTER or 0 <= c.start - cue.end <= AFTER)
        ]
        denial = marked.before("negative", cue.start, 6)
        owned = cue.kind in OWNED and _is_owned(marked, cue)
        joined = listed is not None and _joins(marked, listed.end, cue.start)
        if near or owned or joined or (denial and cue.kind in OWNED):
            limit = Limit(kind="states", options=((relation, ""),))
            start = min([cue.start, *(c.start for c in near)])
            end = max([cue.end, *(c.end for c in near)])
            missing = any(c.kind == "unstated" for c in near)
            listed = Item(start=start, end=end, limits=(replace(limit, negated=missing),))
            yield listed


def _joins(marked: Marked, start: int, end: int) -> bool:
    """Whether a joining word and an article at most stand between two members of a list."""
    joined = marked.between("or", start, end) or marked.between("joins", start, end)
    return joined and end - start <= AFTER


def denied_fields(marked: Marked, items: Sequence[Item]) -> tuple[str, ...]:
    """Fields right after a word such as *without* that no item takes: ``with no anatomy``."""
    if not marked.has("tools"):
        return ()
    return tuple(
        marked.text[cue.start : cue.end]
        for cue in marked.cues
        if cue.kind in FIELDS and _word_before(marked, cue) in LACKING and _is_bare(marked, cue)
        if not any(item.start <= cue.start < item.end for item in items)
    )


def _is_bare(marked: Marked, cue: Cue) -> bool:
    """Whether no value of the field stands beside its name: ``the MIT licence`` has one."""
    near = [
        span
        for span in marked.spans
        if 0 <= cue.start - span[0].end <= AFTER or 0 <= span[0].start - cue.end <= AFTER
    ]
    if any(
        span[0].start - cue.end <= OF and marked.between("of", cue.end, span[0].start)
        for span in near
    ):
        return False  # "No licence of MATLAB" is one of something else.
    relation = FIELDS[cue.kind]
    valued = any(marked.base.heads(relation, link.node, most=1) for span in near for link in span)
    dated = any(abs(year.start - cue.end) <= AHEAD for year in marked.years)
    return not (valued or dated or marked.near("open", cue.start, cue.end, AFTER))


def _is_owned(marked: Marked, cue: Cue) -> bool:
    """Whether *have* or *with* stands before the field, with an article at most between."""
    return _word_before(marked, cue) in HAVING


def _word_before(marked: Marked, cue: Cue) -> str:
    """The word before a cue and its article, case-folded."""
    words = (word.casefold() for word, _, _ in reversed(words_at(marked.text[: cue.start])))
    return next((word for word in words if word not in ARTICLES), "")


ARTICLES = frozenset(
    {"a", "an", "any", "the", "ein", "eine", "einen", "un", "une", "una", "uma", "um"}
)
HAVING = frozenset(
    {"have", "has", "with", "haben", "hat", "mit", "ont", "avec", "tienen", "con", "têm", "com"}
)
LACKING = frozenset(
    {"no", "without", "lack", "lacks", "lacking", "ohne", "kein", "keine", "keinen", "sans",
     "aucun", "aucune", "sin", "ningún", "ninguna", "sem", "nenhum", "nenhuma"}
)  # fmt: skip
"""Words that deny the noun after them."""
