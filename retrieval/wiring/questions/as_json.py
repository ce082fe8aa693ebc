"""An answer as JSON and as text for the command line."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from retrieval.core import Fact
from retrieval.wiring.questions.routing import Asked


def ask_json(response: Asked) -> dict[str, Any]:
    """Question, answer with its evidence, context, trace, graph, query, choice and refusal."""
    evidence = response.evidence
    return {
        "question": response.question,
        "language": response.language,
        "answer": [
            {"sentence": one.text, "evidence": list(one.evidence)} for one in evidence.answer
        ],
        "context": [_fact(fact) for fact in evidence.facts],
        "stages": [
            {
                "name": node.name,
                "status": node.status,
                "note": node.note,
                "elapsed_ms": round(node.elapsed_ms, 3),
            }
            for node in response.result.walk()
        ],
        "graph": asdict(response.graph),
        "query": asdict(response.query) if response.query else None,
        "chosen": _chosen(response),
        "refused": response.refused or None,
        "unanswered": response.unanswered or None,
        "stopped": response.stopped or None,
    }


def _chosen(response: Asked) -> dict[str, Any]:
    choice = response.choice
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


def ask_text(response: Asked) -> str:
    """The answer in lines: sentences with the numbers of their facts, then the facts."""
    evidence = response.evidence
    numbers = {fact.id: n for n, fact in enumerate(evidence.facts, start=1)}
    lines = [f"{one.text} {_marks(one.evidence, numbers)}" for one in evidence.answer]
    lines += [reason for reason in (response.refused, response.unanswered) if reason]
    lines.append("")
    lines += [f"[{n}] {fact.text}  ({fact.source})" for n, fact in enumerate(evidence.facts, 1)]
    lines.append(f"answered from: {response.choice.answerer} ({response.choice.reason})")
    return "\n".join(lines)


MARKS = 6


def _marks(evidence: tuple[str, ...], numbers: dict[str, int]) -> str:
    cited = [numbers[one] for one in evidence if one in numbers]
    more = f" and {len(cited) - MARKS} more" if len(cited) > MARKS else ""
    return f"[{', '.join(map(str, cited[:MARKS]))}{more}]"
