"""Questions of two halves and what the records say to each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import Response
from tests.ask.gold import Row, gold

FILE = Path(__file__).parent / "compound.jsonl"
PRECISION = 0.5

ROOM = 20
"""Facts of one half that fit into a context of 40; a longer half is counted in words."""


def compounds(kind: str) -> list[Row]:
    rows = [json.loads(line) for line in FILE.read_text("utf-8").splitlines() if line]
    return [row for row in rows if row["set"] == kind]


def halves_right(asking: QuestionEngine, tools: Mapping[str, Tool], row: Row) -> list[bool]:
    """Whether a sentence of its own holds each half, by the facts that bear it."""
    asked = asking.ask(row["question"])
    told = [_named(asking, asked, one.evidence) for one in asked.evidence.answer]
    held: list[bool] = []
    for half in row["halves"]:
        fits = [n for n, found in enumerate(told) if _held(found, half, gold(half, tools))]
        held.append(bool(fits))
        told = told[fits[0] + 1 :] if fits else told
    return held


def _named(asking: QuestionEngine, asked: Response, evidence: tuple[str, ...]) -> set[str]:
    facts = [fact for fact in asked.evidence.facts if fact.id in evidence]
    return {node for fact in facts for node in fact.nodes}


def _held(nodes: set[str], half: Row, wanted: frozenset[str]) -> bool:
    if "of" in half:
        found = {node.partition(":")[2] or node for node in nodes if node != half["of"]}
    else:
        found = {node for node in nodes if ":" not in node} - {half.get("required_by")}
    fits = len(found & wanted) >= min(len(wanted), ROOM)
    return fits and len(found & wanted) >= PRECISION * len(found)
