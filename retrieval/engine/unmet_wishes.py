"""Whether any listed tool does the task and states what is wished of software."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.core import Candidate, Wish
from retrieval.engine.answer import Answer
from retrieval.engine.snapshot import Snapshot

STATED = frozenset({"language", "interface", "host", "system"})
"""Kinds of wishes that most records answer. Of others (offline, memory) few records speak, so that
none of a list states them though many may do."""


def unmet_wishes(answer: Answer, snapshot: Snapshot) -> str:
    """The note that no listed tool states task and wishes together; empty where one does.

    A green mark for the wish alone tells of each tool that it is written in R, and nowhere that
    none of them does radiomics.
    """
    wishes = [w for w in answer.query.wishes if w.kind in STATED and w.strength != "unwanted"]
    judge, text = snapshot.gaps, answer.query.text
    if judge is None or not wishes or not answer.candidates or answer.low_confidence:
        return ""
    tasks = [part for part in judge.parts(snapshot.spelled(text)) if part.kind == "task"]
    stated = judge.stated
    # By name: what a record states in general ("feature extraction") is not what is asked.
    doing = [stated.ids(stated.stating(t.concept) | stated.with_stems(t.stems)) for t in tasks]
    if not tasks or any(
        all(candidate.tool.id in ids for ids in doing) and _meets(candidate, wishes)
        for candidate in answer.candidates
    ):
        return ""
    values = [w.value for w in wishes] + [task.value for task in tasks]
    named = list(dict.fromkeys(values))
    joined = f"{', '.join(named[:-1])} and {named[-1]}"
    return f"None of the {len(answer.candidates)} listed tools states {joined} together."


def _meets(candidate: Candidate, wishes: Sequence[Wish]) -> bool:
    """Whether a candidate passes each of these wishes as its fit tells."""
    kinds = {wish.kind for wish in wishes}
    judged = [f for f in candidate.fit or () if f.asked and f.fact in kinds]
    return kinds == {f.fact for f in judged} and all(f.verdict == "pass" for f in judged)
