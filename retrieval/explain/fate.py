"""Why a tool has its rank: contributions, ranks per stage, and the fate of one not listed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from itertools import pairwise
from typing import Literal

from retrieval.core import Candidate, Filters, Query, StageResult, Tool
from retrieval.query import folded_name, select

EXACT = 1e-6
"""Contributions add up to the score within this much."""

EVIDENCE = frozenset({"meaning", "words", "phrase", "path", "language model"})
"""Kinds of reasons whose value is what a stage measured, not its share of the score."""

SCALE = "scale"
"""Name of the share that leads from the sum of the others to the scale of all modes."""

NAMES = 3
"""How many names similar to a mistyped one are offered."""

MOST_NEAR = 8
"""Exclusions for which near names are looked up: each takes some 50 ms over 1,145 tools."""

LIKE = 0.65
"""Least share of letters (difflib) of a similar name: a slip in a name of three leaves .67, and
names without anything in common reach .6."""

Fate = Literal[
    "kept",
    "not_in_catalog",
    "excluded",
    "filtered_out",
    "never_found",
    "cut_when_fused",
    "lost",
    "sunk_by_fit",
    "cut_at_the_end",
]


Whole = Mapping[str, Sequence[Candidate]]
"""Lists by the path of their stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The part of a score from one list or stage; a penalty is negative."""

    stage: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """Words of the query that a record holds, and concepts that query and tool share."""

    terms: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a tool stood in a list, and where that list ended. Rank from 1."""

    stage: str
    rank: int | None
    score: float | None
    length: int
    cut_off: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """What became of one tool: its fate, the stage that decided it, its places on the way."""

    text: str
    fate: Fate
    tool: Tool | None = None
    stage: str | None = None
    reasons: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    rank: int | None = None
    did_you_mean: tuple[str, ...] = ()


def contributions(candidate: Candidate, score: float | None = None) -> tuple[Share, ...]:
    """What each list and stage gave to the candidate's score; they add up to it.

    Where a reranker gave a score of its own, that is all there is. With ``score``, the one on the
    scale of all modes, a last share named SCALE leads from the sum to it.
    """
    shares = _shares(candidate)
    if score is None:
        return shares
    return (*shares, Share(stage=SCALE, value=round(score - sum(s.value for s in shares), 9)))


def _shares(candidate: Candidate) -> tuple[Share, ...]:
    whys = [w for w in candidate.why if w.kind not in EVIDENCE and w.value is not None]
    for stage in reversed(dict.fromkeys(w.stage for w in whys if w.kind == "share")):
        last = max(n for n, w in enumerate(whys) if w.stage == stage)
        shares = [Share(stage=w.text, value=w.value or 0.0) for w in whys if w.stage == stage]
        total = sum(share.value for share in shares)
        for why in (None, *whys[last + 1 :]):
            if why is not None:
                shares.append(Share(stage=why.stage, value=why.value or 0.0))
                total += shares[-1].value
            rest = candidate.score - total
            if abs(rest) <= len(shares) * EXACT:
                end = replace(shares[-1], value=round(shares[-1].value + rest, 9))
                return (*shares[:-1], end)
    # Without shares the last stage whose score equals the candidate's gave all of it.
    same = [n for n, s in candidate.scores.items() if abs(s - candidate.score) <= EXACT]
    paths = [name for name in same if name != "retrieval"]
    stage = (paths or same or ["retrieval"])[-1]
    return (Share(stage=stage, value=candidate.score),)


def matched(candidate: Candidate, concepts: Mapping[str, frozenset[str]]) -> Matched:
    """The words BM25 found in the record, and the query's concepts that the tool has."""
    words = (w.text.split(", ") for w in candidate.why if w.kind == "words" and w.text)
    shared = (name for name, tools in concepts.items() if candidate.tool.id in tools)
    return Matched(
        terms=tuple(dict.fromkeys(word for terms in words for word in terms)),
        concepts=tuple(shared),
    )


def ranks(result: StageResult, tools: Collection[str] | None = None) -> dict[str, dict[str, int]]:
    """Per tool id its rank from 1 in the list of every stage that has it, in stage order.

    ``tools`` are the ids that are asked for; None stands for all.
    """
    places: dict[str, dict[str, int]] = {}
    for node in result.stages():
        if node.ran:
            for rank, candidate in enumerate(node.state.candidates, start=1):
                tool = candidate.tool.id
                if tools is None or tool in tools:
                    places.setdefault(tool, {})[node.name] = rank
    return places


def named_tool(text: str, tools: Mapping[str, Tool]) -> Tool | None:
    """The tool of this id, or of this name whatever the case; of namesakes the first by id.

    Where no name is spelt so, one that differs in blanks, marks or the order of words counts.
    """
    if text in tools:
        return tools[text]
    low = folded_name(text)
    same = [t for t in tools.values() if low in (folded_name(t.id), folded_name(t.name))]
    forms = frozenset() if same else _forms(text)
    same = same or [t for t in tools.values() if forms & (_forms(t.id) | _forms(t.name))]
    return min(same, key=lambda t: t.id, default=None)


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", name).casefold())


def _forms(name: str) -> frozenset[str]:
    """A name without blanks and marks, and its words in any order; none of a name without words."""
    words = _words(name)
    return frozenset({"".join(words), " ".join(sorted(words))} if words else ())


def like(text: str, tools: Iterable[Tool]) -> tuple[str, ...]:
    """Up to NAMES names: those with every word of the text, shortest first, then similar ones."""
    names = sorted({t.name for t in tools}, key=lambda n: (len(n), n))
    low, words = {n.casefold(): n for n in names}, set(_words(text))
    containing = [n for n in names if words and words <= set(_words(n))]
    near = get_close_matches(text.strip().casefold(), low, n=NAMES, cutoff=LIKE)
    return tuple(dict.fromkeys([*containing, *(low[n] for n in near)]))[:NAMES]


def unmatched(
    excluded: Iterable[str], tools: Mapping[str, Tool], folded: Container[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """The exclusions that are no tool's id or name, the first of them with the nearest names.

    ``folded`` are these ids and names; without them every tool is asked.
    """
    exclusions = tuple(excluded)
    if not exclusions:
        return {}
    names = folded or {folded_name(n) for t in tools.values() for n in (t.id, t.name)}
    missing = [name for name in exclusions if folded_name(name) not in names]
    tool_by_name = {name: named_tool(name, tools) for name in missing[:MOST_NEAR]}
    near = {n: (t.name,) if t else like(n, tools.values()) for n, t in tool_by_name.items()}
    return {name: near.get(name, ()) for name in missing}


def fate_of(
    text: str,
    result: StageResult,
    query: Query,
    tools: Mapping[str, Tool],
    uncut: Callable[[], Whole] = dict,
) -> Explained:
    """What became of a tool in an answer.

    ``uncut`` gives the lists of the same search before they were cut, by stage; it is called
    only for a tool that is in no final list.
    """
    tool = named_tool(text, tools)
    if tool is None:
        return Explained(text=text, fate="not_in_catalog", did_you_mean=like(text, tools.values()))
    is_excluded = bool(select((tool,), query).drop)
    left_out = ("exclusion",) if is_excluded else refusing(query.filters, tool)
    if left_out:
        fate: Fate = "excluded" if is_excluded else "filtered_out"
        return Explained(text=text, fate=fate, tool=tool, stage="selection", reasons=left_out)
    final = _rank(tool, result.state.candidates)
    places = tuple(_places(tool, result, {} if final else uncut()))
    fate, stage, reasons = ("kept", None, ()) if final else _lost(tool, result, places)
    return Explained(
        text=text,
        fate=fate,
        tool=tool,
        stage=stage,
        reasons=reasons,
        places=places,
        rank=final,
    )


def refusing(filters: Filters, tool: Tool) -> tuple[str, ...]:
    """The filters, each by itself, that do not admit a tool."""
    set_ = ((f.name, getattr(filters, f.name)) for f in fields(filters))
    return tuple(n for n, want in set_ if want and not Filters(**{n: want}).admits(tool))


def _rank(tool: Tool, candidates: Sequence[Candidate]) -> int | None:
    return next((n for n, c in enumerate(candidates, 1) if c.tool.id == tool.id), None)


def _places(tool: Tool, result: StageResult, uncut: Whole) -> Iterator[Place]:
    """One place per list that ran; beyond a list's end rank and score are those before the cut."""
    for node in result.stages():
        candidates = node.state.candidates
        if not node.ran or not candidates:
            continue
        full_list: Sequence[Candidate] = candidates
        rank = _rank(tool, candidates)
        if rank is None:
            full_list = uncut.get(node.name, ())
            rank = _rank(tool, full_list)
        yield Place(
            stage=node.name,
            rank=rank,
            score=None if rank is None else full_list[rank - 1].score,
            length=len(candidates),
            cut_off=candidates[-1].score,
        )


def _lost(
    tool: Tool, result: StageResult, places: Sequence[Place]
) -> tuple[Fate, str, tuple[str, ...]]:
    trunk = [n for n in result.children if n.ran and n.state.candidates]
    lengths = [len(node.state.candidates) for node in trunk]
    # What follows the last cut keeps the list as it is.
    cuts = [n for n in range(1, len(trunk)) if lengths[n] < lengths[n - 1]]
    trunk = trunk[: cuts[-1] + 1] if cuts else trunk
    here = [n for n, node in enumerate(trunk) if _rank(tool, node.state.candidates)]
    if not here:
        lists = [p for p in places if "/" in p.stage and p.rank and p.rank <= p.length]
        first = trunk[0].name if trunk else result.name
        return ("cut_when_fused" if lists else "never_found"), first, ()
    after = trunk[here[-1] + 1] if here[-1] + 1 < len(trunk) else None
    stage, last = (after.name if after else result.name), trunk[-1]
    if after is not None and after is not last:
        return "lost", stage, ()
    sunk = _sunk(tool, trunk, len(result.state.candidates))
    return ("sunk_by_fit", "fit", sunk) if sunk else ("cut_at_the_end", stage, ())


def _sunk(tool: Tool, trunk: Sequence[StageResult], size: int) -> tuple[str, ...]:
    """The failing facts, where the tool was among the last list's size before the fit stage."""
    for before, fit in pairwise(trunk):
        if fit.name.rsplit("/", 1)[-1] == "fit":
            rank_before, rank_after = (
                _rank(tool, before.state.candidates),
                _rank(tool, fit.state.candidates),
            )
            if rank_before and rank_after and rank_before <= size < rank_after:
                marked = fit.state.candidates[rank_after - 1].fit or ()
                failed = tuple(f.fact for f in marked if f.verdict == "fail")
                # The species is the one fact that costs where nobody is named.
                unsure = tuple(f.fact for f in marked if f.fact == "species")
                return failed or unsure or ("conversion",)
    return ()
