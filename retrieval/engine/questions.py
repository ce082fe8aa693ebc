"""Texts that are no request: open questions about a file, and what no software answers."""

from __future__ import annotations

import dataclasses

from msgspec.structs import replace

from retrieval.core import Query
from retrieval.engine.answer import Answer
from retrieval.engine.snapshot import Snapshot
from retrieval.explain import Confidence
from retrieval.query import asks_openly, beyond_software


def without_open_question(query: Query, snapshot: Snapshot) -> Query:
    """The query of a file without a text that only asks what can be done with it.

    "What can I do with this?" names nothing to look for, and its words find wrong tools; an empty
    text gets the tasks that tools can do on the file.
    """
    if not query.scans or not query.text or snapshot.gaps is None:
        return query
    mentions = snapshot.gaps.finder.mentions(query.text)
    return replace(query, text="") if asks_openly(query.text, mentions) else query


def judged_text(query: Query, judged: Confidence | None) -> Confidence | None:
    """The confidence of a text, that of a tool's name or of what no software answers as such.

    Of "how do I use elastix" the word "how" is left where the name is read as a wish.
    """
    if judged is None:
        return None
    if beyond_software(query.raw):
        return dataclasses.replace(judged, beyond_software=True)
    wants_tool = any(w.kind == "tool" and w.strength != "unwanted" for w in query.wishes)
    is_name = wants_tool and asks_openly(query.text)
    return dataclasses.replace(judged, named=True) if is_name else judged


def is_elsewhere(answer: Answer) -> bool:
    """Whether a refused text names nothing of the field that a question back could narrow.

    Who asks for a pizza is not asked how to reconstruct it; "help" says nothing and is asked.
    """
    query, judged = answer.query, answer.insight.confidence
    if judged is None or not judged.abstains:
        return False
    is_of_field = judged.in_field or bool(answer.insight.parts) or asks_openly(query.text)
    return judged.beyond_software or not is_of_field
