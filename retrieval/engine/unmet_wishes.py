"""Whether any listed tool does the task, within the filters, and states what is wished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.core import Candidate, Filters, Wish
from retrieval.engine.answer import Answer
from retrieval.engine.gap_evidence import unwished
from retrieval.engine.snapshot import Snapshot
from retrieval.explain import GapJudge
from retrieval.fit import TASK, contradictions, wish_fit

STATED = frozenset({"language", "interface", "host", "system"})
"""Kinds of wishes that most records answer. Of others (offline, memory) few records speak, so that
none of a list states them though many may do."""

DENIED = STATED | {"tool"}
"""The same of what is unwanted: a record tells which tools it needs."""

NAMED = 3
"""Tools stating otherwise that are named: as many as a list should begin with."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A part of the request, with the ids of the tools whose records state it."""

    kind: str
    value: str
    ids: frozenset[str]


def unmet_wishes(answer: Answer, snapshot: Snapshot) -> str:
    """The note that no listed tool states task and wishes together; empty where one does.

    A green mark for the wish alone tells of each tool that it is written in R, and nowhere that
    none of them does radiomics. It names tools that do the task and state otherwise.
    """
    judge, aside = snapshot.gaps, contradictions(answer.query.wishes)
    counted = [wish for wish in answer.query.wishes if wish not in aside]
    wanted = [w for w in counted if w.strength != "unwanted" and w.kind in STATED]
    denied = [w for w in counted if w.strength == "unwanted" and w.kind in DENIED]
    wishes, candidates = (*wanted, *denied), answer.candidates
    if judge is None or not wishes or not candidates or answer.low_confidence:
        return ""
    parts = _parts(judge, snapshot.spelled(answer.query.text))
    tasks = [part for part in parts if part.kind == "task"]
    met = [candidate for candidate in candidates if _meets(candidate, wishes)]
    if not parts or any(_serves(candidate, tasks, parts) for candidate in met):
        return ""
    named = parts if any(_states(one, tasks) for one in met) else tasks
    values = [wish.value for wish in wanted] + [part.value for part in named]
    note = f"None of the {len(candidates)} listed tools states {_joined(values)}"
    together = " together" if len(values) > 1 else ""
    otherwise = _stating_otherwise(answer, denied or wanted, parts)
    if not denied:
        without = _joined([wish.value for wish in wanted])
        stating = f" Without {without}: {otherwise}." if otherwise else ""
        return f"{note}{together}.{stating}"
    without = f"and is known to do without {_joined([wish.value for wish in denied], 'or')}"
    left_out = f" Left out for that: {otherwise}." if otherwise else ""
    return f"{note}{together} {without}.{left_out}"


def filtered_out(answer: Answer, snapshot: Snapshot) -> str:
    """The note that no listed tool states all that is asked, and tools behind the filters do.

    A remark such as "in the browser" may leave none of the tools for a task, and the list then
    looks as good as before.
    """
    judge, filters = snapshot.gaps, answer.query.filters
    if judge is None or filters == Filters() or answer.low_confidence or not answer.candidates:
        return ""
    parts = _parts(judge, snapshot.spelled(answer.query.text))
    ids = frozenset.intersection(*(part.ids for part in parts)) if parts else frozenset()
    if not ids or any(filters.admits(snapshot.tools[id]) for id in ids):
        return ""
    many = len(answer.candidates)
    tools, pronoun = ("1 tool", "it") if len(ids) == 1 else (f"{len(ids)} tools", "them")
    stated = _joined([part.value for part in parts])
    verb = "states" if len(ids) == 1 else "state"
    return (
        f"None of the {many} listed tools states {stated}. {tools} {verb} that, "
        f"and your filters leave {pronoun} out."
    )


def _parts(judge: GapJudge, text: str) -> list[_Asked]:
    """The parts of a text by name: what a record states in general is not what is asked.

    What people ask for in a record's name counts, since the note says that none states it.
    """
    stated = judge.stated
    return [
        _Asked(
            p.kind,
            p.value,
            stated.ids(stated.stating(p.concept) | stated.with_stems(p.stems, phrased=True)),
        )
        for p in judge.parts(text)
    ]


def _states(candidate: Candidate, parts: Sequence[_Asked]) -> bool:
    return all(candidate.tool.id in part.ids for part in parts)


def _serves(candidate: Candidate, tasks: Sequence[_Asked], parts: Sequence[_Asked]) -> bool:
    """Whether a candidate states every part, or the tasks and is not for something else."""
    is_beside = any(fit.fact == TASK for fit in candidate.fit or ())
    return _states(candidate, tasks if not is_beside else parts)


def _meets(candidate: Candidate, wishes: Sequence[Wish]) -> bool:
    """Whether a candidate passes each of these wishes as its fit tells."""
    kinds = {wish.kind for wish in wishes}
    judged = [f for f in candidate.fit or () if f.asked and f.fact in kinds]
    return kinds == {f.fact for f in judged} and all(f.verdict == "pass" for f in judged)


def _stating_otherwise(answer: Answer, wishes: Sequence[Wish], parts: Sequence[_Asked]) -> str:
    """The best tools that state every part and fail one of the wishes, by name."""
    names = [
        candidate.tool.name
        for candidate in unwished(answer)
        if _states(candidate, parts)
        and any(wish_fit(candidate.tool, wish).verdict == "fail" for wish in wishes)
    ]
    return _joined(names[:NAMED]) if names else ""


def _joined(values: Sequence[str], word: str = "and") -> str:
    """The values once each, as ``R, CT and radiomics``."""
    named = list(dict.fromkeys(values))
    return f" {word} ".join(filter(None, (", ".join(named[:-1]), named[-1])))
