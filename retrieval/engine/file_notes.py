"""Remarks on an answer that are about its files."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from retrieval.core import State, Tool
from retrieval.engine.answer import Answer, Insight
from retrieval.engine.snapshot import Snapshot
from retrieval.fit import file_remarks, named_kind_remark, other_kind_remark, summary_of

LONGEST = 60
"""Characters of a request that a remark repeats; of a longer one its parts are named."""

FITTING = frozenset({"pass", "after conversion"})

SOUGHT = frozenset({"task", "object"})
"""Kinds of the parts of a request that tools are looked for by; a kind of image is the file's."""


def with_file_notes(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    """The remarks with those on the files last; the parts of the request are read before."""
    insight, scans = answer.insight, answer.query.scans
    wanted = [part for part in insight.parts if part.strength != "unwanted"]
    tasks = {part.value for part in wanted if part.kind == "task"}
    fits = (fit for candidate in answer.candidates for fit in candidate.fit or ())
    noted = file_remarks(scans, tasks, fits)
    remark = ""
    if scans and any(part.kind in SOUGHT for part in wanted):
        requested, tools = _serving(answer, snapshot)
        if _is_served(answer, tools):
            tools = ()
        remark = other_kind_remark(scans, requested, tools)
    kinds = {part.value for part in wanted if part.kind == "modality"}
    remark = remark or named_kind_remark(scans, kinds, answer.query.text)
    noted = (*noted, *filter(None, (remark,)))
    return replace(insight, notes=(*insight.notes, *noted)) if noted else insight


def _serving(answer: Answer, snapshot: Snapshot) -> tuple[str, Sequence[Tool]]:
    """What is asked in words, and the tools that state it: all of it, else the tasks alone."""
    judge, text = snapshot.gaps, answer.query.text
    needs = judge.needs(snapshot.spelled(text)) if judge else ()
    sought = [need for need in needs if need.part.kind in SOUGHT]
    tasks = [need for need in sought if need.part.kind == "task"]
    for some in (needs, sought, tasks):
        records = judge.stated.every if judge and some else 0
        for need in some:
            records &= need.stating
        if judge and records:
            ids = sorted(judge.stated.ids(records))
            tools = [snapshot.tools[id] for id in ids if id in snapshot.tools]
            is_all = len(some) == len(needs) and len(text) <= LONGEST
            values = dict.fromkeys(need.part.value for need in some)
            return f"“{text if is_all else ', '.join(values)}”", tools
    return "", ()


def _is_served(answer: Answer, tools: Sequence[Tool]) -> bool:
    """Whether the list has one of the tools that the files fit: then nothing is amiss."""
    ids = {tool.id for tool in tools}
    verdicts = (summary_of(c.fit) for c in answer.candidates if c.tool.id in ids)
    return any(one is not None and one.verdict in FITTING for one in verdicts)
