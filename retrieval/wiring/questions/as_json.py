"""An answer as JSON and as text for the command line."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from retrieval.core import Fact, StageResult
from retrieval.wiring.questions.routing import Asked


def ask_json(asked: Asked) -> dict[str, Any]:
    """Question, answer with its evidence, context, trace, graph, query, choice and refusal."""
    evidence = asked.evidence
    return {
        "question": asked.question,
        "language": asked.language,
        "answer": [
            {"sentence": one.text, "evidence": list(one.evidence)} for one in evidence.answer
        ],
        "context": [_fact(fact) for fact in evidence.facts],
        "stages": [_stage(node) for node in asked.result.walk()],
        "graph": asdict(asked.graph),
        "query": asdict(asked.query) if asked.query else None,
        "chosen": _chosen(asked),
        "refused": asked.refused or None,
        "unanswered": asked.unanswered or None,
        "stopped": asked.stopped or None,
    }


def _chosen(asked: Asked) -> dict[str, Any]:
    choice = asked.choice
    others = [{"answerer": name, "reason": why} for name, why in choice.alternatives]
    return {
        "answerer": choice.answerer,
        "reason": choice.reason,
        "by": choice.by,
        "alternatives": others,
    }


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "kind": fact.kind,
        "text": fact.text,
        "source": fact.source,
        "nodes": list(fact.nodes),
    }


def _stage(node: StageResult) -> dict[str, Any]:
    return {
        "name": node.name,
        "status": node.status,
        "note": node.note,
        "elapsed_ms": round(node.elapsed_ms, 3),
    }


def ask_text(asked: Asked) -> str:
    """The answer in lines: sentences with the numbers of their facts, then the facts."""
    evidence = asked.evidence
    numbers = {fact.id: n for n, fact in enumerate(evidence.facts, start=1)}
    lines = [f"{one.text} {_marks(one.evidence, numbers)}" for one in evidence.answer]
    lines += [told for told in (asked.refused, asked.unanswered) if told]
    lines.append("")
    lines += [f"[{n}] {fact.text}  ({fact.source})" for n, fact in enumerate(evidence.facts, 1)]
    lines.append(f"answered from: {asked.choice.answerer} ({asked.choice.reason})")
    return "\n".join(lines)


MARKS = 6


def _marks(evidence: tuple[str, ...], numbers: dict[str, int]) -> str:
    found = [numbers[one] for one in evidence if one in numbers]
    more = f" and {len(found) - MARKS} more" if len(found) > MARKS else ""
    return f"[{', '.join(map(str, found[:MARKS]))}{more}]"
