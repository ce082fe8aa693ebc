"""Remarks on an answer that are about its files."""

from __future__ import annotations

from msgspec.structs import replace

from retrieval.core import State
from retrieval.engine.answer import Answer, Insight
from retrieval.engine.snapshot import Snapshot
from retrieval.fit import file_remarks


def with_file_notes(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    """The remarks with those on the files last; the parts of the request are read before."""
    insight = answer.insight
    wanted = (part for part in insight.parts if part.strength != "unwanted")
    tasks = {part.value for part in wanted if part.kind == "task"}
    fits = (fit for candidate in answer.candidates for fit in candidate.fit or ())
    noted = file_remarks(answer.query.scans, tasks, fits)
    return replace(insight, notes=(*insight.notes, *noted)) if noted else insight
